import { findText, type XmlNode, xmlFault } from './read-xml.ts';

/** `Dt` or `DtTm`, of which the day as the bank writes it. */
export function readDate(node: XmlNode | undefined): Temporal.PlainDate | undefined {
  const text = node && (findText(node, 'Dt') ?? findText(node, 'DtTm')?.slice(0, 10));
  if (text === undefined) return undefined;
  const [day = ''] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
  try {
    return Temporal.PlainDate.from(day, { overflow: 'reject' });
  } catch {
    throw xmlFault(`no date: ${text.slice(0, 40)}`);
  }
}
