// Money of ours that left a bank account, and what came back of it: the debits of a statement,
// what the bank took for itself, and credits that return or undo a payment of ours. Guarantees:
// only what is booked; `units` and `chargeUnits` of what is read from a debit are together the
// debit, and of a return the one less the other is the credit. Not guaranteed: that a debit is a
// transfer of ours; whoever takes it for one compares account, amount and currency with the
// transfer that its reference names. Structure as for read-entry.ts; charges after the message
// definition report (Charges6, ChargesInformation6), kinds of bookings after the external bank
// transaction codes of ISO 20022.

import { Refusal } from '#base/refusal.ts';
import { canonicalAccount } from './bank-account.ts';
import { findTransferIds } from './bank-references.ts';
import type { BankEntry, BankTransaction } from './read-entry.ts';
import {
  allOf,
  type BankMoney,
  findOnly,
  findText,
  readDate,
  readMoney,
  textOf,
  type XmlNode,
} from './read-xml.ts';

export type Debit = {
  /**
   * PAYMENT: money went to somebody. CHARGE: the bank took it. RETURN: a credit that brings back a
   * payment of ours, sent back (RtrInf) or undone by the bank (RvslInd).
   */
  readonly kind: 'PAYMENT' | 'CHARGE' | 'RETURN';
  /** Which booking of the statement it is read from, and which thing in it; both from 0. */
  readonly entry: number;
  readonly position: number;
  readonly account: string;
  readonly currency: string;
  /** What the other side got, or gave back: without charges. */
  readonly units: bigint;
  /** What the bank kept in the same booking: with a payment beside it, of a return out of it. */
  readonly chargeUnits: bigint;
  readonly endToEndId: string | undefined;
  /** The one transfer of ours that its ids, or else its texts, name with right check characters. */
  readonly transferId: string | undefined;
  /** Given by the bank to the booking. */
  readonly entryReference: string | undefined;
  readonly bookedOn: Temporal.PlainDate | undefined;
  readonly valueOn: Temporal.PlainDate | undefined;
  readonly counterparty: {
    readonly account: string | undefined;
    readonly name: string | undefined;
  };
  readonly text: string;
  /** RETURN: why (AC04: closed account …), as far as the bank says. */
  readonly reason: { readonly code: string | undefined; readonly text: string } | undefined;
  /** Why it was taken as a whole and for nobody. */
  readonly unusual: string | undefined;
};

type Draft = Omit<Debit, 'entry'>;

const TEXT_LENGTH = 500;
/** Charges and commissions, whatever family they are of (external code set, sub-families). */
const CHARGE_CODES = new Set(['CHRG', 'COMM', 'COME', 'COMI', 'COMT', 'FEES', 'TAXE']);

/** Of the bookings of one statement and what was read of each. @throws Refusal (invalid, `xml`) */
export function readDepartures(
  account: string,
  nodes: readonly XmlNode[],
  entries: readonly BankEntry[],
): Debit[] {
  return entries.flatMap((entry, index) =>
    draftsOf(account, nodes[index], entry).map((draft) => ({ ...draft, entry: index })),
  );
}

function draftsOf(account: string, node: XmlNode | undefined, entry: BankEntry): Draft[] {
  const { status, side, isReversal, transactions } = entry;
  if (node === undefined || status !== 'BOOK') return [];
  const details = allOf(node, 'NtryDtls').flatMap((part) => allOf(part, 'TxDtls'));
  const isReturned = transactions.some(({ isReturn }) => isReturn);
  // A debit that takes a payment back from us is of the log of credits (decide-entries.ts).
  if (side === 'DBIT' && (isReversal || isReturned)) return [];
  const isBack = isReversal || details.some((part) => findOnly(part, 'RtrInf') !== undefined);
  if (side === 'CRDT' && !isBack) return [];
  if (entry.unusual !== undefined) return unusualDrafts(account, node, entry, details);
  const isWhole = transactions.length === 1;
  return transactions.flatMap((transaction, index) => {
    const detail = details[index];
    // Beside returns, a batch of credits may hold payments of customers.
    const isOurs = side === 'DBIT' || isReversal || transaction.isReturn;
    if (!isOurs || transaction.units === 0n) return [];
    const parts = detail === undefined ? [node] : isWhole ? [detail, node] : [detail];
    const charge = chargeIn(parts, { ...entry, units: transaction.units });
    const facts = { account, node, entry, detail };
    return [draftOf(facts, transaction, charge, index)];
  });
}

