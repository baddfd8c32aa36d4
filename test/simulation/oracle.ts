// What the oracle remembers of a story from one look to the next. Its sums are in worth.ts; what it
// compares them with stands in check-worth.ts, check-completions.ts and check-depth.ts.

/** A credit as the oracle counted it. */
export type Counted = {
  readonly checkoutId: string;
  readonly instructionId: string;
  readonly units: bigint;
  readonly locked: bigint;
  /** What the whole charge cost in this asset, as far as this money is concerned. */
  readonly required: bigint;
  /** The transaction of the database that posted it: who came first. */
  readonly postedIn: bigint;
  reversedIn: bigint | undefined;
  isAside: boolean;
};

export type Depth = { least: number; most: number; wasFinal: boolean };

export type Oracle = {
  readonly credits: Map<string, Counted>;
  /** Commitments that were compared. */
  readonly commitments: Set<string>;
  readonly completed: Set<string>;
  /** Transactions of the database up to here were there when it looked before. */
  lookedUpTo: bigint;
  /** By receipt and block. */
  readonly depths: Map<string, Depth>;
  /** Chains that were reorganised: what stood beside a payment may be gone. */
  readonly reorganised: Set<string>;
};

export function openOracle(): Oracle {
  return {
    credits: new Map(),
    commitments: new Set(),
    completed: new Set(),
    lookedUpTo: 0n,
    depths: new Map(),
    reorganised: new Set(),
  };
}
