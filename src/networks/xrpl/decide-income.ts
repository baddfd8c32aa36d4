// What a change of our account gave us. Pure. A payment is credited to a tag only when everything
// agrees: what was signed, what the server says was delivered, and by how much the balance rose.
// Whatever else made the balance rise (escrows, checks, channels, pools, deleted accounts, trades)
// belongs to nobody until a person has looked at it; what did not make it rise is nothing.

import { isFields, requireThat } from '#networks/answer-fields.ts';
import type { SignedTransaction } from './list-transactions.ts';
import {
  ACCOUNT,
  AMOUNT,
  type BlobFields,
  DELIVERED_AMOUNT,
  DESTINATION,
  DESTINATION_TAG,
  dropsIn,
  FLAGS,
  PATHS,
  SEND_MAX,
  TRANSACTION_TYPE,
  UnknownField,
} from './read-blob.ts';
import type { AccountChange } from './read-change.ts';
import { dropsFrom } from './xrpl-fields.ts';

export type XrpIncome = {
  readonly transaction: string;
  readonly ledger: bigint;
  readonly drops: bigint;
  readonly tag: bigint | undefined;
  /** Why it is nobody's, where that is unusual. */
  readonly remark?: string;
};

/** Transaction type Payment (ttPAYMENT). */
export const PAYMENT = 0;
const PARTIAL_PAYMENT = 0x0002_0000;

/** By how much the balance rose, when it did. */
export function riseOf({ before, after }: AccountChange): bigint {
  if (before.drops === undefined || after.drops === undefined) return 0n;
  return after.drops - before.drops;
}

/** @throws NodeLie where the listings contradict each other. */
export function decideIncome(
  change: AccountChange,
  signed: SignedTransaction | undefined,
  accountId: Buffer,
): XrpIncome | undefined {
  const drops = riseOf(change);
  if (drops <= 0n) return undefined;
  const { hash, ledger } = change;
  requireThat(signed !== undefined, `${hash} is in one listing and not in the other`);
  requireThat(signed.ledger === ledger, `${hash} is in two ledgers`);
  requireThat(change.isSuccess, `${hash} failed and gave something all the same`);
  const unnamed = { transaction: hash, ledger, drops, tag: undefined };
  if (!('meta' in signed)) return { ...unnamed, remark: signed.transaction.message };
  const { transaction, meta } = signed;
  const isPayment =
    transaction.get(TRANSACTION_TYPE)?.readUInt16BE(0) === PAYMENT &&
    transaction.get(DESTINATION)?.equals(accountId) === true &&
    transaction.get(ACCOUNT)?.equals(accountId) === false;
  if (!isPayment) return unnamed;
  if (meta instanceof UnknownField && isPartialPayment(transaction)) {
    return { ...unnamed, remark: meta.message };
  }
  const delivered = deliveredDrops(change, transaction, meta);
  if (delivered === drops) return { ...unnamed, tag: tagOf(transaction.get(DESTINATION_TAG)) };
  // Offers of our own on its way made the balance rise by less, or by more.
  const hasWay = transaction.has(PATHS) || transaction.has(SEND_MAX);
  requireThat(hasWay, `${hash} delivered ${delivered} drops, and the balance rose by ${drops}`);
  return unnamed;
}

export function isPartialPayment(transaction: BlobFields): boolean {
  return ((transaction.get(FLAGS)?.readUInt32BE(0) ?? 0) & PARTIAL_PAYMENT) !== 0;
}

/** Undefined when it was not XRP. @throws NodeLie where it is not known, or told in two ways. */
export function deliveredDrops(
  { hash, delivered }: AccountChange,
  transaction: BlobFields,
  meta: BlobFields | UnknownField,
): bigint | undefined {
  const stated = meta instanceof UnknownField ? undefined : meta.get(DELIVERED_AMOUNT);
  requireThat(
    !isPartialPayment(transaction) || stated !== undefined,
    `what ${hash} delivered is not known`,
  );
  // `unavailable` or nothing: the server cannot say what was delivered, so nobody may be credited.
  requireThat(
    isFields(delivered) || dropsFrom(delivered) !== undefined,
    `what ${hash} delivered is not known`,
  );
  const drops = dropsFrom(delivered);
  requireThat(
    drops === dropsIn(stated ?? transaction.get(AMOUNT)),
    `${hash} delivered one thing in one listing and another in the other`,
  );
  return drops;
}

function tagOf(bytes: Buffer | undefined): bigint | undefined {
  return bytes === undefined ? undefined : BigInt(bytes.readUInt32BE(0));
}
