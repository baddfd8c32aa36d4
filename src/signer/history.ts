// What the signer has done, as far as its decisions need it, made from the lines of its log: after
// a restart it is the same. The signed bytes themselves stay in the log.

import { assert } from '#base/assert.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Purpose } from './sign-order.ts';

/** What a signature gave away, as caps count it. Fees have no receiver. */
export type Spending = {
  readonly environment: Environment;
  readonly assetId: string;
  readonly units: bigint;
  readonly receiver: string | undefined;
};

export type LoggedAttempt = {
  /** Of the unsigned transaction. */
  readonly unsignedHash: string;
  readonly turns: readonly string[];
  readonly feeUnits: bigint;
  readonly transaction: string;
  /** What was approved, where it was signed beside what came before. */
  readonly anew: string | undefined;
  /** Where its line is in the log. */
  readonly line: LineAt;
};

export type LineAt = { readonly start: number; readonly bytes: number };

export type SignedOrder = {
  readonly digest: string;
  readonly attempts: readonly LoggedAttempt[];
};

/** Those that may land: a person agreed that nothing before them does. */
export function attemptsThatMayLand({ attempts }: SignedOrder): readonly LoggedAttempt[] {
  const last = attempts.findLastIndex(({ anew }) => anew !== undefined);
  return attempts.slice(Math.max(last, 0));
}

type Pending = { readonly code: string; readonly digest: string; readonly purpose: Purpose };

/** What a line of the log adds. */
export type LogFact =
  | {
      readonly fact: 'signed';
      /** All that the transaction carries. */
      readonly orders: readonly { readonly id: string; readonly digest: string }[];
      readonly attempt: Omit<LoggedAttempt, 'line'>;
      readonly coins: ReadonlyMap<string, bigint>;
      readonly spendings: readonly Spending[];
    }
  | { readonly fact: 'asked'; readonly pending: Pending }
  | { readonly fact: 'approved'; readonly digest: string }
  | { readonly fact: 'other' };

type Counted = Spending & { readonly at: Temporal.Instant };

export type History = {
  readonly orders: Map<string, SignedOrder>;
  readonly orderOfTurn: Map<string, string>;
  /** What each coin was said to be worth. */
  readonly coins: Map<string, bigint>;
  /** By digest of the purpose. */
  readonly pending: Map<string, Pending & { readonly at: Temporal.Instant }>;
  readonly approvedAt: Map<string, Temporal.Instant>;
  /** In the order of the log; what is older than a day is forgotten once in a while. */
  counted: Counted[];
  signedAt: Temporal.Instant[];
};

const DAY: Temporal.DurationLike = { hours: 24 };
const MINUTE: Temporal.DurationLike = { minutes: 1 };
/** An order that nobody has agreed to for so long is asked for anew, or is not wanted any more. */
const PENDING_LASTS: Temporal.DurationLike = { hours: 72 };
/** So many are kept before the old ones are looked for. */
const KEPT_UNSORTED = 10_000;

export function newHistory(): History {
  return {
    orders: new Map(),
    orderOfTurn: new Map(),
    coins: new Map(),
    pending: new Map(),
    approvedAt: new Map(),
    counted: [],
    signedAt: [],
  };
}

export function addToHistory(
  history: History,
  fact: LogFact,
  at: Temporal.Instant,
  line: LineAt,
): void {
  switch (fact.fact) {
    case 'signed':
      addSigned(history, fact, at, line);
      return;
    case 'asked':
      forgetPending(history, at);
      history.pending.set(fact.pending.digest, { ...fact.pending, at });
      return;
    case 'approved':
      history.approvedAt.set(fact.digest, at);
      return;
    case 'other':
  }
}

function addSigned(
  history: History,
  { orders, attempt, coins, spendings }: Extract<LogFact, { fact: 'signed' }>,
  at: Temporal.Instant,
  line: LineAt,
): void {
  for (const { id, digest } of orders) {
    const known = history.orders.get(id);
    assert(known === undefined || known.digest === digest, 'an order is signed for one purpose');
    const attempts = [...(known?.attempts ?? []), { ...attempt, line }];
    history.orders.set(id, { digest, attempts });
    for (const turn of attempt.turns) history.orderOfTurn.set(turn, id);
    history.pending.delete(attempt.anew ?? digest);
  }
  for (const [coin, units] of coins) history.coins.set(coin, units);
  history.counted.push(...spendings.map((spending) => ({ ...spending, at })));
  history.signedAt.push(at);
  forgetOld(history, at);
}

export function forgetPending({ pending }: History, now: Temporal.Instant): void {
  const since = now.subtract(PENDING_LASTS);
  for (const [digest, { at }] of pending) {
    if (Temporal.Instant.compare(at, since) < 0) pending.delete(digest);
  }
}

/**
 * Later by the clock than a day before `now`: what the log has of a time that is still to come,
 * because the clock was put back, is counted too.
 */
export function spentWithinDay(
  { counted }: Pick<History, 'counted'>,
  now: Temporal.Instant,
): readonly Spending[] {
  const since = now.subtract(DAY);
  return counted.filter(({ at }) => Temporal.Instant.compare(at, since) > 0);
}

export function signedWithinMinute(
  { signedAt }: Pick<History, 'signedAt'>,
  now: Temporal.Instant,
): number {
  const since = now.subtract(MINUTE);
  return signedAt.filter((at) => Temporal.Instant.compare(at, since) > 0).length;
}

function forgetOld(history: History, now: Temporal.Instant): void {
  if (history.signedAt.length < KEPT_UNSORTED) return;
  // Two days, so that a clock that is put back a little forgets nothing that counts.
  const since = now.subtract({ hours: 48 });
  history.counted = history.counted.filter(({ at }) => Temporal.Instant.compare(at, since) > 0);
  history.signedAt = history.signedAt.filter((at) => Temporal.Instant.compare(at, since) > 0);
}
