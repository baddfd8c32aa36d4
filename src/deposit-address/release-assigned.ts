import type { Tx } from '#db/db.ts';
import { markCreditReversed } from './deposit-address-store.ts';

/** What came in another asset was assigned: its booking in suspense counts no more. */
export function releaseAssigned(
  tx: Tx,
  booked: { readonly receiptId: bigint; readonly generation: number },
  now: Temporal.Instant,
): void {
  markCreditReversed(tx, booked, now);
}
