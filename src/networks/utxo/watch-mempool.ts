// The unconfirmed picture. Nothing here is ever credited: it shows a payer that the payment was
// seen, and lets a replaced payment be recognised. Guarantees: a list counts only when the best
// block was the same before and after it was taken; a transaction is fetched once and reported in
// every step until `acknowledge`; memory and work per step are bounded, newest transactions first.
// Not guaranteed: that every unconfirmed transaction is reported: blocks are the truth.
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Spend, Transfer } from '#deposit/network.ts';
import { isFields, NodeLie, requireList } from '#networks/answer-fields.ts';
import type { CoreRpc, RpcAnswer } from './json-rpc.ts';
import { type RawChain, type ReadTransaction, readUnconfirmed } from './read-transaction.ts';
import { requireBytes } from './require-answer.ts';

export type MempoolPicture = {
  readonly unconfirmed: readonly Transfer[];
  readonly spends: readonly Spend[];
  /** Undefined when absence proves nothing: no fresh list, still loading, or cut off. */
  readonly listed: ReadonlySet<string> | undefined;
};

export type MempoolLimits = {
  /** Transactions fetched in one step. */
  readonly fetchedPerStep: number;
  /** Of a longer list only so many are looked at; a full mempool of 300 MB has fewer. */
  readonly listed: number;
  /** Transfers kept for repetition while nobody acknowledges. */
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
const fetchedPerRequest = 50;
/** Listing may take a tenth of our time: a list that takes long is asked for less often. */
const listCostFactor = 10;
const cheapListMs = 50;
const SMALL_MEMPOOL = 2_000;

export function watchMempool(options: {
  readonly rpc: CoreRpc;
  readonly chain: RawChain;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: MempoolLimits;
}): MempoolWatch {
  const { rpc, chain, clock, log, limits = DEFAULT_MEMPOOL_LIMITS } = options;
  const seen = new Set<string>();
  /** Listed, not fetched yet; the end is fetched first. */
  let backlog: readonly string[] = [];
  let reported: readonly ReadTransaction[] = [];
  let fingerprint = '';
  let listedOn = '';
  let nextListAtMs = Number.NEGATIVE_INFINITY;

  async function list(tipHash: string): Promise<MempoolPicture['listed'] | 'moved'> {
    const startedAtMs = clock.monotonicMs();
    const answers = await rpc.batch([
      { method: 'getbestblockhash', params: [] },
      { method: 'getmempoolinfo', params: [] },
      { method: 'getrawmempool', params: [] },
      { method: 'getbestblockhash', params: [] },
    ]);
    const [before, info, raw, after] = answers.map(resultOf);
    if (before !== tipHash || after !== tipHash) return 'moved';
    const all = requireList(raw, 'the transactions of the mempool');
    const listed = new Set<string>();
    for (const txid of all) {
      if (typeof txid === 'string' && listed.size < limits.listed) listed.add(txid);
    }
    for (const txid of seen) if (!listed.has(txid)) seen.delete(txid);
    const waiting = new Set(backlog.filter((txid) => listed.has(txid)));
    for (const txid of listed) if (!seen.has(txid)) waiting.add(txid);
    backlog = [...waiting];
    reported = reported.filter(({ transaction }) => listed.has(transaction));
    fingerprint = fingerprintOf(info);
    listedOn = tipHash;
    const endedAtMs = clock.monotonicMs();
    const costMs = endedAtMs - startedAtMs;
    nextListAtMs = costMs > cheapListMs ? endedAtMs + listCostFactor * costMs : endedAtMs;
    const isLoaded = isFields(info) && info.loaded !== false;
    return isLoaded && listed.size === all.length ? listed : undefined;
  }

  async function fetchSome(): Promise<void> {
    let left = limits.fetchedPerStep;
    while (left > 0 && backlog.length > 0) {
      const txids = backlog.slice(-Math.min(fetchedPerRequest, left));
      const answers = await rpc.batch(
        txids.map((txid) => ({ method: 'getrawtransaction', params: [txid, false] })),
      );
      const fetched = txids.map((txid, at) => read(txid, answers[at]));
      reported = [...reported, ...fetched.filter((transaction) => transaction !== undefined)];
      for (const txid of txids) seen.add(txid);
      backlog = backlog.slice(0, -txids.length);
      left -= txids.length;
    }
    let repeated = 0;
    const newestFirst = reported.toReversed();
    const kept = newestFirst.filter(({ transfers }) => {
      repeated += transfers.length;
      return repeated <= limits.repeated;
    });
    reported = kept.reverse();
  }

  function read(txid: string, answer: RpcAnswer | undefined): ReadTransaction | undefined {
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

  /** A payment replaced by one as large, on a node that does not say what fees are offered. */
  async function listHasChanged(): Promise<boolean> {
    const raw = await rpc.call('getrawmempool');
    const known = new Set(backlog);
    return requireList(raw, 'the transactions of the mempool').some(
      (txid) => typeof txid === 'string' && !seen.has(txid) && !known.has(txid),
    );
  }

  return {
    async look(tipHash) {
      let listed: MempoolPicture['listed'];
      if (tipHash !== listedOn || clock.monotonicMs() >= nextListAtMs) {
        const outcome = await list(tipHash);
        if (outcome === 'moved') return undefined;
        listed = outcome;
      }
      await fetchSome();
      return {
        unconfirmed: reported.flatMap(({ transfers }) => transfers),
        spends: reported.map(({ transaction, spends }) => ({ transaction, spends })),
        listed,
      };
    },
    acknowledge() {
      reported = [];
    },
    hasBacklog: () => backlog.length > 0,
    async hasChanged() {
      if (clock.monotonicMs() < nextListAtMs) return false;
      const info = await rpc.call('getmempoolinfo');
      if (fingerprintOf(info) !== fingerprint) return true;
      return tellsNoFees(info) ? listHasChanged() : false;
    },
  };
}

function resultOf(answer: RpcAnswer): unknown {
  if (!answer.ok) throw answer.failure;
  return answer.result;
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
