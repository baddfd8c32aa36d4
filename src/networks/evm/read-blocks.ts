// Several blocks at once, in two questions: the blocks by number, then their logs and receipts by
// hash. Two passes are two chances: the index of logs and the receipts are kept apart by nodes, and
// either may lag (I1). What the receipts hold is taken; a log that the index
// has and the receipts have not is a contradiction.

import { NodeLie } from '#networks/answer-fields.ts';
import type { RpcAnswer, RpcCall } from '#networks/json-rpc.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import {
  type FoundLogs,
  givesBlockReceipts,
  type ReceiptSource,
  readBlockReceipts,
  receiptsCall,
} from './block-receipts.ts';
import {
  coinMovements,
  type EvmBlock,
  type FoundLog,
  isFound,
  placeOf,
  readEvmBlock,
  readLogs,
  requireEmptyRoot,
  type TokenContracts,
  TRANSFER_TOPIC,
  type ValueMovement,
} from './read-block.ts';
import { type EvmReceipt, readReceipt } from './read-receipts.ts';
import { quantityText } from './read-values.ts';
import { type Executed, executedBy } from './safe-execution.ts';

export type BlockSource = ReceiptSource & { readonly coinAssetId: string };

/** A block and what may be for us in it; its receipts, as far as they were asked for or given. */
type FetchedBlock = {
  readonly block: EvmBlock;
  readonly found: readonly FoundLog[];
  readonly receipts: ReadonlyMap<string, EvmReceipt>;
};

/** What a block did to addresses of ours. */
export type OurBlock = {
  readonly block: EvmBlock;
  /** With one of ours at either end, in the order of the block. */
  readonly movements: readonly ValueMovement[];
  /** What ours paid for transactions they sent, those that failed as well. */
  readonly fees: readonly OwnFee[];
  /** What the Safe carried out. */
  readonly executed: readonly Executed[];
};

export type OwnFee = {
  readonly address: string;
  readonly transaction: string;
  /** The nonce that it used; undefined where it used none. */
  readonly nonce: bigint | undefined;
  /** In wei. */
  readonly units: bigint;
};

export type ContentsOptions = {
  /** Asks for logs, of whomever. */
  readonly index: (calls: readonly RpcCall[]) => Promise<readonly RpcAnswer[]>;
  /** Told what the logs hold, to look it up while the receipts are read. */
  readonly onFound: (found: readonly FoundLog[]) => void;
  /** Already on its way, where the blocks are this one. */
  readonly early?: EarlyContents | undefined;
};

/** What a node was asked about a block that nobody has read yet: its hash is enough for that. */
type EarlyContents = {
  readonly hash: string;
  readonly logs: Promise<readonly RpcAnswer[]>;
  readonly receipts: Promise<readonly RpcAnswer[]>;
};

/** Undefined where the answers would not be used. Fails only where they are. */
export function askEarly(
  { rpc, tokens, onBytes }: BlockSource,
  hash: string,
  index: ContentsOptions['index'],
): EarlyContents | undefined {
  if (tokens.size === 0 || !givesBlockReceipts(rpc)) return undefined;
  const logs = index([logsCall(hash, tokens)]);
  const receipts = rpc.batch([receiptsCall(hash)], onBytes);
  for (const asked of [logs, receipts]) asked.catch(() => undefined);
  return { hash, logs, receipts };
}

/** Whole ones, by number; undefined where the node has none. @throws NodeLie, Outage, RpcFailure */
export async function readBlocksAt(
  { rpc, safe, hasSystemReceipts, onBytes }: BlockSource,
  heights: readonly bigint[],
): Promise<readonly (EvmBlock | undefined)[]> {
  const answers = await rpc.batch(
    heights.map((height) => ({
      method: 'eth_getBlockByNumber',
      params: [quantityText(height), true],
    })),
    onBytes,
  );
  return heights.map((height, at) => {
    const result = resultOf(answers[at]);
    if (!isFound(result)) return undefined;
    const block = readEvmBlock(result, height, safe);
    if (!hasSystemReceipts) requireEmptyRoot(block, result);
    return block;
  });
}

/** What the index of logs finds in them: a look only. @throws NodeLie, Outage, RpcFailure */
export async function lookInto(
  source: BlockSource,
  blocks: readonly EvmBlock[],
): Promise<readonly FetchedBlock[]> {
  const { rpc, onBytes } = source;
  const logs = await readFound(source, blocks, (calls) => rpc.batch(calls, onBytes));
  return blocks.map((block) => ({ block, found: logs.get(block) ?? [], receipts: new Map() }));
}

/** With logs and all receipts. @throws NodeLie, Outage, RpcFailure */
export async function readContents(
  source: BlockSource,
  blocks: readonly EvmBlock[],
  { index, onFound, early }: ContentsOptions,
): Promise<readonly FetchedBlock[]> {
  const isThese = blocks.length === 1 && blocks[0]?.hash === early?.hash;
  const asked = isThese ? early : undefined;
  const finding = readFound(source, blocks, (calls) => asked?.logs ?? index(calls)).then((logs) => {
    onFound([...logs.values()].flat());
    return logs;
  });
  const reading = readBlockReceipts(source, blocks, { finding, asked: asked?.receipts });
  const [logs, receipts] = await Promise.all([finding, reading]);
  return blocks.map((block) => {
    const found = logs.get(block) ?? [];
    const given = receipts.get(block);
    const isGiven = (hash: string) => !source.hasSystemReceipts || given?.has(hash) === true;
    if (given !== undefined) {
      const told = found.filter(({ transaction }) => isGiven(transaction));
      requireAmong(told, given);
    }
    return { block, found, receipts: given ?? new Map() };
  });
}

