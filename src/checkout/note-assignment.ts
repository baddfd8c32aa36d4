// A person decided on money in suspense that names a checkout: what it shows of it changes. Under
// the lock of the checkout.

import { assert } from '#base/assert.ts';
import { timestamp } from '#base/timestamp.ts';
import { sql, type Tx } from '#db/db.ts';
import { requestSettlement } from '#settle/queue.ts';
import type { CheckoutFlags } from './checkout.ts';
import { type CheckoutRow, lockCheckoutRow } from './checkout-store.ts';

export type NamedCheckout = {
  readonly id: string;
  readonly flags: CheckoutFlags;
  readonly apiKey: string | undefined;
  readonly webhookUrl: string | undefined;
  /** JSON text. */
  readonly meta: string | undefined;
};

export async function lockNamedCheckout(tx: Tx, id: string): Promise<NamedCheckout> {
  const row = await lockCheckoutRow(tx, id);
  assert(row !== undefined, 'a checkout is never removed');
  return namedOf(row);
}

function namedOf(row: CheckoutRow): NamedCheckout {
  return {
    id: row.id,
    flags: JSON.parse(row.flags) as CheckoutFlags,
    apiKey: row.api_key ?? undefined,
    webhookUrl: row.webhook_url ?? undefined,
    meta: row.meta ?? undefined,
  };
}

export function noteAssignment(
  tx: Tx,
  { id, flags }: NamedCheckout,
  isAssigned: boolean,
  now: Temporal.Instant,
): void {
  if (isAssigned) {
    const noted: CheckoutFlags = { ...flags, manual: { at: timestamp(now) } };
    tx.send(sql`
      update checkout set flags = ${JSON.stringify(noted)}, changed_in = pg_current_xact_id()
      where id = ${id}`);
  }
  requestSettlement(tx, [{ purpose: 'checkout', purposeId: id }], now);
}
