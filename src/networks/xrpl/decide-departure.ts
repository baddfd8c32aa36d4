// What a change of our account took from us. Pure. A payment of ours went to its receiver only when
// everything agrees: what was signed, what the server says was delivered, and by how much the
// balance fell beside the fee. Whatever else made it fall (offers, escrows, checks, channels,
// pools) has the name of its type for a destination: a person has to look at it.
import { requireThat } from '#networks/answer-fields.ts';
import { deliveredDrops, isPartialPayment, PAYMENT, riseOf } from './decide-income.ts';
import type { SignedTransaction } from './list-transactions.ts';
import {
  ACCOUNT,
  type BlobFields,
  DELEGATE,
  DESTINATION,
  DESTINATION_TAG,
  dropsIn,
  TRANSACTION_FEE,
  TRANSACTION_TYPE,
  UnknownField,
} from './read-blob.ts';
import type { AccountChange } from './read-change.ts';
import { classicAddress } from './xrpl-address.ts';

export type XrpDeparture = {
  readonly transaction: string;
  readonly ledger: bigint;
  /** What the network took from us; undefined where nobody here can read it. */
  readonly feeDrops: bigint | undefined;
  /** Undefined where nothing but the fee left. */
  readonly sent: { readonly destination: string; readonly drops: bigint } | undefined;
};

/** Types that take XRP from an account (TransactionType of the definitions of rippled). */
const TYPE_NAMES: Readonly<Record<number, string>> = {
  [PAYMENT]: 'Payment',
  1: 'EscrowCreate',
  7: 'OfferCreate',
  13: 'PaymentChannelCreate',
  14: 'PaymentChannelFund',
  17: 'CheckCash',
  21: 'AccountDelete',
  29: 'NFTokenAcceptOffer',
  35: 'AMMCreate',
  36: 'AMMDeposit',
  42: 'XChainCommit',
  44: 'XChainAccountCreateCommit',
  68: 'VaultDeposit',
  71: 'Batch',
};

/** `r...`, or `r...:tag`. */
export function taggedAccount(account: string, tag: bigint | string | undefined): string {
  return tag === undefined ? account : `${account}:${tag}`;
}

/** @throws NodeLie where the listings contradict each other. */
export function decideXrpDeparture(
  change: AccountChange,
  signed: SignedTransaction | undefined,
  accountId: Buffer,
): XrpDeparture | undefined {
  const fallen = -riseOf(change);
  if (fallen <= 0n) return undefined;
  const { hash, ledger } = change;
  requireThat(signed !== undefined, `${hash} is in one listing and not in the other`);
  requireThat(signed.ledger === ledger, `${hash} is in two ledgers`);
  const left = { transaction: hash, ledger };
  if (!('meta' in signed)) {
    return { ...left, feeDrops: undefined, sent: { destination: 'unknown', drops: fallen } };
  }
  const { transaction, meta } = signed;
  // What came in by the same transaction may have paid a part of its fee.
  const charged = chargedTo(transaction, accountId, hash);
  const feeDrops = charged < fallen ? charged : fallen;
  const drops = fallen - feeDrops;
  if (drops === 0n) return { ...left, feeDrops, sent: undefined };
  const type = transaction.get(TRANSACTION_TYPE)?.readUInt16BE(0) ?? -1;
  const receiver = change.isSuccess ? receiverOf(transaction, accountId) : undefined;
  // Of a partial payment whose metadata is written in a newer way nobody knows what arrived.
  const isTold = !(meta instanceof UnknownField && isPartialPayment(transaction));
  const isExact =
    receiver !== undefined && isTold && deliveredDrops(change, transaction, meta) === drops;
  const destination = isExact ? receiver : (TYPE_NAMES[type] ?? `transaction type ${type}`);
  return { ...left, feeDrops, sent: { destination, drops } };
}

/** Who signs for somebody else pays the fee in its place (XLS-75, field Delegate). */
function chargedTo(transaction: BlobFields, accountId: Buffer, hash: string): bigint {
  const payer = transaction.get(DELEGATE) ?? transaction.get(ACCOUNT);
  if (payer?.equals(accountId) !== true) return 0n;
  const fee = dropsIn(transaction.get(TRANSACTION_FEE));
  requireThat(fee !== undefined, `${hash} names no fee`);
  return fee;
}

/** Undefined where it is no payment of ours to somebody else. */
function receiverOf(transaction: BlobFields, accountId: Buffer): string | undefined {
  const destination = transaction.get(DESTINATION);
  const isPayment =
    transaction.get(TRANSACTION_TYPE)?.readUInt16BE(0) === PAYMENT &&
    transaction.get(ACCOUNT)?.equals(accountId) === true;
  if (!isPayment || destination?.length !== 20 || destination.equals(accountId)) return undefined;
  const tag = transaction.get(DESTINATION_TAG)?.readUInt32BE(0);
  return taggedAccount(classicAddress(destination), tag === undefined ? undefined : BigInt(tag));
}
