import { findAsset } from '#catalog/asset.ts';
import { textOf, type XmlNode, xmlFault } from './read-xml.ts';

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
