// Who is told when facts about receipts change: everything that receipts are paid for.

import { requestCheckoutSettlement } from '#checkout/request-settlement.ts';
import type { Tx } from '#db/db.ts';
import type { AffectedPurpose } from '#deposit/record-observation.ts';
import { requestDepositSettlement } from '#deposit-address/request-settlement.ts';

/** Runs in the transaction that records the facts. Lock order: checkouts, then addresses. */
export function requestSettlement(
  tx: Tx,
  affected: readonly AffectedPurpose[],
  now: Temporal.Instant,
): void {
  requestCheckoutSettlement(tx, affected, now);
  requestDepositSettlement(tx, affected, now);
}
