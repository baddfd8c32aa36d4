import type { Owner } from '#catalog/owner.ts';
import type { Tx } from '#db/db.ts';
import { type CheckoutRecord, lockCheckoutRow } from './checkout.ts';
import { type ReadRecordsApp, readRecords } from './read-records.ts';

/**
 * The checkout as it stands, held until the transaction ends: nothing is settled, cancelled or
 * refunded meanwhile. Undefined also for one of another merchant or environment (E9).
 */
export async function lockCheckout(
  app: ReadRecordsApp,
  tx: Tx,
  owner: Owner,
  id: string,
): Promise<CheckoutRecord | undefined> {
  const checkout = await lockCheckoutRow(tx, id);
  if (checkout?.merchantId !== owner.merchantId || checkout.environment !== owner.environment) {
    return undefined;
  }
  const [record] = await readRecords(app, tx, [id], Promise.resolve([checkout]));
  return record;
}
