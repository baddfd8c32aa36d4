// XML from outside, as a tree of the elements of one namespace. Guarantees: well-formed text of
// bounded size and depth; no document type, so no entity of anybody's making; an element that may
// stand once and stands twice is an error, never a choice. What belongs to another namespace is
// left out with everything in it.

import { parseXml, XmlElement, XmlText } from '@rgrove/parse-xml';
import { Refusal } from '#base/refusal.ts';
import { findAsset } from '#catalog/asset.ts';

/** An element of the one namespace, its name without a prefix. */
export type XmlNode = Pick<XmlElement, 'name' | 'attributes' | 'children'>;

type XmlDocument = { readonly namespace: string; readonly root: XmlNode };

export const XML_BYTES_MAX: number = 16 * 2 ** 20;
const DEPTH_MAX = 40;

/** @throws Refusal (invalid, `xml`) */
export function readXml(bytes: Uint8Array): XmlDocument {
  if (bytes.length > XML_BYTES_MAX) throw xmlFault(`longer than ${XML_BYTES_MAX} bytes`);
  const { element: root, outer } = unwrap(parse(decode(bytes)));
  const scope = scopeOf(root, outer);
  const namespace = scope.get(prefixOf(root.name)) ?? '';
  if (!keepOwn(root, outer, { namespace, depth: 0 })) throw xmlFault('the root has no namespace');
  return { namespace, root };
}

export function xmlFault(sentence: string): Refusal {
  return new Refusal('invalid', 'xml', [sentence]);
}

/** What banks declare beside UTF-8, by the names of the encoding standard. */
const LATIN = /^(?:iso-?8859-(?:1|15)|latin1|windows-1252)$/i;

function decode(bytes: Uint8Array): string {
  // A declaration is of ASCII in all of these.
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const [, encoding = 'UTF-8'] =
    /^(?:ï»¿)?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)/.exec(start) ?? [];
  const isLatin = LATIN.test(encoding);
  if (!isLatin && !/^(?:utf-?8|us-ascii)$/i.test(encoding)) {
    throw xmlFault(`in ${encoding.slice(0, 40)}, not UTF-8`);
  }
  let text: string;
  try {
    text = new TextDecoder(isLatin ? encoding : 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw xmlFault(isLatin ? `not ${encoding}` : 'not UTF-8');
  }
  if (/<!\s*(?:DOCTYPE|ENTITY)/i.test(text)) throw xmlFault('has a document type');
  return text;
}

function parse(text: string): XmlElement {
  try {
    const { root } = parseXml(text);
    if (root !== null) return root;
  } catch (error) {
    // Text nested so deep that the parser has no room for it ends here as well.
    const [reason] = error instanceof Error ? error.message.split('\n') : [];
    throw xmlFault(`not well-formed: ${reason?.slice(0, 200)}`);
  }
  throw xmlFault('no root');
}

type Scope = ReadonlyMap<string, string>;

function scopeOf({ attributes }: XmlElement, outer: Scope): Scope {
  let scope: Map<string, string> | undefined;
  // Hardly any element has one, and there are a hundred thousand: nothing is made for those.
  for (const name in attributes) {
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue;
    scope ??= new Map(outer);
    scope.set(name.slice('xmlns:'.length), attributes[name] ?? '');
  }
  return scope ?? outer;
}

function prefixOf(name: string): string {
  return name.includes(':') ? name.slice(0, name.indexOf(':')) : '';
}

type Wrapped = { readonly element: XmlElement; readonly outer: Scope };

/** The one <Document> in an envelope of whatever kind, else the root itself. */
function unwrap(root: XmlElement): Wrapped {
  const found = documentsIn(root, new Map(), 0);
  if (found.length > 1) throw xmlFault('holds more than one <Document>');
  return found[0] ?? { element: root, outer: new Map() };
}

const ENVELOPE_DEPTH = 6;

function documentsIn(element: XmlElement, outer: Scope, depth: number): Wrapped[] {
  if (element.name.slice(element.name.indexOf(':') + 1) === 'Document') return [{ element, outer }];
  if (depth === ENVELOPE_DEPTH) return [];
  const scope = scopeOf(element, outer);
  return element.children.flatMap((child) =>
    child instanceof XmlElement ? documentsIn(child, scope, depth + 1) : [],
  );
}

