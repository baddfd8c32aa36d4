// What a Safe of ours did in a transaction: the call of `execTransaction` and the event that says
// what became of it. Guarantees: what is said to have left was called and succeeded, because the
// last event of the Safe in a transaction sent to it is that of the outermost call. Not seen here:
// coins that a Safe gives away when something else calls it (a relay, a module) or by a delegate
// call (MultiSend); they show in its balance. Pure.
// Source: safe-smart-account v1.3.0 and v1.4.1, `execTransaction` and `handlePayment`.

import { NodeLie } from '#networks/answer-fields.ts';
import type { EvmTransaction, ValueMovement } from './read-block.ts';
import { readExecution } from './safe-transaction.ts';

/** What an event of the Safe says. */
export type ExecutionEvent = {
  /** What its owners signed. */
  readonly digest: string;
  /** False: its nonce is used, and it did nothing. */
  readonly isSuccessful: boolean;
  /** What it gave back for gas. */
  readonly paidUnits: bigint;
};

/** keccak-256 of `ExecutionSuccess(bytes32,uint256)` and of `ExecutionFailure(bytes32,uint256)`. */
export const EXECUTION_SUCCESS =
  '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e';
const EXECUTION_FAILURE = '0x23428b18acfb3ea64b08dc0c1d296ea9c09702c09083ca5272e64d115b687d23';
const COIN = `0x${'0'.repeat(40)}`;

/** 1.3.0 has the hash among the data, 1.4.1 as a topic. Undefined of other logs. @throws NodeLie */
export function readExecutionEvent(
  { address, topics, data }: Readonly<Record<string, unknown>>,
  safe: string | undefined,
): ExecutionEvent | undefined {
  if (safe === undefined || typeof address !== 'string' || address.toLowerCase() !== safe) return;
  const [topic, indexed] = Array.isArray(topics) ? topics : [];
  if (topic !== EXECUTION_SUCCESS && topic !== EXECUTION_FAILURE) return undefined;
  const words = `${indexed ?? '0x'}${String(data).slice(2)}`;
  const match = /^(0x[0-9a-f]{64})([0-9a-f]{64})$/.exec(words.toLowerCase());
  if (match === null) throw new NodeLie('an event of the Safe is malformed');
  const [, digest = '', paid = ''] = match;
  const isSuccessful = topic === EXECUTION_SUCCESS;
  return { digest, isSuccessful, paidUnits: BigInt(`0x${paid}`) };
}

export type Executed = {
  readonly transaction: string;
  /** What its owners signed. */
  readonly digest: string;
  /** In the coin of the chain; those of tokens have logs of their own. */
  readonly movements: readonly ValueMovement[];
};

type Sent = Pick<EvmTransaction, 'hash' | 'from' | 'to' | 'executed'>;

/** Undefined where a transaction is no call of the Safe, or the Safe says nothing of it. */
export function executedBy(
  { hash: transaction, from: sender, to: safe, executed: input }: Sent,
  events: readonly ExecutionEvent[],
  assetId: string,
): Executed | undefined {
  const event = events.at(-1);
  const read = input === undefined ? undefined : readExecution(input);
  if (safe === undefined || event === undefined || read === undefined) return undefined;
  const { call, isDelegate, gasToken, refundReceiver = sender } = read;
  const { digest, isSuccessful, paidUnits } = event;
  const isPaying = isSuccessful && !isDelegate;
  const isGivingBack = gasToken === COIN;
  const given = [
    { key: `${transaction}:safe`, to: call.to, units: isPaying ? call.value : 0n },
    { key: `${transaction}:gas`, to: refundReceiver, units: isGivingBack ? paidUnits : 0n },
  ];
  const movements = given
    .filter(({ units }) => units > 0n)
    .map((one) => ({ ...one, transaction, assetId, from: safe }));
  return { transaction, digest, movements };
}
