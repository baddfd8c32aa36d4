// The unconfirmed picture. Nothing here is ever credited: it shows a payer that the payment was
// seen, and lets a replaced payment be recognised. Guarantees: a list counts only when the best
// block was the same before and after it was taken; a transaction is fetched once and reported in
// every step until `acknowledge`; memory and work per step are bounded, newest transactions first.
// Not guaranteed: that every unconfirmed transaction is reported: blocks are the truth.
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Arrival, Spend } from '#deposit/network.ts';
import { isFields, NodeLie, requireList } from '#networks/answer-fields.ts';
import { type RpcAnswer, resultsOf } from '#networks/json-rpc.ts';
import { type CoreRpc, requireBytes } from './json-rpc.ts';
import { type ParsedTransaction, type RawChain, readUnconfirmed } from './read-transaction.ts';

export type MempoolPicture = {
  readonly unconfirmed: readonly Arrival[];
  readonly spends: readonly Spend[];
  /** Undefined when absence proves nothing: no fresh list, still loading, or cut off. */
  readonly listed: ReadonlySet<string> | undefined;
};

export type MempoolLimits = {
  /** Transactions fetched in one step. */
  readonly fetchedPerStep: number;
  /** No more transactions of a list are looked at; a full mempool of 300 MB has fewer. */
  readonly listed: number;
  /** Arrivals kept for repetition while nobody acknowledges. */
  readonly repeated: number;
};

export interface MempoolWatch {
  /**
   * `recorded`: transactions of which it is asked whether they still stand.
   * Undefined when the best block is not (or did not stay) `tipHash`: ask again after walking.
   */
  look(tipHash: string, recorded: readonly string[]): Promise<MempoolPicture | undefined>;
  /** What was reported has been recorded and need not be repeated. */
  acknowledge(): void;
  hasBacklog(): boolean;
  /** True when the mempool looks different from the last list, and a new list is due. */
  hasChanged(): Promise<boolean>;
}

const DEFAULT_MEMPOOL_LIMITS: MempoolLimits = {
  fetchedPerStep: 500,
  listed: 500_000,
  repeated: 50_000,
};

/** 50 transactions are at most 40 MB. */
const FETCHED_PER_REQUEST = 50;
/** Listing may take a tenth of our time: a list that takes long is asked for less often. */
const LIST_COST_FACTOR = 10;
const CHEAP_LIST_MS = 50;
const SMALL_MEMPOOL = 2_000;

type MempoolOptions = {
  readonly rpc: CoreRpc;
  readonly chain: RawChain;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: MempoolLimits;
};

type Watch = MempoolOptions & {
  readonly limits: MempoolLimits;
  /** Fetched once, or found not to be there. */
  readonly seen: Set<string>;
  /** Listed, not fetched yet; the end is fetched first. */
  backlog: readonly string[];
  reported: readonly ParsedTransaction[];
  /** What the node said of its mempool with the last list. */
  fingerprint: string;
  /** The best block of the last list. */
  listedOn: string;
  nextListAtMs: number;
};

export function watchMempool(options: MempoolOptions): MempoolWatch {
  const watch: Watch = {
    ...options,
    limits: options.limits ?? DEFAULT_MEMPOOL_LIMITS,
    seen: new Set(),
    backlog: [],
    reported: [],
    fingerprint: '',
    listedOn: '',
    nextListAtMs: Number.NEGATIVE_INFINITY,
  };
  return {
    look: (tipHash) => look(watch, tipHash),
    acknowledge() {
      watch.reported = [];
    },
    hasBacklog: () => watch.backlog.length > 0,
    hasChanged: () => hasChanged(watch),
  };
}

async function look(watch: Watch, tipHash: string): Promise<MempoolPicture | undefined> {
  let listed: MempoolPicture['listed'];
  if (tipHash !== watch.listedOn || watch.clock.monotonicMs() >= watch.nextListAtMs) {
    const outcome = await list(watch, tipHash);
    if (outcome === 'moved') return undefined;
    listed = outcome;
  }
  await fetchSome(watch);
  const { reported } = watch;
  return {
    unconfirmed: reported.flatMap(({ arrivals }) => arrivals),
    spends: reported.map(({ transaction, spends, others }) => ({ transaction, spends, others })),
    listed,
  };
}

