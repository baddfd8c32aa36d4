// Facts about these deposit addresses changed. Runs in the transaction that records the facts,
// before it writes the receipts: who holds the address holds its receipts.

import type { Tx } from '#db/db.ts';
import type { AffectedPurpose } from '#deposit/record-observation.ts';
import { requestSettlement } from './deposit-address-store.ts';

export function requestDepositSettlement(
  tx: Tx,
  affected: readonly AffectedPurpose[],
  now: Temporal.Instant,
): void {
  const ids = affected
    .filter(({ purpose }) => purpose === 'deposit-address')
    .map(({ purposeId }) => purposeId);
  if (ids.length > 0) requestSettlement(tx, ids, now);
}
