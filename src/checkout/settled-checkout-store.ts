// SQL of what a decision makes of a checkout, private to this folder.

import { sql, type Tx } from '#db/db.ts';
import type { CheckoutFlags, CheckoutState } from './checkout.ts';

export type SettledChange = {
  readonly checkoutId: string;
  readonly state: CheckoutState;
  readonly isStateChange: boolean;
  readonly version: number;
  readonly eventSequence: number;
  readonly flags: CheckoutFlags;
  readonly sourceNetwork: string | undefined;
  readonly sourceAssetId: string | undefined;
  readonly completedAt: Temporal.Instant | undefined;
  readonly settleAt: Temporal.Instant | undefined;
  readonly now: Temporal.Instant;
};

export function updateSettledCheckout(tx: Tx, change: SettledChange): void {
  tx.send(sql`
    with changed as (
      update checkout set state = ${change.state}, version = ${change.version},
        event_sequence = ${change.eventSequence}, flags = ${JSON.stringify(change.flags)},
        source_network = ${change.sourceNetwork ?? null},
        source_asset_id = ${change.sourceAssetId ?? null},
        completed_at = ${change.completedAt ?? null}, settle_at = ${change.settleAt ?? null},
        settle_failures = 0, parked_reason = null, changed_in = pg_current_xact_id()
      where id = ${change.checkoutId} and version = ${change.version - 1}
      returning id, version, state)
    insert into checkout_state_change (checkout_id, version, state, changed_at)
    select id, version, state, ${change.now}::timestamptz from changed
    where ${change.isStateChange}`);
}

/** Nothing changed but the time of the next decision. */
export function updateSettleAt(
  tx: Tx,
  checkoutId: string,
  settleAt: Temporal.Instant | undefined,
): void {
  tx.send(sql`
    update checkout set settle_at = ${settleAt ?? null}, settle_failures = 0, parked_reason = null
    where id = ${checkoutId}`);
}

/**
 * A decision that failed as a bug: tried again later, and after a few times parked for a person.
 */
export async function recordSettleFailure(
  tx: Tx,
  checkoutId: string,
  reason: string,
  retryAt: Temporal.Instant,
): Promise<void> {
  await tx.query(sql`
    update checkout set settle_failures = settle_failures + 1, settle_at = ${retryAt},
      parked_reason = case when settle_failures >= 4 then ${reason} else parked_reason end
    where id = ${checkoutId}`);
}
