import type { Entry } from './ledger-entry.ts';

export type Reversal = {
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
