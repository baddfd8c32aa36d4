// Rates are stored every 45 seconds and are needed later only where money was locked, swapped or
// credited at them. The others go when they are older than they are kept, in batches that each look
// at one range of row numbers. Guarantees: a rate that is named by a lock, a swap, a credit or any
// entry of the ledger stays for ever. So does the first one of each code and hour where something
// was booked for a merchant before the next hour that has one: by these, reports say what it was
// worth (report/stored-prices.ts). The reference prices of the sandbox stay as well: they are few.
import type { Clock } from '#base/clock.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';

const BATCH = 5_000;
/** A rate is used at most so long after it was taken: a quote lives 60 minutes. */
const USED_WITHIN = Temporal.Duration.from({ hours: 3 });

type ForgetRatesApp = { readonly db: Db; readonly clock: Clock };

type Forgotten = {
  readonly forgotten: number;
  /** Where the next batch begins; undefined when all old ones were looked at. */
  readonly after: bigint | undefined;
};

/** One batch of old rates above the row number `after`. */
export async function forgetRates(
  { db, clock }: ForgetRatesApp,
  { keptDays, after }: { readonly keptDays: number; readonly after: bigint },
): Promise<Forgotten> {
  const before = clock.now().subtract({ hours: 24 * keptDays });
  const batch = await findRateBatch(db, { after, before, limit: BATCH });
  if (batch === undefined) return { forgotten: 0, after: undefined };
  const { size, lastId: upTo, firstAt: usedFrom, lastAt } = batch;
  const usedUntil = lastAt.add(USED_WITHIN);
  const range = { after, upTo, lastAt, usedFrom, usedUntil };
  const forgotten = await db.single((tx) => deleteUnusedRates(tx, range));
  return { forgotten, after: size < BATCH ? undefined : upTo };
}

type RateBatch = {
  readonly size: number;
  readonly lastId: bigint;
  readonly firstAt: Temporal.Instant;
  readonly lastAt: Temporal.Instant;
};

/** The next live rates by row number that were observed before then. */
async function findRateBatch(
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

/**
 * Returns how many were deleted. Rows that name rates hold their ids in JSON text: `"rateIds":
 * ["12", "34"]`.
 */
async function deleteUnusedRates(
  tx: Tx,
  batch: {
    readonly after: bigint;
    readonly upTo: bigint;
    /** No younger rate is deleted, whatever its row number. */
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
    booked as materialized (
      select distinct occurred_at as at from ledger_entry
      where occurred_at >= ${usedFrom} and occurred_at <= ${lastAt.add({ hours: 24 })}
        and environment = 'live' and merchant_id is not null),
    looked_up as materialized (
      select id from (
        select r.id, r.observed_at, r.environment, r.code,
          date_bin('1 hour', r.observed_at, timestamptz '2000-01-01Z') as hour
        from rate r where r.id > ${after} and r.id <= ${upTo} and r.environment = 'live') r
      where not exists (
          select 1 from rate o where o.environment = 'live' and o.code = r.code
            and o.observed_at >= r.hour and (o.observed_at, o.id) < (r.observed_at, r.id))
        and exists (
          select 1 from booked where at >= r.observed_at
            and at < r.observed_at + interval '1 day'
            and at < coalesce((
              select min(o.observed_at) from rate o where o.environment = 'live'
                and o.code = r.code and o.observed_at >= r.hour + interval '1 hour'),
              'infinity'))),
    gone as (
      delete from rate where id > ${after} and id <= ${upTo} and environment = 'live'
        and observed_at <= ${lastAt}
        and not exists (select 1 from used where used.id = rate.id)
        and not exists (select 1 from looked_up where looked_up.id = rate.id)
      returning 1)
    select count(*)::int as forgotten from gone`);
  return row?.forgotten ?? 0;
}
