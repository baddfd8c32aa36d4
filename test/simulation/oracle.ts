// What the oracle remembers of a story from one look to the next. Its sums are in worth.ts; what it
// compares them with stands in check-worth.ts, check-completions.ts and check-depth.ts.
import type { ChainId } from '#catalog/chain.ts';
import type { Window } from './windows.ts';

/** A credit as the oracle counted it. */
export type Counted = {
  window: Window;
  readonly units: bigint;
  readonly seenAt: Temporal.Instant;
  readonly isLate: boolean;
  /** Of the lock; none once it was valued anew. */
  locked: bigint;
  /** Of late money: what the whole charge cost in this asset when it was credited. */
  readonly requiredThen: bigint | undefined;
  /** The transaction of the database that posted it: who came first. */
  readonly postedIn: bigint;
  readonly creditedAt: Temporal.Instant;
  reversedIn: bigint | undefined;
  /** It pays for nothing: it went back to the payer, or is none of what was asked for. */
  isAside: boolean;
  isRefunded: boolean;
  isReleased: boolean;
  /** What it was worth when it was credited; undefined for what was set aside then. */
  readonly worth: { readonly gross: bigint; readonly net: bigint } | undefined;
};

export type Depth = { least: number; most: number; wasFinal: boolean; wasHeld: boolean };

export type Oracle = {
  readonly credits: Map<string, Counted>;
  /** Windows that were compared. */
  readonly windows: Set<string>;
  readonly completed: Set<string>;
  /** Transactions of the database up to here were there when it looked before. */
  lookedUpTo: bigint;
  /** By receipt and block. */
  readonly depths: Map<string, Depth>;
  /** By receipt and block: let go by hand, for what the brake of its chain is on for now. */
  readonly letGo: Map<string, ChainId>;
  /** Chains that were reorganised: what stood beside a payment may be gone. */
  readonly reorganised: Set<string>;
  /** By transfer of a refund: how often somebody was told to send it, or it was signed. */
  readonly prepared: Map<string, number>;
};

export function openOracle(): Oracle {
  return {
    credits: new Map(),
    windows: new Set(),
    completed: new Set(),
    lookedUpTo: 0n,
    depths: new Map(),
    letGo: new Map(),
    reorganised: new Set(),
    prepared: new Map(),
  };
}
