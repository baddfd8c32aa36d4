import { type Reader, sql, type Tx } from '#db/db.ts';

export type RateBatch = {
  readonly size: number;
  readonly lastId: bigint;
  readonly firstAt: Temporal.Instant;
  readonly lastAt: Temporal.Instant;
};

/** The next live rates by row number that were observed before then. */
export async function findRateBatch(
  reader: Reader,
  wanted: { readonly after: bigint; readonly before: Temporal.Instant; readonly limit: number },
): Promise<RateBatch | undefined> {
  const { after, before, limit } = wanted;
  const [row] = await reader.query<RateBatch>(sql`
    select count(*)::int as size, max(id) as "lastId", min(observed_at) as "firstAt",
      max(observed_at) as "lastAt"
    from (
      select id, observed_at from rate where id > ${after} and environment = 'live'
      order by id limit ${limit}) batch
    where observed_at < ${before}
    having count(*) > 0`);
  return row;
}

/** How many went. What names rates holds them in JSON text: `"rateIds": ["12", "34"]`. */
export async function deleteUnusedRates(
  tx: Tx,
  batch: {
    readonly after: bigint;
    readonly upTo: bigint;
    /** None younger goes, whatever its number. */
    readonly lastAt: Temporal.Instant;
    readonly usedFrom: Temporal.Instant;
    readonly usedUntil: Temporal.Instant;
  },
): Promise<number> {
  const { after, upTo, lastAt, usedFrom, usedUntil } = batch;
  const [row] = await tx.query<{ forgotten: number }>(sql`
    with named as (
      select rates as evidence from commitment
        where committed_at >= ${usedFrom} and committed_at <= ${usedUntil}
      union all select rates from past_window
        where committed_at >= ${usedFrom} and committed_at <= ${usedUntil}
      union all select rates from swap
        where created_at >= ${usedFrom} and created_at <= ${usedUntil}
      union all select evidence from receipt_credit
        where credited_at >= ${usedFrom} and credited_at <= ${usedUntil}
      -- Also what was released, which is valued long after it was credited.
      union all select evidence from ledger_entry
        where occurred_at >= ${usedFrom} and occurred_at <= ${usedUntil} and evidence is not null),
    used as materialized (
      select distinct (regexp_matches(list[1], '[0-9]+', 'g'))[1]::bigint as id
      from named, regexp_matches(evidence, 'ateIds"\\s*:\\s*\\[([^]]*)\\]', 'g') as list),
    gone as (
      delete from rate where id > ${after} and id <= ${upTo} and environment = 'live'
        and observed_at <= ${lastAt}
        and not exists (select 1 from used where used.id = rate.id)
      returning 1)
    select count(*)::int as forgotten from gone`);
  return row?.forgotten ?? 0;
}
