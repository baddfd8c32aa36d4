import type { Environment } from '#catalog/chain.ts';
import type { Tx } from '#db/db.ts';
import type { CheckoutRecord } from './checkout.ts';
import { lockCheckoutRow } from './checkout-store.ts';
import { type ReadRecordsApp, readRecords } from './read-records.ts';

/**
 * The checkout as it stands, held until the transaction ends: nothing is settled, cancelled or
 * refunded meanwhile. Undefined also for one of another merchant or environment (E9).
 */
export async function lockCheckout(
  app: ReadRecordsApp,
  tx: Tx,
  owner: { readonly merchantId: string; readonly environment: Environment },
  id: string,
): Promise<CheckoutRecord | undefined> {
  const row = await lockCheckoutRow(tx, id);
  if (row?.merchant_id !== owner.merchantId || row.environment !== owner.environment) {
    return undefined;
  }
  const [record] = await readRecords(app, tx, [row.id], Promise.resolve([row]));
  return record;
}
