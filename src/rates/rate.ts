// Prices that were or could have been used for a quote, and the SQL of their table.
import type { Environment } from '#catalog/chain.ts';
import { listCurrencies } from '#catalog/currency.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  coded,
  defineTable,
  fractional,
  integer,
  moment,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';
import { type Decimal, decimalToText, parseWideDecimal } from '#money/decimal.ts';

export const RATE = defineTable('rate', {
  /** Named by quotes; 0 for the US dollar, which is 1 by definition and has no row. */
  id: selectOnly(bigInteger),
  environment: text<Environment>(),
  /** Of an asset or a currency. */
  code: text(),
  /** US dollars for one whole unit, above zero, with at most 20 digits after the point. */
  usdPrice: coded(fractional, {
    decode: (stored) => parseWideDecimal(String(stored)),
    encode: decimalToText,
  }),
  /** How far apart the sources were. */
  spreadPartsPerMillion: integer,
  /** JSON text. */
  evidence: text(),
  observedAt: moment,
});
const PRICE = RATE.only('id', 'environment', 'code', 'usdPrice', 'observedAt');
const EVIDENCE = RATE.only('id', 'spreadPartsPerMillion', 'evidence', 'observedAt');

export type StoredPrice = Row<typeof PRICE>;
export type Price = Omit<StoredPrice, 'environment'>;
export type NewRate = Pick<
  Row<typeof RATE>,
  'code' | 'usdPrice' | 'spreadPartsPerMillion' | 'evidence'
>;

/** What each stablecoin, and each wrapped coin, promises to be worth. */
export const PEGS: ReadonlyMap<string, string> = new Map([
  ['USDC', 'USD'],
  ['USDT', 'USD'],
  ['DAI', 'USD'],
  ['EURC', 'EUR'],
  ['WBTC', 'BTC'],
]);

/**
 * Codes that need a price: whatever may be billed or paid, without the dollar itself. What a peg
 * refers to comes before what is pegged to it.
 */
export const PRICED_CODES: readonly string[] = listCurrencies()
  .filter(({ billing, assetCode }) => billing && assetCode !== 'USD')
  .map(({ assetCode }) => assetCode)
  .toSorted((left, right) => Number(PEGS.has(left)) - Number(PEGS.has(right)));

/** One statement for all of them. */
export async function insertRates(
  tx: Tx,
  environment: Environment,
  rates: readonly NewRate[],
  observedAt: Temporal.Instant,
): Promise<StoredPrice[]> {
  const rows = rates.map((rate) => ({ ...rate, environment, observedAt }));
  const stored = await tx.query<object>(RATE.insert(rows, sql`returning ${PRICE.columns}`));
  return stored.map(PRICE.parse);
}

/**
 * The reference prices of the sandbox, each inserted unless the latest test row of its code has
 * that price already: as long as the table stays the same, so do the row numbers.
 */
export async function ensureReferenceRates(
  tx: Tx,
  prices: ReadonlyMap<string, Decimal>,
  observedAt: Temporal.Instant,
): Promise<StoredPrice[]> {
  const rows = await tx.query<object>(sql`
    with reference as (
      select * from unnest(
        ${[...prices.keys()]}::text[],
        ${Array.from(prices.values(), decimalToText)}::numeric[]
      ) as entry (code, usd_price)
    ), latest as (
      select distinct on (code) id, environment, code, usd_price, observed_at
      from rate where environment = 'test' order by code, observed_at desc, id desc
    ), inserted as (
      insert into rate
        (environment, code, usd_price, spread_parts_per_million, evidence, observed_at)
      select 'test', code, reference.usd_price, 0, '{"reference":true}', ${observedAt}::timestamptz
      from reference left join latest using (code)
      where latest.usd_price is distinct from reference.usd_price
      returning id, environment, code, usd_price, observed_at
    )
    select ${PRICE.columns} from inserted
    union all
    select ${PRICE.columnsOf('latest')} from latest join reference using (code, usd_price)`);
  return rows.map(PRICE.parse);
}

/** The latest live price of each code since then, by one index lookup a code. */
export async function listLiveRates(
  reader: Reader,
  codes: readonly string[],
  since: Temporal.Instant,
): Promise<StoredPrice[]> {
  const rows = await reader.query<object>(sql`
    select latest.* from unnest(${codes}::text[]) as asked (code) cross join lateral (
      select ${PRICE.columns} from rate
      where environment = 'live' and rate.code = asked.code and observed_at >= ${since}
      order by observed_at desc, id desc limit 1
    ) as latest`);
  return rows.map(PRICE.parse);
}

export function listRateEvidence(
  reader: Reader,
  ids: readonly bigint[],
): Promise<Row<typeof EVIDENCE>[]> {
  return EVIDENCE.select(reader, sql`where id = any(${ids}::bigint[]) order by id`);
}