type Place = { readonly namespace: string; readonly depth: number };

/**
 * Leaves out what is of another namespace, and prefixes, in the tree itself: a statement has
 * hundreds of thousands of nodes. False when the element itself is of another one.
 */
function keepOwn(element: XmlElement, outer: Scope, { namespace, depth }: Place): boolean {
  if (depth > DEPTH_MAX) throw xmlFault('nested too deep');
  const scope = scopeOf(element, outer);
  const prefix = prefixOf(element.name);
  const own = scope.get(prefix);
  if (own === undefined) throw xmlFault(`<${element.name.slice(0, 60)}> has no namespace`);
  if (own !== namespace || own === '') return false;
  if (prefix !== '') element.name = element.name.slice(prefix.length + 1);
  const within = { namespace, depth: depth + 1 };
  let foreign: Set<unknown> | undefined;
  for (const child of element.children) {
    if (child instanceof XmlElement && !keepOwn(child, scope, within)) {
      foreign ??= new Set();
      foreign.add(child);
    }
  }
  if (foreign !== undefined) {
    element.children = element.children.filter((child) => !foreign.has(child));
  }
  return true;
}

/** Directly in it, without white space around it. */
export function textOf({ children }: XmlNode): string {
  let text = '';
  for (const child of children) if (child instanceof XmlText) text += child.text;
  return text.trim();
}

export function allOf(node: XmlNode, name: string): XmlNode[] {
  const found: XmlNode[] = [];
  for (const child of node.children) {
    if (child instanceof XmlElement && child.name === name) found.push(child);
  }
  return found;
}

/** Step by step down; undefined where one is missing. @throws Refusal where one is there twice. */
export function findOnly(node: XmlNode, ...path: readonly string[]): XmlNode | undefined {
  let at: XmlNode | undefined = node;
  for (const name of path) {
    let found: XmlNode | undefined;
    for (const child of at?.children ?? []) {
      if (!(child instanceof XmlElement) || child.name !== name) continue;
      if (found !== undefined) throw xmlFault(`<${name}> stands twice in <${at?.name}>`);
      found = child;
    }
    at = found;
  }
  return at;
}

/** Undefined when it is not there or empty. */
export function findText(node: XmlNode, ...path: readonly string[]): string | undefined {
  const found = findOnly(node, ...path);
  return (found && textOf(found)) || undefined;
}

/** @throws Refusal */
export function getText(node: XmlNode, ...path: readonly string[]): string {
  const text = findText(node, ...path);
  if (text === undefined) throw xmlFault(`<${path.at(-1)}> is missing in <${node.name}>`);
  return text;
}

export type BankMoney = { readonly currency: string; readonly units: bigint };

/** How many digits after the point a currency has whose money the catalog does not list. */
const OTHER_DECIMALS = 2;

/**
 * `<Amt Ccy="EUR">10.50</Amt>`, exactly: 18 digits at most (ISO 20022,
 * ActiveOrHistoricCurrencyAndAmount), never negative, zeros behind the last digit of the currency
 * only. @throws Refusal
 */
export function readMoney(node: XmlNode | undefined): BankMoney {
  if (node === undefined) throw xmlFault('<Amt> is missing');
  const currency = node.attributes.Ccy ?? '';
  const text = textOf(node);
  const [, whole = '', part = ''] = /^(\d{1,18})(?:\.(\d{0,5}))?$/.exec(text) ?? [];
  const decimals = findAsset(`${currency}:FIAT`)?.decimals ?? OTHER_DECIMALS;
  const isAmount = whole !== '' && whole.length + part.length <= 18;
  const isExact = /^0*$/.test(part.slice(decimals));
  if (!/^[A-Z]{3}$/.test(currency) || !isAmount || !isExact) {
    throw xmlFault(`no amount: ${text.slice(0, 40)} ${currency.slice(0, 10)}`);
  }
  const digits = part.slice(0, decimals).padEnd(decimals, '0');
  return { currency, units: BigInt(whole + digits) };
}

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
