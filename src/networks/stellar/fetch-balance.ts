// What was left for a receiver and never fetched, to be taken back by us: whether it is there, as
// Horizon says (GET /claimable_balances/{id}). Whether we may is decided by the network.

import { requireFields, requireText, requireThat } from '#networks/answer-fields.ts';
import { refusedDraft } from '#networks/draft-terms.ts';
import type { OutgoingPayment } from '#networks/outgoing-payment.ts';
import type { StellarFetch } from './decide-delivery.ts';
import type { Horizon } from './horizon.ts';
import { requireUnits } from './horizon-fields.ts';
import type { AccountState } from './read-account.ts';

/** @throws Refusal conflict that says why it would fail now. */
export async function fetchFor(
  horizon: Horizon,
  { assetId, units }: Pick<OutgoingPayment, 'assetId' | 'units'>,
  balanceId: string,
  { balances }: Pick<AccountState, 'balances'>,
): Promise<StellarFetch> {
  const { json } = await horizon.get(`/claimable_balances/${balanceId}`);
  if (json === undefined) {
    throw refusedDraft('the claimable balance is there no more: its receiver has fetched it');
  }
  const record = requireFields(json, 'the claimable balance');
  requireThat(requireText(record, 'id') === balanceId, 'another claimable balance is shown');
  requireThat(
    requireText(record, 'asset') === assetId && requireUnits(record, 'amount') === units,
    'the claimable balance is of another asset or amount',
  );
  if (balances.get(assetId)?.isReceivable !== true) {
    throw refusedDraft(
      `the account cannot receive ${assetId}: its trust line is missing, full or not authorised`,
    );
  }
  return { by: 'fetch', balanceId };
}
