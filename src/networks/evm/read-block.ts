// From a node's block and logs to movements of value. Guarantees: all of it belongs to the block
// that was asked for; a token movement is a `Transfer` of a pinned contract with exactly three
// topics and 32 bytes of data (ERC-20). What is malformed or contradicts itself fails as a whole
// (NodeLie); what a payer may write into a log or a transaction never does, it is read or left out.
// Left out, never credited: contracts that are not pinned, other events, zero amounts, removed
// logs, value inside calls (it is noticed by the balance, cover-arrivals.ts), contract creations.

import type { BlockReference } from '#deposit/network.ts';
import {
  isFields,
  NodeLie,
  PREFIXED_HASH,
  requireFields,
  requireHash,
  requireList,
} from '#networks/answer-fields.ts';
import { findQuantity, quantityText, requireAddress, requireQuantity } from './read-values.ts';

/** keccak-256 of `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

export type BlockHeader = BlockReference & {
  readonly parentHash: string;
  readonly minedAt: Temporal.Instant;
};

export type EvmTransaction = {
  readonly hash: string;
  readonly from: string;
  /** Undefined where it is no nonce of an account: rollups have transactions that nobody signed. */
  readonly nonce: bigint | undefined;
  /** Undefined for the creation of a contract. */
  readonly to: string | undefined;
  readonly value: bigint;
  /** What it calls of the Safe, if anything. */
  readonly executed: string | undefined;
};

export type EvmBlock = BlockHeader & {
  readonly transactions: readonly EvmTransaction[];
  /** By transaction. */
  readonly senders: ReadonlyMap<string, string>;
};

/** Value that went from one address to another. */
export type ValueMovement = {
  /** Transaction and what in it: `value`, or the position in the receipt's logs. */
  readonly key: string;
  readonly transaction: string;
  readonly assetId: string;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
};

/** Asset by contract, in lower case. */
export type TokenContracts = ReadonlyMap<string, string>;

/** @throws NodeLie */
export function readHeader(value: unknown, what = 'a block'): BlockHeader {
  const json = requireFields(value, what);
  const seconds = requireQuantity(json.timestamp, `the time of ${what}`);
  if (seconds > 253_402_300_799n) throw new NodeLie(`the time of ${what} is not possible`);
  return {
    height: requireHeight(json.number, `the height of ${what}`),
    hash: requireHash(json.hash, `the hash of ${what}`, PREFIXED_HASH),
    parentHash: requireHash(json.parentHash, `the parent of ${what}`, PREFIXED_HASH),
    minedAt: Temporal.Instant.fromEpochMilliseconds(Number(seconds) * 1000),
  };
}

/** Reads a block that was asked for with its whole transactions. @throws NodeLie */
export function readEvmBlock(value: unknown, height: bigint, safe?: string): EvmBlock {
  const header = readHeader(value, `block ${height}`);
  if (header.height !== height)
    throw new NodeLie(`block ${header.height} was given, not ${height}`);
  const list = requireList(
    requireFields(value, `block ${height}`).transactions,
    'the transactions',
  );
  const senders = new Map<string, string>();
  const transactions = list.map((item): EvmTransaction => {
    const {
      hash,
      from,
      to: sentTo,
      value: wei,
      blockHash,
      input,
      nonce,
      type,
    } = requireFields(item, 'a transaction');
    const transaction = requireHash(hash, 'a transaction', PREFIXED_HASH);
    if (senders.has(transaction)) throw new NodeLie(`${transaction} is in a block twice`);
    if (blockHash !== header.hash) throw new NodeLie(`${transaction} is of another block`);
    const sender = requireAddress(from, `the sender of ${transaction}`);
    senders.set(transaction, sender);
    const isCreation = sentTo === null || sentTo === undefined;
    const to = isCreation ? undefined : requireAddress(sentTo, 'a receiver');
    return {
      hash: transaction,
      from: sender,
      nonce: isSigned(type) ? findQuantity(nonce) : undefined,
      to,
      value: requireQuantity(wei, `the value of ${transaction}`),
      executed: to !== undefined && to === safe ? String(input).toLowerCase() : undefined,
    };
  });
  return { ...header, transactions, senders };
}

/** keccak-256 of the RLP of nothing: the root of a trie without entries (Yellow Paper, D). */
export const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/**
 * Nothing more is asked about an empty block. So its header has to say as well that it is empty,
 * where the chain has no transactions that stand outside the root. @throws NodeLie
 */
export function requireEmptyRoot({ transactions, height }: EvmBlock, json: unknown): void {
  const { transactionsRoot: root } = requireFields(json, `block ${height}`);
  if (transactions.length > 0 || root === undefined || root === EMPTY_ROOT) return;
  throw new NodeLie(`block ${height} shows no transactions, and its root says that it has some`);
}

/** EIP-2718: types of Ethereum, each signed with a nonce; rollups add others from 0x64 up. */
const SIGNED_TYPES: readonly unknown[] = ['0x0', '0x1', '0x2', '0x3', '0x4', undefined];

function isSigned(type: unknown): boolean {
  return SIGNED_TYPES.includes(type);
}