/**
 * A batch that the bank's charges were added to: its payments and the charge, each for itself. Else
 * all of it as one, which names no transfer.
 */
function unusualDrafts(
  account: string,
  node: XmlNode,
  entry: BankEntry,
  details: readonly XmlNode[],
): Draft[] {
  const facts = { account, node, entry, detail: undefined };
  const whole = { ...NOTHING, units: entry.units };
  const single = details.map((detail) => unitsOf(detail, entry.currency));
  const known = single.filter((units) => units !== undefined);
  const sum = known.reduce((total, units) => total + units, 0n);
  const charge = statedCharge(node, entry.currency, 'ANY');
  const isBatch = entry.side === 'DBIT' && known.length === details.length && charge > 0n;
  if (!isBatch || sum + charge !== entry.units || details.some(isCredit)) {
    return [draftOf(facts, whole, 0n, 0)];
  }
  const paid = details.map((detail, index) => {
    const endToEndId = findText(detail, 'Refs', 'EndToEndId');
    const transaction = { ...NOTHING, units: known[index] ?? 0n, endToEndId };
    return draftOf({ ...facts, entry: plain(entry), detail }, transaction, 0n, index);
  });
  const kept = draftOf(
    { ...facts, entry: plain(entry) },
    { ...whole, units: charge },
    0n,
    details.length,
  );
  return [...paid, { ...kept, kind: 'CHARGE', transferId: undefined }];
}

const NOTHING = {
  reference: undefined,
  endToEndId: undefined,
  servicerReference: undefined,
  isReturn: false,
};

function plain(entry: BankEntry): BankEntry {
  return { ...entry, unusual: undefined };
}

type Facts = {
  readonly account: string;
  readonly node: XmlNode;
  readonly entry: BankEntry;
  readonly detail: XmlNode | undefined;
};

function draftOf(
  { account, node, entry, detail }: Facts,
  { units, endToEndId, servicerReference }: BankTransaction,
  charge: bigint,
  position: number,
): Draft {
  const isBack = entry.side === 'CRDT';
  const code = (detail && subFamily(detail)) ?? subFamily(node);
  const isCharge = !isBack && code !== undefined && CHARGE_CODES.has(code);
  const text = textsOf(node, detail);
  const ids = [endToEndId, detail && findText(detail, 'Refs', 'InstrId')];
  return {
    kind: isBack ? 'RETURN' : isCharge ? 'CHARGE' : 'PAYMENT',
    position,
    account,
    currency: entry.currency,
    units: isBack ? units + charge : units - charge,
    chargeUnits: charge,
    endToEndId,
    transferId: entry.unusual === undefined ? oneTransfer(ids.join(' , '), text) : undefined,
    entryReference: entry.servicerReference ?? servicerReference,
    bookedOn: entry.bookedOn,
    valueOn: readDate(findOnly(node, 'ValDt')),
    counterparty: counterpartyOf(detail, account),
    text,
    reason: isBack ? reasonOf(detail) : undefined,
    unusual: entry.unusual,
  };
}

/** Named by the ids, else by the texts: whichever names exactly one. */
function oneTransfer(...texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const [only, other] = findTransferIds(text);
    if (only !== undefined) return other === undefined ? only : undefined;
  }
  return undefined;
}

/** `Domn/Fmly/SubFmlyCd`, of a booking or of a transaction of it. */
function subFamily(node: XmlNode): string | undefined {
  return findText(node, 'BkTxCd', 'Domn', 'Fmly', 'SubFmlyCd');
}

function textsOf(node: XmlNode, detail: XmlNode | undefined): string {
  const remittance = detail && findOnly(detail, 'RmtInf');
  const structured = remittance === undefined ? [] : allOf(remittance, 'Strd');
  const lines = [
    ...(remittance === undefined ? [] : allOf(remittance, 'Ustrd').map(textOf)),
    ...structured.map((part) => findText(part, 'CdtrRefInf', 'Ref') ?? ''),
    ...structured.flatMap((part) => allOf(part, 'AddtlRmtInf').map(textOf)),
    (detail && findText(detail, 'AddtlTxInf')) ?? '',
    findText(node, 'AddtlNtryInf') ?? '',
  ];
  const text = lines.filter((line) => line !== '').join(' ');
  return text.slice(0, TEXT_LENGTH);
}

