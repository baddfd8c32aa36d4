// What a word of the bank makes of a transfer in a file of orders. Pure. Guarantees: money goes
// back only when the bank says that it will not send it and nothing else says that it left, or may
// leave; the statement is believed over the report.
import type { Transfer } from '#transfer/transfer.ts';
import type { BankFileTransfer, BankVerdict } from './bank-file.ts';

export type BankStatus = {
  readonly verdict: BankVerdict;
  /** External code of ISO 20022: ACCP, RJCT … */
  readonly code: string;
  /** In the words of the code list and of the bank. */
  readonly reasons: readonly string[];
  /** The bank refuses a second order for what it has already. */
  readonly isDuplicate: boolean;
};

export type StatusFacts = {
  readonly state: Transfer['state'];
  /** A statement booked money to somebody under the reference of this transfer. */
  readonly isDebited: boolean;
  readonly before: BankVerdict | undefined;
  /** The same transfer in other files that were released. */
  readonly elsewhere: readonly Pick<BankFileTransfer, 'messageId' | 'verdict'>[];
};

export type StatusDecision =
  | { readonly kind: 'known' }
  /** Shown, and nothing moves. */
  | { readonly kind: 'noted' }
  /** The money goes back. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** A person has to look. */
  | { readonly kind: 'contradicts'; readonly why: string };

/** How far a word goes: a later report that says less changes nothing. */
const RANK: Readonly<Record<BankVerdict, number>> = {
  PENDING: 0,
  ACCEPTED: 1,
  EXECUTED: 2,
  REJECTED: 3,
};

export function decideBankStatus(status: BankStatus, facts: StatusFacts): StatusDecision {
  const { verdict } = status;
  const { state, isDebited, before, elsewhere } = facts;
  if (verdict !== 'REJECTED') {
    if (state === 'FAILED' && verdict !== 'PENDING') {
      return {
        kind: 'contradicts',
        why: 'the money was given back here, and the bank takes the order: stop it at the bank',
      };
    }
    const isNew = before === undefined || RANK[verdict] > RANK[before];
    return { kind: isNew ? 'noted' : 'known' };
  }
  if (isDebited || state === 'SUBMITTED' || state === 'COMPLETED') {
    return {
      kind: 'contradicts',
      why: 'a statement says that it left: the statement is believed, ask the bank',
    };
  }
  if (status.isDuplicate) {
    return {
      kind: 'contradicts',
      why: 'the bank has this order already, from another file: wait for the statement',
    };
  }
  const open = elsewhere.find((one) => one.verdict !== 'REJECTED');
  if (open !== undefined && state === 'TO_SEND') {
    return {
      kind: 'contradicts',
      why: `it stands in the file ${open.messageId} too, which the bank has not rejected`,
    };
  }
  if (state === 'FAILED') return { kind: before === 'REJECTED' ? 'known' : 'noted' };
  return { kind: 'failed', reason: rejectionOf(status) };
}

function rejectionOf({ reasons }: BankStatus): string {
  return reasons.length === 0
    ? 'rejected by the bank, which does not say why'
    : `rejected by the bank: ${reasons.join('; ')}`;
}
