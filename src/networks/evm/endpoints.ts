// Several endpoints of one chain. Guarantees: one act is carried out against one endpoint from
// beginning to end, so that no picture is put together from two; an endpoint that failed rests,
// longer each time, and the next one is asked; the order given is the order preferred among those
// that are well. Not guaranteed: that any of them tells the truth (see `others`).

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { EvmRpc } from './json-rpc.ts';

type EndpointState = {
  readonly rpc: EvmRpc;
  readonly place: number;
  /** 1 is well; halved by each failure, healed by time. */
  score: number;
  scoredAtMs: number;
  failuresInRow: number;
  restsUntilMs: number;
  lastError: string | undefined;
};

export type Endpoints = {
  /** Tries the healthiest first, then the others. @throws what the first one failed with. */
  use<Result>(act: (rpc: EvmRpc) => Promise<Result>): Promise<Result>;
  /** The endpoints other than this one, healthiest first. */
  others(than: EvmRpc): readonly EvmRpc[];
  /** A second opinion: of another endpoint, of this one again where no other answers. */
  again<Result>(than: EvmRpc, act: (rpc: EvmRpc) => Promise<Result>): Promise<Result>;
  readonly all: readonly EvmRpc[];
  /** One clause for each, without secrets. */
  describe(): string;
  close(): void;
};

type Pool = {
  readonly states: readonly EndpointState[];
  readonly clock: Clock;
  readonly log: Log;
};

const REST_MS = { first: 1_000, most: 30_000 };
const HEALING_PER_SECOND = 0.01;
/** Above it the order given decides. */
const WELL_SCORE = 0.8;

export function createEndpoints(
  rpcs: readonly EvmRpc[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Endpoints {
  const states = rpcs.map((rpc, place) => ({
    rpc,
    place,
    score: 1,
    scoredAtMs: clock.monotonicMs(),
    failuresInRow: 0,
    restsUntilMs: Number.NEGATIVE_INFINITY,
    lastError: undefined,
  }));
  const pool: Pool = { states, clock, log };
  return {
    use: (act) => use(pool, act),
    others: (than) => inOrder(pool).flatMap(({ rpc }) => (rpc === than ? [] : [rpc])),
    again: (than, act) => again(pool, than, act),
    all: rpcs,
    describe: () =>
      pool.states
        .map(({ rpc, lastError }) => `${rpc.label} ${lastError === undefined ? 'well' : 'failing'}`)
        .join(', '),
    close: () => {
      for (const rpc of rpcs) rpc.close();
    },
  };
}

async function use<Result>(pool: Pool, act: (rpc: EvmRpc) => Promise<Result>): Promise<Result> {
  let failure: unknown;
  for (const state of inOrder(pool)) {
    try {
      const result = await act(state.rpc);
      noteSuccess(state);
      return result;
    } catch (error) {
      if (!(error instanceof Outage) && !(error instanceof Refusal)) throw error;
      noteFailure(pool, state, error);
      // The first says most; that a node is of another chain is worse than that one is away.
      if (failure === undefined || error instanceof Refusal) failure = error;
    }
  }
  throw failure;
}

async function again<Result>(
  pool: Pool,
  than: EvmRpc,
  act: (rpc: EvmRpc) => Promise<Result>,
): Promise<Result> {
  for (const state of inOrder(pool).filter(({ rpc }) => rpc !== than)) {
    try {
      return await act(state.rpc);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      noteFailure(pool, state, error);
    }
  }
  return act(than);
}

function inOrder({ states, clock }: Pool): EndpointState[] {
  const nowMs = clock.monotonicMs();
  const isResting = ({ restsUntilMs }: EndpointState) => (restsUntilMs > nowMs ? 1 : 0);
  const rank = (state: EndpointState) => {
    const score = scoreOf(state, nowMs);
    return score >= WELL_SCORE ? 1 : score;
  };
  return states.toSorted(
    (one, other) =>
      isResting(one) - isResting(other) || rank(other) - rank(one) || one.place - other.place,
  );
}

function scoreOf({ score, scoredAtMs }: EndpointState, nowMs: number): number {
  return Math.min(1, score + (HEALING_PER_SECOND * (nowMs - scoredAtMs)) / 1000);
}

function noteSuccess(state: EndpointState): void {
  state.failuresInRow = 0;
  state.lastError = undefined;
}

function noteFailure({ states, clock, log }: Pool, state: EndpointState, error: Error): void {
  const nowMs = clock.monotonicMs();
  state.score = scoreOf(state, nowMs) / 2;
  state.scoredAtMs = nowMs;
  state.failuresInRow += 1;
  const pauseMs = REST_MS.first * 2 ** Math.min(10, state.failuresInRow - 1);
  state.restsUntilMs = nowMs + Math.min(REST_MS.most, pauseMs);
  if (state.lastError === undefined && states.length > 1) {
    log.warn('an endpoint failed', { endpoint: state.rpc.label, reason: error.message });
  }
  state.lastError = error.message;
}