async function list(watch: Watch, tipHash: string): Promise<MempoolPicture['listed'] | 'moved'> {
  const { rpc, clock, limits, seen } = watch;
  const startedAtMs = clock.monotonicMs();
  const answers = await rpc.batch([
    { method: 'getbestblockhash', params: [] },
    { method: 'getmempoolinfo', params: [] },
    { method: 'getrawmempool', params: [] },
    { method: 'getbestblockhash', params: [] },
  ]);
  const [before, info, raw, after] = resultsOf(answers);
  if (before !== tipHash || after !== tipHash) return 'moved';
  const all = requireList(raw, 'the transactions of the mempool');
  const listed = new Set<string>();
  for (const txid of all) {
    if (typeof txid === 'string' && listed.size < limits.listed) listed.add(txid);
  }
  for (const txid of seen) if (!listed.has(txid)) seen.delete(txid);
  const waiting = new Set(watch.backlog.filter((txid) => listed.has(txid)));
  for (const txid of listed) if (!seen.has(txid)) waiting.add(txid);
  watch.backlog = [...waiting];
  watch.reported = watch.reported.filter(({ transaction }) => listed.has(transaction));
  watch.fingerprint = fingerprintOf(info);
  watch.listedOn = tipHash;
  const endedAtMs = clock.monotonicMs();
  const costMs = endedAtMs - startedAtMs;
  watch.nextListAtMs = costMs > CHEAP_LIST_MS ? endedAtMs + LIST_COST_FACTOR * costMs : endedAtMs;
  const isLoaded = isFields(info) && info.loaded !== false;
  return isLoaded && listed.size === all.length ? listed : undefined;
}

async function fetchSome(watch: Watch): Promise<void> {
  const { rpc, limits, seen } = watch;
  let left = limits.fetchedPerStep;
  while (left > 0 && watch.backlog.length > 0) {
    const txids = watch.backlog.slice(-Math.min(FETCHED_PER_REQUEST, left));
    const answers = await rpc.batch(
      txids.map((txid) => ({ method: 'getrawtransaction', params: [txid, false] })),
    );
    const fetched = txids.map((txid, at) => read(watch, txid, answers[at]));
    const found = fetched.filter((transaction) => transaction !== undefined);
    watch.reported = [...watch.reported, ...found];
    for (const txid of txids) seen.add(txid);
    watch.backlog = watch.backlog.slice(0, -txids.length);
    left -= txids.length;
  }
  let repeated = 0;
  const newestFirst = watch.reported.toReversed();
  const kept = newestFirst.filter(({ arrivals }) => {
    repeated += arrivals.length;
    return repeated <= limits.repeated;
  });
  watch.reported = kept.reverse();
}

function read(
  { chain, log }: Watch,
  txid: string,
  answer: RpcAnswer | undefined,
): ParsedTransaction | undefined {
  // It left the mempool since it was listed.
  if (answer?.ok !== true) return undefined;
  try {
    const bytes = requireBytes(answer.result, `transaction ${txid}`);
    const transaction = readUnconfirmed(bytes, chain);
    // Wholly inside MWEB: its id is another hash, and there is nothing to see.
    if (transaction.spends.length === 0 && !transaction.isCoinbase) return undefined;
    if (transaction.transaction === txid && !transaction.isCoinbase) return transaction;
    throw new NodeLie(`another transaction was given than ${txid}`);
  } catch (error) {
    if (!(error instanceof NodeLie)) throw error;
    // Only a hint, so one odd transaction must not hold up the chain.
    log.warn('an unconfirmed transaction cannot be read', { txid, reason: error.message });
    return undefined;
  }
}

async function hasChanged(watch: Watch): Promise<boolean> {
  if (watch.clock.monotonicMs() < watch.nextListAtMs) return false;
  const info = await watch.rpc.call('getmempoolinfo');
  if (fingerprintOf(info) !== watch.fingerprint) return true;
  return tellsNoFees(info) ? listHasChanged(watch) : false;
}

/** A payment replaced by one as large, on a node that does not say what fees are offered. */
async function listHasChanged(watch: Watch): Promise<boolean> {
  const raw = await watch.rpc.call('getrawmempool');
  const { seen } = watch;
  const known = new Set(watch.backlog);
  return requireList(raw, 'the transactions of the mempool').some(
    (txid) => typeof txid === 'string' && !seen.has(txid) && !known.has(txid),
  );
}

/**
 * Two mempools may look the same by this value and still differ. That is rare, and blocks decide.
 */
function fingerprintOf(info: unknown): string {
  if (!isFields(info)) throw new NodeLie('the description of the mempool is malformed');
  // A replacement pays a higher fee, so the sum changes even where nothing else does.
  return `${info.size}/${info.bytes}/${info.usage}/${info.loaded}/${info.total_fee}`;
}

/** Litecoin Core 0.21, Bitcoin Core before 23. Their list is short enough to be asked for. */
function tellsNoFees(info: unknown): boolean {
  return isFields(info) && info.total_fee === undefined && Number(info.size) <= SMALL_MEMPOOL;
}