async function readFound(
  { tokens }: BlockSource,
  blocks: readonly EvmBlock[],
  index: ContentsOptions['index'],
): Promise<FoundLogs> {
  const full = blocks.filter(({ transactions }) => transactions.length > 0);
  if (tokens.size === 0 || full.length === 0) return new Map();
  const answers = await index(full.map(({ hash }) => logsCall(hash, tokens)));
  return new Map(
    full.map((block, at) => [block, readLogs(resultOf(answers[at]), block, tokens)] as const),
  );
}

/** Of everything that is known of a block so far. */
export function addressesIn({
  block,
  found = [],
  receipts,
}: {
  readonly block?: EvmBlock;
  readonly found?: readonly FoundLog[];
  readonly receipts?: FetchedBlock['receipts'] | undefined;
}): readonly string[] {
  const addresses: string[] = [];
  for (const { from, to, value, executed } of block?.transactions ?? []) {
    addresses.push(from);
    if (to !== undefined && (value > 0n || executed !== undefined)) addresses.push(to);
  }
  for (const { from, to } of found) addresses.push(from, to);
  for (const { movements } of receipts?.values() ?? []) {
    for (const { from, to } of movements) addresses.push(from, to);
  }
  return addresses;
}

/** With the receipts of what touches ours, where they are not there yet. */
export async function oursIn(
  source: BlockSource,
  fetched: readonly FetchedBlock[],
  isOurs: (address: string) => boolean,
): Promise<readonly OurBlock[]> {
  const { rpc, chain, onBytes } = source;
  const missing = fetched.flatMap((one) =>
    touching(one, isOurs).flatMap((hash) =>
      one.receipts.has(hash) ? [] : [{ block: one.block, hash }],
    ),
  );
  const answers = await rpc.batch(
    missing.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    onBytes,
  );
  const read = new Map<EvmBlock, [string, EvmReceipt][]>();
  missing.forEach(({ block, hash }, at) => {
    const result = resultOf(answers[at]);
    if (result === null) throw nodeOutage(chain, `no receipt of ${hash} yet`);
    const receipt = readReceipt(result, placeOf(block), source, block.senders);
    if (receipt.transaction !== hash) throw new NodeLie(`another receipt was given than ${hash}`);
    const ofBlock = read.get(block) ?? [];
    read.set(block, [...ofBlock, [hash, receipt]]);
  });
  return fetched.map((one) => {
    const single = read.get(one.block);
    const receipts = single === undefined ? one.receipts : new Map([...one.receipts, ...single]);
    return ourBlock(source, { ...one, receipts }, isOurs);
  });
}

const NO_RECEIPT = { isSuccessful: false, executions: [] };

function ourBlock(
  { coinAssetId }: BlockSource,
  { block, found, receipts }: FetchedBlock,
  isOurs: (address: string) => boolean,
): OurBlock {
  const isSuccessful = (hash: string) => receipts.get(hash)?.isSuccessful === true;
  const touchesOurs = ({ from, to }: Pick<ValueMovement, 'from' | 'to'>) =>
    isOurs(from) || isOurs(to);
  const movements: ValueMovement[] = [
    ...coinMovements(block, isSuccessful, coinAssetId).filter(touchesOurs),
  ];
  const nonces = new Map(block.transactions.map(({ hash, nonce }) => [hash, nonce]));
  const fees: OwnFee[] = [];
  const executed: Executed[] = [];
  for (const receipt of receipts.values()) {
    const { from: address, transaction } = receipt;
    if (receipt.isSuccessful) movements.push(...receipt.movements.filter(touchesOurs));
    if (!isOurs(address)) continue;
    const nonce = nonces.get(transaction);
    fees.push({ address, transaction, nonce, units: receipt.feeUnits() });
  }
  for (const sent of block.transactions.filter((one) => one.executed !== undefined)) {
    const { isSuccessful: hasSucceeded, executions } = receipts.get(sent.hash) ?? NO_RECEIPT;
    const done = hasSucceeded ? executedBy(sent, executions, coinAssetId) : undefined;
    if (done === undefined) continue;
    executed.push(done);
    movements.push(...done.movements);
  }
  requireAmong(found.filter(touchesOurs), receipts);
  return { block, movements, fees, executed };
}

/** Transactions of which a receipt is needed because one of ours is in them. */
function touching({ block, found }: FetchedBlock, isOurs: (address: string) => boolean): string[] {
  const hashes = new Set<string>();
  for (const { hash, from, to, value, executed } of block.transactions) {
    const isExecuted = executed !== undefined;
    const isPaid = to !== undefined && value > 0n && isOurs(to);
    if (isOurs(from) || isPaid || isExecuted) hashes.add(hash);
  }
  for (const { transaction, from, to } of found) {
    if (isOurs(from) || isOurs(to)) hashes.add(transaction);
  }
  return [...hashes];
}

function requireAmong(found: readonly FoundLog[], receipts: ReadonlyMap<string, EvmReceipt>): void {
  for (const { transaction, assetId, from, to, units } of found) {
    const known = receipts
      .get(transaction)
      ?.movements.some(
        (moved) =>
          moved.assetId === assetId &&
          moved.from === from &&
          moved.to === to &&
          moved.units === units,
      );
    if (known !== true) throw new NodeLie(`a log of ${transaction} is not in its receipt`);
  }
}

function logsCall(hash: string, tokens: TokenContracts): RpcCall {
  const filter = { blockHash: hash, address: [...tokens.keys()], topics: [TRANSFER_TOPIC] };
  return { method: 'eth_getLogs', params: [filter] };
}

function resultOf(answer: RpcAnswer | undefined): unknown {
  if (answer === undefined) throw new NodeLie('an answer is missing');
  if (!answer.ok) throw answer.failure;
  return answer.result;
}
