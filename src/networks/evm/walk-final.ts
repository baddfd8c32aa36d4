// From the cursor to the last final block, in bounded steps. Guarantees: every block returned
// follows the one before it by hash, the first follows the cursor; its arrivals are covered by
// balances and, above the limit, shown by a second endpoint. A final block that is another one now
// stops the walk: nothing final is ever undone by itself.

import type { Log } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { type ChainId, networkOf } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import type { Block, BlockReference } from '#deposit/network.ts';
import { NodeLie, RpcFailure } from '#networks/answer-fields.ts';
import type { RpcCall } from '#networks/json-rpc.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { type BalanceLook, type BalancePlace, balanceLook } from './balance-look.ts';
import { type AgreementLimits, confirmLarge } from './confirm-large.ts';
import { type CoveredArrivals, coverArrivals } from './cover-arrivals.ts';
import { departuresOf } from './departures-of.ts';
import type { Endpoints } from './endpoints.ts';
import { type HeldKey, writeBalances } from './held-balance.ts';
import { addressInspector, type Inspection } from './inspect-addresses.ts';
import type { EvmRpc } from './json-rpc.ts';
import { type OwnAddresses, ownAddresses } from './own-addresses.ts';
import { readBalancesAt } from './read-balances.ts';
import type { BlockHeader, EvmBlock, FoundLog } from './read-block.ts';
import {
  addressesIn,
  askEarly,
  type BlockSource,
  type ContentsOptions,
  type OurBlock,
  oursIn,
  readBlocksAt,
  readContents,
} from './read-blocks.ts';

type FinalWalkOptions = {
  readonly chain: ChainId;
  readonly siblings: readonly ChainId[];
  /** Where addresses of this chain come from. */
  readonly addressSource: { readonly owner: ChainId; readonly descriptor: string };
  readonly contractOf: ReadonlyMap<string, string>;
  readonly endpoints: Pick<Endpoints, 'others' | 'again'>;
  readonly limits: AgreementLimits;
  readonly db: Db;
  readonly log: Log;
};

export type FinalWalk = FinalWalkOptions & {
  readonly inspector: ReturnType<typeof addressInspector>;
  /** JSON bytes of one block, estimated from those of the last ones. */
  blockBytes: number;
  /** Halved by each step that failed, whyever (it may have been too much), slowly doubled again. */
  mostBlocks: number;
  /** Steps that went well since one failed. */
  stepsSince: number;
  /** True while blocks are empty: then no question about contents is sent ahead. */
  expectsEmpty: boolean;
  /** What the Safe held when it was looked at first is told. */
  isSafeOpened: boolean;
  /** What was looked at last, on its way into the database. */
  keeping: Promise<void>;
};

/** Where one step begins and can end at most, and what is looked up in it, each once. */
type Step = {
  readonly source: BlockSource;
  readonly cursor: BlockReference;
  readonly final: BlockHeader;
  readonly addresses: OwnAddresses;
  readonly balances: BalanceLook;
};

/** What is on its way while the blocks are read. */
type StepQuestions = Pick<ContentsOptions, 'index' | 'early'> & {
  readonly inspecting: Promise<Inspection>;
};

/** JSON bytes of all that is asked in one step. */
const BYTES_PER_STEP = 48 * 1024 * 1024;
const BLOCKS_PER_STEP = { least: 2, most: 500, stepsUntilMore: 8 };
const BLOCK_BYTES = { atFirst: 2 * 1024 * 1024, least: 1024 };

export function createFinalWalk(options: FinalWalkOptions): FinalWalk {
  const { db, chain, addressSource } = options;
  return {
    ...options,
    inspector: addressInspector({ db, chain, source: addressSource }),
    blockBytes: BLOCK_BYTES.atFirst,
    mostBlocks: BLOCKS_PER_STEP.most,
    stepsSince: 0,
    expectsEmpty: true,
    isSafeOpened: false,
    keeping: Promise.resolve(),
  };
}

/** The next blocks; none when the cursor is the last final block. @throws Outage, NodeLie */
export async function walkFinal(
  walk: FinalWalk,
  source: BlockSource,
  cursor: BlockReference,
  final: BlockHeader,
): Promise<Block[]> {
  const { label } = source.rpc;
  if (final.height < cursor.height) {
    throw nodeOutage(walk.chain, `${label} is behind: its final block is ${final.height}`);
  }
  if (final.height === cursor.height) {
    if (final.hash !== cursor.hash) throw replaced(walk, cursor.height);
    return [];
  }
  const behind = Number(final.height - cursor.height);
  const fitting = Math.max(BLOCKS_PER_STEP.least, Math.floor(BYTES_PER_STEP / walk.blockBytes));
  const count = Math.min(behind, walk.mostBlocks, fitting);
  let bytes = 0;
  const onBytes = (more: number) => {
    bytes += more;
  };
  try {
    const step = openStep(walk, { ...source, onBytes }, cursor, final);
    const blocks = await takeStep(walk, step, count);
    walk.blockBytes = Math.max(BLOCK_BYTES.least, (2 * bytes) / count, walk.blockBytes / 2);
    walk.stepsSince += 1;
    if (walk.stepsSince % BLOCKS_PER_STEP.stepsUntilMore === 0) {
      walk.mostBlocks = Math.min(BLOCKS_PER_STEP.most, 2 * walk.mostBlocks);
    }
    return blocks;
  } catch (error) {
    walk.mostBlocks = Math.max(BLOCKS_PER_STEP.least, Math.floor(count / 2));
    walk.stepsSince = 0;
    throw error;
  }
}

