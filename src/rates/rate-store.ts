import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { type Decimal, decimalToText, parseWideDecimal } from '#money/decimal.ts';
import type { Price } from './rate-book.ts';

export type NewRate = {
  readonly code: string;
  readonly usdPrice: Decimal;
  readonly spreadPartsPerMillion: number;
  /** JSON text. */
  readonly evidence: string;
};

type RateRow = {
  readonly id: bigint;
  readonly environment: Environment;
  readonly code: string;
  readonly usd_price: string | bigint;
  readonly observed_at: Temporal.Instant;
};

export type StoredPrice = Price & { readonly environment: Environment };

/** One statement for all of them. Prices have at most 20 digits after the point. */
export async function insertRates(
  tx: Tx,
  environment: Environment,
  rates: readonly NewRate[],
  observedAt: Temporal.Instant,
): Promise<StoredPrice[]> {
  const rows = await tx.query<RateRow>(sql`
    insert into rate (environment, code, usd_price, spread_parts_per_million, evidence, observed_at)
    select ${environment}::text, code, usd_price, spread, evidence, ${observedAt}::timestamptz
    from unnest(
      ${rates.map(({ code }) => code)}::text[],
      ${rates.map(({ usdPrice }) => decimalToText(usdPrice))}::numeric[],
      ${rates.map(({ spreadPartsPerMillion }) => spreadPartsPerMillion)}::integer[],
      ${rates.map(({ evidence }) => evidence)}::text[]
    ) as fresh (code, usd_price, spread, evidence)
    returning id, environment, code, usd_price, observed_at`);
  return rows.map(toPrice);
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
  const rows = await tx.query<RateRow>(sql`
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
    select * from inserted
    union all
    select latest.* from latest join reference using (code, usd_price)`);
  return rows.map(toPrice);
}

/** The latest live price of each code since then, by one index lookup a code. */
export async function listLiveRates(
  reader: Reader,
  codes: readonly string[],
  since: Temporal.Instant,
): Promise<StoredPrice[]> {
  const rows = await reader.query<RateRow>(sql`
    select latest.* from unnest(${codes}::text[]) as asked (code) cross join lateral (
      select id, environment, code, usd_price, observed_at from rate
      where environment = 'live' and rate.code = asked.code and observed_at >= ${since}
      order by observed_at desc, id desc limit 1
    ) as latest`);
  return rows.map(toPrice);
}

function toPrice(row: RateRow): StoredPrice {
  return {
    rateId: row.id,
    environment: row.environment,
    code: row.code,
    usdPrice: parseWideDecimal(String(row.usd_price)),
    observedAt: row.observed_at,
  };
}

export type RateEvidenceRow = {
  readonly id: bigint;
  readonly spreadPartsPerMillion: number;
  /** JSON text. */
  readonly evidence: string;
};

export function listRateEvidence(
  reader: Reader,
  rateIds: readonly bigint[],
): Promise<RateEvidenceRow[]> {
  return reader.query<RateEvidenceRow>(sql`
    select id, spread_parts_per_million as "spreadPartsPerMillion", evidence from rate
    where id = any(${rateIds}::bigint[]) order by id`);
}
