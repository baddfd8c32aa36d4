// Several blocks at once, in two questions: the blocks by number, then their logs and receipts by
// hash. Two passes are two chances: the index of logs and the receipts are kept apart by nodes, and
// either may lag (reliability-security I1). What the receipts hold is taken; a log that the index
// has and the receipts have not is a contradiction.

import type { ChainId } from '#catalog/chain.ts';
import {
  type EvmRpc,
  outage,
  RPC_METHOD_MISSING,
  type RpcAnswer,
  type RpcCall,
} from './json-rpc.ts';
import {
  coinMovements,
  type EvmBlock,
  type EvmReceipt,
  type FoundLog,
  isFound,
  type Movement,
  readBlock,
  readLogs,
  readReceipt,
  readReceipts,
  type TokenContracts,
  TRANSFER_TOPIC,
} from './read-block.ts';
import { NodeLie, quantityText } from './read-values.ts';

export type BlockSource = {
  readonly rpc: EvmRpc;
  readonly chain: ChainId;
  readonly tokens: TokenContracts;
  readonly coinAssetId: string;
  readonly hasSystemReceipts: boolean;
};

/** A block and what may be for us in it; receipts of all of it, unless only a look was taken. */
export type FetchedBlock = {
  readonly block: EvmBlock;
  readonly found: readonly FoundLog[];
  readonly receipts: ReadonlyMap<string, EvmReceipt> | undefined;
};

/** What a block did to addresses of ours. */
export type OurBlock = {
  readonly block: EvmBlock;
  /** With one of ours at either end, in the order of the block. */
  readonly movements: readonly Movement[];
  /** What ours paid for transactions they sent. */
  readonly fees: readonly { readonly address: string; readonly units: bigint }[];
};

/** Nodes that do not know eth_getBlockReceipts. */
const withoutBlockReceipts = new WeakSet<EvmRpc>();

/** Asks for logs, of whomever. */
export type AskIndex = (calls: readonly RpcCall[]) => Promise<readonly RpcAnswer[]>;

/**
 * With `index` whole blocks, with their receipts; without it a look. Undefined where the node has
 * no block of that height. @throws NodeLie, Outage, RpcFailure
 */
export async function fetchBlocks(
  source: BlockSource,
  heights: readonly bigint[],
  index?: AskIndex,
): Promise<readonly (FetchedBlock | undefined)[]> {
  const { rpc } = source;
  const answers = await rpc.batch(
    heights.map((height) => ({
      method: 'eth_getBlockByNumber',
      params: [quantityText(height), true],
    })),
  );
  const blocks = heights.map((height, at) => {
    const result = resultOf(answers[at]);
    return isFound(result) ? readBlock(result, height) : undefined;
  });
  return readContents(source, blocks, index);
}

type Contents = { found: readonly FoundLog[]; receipts: FetchedBlock['receipts'] };

async function readContents(
  source: BlockSource,
  all: readonly (EvmBlock | undefined)[],
  index: AskIndex | undefined,
): Promise<readonly (FetchedBlock | undefined)[]> {
  const { rpc, chain, tokens } = source;
  const blocks = all.filter((block) => block !== undefined && block.transactions.length > 0);
  const wantsReceipts = index !== undefined && !withoutBlockReceipts.has(rpc);
  const indexed = tokens.size === 0 ? [] : blocks;
  const askIndex: AskIndex = index ?? ((calls) => rpc.batch(calls));
  const [logs, whole] = await Promise.all([
    indexed.length === 0 ? [] : askIndex(indexed.map((block) => logsCall(block!, tokens))),
    wantsReceipts ? rpc.batch(blocks.map((block) => receiptsCall(block!))) : [],
  ]);
  const contents = new Map<EvmBlock, Contents>();
  blocks.forEach((block, at) => {
    if (block === undefined) return;
    const found = tokens.size === 0 ? [] : readLogs(resultOf(logs[at]), block, tokens);
    const answer = wantsReceipts ? whole[at] : undefined;
    let receipts: FetchedBlock['receipts'];
    if (answer?.ok === false && answer.failure.code === RPC_METHOD_MISSING) {
      withoutBlockReceipts.add(rpc);
    } else if (wantsReceipts) {
      const result = resultOf(answer);
      if (result === null) throw outage(chain, `no receipts of block ${block.height} yet`);
      receipts = readReceipts(result, block, tokens, source);
      requireAmong(found, receipts);
    }
    contents.set(block, { found, receipts });
  });
  return all.map((block) => {
    if (block === undefined) return undefined;
    return { block, ...(contents.get(block) ?? { found: [], receipts: new Map() }) };
  });
}

