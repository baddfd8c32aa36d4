// What an entry is and when it is right. The database checks the same rules again
// (0002-ledger.sql): here they fail with a sentence about our own bug, there they make it
// impossible.
import { assert } from '#base/assert.ts';
import type { Environment } from '#catalog/chain.ts';
import { type Account, type AccountCode, isMerchantCode } from './account.ts';

export type EntryPosting = {
  readonly account: { readonly merchantId?: string | undefined; readonly code: AccountCode };
  readonly assetId: string;
  /** Smallest units of the asset: a debit is positive, a credit negative, never zero. */
  readonly units: bigint;
};

export type Entry = {
  /** What caused it, unique for ever: the same cause cannot post twice (L7). */
  readonly causeKey: string;
  /** Name of the business act. */
  readonly kind: string;
  readonly environment: Environment;
  readonly merchantId?: string | undefined;
  /** Id of the checkout, transfer ... it belongs to. */
  readonly subjectId?: string | undefined;
  /**
   * The entry that this one reverses or corrects, by cause key or by row number (not both). It must
   * be posted already.
   */
  readonly correctsCauseKey?: string | undefined;
  readonly correctsEntry?: bigint | undefined;
  /** Takes back what the entry it names posted: it alone may take a merchant account below zero. */
  readonly isReversal?: boolean | undefined;
  /** JSON text: rate, sources and times of a conversion. */
  readonly evidence?: string | undefined;
  readonly occurredAt: Temporal.Instant;
  readonly postings: readonly EntryPosting[];
};

/** Amounts stay below 2^255 (L12), which also fits numeric(78,0). */
export const UNITS_LIMIT = 2n ** 255n;

/** @throws AssertionFailure: an entry that is not right is a bug of the act that made it. */
export function assertBalanced(entry: Entry): void {
  const { causeKey, postings } = entry;
  assert(causeKey !== '', 'an entry has a cause key');
  assert(
    entry.correctsCauseKey === undefined || entry.correctsEntry === undefined,
    `entry ${causeKey} names what it corrects once`,
  );
  assert(
    entry.isReversal !== true || (entry.correctsCauseKey ?? entry.correctsEntry) !== undefined,
    `entry ${causeKey} is a reversal and does not say of what`,
  );
  assert(
    postings.length >= 2,
    `entry ${causeKey} has ${postings.length} postings, not two or more`,
  );
  const sums = new Map<string, bigint>();
  for (const { account, assetId, units } of postings) {
    assert(units !== 0n, `entry ${causeKey} posts nothing to ${account.code}`);
    assert(
      -UNITS_LIMIT < units && units < UNITS_LIMIT,
      `entry ${causeKey} posts ${units} units: out of range`,
    );
    assert(
      isMerchantCode(account.code) === (account.merchantId !== undefined),
      `entry ${causeKey}: merchant accounts and no others have a merchant, not ${account.code}`,
    );
    sums.set(assetId, (sums.get(assetId) ?? 0n) + units);
  }
  for (const [assetId, sum] of sums) {
    assert(sum === 0n, `entry ${causeKey} is out of balance by ${sum} units of ${assetId}`);
  }
}

/** Every account the entries post to; may name an account more than once. */
export function accountsOf(entries: readonly Entry[]): Account[] {
  return entries.flatMap(({ environment, postings }) =>
    postings.map(({ account, assetId }) => ({ ...account, environment, assetId })),
  );
}

/**
 * Whatever happens once more after it was undone has a cause key of its own (L7). `undoneCount`:
 * how often it was undone.
 */
export function causeAgain(causeKey: string, undoneCount: number): string {
  return undoneCount === 0 ? causeKey : `${causeKey}:${undoneCount + 1}`;
}

type Reversal = {
  readonly kind: string;
  /** Unique text of what caused the reversal: each cause key is `<cause>/<reversed cause key>`. */
  readonly cause: string;
  readonly occurredAt: Temporal.Instant;
  readonly evidence?: string | undefined;
};

/**
 * The exact negation of each entry, naming it. Posted, they leave every account as if the entries
 * had never been; a merchant account that has spent the money meanwhile goes below zero.
 */
export function reverseEntries(entries: readonly Entry[], reversal: Reversal): Entry[] {
  return entries.map((entry) => ({
    causeKey: `${reversal.cause}/${entry.causeKey}`,
    kind: reversal.kind,
    environment: entry.environment,
    merchantId: entry.merchantId,
    subjectId: entry.subjectId,
    correctsCauseKey: entry.causeKey,
    isReversal: true,
    evidence: reversal.evidence,
    occurredAt: reversal.occurredAt,
    postings: entry.postings.map((posting) => ({ ...posting, units: -posting.units })),
  }));
}