/** Whoever of the two is not us: a return may name both as the first payment did. */
function counterpartyOf(detail: XmlNode | undefined, own: string): Debit['counterparty'] {
  const parties = detail && findOnly(detail, 'RltdPties');
  if (parties === undefined) return { account: undefined, name: undefined };
  const named = ['Cdtr', 'Dbtr'].map((party) => {
    const id = findOnly(parties, `${party}Acct`, 'Id');
    const text = id && (findText(id, 'IBAN') ?? findText(id, 'Othr', 'Id'));
    // A party of its own element from version 8 on, its name directly before.
    const name = findText(parties, party, 'Pty', 'Nm') ?? findText(parties, party, 'Nm');
    return {
      account: text === undefined ? undefined : canonicalAccount(text),
      name: name?.slice(0, 140),
    };
  });
  const others = named.filter((one) => one.account !== own);
  const told = others.find((one) => one.account !== undefined || one.name !== undefined);
  return told ?? { account: undefined, name: undefined };
}

function reasonOf(detail: XmlNode | undefined): Debit['reason'] {
  const node = detail && findOnly(detail, 'RtrInf');
  if (node === undefined) return undefined;
  const code = findText(node, 'Rsn', 'Cd') ?? findText(node, 'Rsn', 'Prtry');
  const text = allOf(node, 'AddtlInf').map(textOf).join(' ').slice(0, TEXT_LENGTH);
  return { code: code?.slice(0, 35), text };
}

/**
 * What the bank kept in a booking of one transaction: charges that it says are in the amount; or,
 * where it does not say (before version 4), those that stand between the amount that was ordered
 * and the amount that was booked.
 */
function chargeIn(
  parts: readonly XmlNode[],
  { currency, units, side }: Pick<BankEntry, 'currency' | 'units' | 'side'>,
): bigint {
  const bounded = (charge: bigint) => (side === 'DBIT' && charge >= units ? 0n : charge);
  for (const part of parts) {
    const included = statedCharge(part, currency, 'INCLUDED');
    if (included > 0n) return bounded(included);
  }
  const stated = parts.map((part) => statedCharge(part, currency, 'UNSAID'));
  const charge = stated.find((one) => one > 0n) ?? 0n;
  const ordered = parts
    .map((part) => findOnly(part, 'AmtDtls', 'InstdAmt', 'Amt'))
    .find((node) => node !== undefined);
  if (charge === 0n || ordered === undefined) return 0n;
  const money = moneyIn(ordered);
  if (money?.currency !== currency) return 0n;
  const kept = side === 'DBIT' ? units - money.units : money.units - units;
  return kept === charge ? bounded(charge) : 0n;
}

/** Debits of `Chrgs` in this currency, as records (from version 4 on) or one by one. */
function statedCharge(
  node: XmlNode,
  currency: string,
  which: 'INCLUDED' | 'UNSAID' | 'ANY',
): bigint {
  const records = allOf(node, 'Chrgs').flatMap((charges) =>
    findOnly(charges, 'Amt') === undefined ? allOf(charges, 'Rcrd') : [charges],
  );
  let sum = 0n;
  for (const record of records) {
    const said = findText(record, 'ChrgInclInd');
    const isIncluded = said === 'true' || said === '1';
    const isWanted =
      which === 'ANY'
        ? isIncluded || said === undefined
        : which === 'INCLUDED'
          ? isIncluded
          : said === undefined;
    const money = moneyIn(findOnly(record, 'Amt'));
    if (!isWanted || money?.currency !== currency) continue;
    sum += isCredit(record) ? -money.units : money.units;
  }
  return sum > 0n ? sum : 0n;
}

function isCredit(node: XmlNode): boolean {
  return findText(node, 'CdtDbtInd') === 'CRDT';
}

/** Of one transaction of a batch, in the currency of the batch. */
function unitsOf(detail: XmlNode, currency: string): bigint | undefined {
  const money = moneyIn(findOnly(detail, 'Amt') ?? findOnly(detail, 'AmtDtls', 'TxAmt', 'Amt'));
  return money?.currency === currency ? money.units : undefined;
}

/** Of what stands beside the booking: digits that we have no units for make it none. */
function moneyIn(node: XmlNode | undefined): BankMoney | undefined {
  try {
    return readMoney(node);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