type TokenTransfer = {
  readonly from: string;
  readonly to: string;
  readonly assetId: string;
  readonly units: bigint;
  /** As the node wrote them. */
  readonly words: { readonly from: unknown; readonly to: unknown; readonly data: string };
};

export type FoundLog = TokenTransfer & {
  readonly transaction: string;
  readonly logIndex: number;
};

/**
 * What eth_getLogs found in one block: transfers of pinned tokens. Whatever else it gives nobody
 * asked for: it is damaged, and the payment in it would be lost if it was passed over.
 * @throws NodeLie
 */
export function readLogs(
  value: unknown,
  block: BlockReference & Pick<EvmBlock, 'senders'>,
  tokens: TokenContracts,
): readonly FoundLog[] {
  const list = requireList(value, `the logs of block ${block.height}`);
  const place = placeOf(block);
  const found: FoundLog[] = [];
  for (const item of list) {
    const json = requireFields(item, 'a log');
    const { transactionHash: hash } = json;
    const isKnown = typeof hash === 'string' && block.senders.has(hash);
    const transaction = isKnown
      ? hash
      : requireHash(hash, 'the transaction of a log', PREFIXED_HASH);
    const logIndex = readLogIndex(json, place, transaction);
    requireAsked(json, tokens, transaction);
    const moved = readTransfer(json, tokens);
    if (moved === undefined) continue;
    const { assetId, from, to, units, words } = moved;
    found.push({ transaction, logIndex, assetId, from, to, units, words });
  }
  return found;
}

/** The coin itself, sent by transactions that did not fail. */
export function coinMovements(
  block: EvmBlock,
  isSuccessful: (transaction: string) => boolean,
  assetId: string,
): ValueMovement[] {
  return block.transactions.flatMap(({ hash, from, to, value }) =>
    to === undefined || value === 0n || !isSuccessful(hash)
      ? []
      : [{ key: `${hash}:value`, transaction: hash, assetId, from, to, units: value }],
  );
}

/** Of a log that belongs to the block. @throws NodeLie */
export function readLogIndex(
  json: Record<string, unknown>,
  place: BlockPlace,
  transaction: string,
): number {
  if (!isOfBlock(json, place)) throw new NodeLie(`a log of ${transaction} is of another block`);
  const { logIndex } = json;
  if (typeof logIndex !== 'string' || !/^0x[0-9a-f]{1,6}$/.test(logIndex)) {
    throw new NodeLie(`a log of ${transaction} has no possible number`);
  }
  return Number(logIndex);
}

/** How receipts and logs name their block. */
export type BlockPlace = { readonly hash: string; readonly number: string };

export function placeOf({ hash, height }: BlockReference): BlockPlace {
  return { hash, number: quantityText(height) };
}

export function isOfBlock(json: Record<string, unknown>, { hash, number }: BlockPlace): boolean {
  return json.blockHash === hash && json.blockNumber === number;
}

function requireAsked(
  { address, topics }: Record<string, unknown>,
  tokens: TokenContracts,
  transaction: string,
): void {
  const isPinned = typeof address === 'string' && tokens.has(address.toLowerCase());
  const [event] = requireList(topics, 'the topics of a log');
  if (isPinned && event === TRANSFER_TOPIC) return;
  throw new NodeLie(`a log of ${transaction} was found that nobody asked for`);
}

/** Undefined for every log that is no transfer of a pinned token. */
export function readTransfer(
  { address, topics, data, removed }: Record<string, unknown>,
  tokens: TokenContracts,
  known?: TokenTransfer,
): TokenTransfer | undefined {
  if (typeof address !== 'string' || address.length !== 42) {
    throw new NodeLie('the contract of a log is no address');
  }
  // Most logs are of other contracts: only what is ours to read is looked at closely.
  const assetId = tokens.get(address.toLowerCase());
  if (assetId === undefined) return undefined;
  const list = requireList(topics, 'the topics of a log');
  if (list.length !== 3 || list[0] !== TRANSFER_TOPIC) return undefined;
  if (removed === true) return undefined;
  if (known?.assetId === assetId) {
    const { words } = known;
    if (words.from === list[1] && words.to === list[2] && words.data === data) return known;
  }
  const from = addressOfTopic(list[1]);
  const to = addressOfTopic(list[2]);
  if (typeof data !== 'string') throw new NodeLie('a log has no data');
  if (from === undefined || to === undefined || !/^0x[0-9a-fA-F]{64}$/.test(data)) return undefined;
  const units = BigInt(data);
  const words = { from: list[1], to: list[2], data };
  return units === 0n ? undefined : { from, to, assetId, units, words };
}

/** An address stands in the last 20 of 32 bytes, the others are zero. */
const ADDRESS_TOPIC = /^0x0{24}[0-9a-fA-F]{40}$/;

function addressOfTopic(topic: unknown): string | undefined {
  if (typeof topic !== 'string' || !ADDRESS_TOPIC.test(topic)) return undefined;
  return `0x${topic.slice(-40).toLowerCase()}`;
}

function requireHeight(value: unknown, what: string): bigint {
  const height = requireQuantity(value, what);
  if (height >= 2n ** 63n) throw new NodeLie(`${what} is not possible`);
  return height;
}

/** Whether an answer is a header at all; an unknown block is null. */
export function isFound(value: unknown): boolean {
  return isFields(value);
}
