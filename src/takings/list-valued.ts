// What came in and what it is worth in one currency of the shop.

import type { Owner } from '#catalog/owner.ts';
import type { Reader } from '#db/db.ts';
import { add, type Decimal, ZERO } from '#money/decimal.ts';
import { readStoredPrices } from '#report/stored-prices.ts';
import { pricesWanted, shopCurrency, type ValuedTaking, valueTakings } from './decide-worth.ts';
import { listDailyTakings, listTakings, type Taking } from './taking.ts';

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

/**
 * From the day on that begins `since` to the one that begins `until`, one row a day and currency:
 * a year of a large shop is as short as one of a small one. `currency` absent: that of the shop.
 */
export async function listMonthlyWorth(
  reader: Reader,
  owner: Owner,
  period: {
    readonly since: Temporal.Instant;
    readonly until: Temporal.Instant;
    readonly now: Temporal.Instant;
    readonly currency: string | undefined;
  },
): Promise<{ readonly currency: string; readonly months: readonly WorthOfMonth[] }> {
  const takings = await listDailyTakings(reader, owner, period);
  const { currency = shopCurrency(takings), now } = period;
  const months = await sumMonths(reader, owner, takings, { currency, now });
  return { currency, months };
}

/** Amounts of assets by day, in one currency, by the same prices as what comes in. */
export function sumWorth(
  reader: Reader,
  owner: Owner,
  amounts: readonly {
    readonly day: Temporal.Instant;
    readonly assetId: string;
    readonly units: bigint;
    readonly count: number;
  }[],
  asked: { readonly currency: string; readonly now: Temporal.Instant },
): Promise<WorthOfMonth[]> {
  const { merchantId, environment } = owner;
  const takings = amounts.map(({ count, ...amount }) => ({
    ...{ merchantId, environment, network: '', language: '', currency: '', total: ZERO },
    ...{ ...amount, payments: count },
  }));
  return sumMonths(reader, owner, takings, asked);
}

export type WorthOfMonth = {
  readonly month: Temporal.PlainYearMonth;
  readonly payments: number;
  readonly worth: Decimal;
  /** Of how many of them no price was stored. */
  readonly unvalued: number;
};

async function sumMonths(
  reader: Reader,
  { environment }: Owner,
  takings: readonly Taking[],
  { currency, now }: { readonly currency: string; readonly now: Temporal.Instant },
): Promise<WorthOfMonth[]> {
  const priceOf = await readStoredPrices(reader, environment, pricesWanted(takings, currency, now));
  const months = new Map<string, Omit<WorthOfMonth, 'month'>>();
  for (const { day, payments, worth } of valueTakings(takings, currency, { now, priceOf })) {
    const month = day.toString().slice(0, 'yyyy-mm'.length);
    const sum = months.get(month) ?? { payments: 0, worth: ZERO, unvalued: 0 };
    months.set(month, {
      payments: sum.payments + payments,
      worth: worth === undefined ? sum.worth : add(sum.worth, worth),
      unvalued: sum.unvalued + (worth === undefined ? payments : 0),
    });
  }
  return [...months].map(([month, sum]) => ({
    ...sum,
    month: Temporal.PlainYearMonth.from(month),
  }));
}