function openStep(
  walk: FinalWalk,
  source: BlockSource,
  cursor: BlockReference,
  final: BlockHeader,
): Step {
  const { db, chain, siblings } = walk;
  const balances = balanceLook({
    db,
    chain,
    cursorHeight: cursor.height,
    // The blocks are of one endpoint, what they came to of another, where there is another.
    ask: (places, time) => balancesOf(walk, source.rpc, places, time),
  });
  return { source, cursor, final, addresses: ownAddresses(db, [chain, ...siblings]), balances };
}

/** Reads `count` blocks; one less where only the last block itself vouches for its hash. */
async function takeStep(walk: FinalWalk, step: Step, count: number): Promise<Block[]> {
  const { chain, endpoints, limits, inspector } = walk;
  const { source, cursor, final } = step;
  const behind = Number(final.height - cursor.height);
  const heights = Array.from({ length: count }, (_, at) => cursor.height + BigInt(at) + 1n);
  const inspecting = inspector.next(count === behind);
  inspecting.catch(() => undefined);
  const index = (calls: readonly RpcCall[]) => secondIndex(walk, source, calls);
  // The next one being the last final one, what is in it can be asked together with it.
  const isNext = behind === 1 && !walk.expectsEmpty;
  const reading = readBlocksAt(source, heights);
  const early = isNext ? askEarly(source, final.hash, index) : undefined;
  const read = await reading;
  const blocks = linkUp(walk, step, read);
  walk.expectsEmpty = blocks.at(-1)?.transactions.length === 0;
  const ours = await readOurs(walk, step, blocks, { inspecting, index, early });
  const { arrivals, doubtful } = await covered(walk, step, ours, await inspecting);
  const { isOurs } = step.addresses;
  const { coinAssetId } = source;
  const others = endpoints.others(source.rpc);
  await confirmLarge({ chain, others, limits, ours, isOurs, arrivals, doubtful, source });
  return ours.map(({ block: { height, hash, parentHash, minedAt }, ...moved }) => ({
    height,
    hash,
    parentHash,
    minedAt,
    arrivals: arrivals.get(height) ?? [],
    departures: departuresOf(moved, { isOurs, coinAssetId }),
  }));
}

/**
 * What the blocks did to ours. Who is ours, and what ours hold, is asked while the node still
 * answers for the receipts, by what the blocks and the index of logs say; whatever the receipts
 * add is asked afterwards.
 */
async function readOurs(
  walk: FinalWalk,
  { source, addresses, balances }: Step,
  blocks: readonly EvmBlock[],
  { inspecting, index, early }: StepQuestions,
): Promise<readonly OurBlock[]> {
  const { name, look, isOurs } = addresses;
  const lookAhead = async (found: readonly FoundLog[]): Promise<void> => {
    const looking = look(addressesIn({ found }));
    const [inspected] = await Promise.all([inspecting, looking, walk.keeping]);
    const coins = inspected.addresses.map((address) => ({
      address,
      assetId: source.coinAssetId,
    }));
    const touched = touchedIn(blocks, found, isOurs, source.coinAssetId);
    const last = blocks.at(-1);
    if (last !== undefined) balances.ahead([...touched, ...coins], last.height);
  };
  const reading = readContents(source, blocks, {
    index,
    early,
    // A failure is reported to whoever needs the answers, because they are asked for again then.
    onFound: (found) => void lookAhead(found).catch(() => undefined),
  });
  name(blocks.flatMap((block) => addressesIn({ block })));
  const fetched = await reading;
  await look(fetched.flatMap(({ receipts }) => addressesIn({ receipts })));
  return oursIn(source, fetched, isOurs);
}

/**
 * The index of logs of another endpoint, which costs nothing more: what the first one leaves out
 * of its receipts is a contradiction then. One that does not have the blocks yet has no say.
 */
async function secondIndex(
  { endpoints }: FinalWalk,
  { rpc, onBytes }: BlockSource,
  calls: readonly RpcCall[],
) {
  try {
    const answers = await endpoints.again(rpc, (other) => other.batch(calls, onBytes));
    if (answers.every(({ ok }) => ok)) return answers;
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
  }
  return rpc.batch(calls, onBytes);
}

