// One booking of a statement (ISO 20022, Ntry). A batch is one booking of many transactions, whose
// amounts must add up to it. One of which it cannot be told what each transaction is worth is taken
// as a whole and for nobody: a person looks at it, and the rest of the file is read.

import { findCreditorReferences } from './bank-references.ts';
import {
  allOf,
  type BankMoney,
  findOnly,
  findText,
  getText,
  readDate,
  readMoney,
  textOf,
  type XmlNode,
  xmlFault,
} from './read-xml.ts';

export type BankTransaction = {
  readonly units: bigint;
  /** The one reference of ours in it; undefined when there is none, or more than one. */
  readonly reference: string | undefined;
  /** Given by the payer, for the whole way. */
  readonly endToEndId: string | undefined;
  /** Given by our bank. */
  readonly servicerReference: string | undefined;
  /** It gives back an earlier one (RtrInf). */
  readonly isReturn: boolean;
};

export type BankEntry = BankMoney & {
  readonly side: 'CRDT' | 'DBIT';
  /** It undoes an earlier booking, of the other side (RvslInd). */
  readonly isReversal: boolean;
  /** BOOK; anything else may yet not happen. */
  readonly status: string;
  readonly bookedOn: Temporal.PlainDate | undefined;
  readonly servicerReference: string | undefined;
  /** False where only the sum of a booking is shown. */
  readonly hasDetails: boolean;
  /** Why it was taken as a whole and for nobody; undefined for nearly all. */
  readonly unusual: string | undefined;
  /** One at least; together they are the booking. */
  readonly transactions: readonly BankTransaction[];
};

const ID_LENGTH = 140;

/** @throws Refusal (invalid, `xml`) */
export function readEntry(node: XmlNode): BankEntry {
  const money = readMoney(findOnly(node, 'Amt'));
  const side = readSide(node);
  if (side === undefined) throw xmlFault('<CdtDbtInd> is missing in <Ntry>');
  const reversal = findText(node, 'RvslInd') ?? 'false';
  if (!/^(?:true|false|1|0)$/.test(reversal)) throw xmlFault('<RvslInd> is neither true nor false');
  const details = allOf(node, 'NtryDtls').flatMap((part) => allOf(part, 'TxDtls'));
  const own = realId(findText(node, 'AcctSvcrRef'));
  const whole = { ...money, side, count: details.length };
  const unusual = faultOf(details, whole);
  const transactions =
    details.length === 0
      ? [withoutDetails(node, money)]
      : unusual === undefined
        ? details.map((part) => readTransaction(part, whole))
        : [unmatched(details, whole)];
  return {
    ...money,
    side,
    isReversal: reversal === 'true' || reversal === '1',
    // A code of its own from version 8 on, plain text before.
    status: findText(node, 'Sts', 'Cd') ?? getText(node, 'Sts'),
    bookedOn: readDate(findOnly(node, 'BookgDt')),
    servicerReference:
      own ?? (details.length === 1 ? transactions[0]?.servicerReference : undefined),
    hasDetails: details.length > 0,
    unusual,
    transactions,
  };
}

/** One in another currency than the account's is nobody's: what it is worth, a person says. */
export function inCurrencyOf(entry: BankEntry, currency: string): BankEntry {
  if (entry.currency === currency) return entry;
  const { units, side, transactions } = entry;
  const isReturn = transactions.some((transaction) => transaction.isReturn);
  const whole = { units, ...NOBODYS, isReturn: side === 'DBIT' && isReturn };
  const unusual = `it is in ${entry.currency}, the account in ${currency}`;
  return { ...entry, unusual, transactions: [whole] };
}

const NOBODYS = { reference: undefined, endToEndId: undefined, servicerReference: undefined };

function withoutDetails(node: XmlNode, { units }: BankMoney): BankTransaction {
  return {
    units,
    reference: onlyReference([findText(node, 'AddtlNtryInf') ?? '']),
    endToEndId: undefined,
    servicerReference: undefined,
    isReturn: false,
  };
}

type WholeEntry = BankMoney & { readonly side: BankEntry['side']; readonly count: number };

/** Why the transactions cannot be taken each for itself; undefined when they can. */
function faultOf(details: readonly XmlNode[], whole: WholeEntry): string | undefined {
  const sides = details.map((part) => readSide(part) ?? whole.side);
  if (sides.some((side) => side !== whole.side)) return 'it holds credits and debits';
  if (details.length < 2) return undefined;
  let sum = 0n;
  for (const part of details) {
    const amount = amountOf(part);
    if (amount === undefined) return 'a transaction of it has no amount';
    const { currency, units } = readMoney(amount);
    if (currency !== whole.currency) return `it holds ${currency} beside ${whole.currency}`;
    sum += units;
  }
  return sum === whole.units ? undefined : 'its transactions do not add up to it';
}

/** What came belongs to nobody yet; what was given back must not look like our own payment. */
function unmatched(details: readonly XmlNode[], { units, side }: WholeEntry): BankTransaction {
  const isReturn = details.some((part) => findOnly(part, 'RtrInf') !== undefined);
  return { units, ...NOBODYS, isReturn: side === 'DBIT' && isReturn };
}

function readTransaction(node: XmlNode, whole: WholeEntry): BankTransaction {
  const remittance = findOnly(node, 'RmtInf');
  const structured = remittance === undefined ? [] : allOf(remittance, 'Strd');
  const unstructured = remittance === undefined ? [] : allOf(remittance, 'Ustrd');
  const endToEndId = findText(node, 'Refs', 'EndToEndId');
  return {
    units: unitsOf(node, whole),
    reference: onlyReference([
      ...structured.map((part) => findText(part, 'CdtrRefInf', 'Ref') ?? ''),
      ...structured.flatMap((part) => allOf(part, 'AddtlRmtInf').map(textOf)),
      // Lines of 35 characters, cut anywhere.
      unstructured.map(textOf).join(' '),
      endToEndId ?? '',
      findText(node, 'Refs', 'TxId') ?? '',
      findText(node, 'AddtlTxInf') ?? '',
    ]),
    endToEndId: realId(endToEndId),
    servicerReference: realId(findText(node, 'Refs', 'AcctSvcrRef')),
    isReturn: findOnly(node, 'RtrInf') !== undefined,
  };
}

/** A single transaction has the amount of its booking, whatever currency it was sent in. */
function unitsOf(node: XmlNode, { units, count }: WholeEntry): bigint {
  return count === 1 ? units : readMoney(amountOf(node)).units;
}

function amountOf(node: XmlNode): XmlNode | undefined {
  return findOnly(node, 'Amt') ?? findOnly(node, 'AmtDtls', 'TxAmt', 'Amt');
}

function readSide(node: XmlNode): BankEntry['side'] | undefined {
  const side = findText(node, 'CdtDbtInd');
  if (side === undefined || side === 'CRDT' || side === 'DBIT') return side;
  throw xmlFault(`neither CRDT nor DBIT: ${side.slice(0, 10)}`);
}

function onlyReference(texts: readonly string[]): string | undefined {
  const found = new Set(texts.flatMap(findCreditorReferences));
  return found.size === 1 ? found.values().next().value : undefined;
}

/** Undefined for what banks write instead of a reference (SEPA: NOTPROVIDED; SWIFT: NONREF). */
function realId(text: string | undefined): string | undefined {
  if (text === undefined || /^(?:NOT\s?PROVIDED|NONREF|NOREF|0+)$/i.test(text)) return undefined;
  return text.slice(0, ID_LENGTH);
}
