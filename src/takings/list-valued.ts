// What came in and what it is worth in one currency of the shop.

import type { Owner } from '#catalog/owner.ts';
import type { Reader } from '#db/db.ts';
import { readStoredPrices } from '#report/stored-prices.ts';
import { pricesWanted, shopCurrency, type ValuedTaking, valueTakings } from './decide-worth.ts';
import { listTakings } from './taking.ts';

type ValuedTakings = { readonly currency: string; readonly takings: readonly ValuedTaking[] };

/** From the day on that begins `since`, in UTC. Two statements, however much came in. */
export async function listValuedTakings(
  reader: Reader,
  owner: Owner,
  period: { readonly since: Temporal.Instant; readonly now: Temporal.Instant },
): Promise<ValuedTakings> {
  const { now } = period;
  const takings = await listTakings(reader, owner, period);
  const currency = shopCurrency(takings);
  const wanted = pricesWanted(takings, currency, now);
  const priceOf = await readStoredPrices(reader, owner.environment, wanted);
  return { currency, takings: valueTakings(takings, currency, { now, priceOf }) };
}