function linkUp(
  walk: FinalWalk,
  { source, cursor, final }: Step,
  read: readonly (EvmBlock | undefined)[],
): EvmBlock[] {
  const { label } = source.rpc;
  const linked: EvmBlock[] = [];
  let last = cursor;
  for (const block of read) {
    if (block === undefined) throw nodeOutage(walk.chain, `${label} lacks a final block`);
    if (block.parentHash !== last.hash) {
      if (last === cursor) throw replaced(walk, cursor.height);
      throw new NodeLie(`block ${block.height} does not follow the one before it`);
    }
    linked.push(block);
    last = block;
  }
  const reachesTip = last.height === final.height;
  if (reachesTip && last.hash !== final.hash) throw new NodeLie('two final blocks of one height');
  // The hash of the last block is confirmed by no block after it. It is kept only if it is the
  // final block that was named before.
  if (!reachesTip) linked.pop();
  return linked;
}

function replaced({ chain, log }: FinalWalk, height: bigint): Error {
  log.error('a final block is another one now: the network stands still', { height });
  const command = `npx quittance chain rewind ${networkOf(chain)} --to HEIGHT`;
  return nodeOutage(
    chain,
    `final block ${height} is another one now: a person has to decide (${command})`,
  );
}

async function covered(
  walk: FinalWalk,
  { source, cursor, final, addresses, balances }: Step,
  ours: readonly OurBlock[],
  inspected: Inspection,
): Promise<Pick<CoveredArrivals, 'arrivals' | 'doubtful'>> {
  const { db, log, chain, inspector } = walk;
  const isQuiet = ours.every(({ movements, fees }) => movements.length + fees.length === 0);
  const kept = keptPlaces(walk, source);
  if (isQuiet && inspected.addresses.length + kept.length === 0) {
    return { arrivals: new Map(), doubtful: new Set() };
  }
  await walk.keeping;
  const { arrivals, looked, unknown, doubtful } = await coverArrivals({
    log,
    chain,
    coinAssetId: source.coinAssetId,
    isOurs: addresses.isOurs,
    cursor,
    blocks: ours,
    tip: final,
    inspected: inspected.addresses,
    kept,
    balances,
  });
  walk.isSafeOpened = kept.every(({ address }) => !unknown.has(address));
  // An address whose first look failed is looked at again, unless this is where we stay.
  const isLast = ours.at(-1)?.block.hash === final.hash;
  const isWhole = isLast || !inspected.inOrder.some((address) => unknown.has(address));
  // The next look waits for this write, not this one. A balance that was not written is read again
  // as if it had never been looked at.
  const written = writeBalances(db, chain, looked, cursor.height);
  walk.keeping = written
    .then(() => (isWhole ? inspector.done(inspected) : undefined))
    .catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn('balances could not be written down', { reason });
    });
  return { arrivals, doubtful };
}

/** The coins of the Safe in each step, since they may come from inside a call; all else once. */
function keptPlaces(
  { isSafeOpened }: FinalWalk,
  { safe, coinAssetId, tokens }: BlockSource,
): HeldKey[] {
  if (safe === undefined) return [];
  const assetIds = isSafeOpened ? [coinAssetId] : [coinAssetId, ...tokens.values()];
  return assetIds.map((assetId) => ({ address: safe, assetId }));
}

/** Where the first choice has not the state, of the second. */
async function balancesOf(
  { chain, contractOf, endpoints }: FinalWalk,
  rpc: EvmRpc,
  places: readonly BalancePlace[],
  time: 'once' | 'again',
): Promise<readonly (bigint | undefined)[]> {
  const own = (some: readonly BalancePlace[]) => readBalancesAt(rpc, contractOf, some);
  const others = (some: readonly BalancePlace[]) =>
    endpoints.again(rpc, (other) =>
      readBalancesAt(other, contractOf, some).catch(asOutage(chain, other)),
    );
  const [first, second] = time === 'once' ? [others, own] : [own, others];
  const read = await first(places);
  const unknown = places.filter((_, at) => read[at] === undefined);
  const instead = unknown.length === 0 ? [] : await second(unknown);
  return read.map((units, at) => units ?? instead[unknown.indexOf(places[at]!)]);
}

/** What one endpoint refuses, the next one may answer. */
function asOutage(chain: ChainId, { label }: EvmRpc): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof RpcFailure)) throw error;
    throw nodeOutage(chain, `${label} refuses a question`, error);
  };
}

/** Addresses of ours that the blocks and the index of logs name, without a look at receipts. */
function touchedIn(
  blocks: readonly EvmBlock[],
  found: readonly FoundLog[],
  isOurs: (address: string) => boolean,
  coinAssetId: string,
): HeldKey[] {
  const keys: HeldKey[] = [];
  const add = (address: string, assetId: string) => {
    if (isOurs(address)) keys.push({ address, assetId });
  };
  for (const { transactions } of blocks) {
    for (const { from, to, value } of transactions) {
      add(from, coinAssetId);
      if (to !== undefined && value > 0n) add(to, coinAssetId);
    }
  }
  for (const { from, to, assetId } of found) {
    add(from, assetId);
    add(to, assetId);
  }
  return keys;
}
