// From a node's receipts to movements of value. Guarantees: each receipt belongs to the block that
// was asked for and to one of its transactions; a transaction that failed moves nothing; a token
// movement is known by its position in the log array of its receipt, which survives a transaction
// being mined again. What contradicts itself fails as a whole (NodeLie).

import {
  isFields,
  NodeLie,
  PREFIXED_HASH,
  requireFields,
  requireHash,
  requireList,
} from '#networks/answer-fields.ts';
import {
  type BlockPlace,
  type EvmBlock,
  type FoundLog,
  isOfBlock,
  placeOf,
  readLogIndex,
  readTransfer,
  type TokenContracts,
  type ValueMovement,
} from './read-block.ts';
import { requireAddress, requireQuantity } from './read-values.ts';
import { type ExecutionEvent, readExecutionEvent } from './safe-execution.ts';

/** Who sent what no user sent: the state sync of Polygon. */
const NOBODY = '0x0000000000000000000000000000000000000000';

export type EvmReceipt = {
  readonly transaction: string;
  readonly isSuccessful: boolean;
  readonly from: string;
  /** As the node wrote it: null for the creation of a contract. */
  readonly to: unknown;
  /** What the sender paid for it, in wei: read when one of ours paid. @throws NodeLie */
  feeUnits(): bigint;
  /** Of pinned tokens. */
  readonly movements: readonly ValueMovement[];
  /** Of the Safe. */
  readonly executions: readonly ExecutionEvent[];
  /** Every log: its number in the block. */
  readonly logIndexes: readonly number[];
};

type ReceiptsReading = {
  readonly tokens: TokenContracts;
  readonly safe?: string | undefined;
  /** What the index of logs told: what is said again in the same words is not read again. */
  readonly known?: readonly FoundLog[];
  readonly hasSystemReceipts: boolean;
};

/**
 * The receipts of a block, each of one of its transactions and each transaction with one. Where the
 * system has receipts, those of it that are missing, doubled or malformed are left out: Erigon
 * leaves out or doubles them. They are asked for singly when they are of concern.
 */
export function readReceipts(
  value: unknown,
  block: EvmBlock,
  { tokens, safe, known = [], hasSystemReceipts }: ReceiptsReading,
): ReadonlyMap<string, EvmReceipt> {
  const reading = { tokens, safe, known: new Map(known.map((log) => [log.logIndex, log])) };
  const list = requireList(value, `the receipts of block ${block.height}`);
  const place = placeOf(block);
  const receipts = new Map<string, EvmReceipt>();
  const isSystem = (hash: unknown) => hasSystemReceipts && isOfSystem(block, hash);
  const doubtful = hasSystemReceipts ? doubtfulOf(list) : new Set<string>();
  const logIndexes: number[] = [];
  for (const item of list) {
    const hash = isFields(item) ? item.transactionHash : undefined;
    const receipt = readUnless(isSystem(hash), () =>
      readReceipt(item, place, reading, block.senders),
    );
    if (receipt === undefined || (isSystem(hash) && doubtful.has(receipt.transaction))) continue;
    if (receipts.has(receipt.transaction)) {
      throw new NodeLie(`there are two receipts of ${receipt.transaction}`);
    }
    receipts.set(receipt.transaction, receipt);
    for (const index of receipt.logIndexes) logIndexes.push(index);
  }
  for (const { hash, to } of block.transactions) {
    if (isSystem(hash)) continue;
    const receipt = receipts.get(hash);
    if (receipt === undefined) throw new NodeLie(`the receipt of ${hash} is missing`);
    requireReceiver(receipt, to);
  }
  if (!hasSystemReceipts) requireWhole(block, receipts, logIndexes);
  return receipts;
}

/** Receipts of the system: sent by nobody, or for no transaction that the block shows. */
function isOfSystem({ senders }: EvmBlock, hash: unknown): boolean {
  return typeof hash === 'string' && (senders.get(hash) ?? NOBODY) === NOBODY;
}

/** Transactions with more than one receipt. */
function doubtfulOf(list: readonly unknown[]): ReadonlySet<string> {
  const seen = new Set<unknown>();
  const twice = new Set<string>();
  for (const item of list) {
    const hash = isFields(item) ? item.transactionHash : undefined;
    if (typeof hash === 'string' && seen.has(hash)) twice.add(hash);
    seen.add(hash);
  }
  return twice;
}

function readUnless(mayBeMalformed: boolean, read: () => EvmReceipt): EvmReceipt | undefined {
  try {
    return read();
  } catch (error) {
    if (mayBeMalformed && error instanceof NodeLie) return undefined;
    throw error;
  }
}

