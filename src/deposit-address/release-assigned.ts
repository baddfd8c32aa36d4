import type { Tx } from '#db/db.ts';
import { markCreditReversed } from './deposit-address-store.ts';

/**
 * Money that came in another asset was assigned, so its booking in suspense does not count any
 * more.
 */
export function releaseAssigned(
  tx: Tx,
  booked: { readonly receiptId: bigint; readonly generation: number },
  now: Temporal.Instant,
): void {
  markCreditReversed(tx, booked, now);
}
