// Prices of the past, as they were stored at that time: never one that is asked for today. A live
// price is the first one stored in the hour of the last one before the moment: those stay for ever
// where something was booked (rates/forget-rates.ts), so a report of last year says the same again.
import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import { type Decimal, ONE, parseWideDecimal } from '#money/decimal.ts';

export type PriceWanted = { readonly code: string; readonly at: Temporal.Instant };

export type PastPrice = {
  /** US dollars for a whole unit. */
  readonly usd: Decimal;
  /** Undefined for the dollar itself. */
  readonly rate: { readonly id: bigint; readonly observedAt: Temporal.Instant } | undefined;
};

const DOLLAR: PastPrice = { usd: ONE, rate: undefined };

type Found = {
  readonly code: string;
  readonly at: Temporal.Instant;
  readonly id: bigint;
  readonly price: string;
  readonly observedAt: Temporal.Instant;
};

/** Undefined where none was stored in the day before. One statement for all that are wanted. */
export async function readStoredPrices(
  reader: Reader,
  environment: Environment,
  wanted: readonly PriceWanted[],
): Promise<(one: PriceWanted) => PastPrice | undefined> {
  const distinct = new Map(wanted.map((one) => [keyOf(one), one]));
  const asked = [...distinct.values()].filter(({ code }) => code !== 'USD');
  const found = await listPrices(reader, environment, asked);
  const prices = new Map(
    found.map((row): [string, PastPrice] => [
      keyOf(row),
      { usd: parseWideDecimal(row.price), rate: { id: row.id, observedAt: row.observedAt } },
    ]),
  );
  return (one) => (one.code === 'USD' ? DOLLAR : prices.get(keyOf(one)));
}

function keyOf({ code, at }: PriceWanted): string {
  return `${code} ${at.epochNanoseconds}`;
}

/** Those of the sandbox are stored when they change, and stay. */
async function listPrices(
  reader: Reader,
  environment: Environment,
  asked: readonly PriceWanted[],
): Promise<Found[]> {
  if (asked.length === 0) return [];
  const price = sql`select r.id, r.usd_price, r.observed_at from rate r
    where r.environment = ${environment} and r.code = w.code`;
  const last = sql`cross join lateral (
      ${price} and r.observed_at <= w.at order by r.observed_at desc, r.id desc limit 1) last`;
  const firstOfHour = sql`cross join lateral (
      ${price} and r.observed_at >= date_bin('1 hour', last.observed_at, timestamptz '2000-01-01Z')
      order by r.observed_at, r.id limit 1) price`;
  const rows = await reader.query<Found & { readonly n: bigint }>(sql`
    select w.n, price.id, price.usd_price::text as price, price.observed_at as "observedAt"
    from unnest(${asked.map(({ code }) => code)}::text[],
      ${asked.map(({ at }) => at)}::timestamptz[]) with ordinality as w (code, at, n)
    ${last} ${environment === 'live' ? firstOfHour : sql`cross join lateral (select last.*) price`}
    where ${environment === 'live' ? sql`price.observed_at > w.at - interval '1 day'` : sql`true`}`);
  return rows.flatMap(({ n, ...row }) => {
    const one = asked[Number(n) - 1];
    return one === undefined ? [] : [{ ...row, ...one }];
  });
}