/**
 * A coin is sent by the transaction alone. Its receiver stands in the receipt as well, so that a
 * payment is not lost because the block has another one, or none.
 */
function requireReceiver({ transaction, to: told }: EvmReceipt, to: string | undefined): void {
  if (told === undefined) return;
  const receiver = told === null ? undefined : requireAddress(told, 'a receiver');
  if (receiver !== to) throw new NodeLie(`the receipt of ${transaction} has another receiver`);
}

function requireWhole(
  block: EvmBlock,
  receipts: ReadonlyMap<string, EvmReceipt>,
  logIndexes: number[],
): void {
  if (receipts.size !== block.transactions.length) {
    throw new NodeLie(`block ${block.height} has receipts of transactions it does not hold`);
  }
  // The logs of a block are numbered without a gap: one that was left out leaves one.
  if (!isAscending(logIndexes)) logIndexes.sort((one, other) => one - other);
  if (logIndexes.some((index, at) => index !== at)) {
    throw new NodeLie(`the logs of block ${block.height} are not numbered without a gap`);
  }
}

type LogReading = {
  readonly tokens: TokenContracts;
  readonly safe?: string | undefined;
  /** By their number. */
  readonly known?: ReadonlyMap<number, FoundLog>;
};

/** `senders`: by transaction, of those whose sender is known. @throws NodeLie */
export function readReceipt(
  value: unknown,
  place: BlockPlace,
  { tokens, safe, known: found }: LogReading,
  senders: ReadonlyMap<string, string>,
): EvmReceipt {
  const json = requireFields(value, 'a receipt');
  const { transactionHash, from: sentBy, to: receiver, status } = json;
  // One that is in the block was read as a hash there.
  const isKnown = typeof transactionHash === 'string' && senders.has(transactionHash);
  const known = isKnown ? senders.get(transactionHash) : undefined;
  const transaction = isKnown
    ? transactionHash
    : requireHash(transactionHash, 'the transaction of a receipt', PREFIXED_HASH);
  if (!isOfBlock(json, place)) {
    throw new NodeLie(`the receipt of ${transaction} is of another block`);
  }
  const from =
    sentBy === known && known !== undefined
      ? known
      : requireAddress(sentBy, `the sender of ${transaction}`);
  if (known !== undefined && from !== known) {
    throw new NodeLie(`the receipt of ${transaction} has another sender`);
  }
  const isSuccessful = readStatus(status, transaction);
  const logs = requireList(json.logs, `the logs of ${transaction}`);
  const movements: ValueMovement[] = [];
  const executions: ExecutionEvent[] = [];
  const logIndexes: number[] = [];
  logs.forEach((item, position) => {
    const log = requireFields(item, 'a log');
    if (log.transactionHash !== transaction) {
      throw new NodeLie(`the receipt of ${transaction} holds a log of another transaction`);
    }
    const logIndex = readLogIndex(log, place, transaction);
    logIndexes.push(logIndex);
    const executed = readExecutionEvent(log, safe);
    if (executed !== undefined) executions.push(executed);
    const moved = readTransfer(log, tokens, found?.get(logIndex));
    if (moved === undefined) return;
    // A log of the chain itself may be there (bor tells of each fee), one of a contract may not.
    if (!isSuccessful) throw new NodeLie(`${transaction} failed and moved a token all the same`);
    const { assetId, from, to, units } = moved;
    movements.push({ key: `${transaction}:${position}`, transaction, assetId, from, to, units });
  });
  const { gasUsed, effectiveGasPrice, l1Fee } = json;
  const fee = { gasUsed, effectiveGasPrice, l1Fee };
  return {
    transaction,
    isSuccessful,
    from,
    to: receiver,
    feeUnits: () => readFee(fee, transaction),
    movements,
    executions,
    logIndexes,
  };
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? number));
}

function readStatus(value: unknown, transaction: string): boolean {
  if (value === '0x1') return true;
  const status = requireQuantity(value, `the status of ${transaction}`);
  if (status > 1n) throw new NodeLie(`the status of ${transaction} is ${status}`);
  return status === 1n;
}

/** With what rollups charge for their own chain (OP Stack: `l1Fee`). */
function readFee(json: Record<string, unknown>, transaction: string): bigint {
  const { gasUsed, effectiveGasPrice, l1Fee } = json;
  const gas = requireQuantity(gasUsed, `the gas of ${transaction}`);
  const price = optional(effectiveGasPrice, `the gas price of ${transaction}`);
  return gas * price + optional(l1Fee, `the fee of ${transaction}`);
}

function optional(value: unknown, what: string): bigint {
  return value === null || value === undefined ? 0n : requireQuantity(value, what);
}
