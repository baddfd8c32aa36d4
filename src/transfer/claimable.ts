// Where money lies that its receiver has to fetch, as it is stored with a transfer.
import { timestamp } from '#base/instant.ts';

/** ISO 8601; null where we can never take it back. */
export type Claimable = { readonly id: string; readonly reclaimableAt: string | null };

export type Left = {
  readonly claimableId: string | undefined;
  readonly reclaimableAt: Temporal.Instant | undefined;
};

/** Of a part of a departure. */
export function claimableOf({ claimableId: id, reclaimableAt }: Left): Claimable | undefined {
  if (id === undefined) return undefined;
  return { id, reclaimableAt: reclaimableAt === undefined ? null : timestamp(reclaimableAt) };
}
