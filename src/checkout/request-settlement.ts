// Facts about these checkouts changed: they are to be decided again. Runs in the transaction that
// records the facts and locks the checkouts before the receipts are written (see
// settle-checkout.ts).

import type { Tx } from '#db/db.ts';
import { requestSettlement } from './checkout-store.ts';

export function requestCheckoutSettlement(
  tx: Tx,
  affected: readonly { readonly purpose: string; readonly purposeId: string }[],
  now: Temporal.Instant,
): void {
  const ids = affected.filter(({ purpose }) => purpose === 'checkout').map((one) => one.purposeId);
  if (ids.length > 0) requestSettlement(tx, ids, now);
}
