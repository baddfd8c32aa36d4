// Who shows a checkout is told at once when it changes. A topic is the id of a checkout, or a chain
// (its height changed). What this process does is told where it happens; what other processes did
// is found by one question to the database for all open pages, however many there are, at most four
// times a second, and none while no page is open.
//
// Guarantees: whoever listens before it reads misses nothing, whichever process wrote it. Not
// guaranteed: that something changed. Who is told looks, and may find everything as it was.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { type ChainId, environmentOf } from '#catalog/chain.ts';
import { listChainStatuses } from '#chain/chain-status.ts';
import { followChanges } from '#checkout/list-checkouts.ts';
import type { Db } from '#db/db.ts';
import type { AffectedPurpose } from '#deposit/deposit-instruction.ts';
import { createWake, type Loop, startLoop, type Wake } from '#runtime/loop.ts';
import { requestSettlement } from '#settle/queue.ts';

/** With the reading and sending of a page this keeps below 300 ms. */
const LOOK_MS = 250;
/** A database that comes back is noticed soon: customers are waiting. */
const BACKOFF_MS = { first: LOOK_MS, most: 2_000 };

export type Changes = {
  tell(topic: string): void;
  tellAll(): void;
  /** Calls back after every telling, until the returned function is called. */
  listen(topic: string, onTold: () => void): () => void;
  /** Resolves when the topic was told of, after `ms`, or when the signal aborts. Never rejects. */
  wait(topic: string, ms: number, signal: AbortSignal): Promise<void>;
  isAnyoneListening(): boolean;
  /** The process is about to end: all are told, and nobody should wait any more. */
  end(): void;
  hasEnded(): boolean;
};

export function createChanges(): Changes {
  const listeners = new Map<string, Set<() => void>>();
  let hasEnded = false;

  // A listener may leave, and another come, while it is told.
  const tell = (topic: string) => {
    for (const onTold of [...(listeners.get(topic) ?? [])]) onTold();
  };
  const tellAll = () => {
    for (const topic of [...listeners.keys()]) tell(topic);
  };
  const listen = (topic: string, onTold: () => void) => {
    const known = listeners.get(topic) ?? new Set();
    listeners.set(topic, known);
    // Its own function: the same callback may listen twice.
    const listener = () => onTold();
    known.add(listener);
    return () => {
      known.delete(listener);
      if (known.size === 0 && listeners.get(topic) === known) listeners.delete(topic);
    };
  };
  return {
    tell,
    tellAll,
    listen,
    async wait(topic, ms, signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      const leave = listen(topic, resolve);
      const abort = () => resolve();
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) resolve();
      await promise;
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      leave();
    },
    isAnyoneListening: () => listeners.size > 0,
    end() {
      hasEnded = true;
      tellAll();
    },
    hasEnded: () => hasEnded,
  };
}

/** What wakes the loops of this process at once; each also looks by itself. */
export type Wakes = {
  readonly settle: Wake;
  readonly settleDeposits: Wake;
  readonly transfer: Wake;
  readonly departures: Wake;
  readonly deliver: Wake;
  /** Of whatever asks who signs on a chain. */
  signer(chain: ChainId): Wake;
};

export function createWakes(): Wakes {
  const signers = new Map<ChainId, Wake>();
  return {
    settle: createWake(),
    settleDeposits: createWake(),
    transfer: createWake(),
    departures: createWake(),
    deliver: createWake(),
    signer(chain) {
      const known = signers.get(chain) ?? createWake();
      signers.set(chain, known);
      return known;
    },
  };
}

type OnChangeApp = { readonly changes: Changes; readonly wakes: Wakes };

/** For whoever observes a network: what follows its commits. Without `chain` of simulated ones. */
export function onObserved({ changes, wakes }: OnChangeApp, chain?: ChainId) {
  return {
    onAffected: requestSettlement,
    onRecorded(affected: readonly AffectedPurpose[]) {
      // Seen, though not decided yet. Ids of other purposes are nobody's topic.
      for (const { purposeId } of affected) changes.tell(purposeId);
      if (affected.length > 0) {
        wakes.settle.wake();
        wakes.settleDeposits.wake();
      }
      if (chain === undefined || environmentOf(chain) !== 'live') return;
      // What has left may be in a block now, or deep enough: on simulated chains nobody looks.
      wakes.departures.wake();
      wakes.signer(chain).wake();
    },
  };
}

/** For whoever decides checkouts: likewise. */
export function onSettled({ changes, wakes }: OnChangeApp) {
  return {
    onCheckoutChanged(checkoutId: string, events: number) {
      changes.tell(checkoutId);
      if (events > 0) wakes.deliver.wake();
    },
  };
}

type LookApp = { readonly db: Db; readonly changes: Changes };

export function tellChanges(app: LookApp & { readonly clock: Clock; readonly log: Log }): Loop {
  const look = changesLook(app);
  const step = async () => {
    await look();
    return 'idle' as const;
  };
  return startLoop({ name: 'changes', step, idleMs: LOOK_MS, backoffMs: BACKOFF_MS, ...app });
}

/** One look; a test calls it by hand. */
export function changesLook({ db, changes }: LookApp): () => Promise<void> {
  const follower = followChanges();
  let heights = new Map<string, string>();
  return async () => {
    if (!changes.isAnyoneListening()) return follower.forget();
    const [changed, chains] = await db.read((reader) =>
      Promise.all([follower.look(reader), listChainStatuses(reader)]),
    );
    const known = heights;
    heights = new Map(
      chains.map(({ chain, height, hash, lag, brake }) => [
        chain,
        `${height}/${hash}/${lag > 0n}/${brake !== undefined}`,
      ]),
    );
    if (changed === 'all') return changes.tellAll();
    for (const checkoutId of changed) changes.tell(checkoutId);
    for (const [chain, height] of heights) if (known.get(chain) !== height) changes.tell(chain);
  };
}