function receiptsCall({ hash }: EvmBlock): RpcCall {
  return { method: 'eth_getBlockReceipts', params: [hash] };
}

/** Every address that sends or receives something in the block, each once. */
export function addressesIn({ block, found, receipts }: FetchedBlock): ReadonlySet<string> {
  const addresses = new Set<string>();
  for (const { from, to, value } of block.transactions) {
    addresses.add(from);
    if (to !== undefined && value > 0n) addresses.add(to);
  }
  for (const { from, to } of found) addresses.add(from).add(to);
  for (const { movements } of receipts?.values() ?? []) {
    for (const { from, to } of movements) addresses.add(from).add(to);
  }
  return addresses;
}

/** With the receipts of what touches ours, where they are not there yet. */
export async function oursIn(
  source: BlockSource,
  fetched: readonly FetchedBlock[],
  isOurs: (address: string) => boolean,
): Promise<readonly OurBlock[]> {
  const missing = fetched.flatMap((one) =>
    one.receipts === undefined ? touching(one, isOurs).map((hash) => ({ ...one, hash })) : [],
  );
  const answers = await source.rpc.batch(
    missing.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  );
  const read = new Map<string, EvmReceipt>();
  missing.forEach(({ block, hash }, at) => {
    const result = resultOf(answers[at]);
    if (result === null) throw outage(source.chain, `no receipt of ${hash} yet`);
    const receipt = readReceipt(result, block, source.tokens);
    if (receipt.transaction !== hash) throw new NodeLie(`another receipt was given than ${hash}`);
    read.set(hash, receipt);
  });
  return fetched.map((one) => ourBlock(source, one, one.receipts ?? read, isOurs));
}

function ourBlock(
  { coinAssetId }: BlockSource,
  { block, found, receipts: whole }: FetchedBlock,
  receipts: ReadonlyMap<string, EvmReceipt>,
  isOurs: (address: string) => boolean,
): OurBlock {
  const isSuccessful = (hash: string) => receipts.get(hash)?.isSuccessful === true;
  const touchesOurs = ({ from, to }: Pick<Movement, 'from' | 'to'>) => isOurs(from) || isOurs(to);
  const movements: Movement[] = [
    ...coinMovements(block, isSuccessful, coinAssetId).filter(touchesOurs),
  ];
  const fees: { address: string; units: bigint }[] = [];
  for (const { isSuccessful: isDone, movements: moved, from, feeUnits } of receipts.values()) {
    if (isDone) movements.push(...moved.filter(touchesOurs));
    if (isOurs(from)) fees.push({ address: from, units: feeUnits });
  }
  if (whole === undefined) requireAmong(found.filter(touchesOurs), receipts);
  return { block, movements, fees };
}

/** Transactions of which a receipt is needed because one of ours is in them. */
function touching({ block, found }: FetchedBlock, isOurs: (address: string) => boolean): string[] {
  const hashes = new Set<string>();
  for (const { hash, from, to, value } of block.transactions) {
    if (isOurs(from) || (to !== undefined && value > 0n && isOurs(to))) hashes.add(hash);
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

function logsCall({ hash }: EvmBlock, tokens: TokenContracts): RpcCall {
  const filter = { blockHash: hash, address: [...tokens.keys()], topics: [TRANSFER_TOPIC] };
  return { method: 'eth_getLogs', params: [filter] };
}

function resultOf(answer: Awaited<ReturnType<EvmRpc['batch']>>[number] | undefined): unknown {
  if (answer === undefined) throw new NodeLie('an answer is missing');
  if (!answer.ok) throw answer.failure;
  return answer.result;
}
