// Which indexes of a source are left out, so that none is given to two people: pure. A database
// that was restored, or begun anew on an old account, does not know what was given out.

/** More would be beyond what wallets look for behind the last used address (BIP-44: 20). */
export const GAP_LEFT = 15n;

type LeftOutReason =
  /** The record beside the key file is ahead of the database. */
  | 'restored'
  /** No record on this machine, and the database is not the first. */
  | 'no record'
  /** The database is new, and the account is not. */
  | 'older database'
  /** A person asked for it. */
  | 'asked for';

export type SourceFacts = {
  /** Of the database; undefined when the source is new in it. */
  readonly next: bigint | undefined;
  /** Of the record beside the key file; undefined when it knows nothing of the source. */
  readonly kept: bigint | undefined;
  /** The highest index at which the chain shows money; undefined when none, or not to be known. */
  readonly used: bigint | undefined;
  /**
   * Derived addresses, which a wallet looks for in order. Memos, tags and references are numbers,
   * and go on anywhere.
   */
  readonly isDerived: boolean;
  /** Where numbers go on behind what is known: drawn anew each time. */
  readonly jump: bigint;
  readonly isAsked: boolean;
};

/**
 * The left-out indexes: from `from` to below `to`. Undefined when the source can go on as it is.
 */
export type LeftOut = {
  readonly from: bigint;
  readonly to: bigint;
  readonly reason: LeftOutReason;
};

/**
 * Whether the record settles it without the chain. A record of zero says that the chain was asked
 * and nobody was given anything: it settles a source that is new in the database. Where the
 * database knows the source all the same, it came from another machine, and this record says
 * nothing of it.
 */
export function isWitness({ next, kept }: Pick<SourceFacts, 'next' | 'kept'>): boolean {
  return kept !== undefined && (kept > 0n || next === undefined);
}

export function decideLeftOut(given: SourceFacts): LeftOut | undefined {
  const facts = isWitness(given) ? given : { ...given, kept: undefined };
  const { next, kept, used, isDerived, jump, isAsked } = facts;
  const reason = reasonOf(facts);
  if (reason === undefined) return undefined;
  // A source of numbers that is new begins anywhere (decision 24).
  if (!isDerived && next === undefined) return undefined;
  const from = next ?? 0n;
  const known = [from, kept ?? 0n, used === undefined ? 0n : used + 1n].reduce(larger);
  if (!isDerived) return { from, to: known + jump, reason };
  // A record says exactly how far; without one somebody may have been given more.
  const to = kept === undefined || isAsked ? known + GAP_LEFT : known;
  return { from, to, reason };
}

function reasonOf({ next, kept, used, isAsked }: SourceFacts): LeftOutReason | undefined {
  if (isAsked) return 'asked for';
  if (kept !== undefined) {
    if (kept <= (next ?? 0n)) return undefined;
    return next === undefined ? 'older database' : 'restored';
  }
  if (next !== undefined) return 'no record';
  return used === undefined ? undefined : 'older database';
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
