import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import type { AccountCode } from './account.ts';

export type PostedSum = {
  readonly accountId: bigint;
  readonly units: bigint;
  /** What reversals took out of it, all together. */
  readonly reversed: bigint;
};

export type SumOfRange = PostedSum & {
  /** Where the range ends. */
  readonly upTo: bigint;
  readonly postings: bigint;
  /** Postings whose entry is missing. */
  readonly orphans: bigint;
};

/**
 * What the next postings by number of their entry move, by account; nothing when none are left.
 * The entry is looked up in a scalar sub-query because that is always an index scan.
 */
export function sumPostingsAfter(
  reader: Reader,
  range: {
    readonly after: bigint;
    /** Undefined: as far as there are any. */
    readonly most: bigint | undefined;
    /** Postings; the last entry is taken whole. */
    readonly limit: number;
  },
): Promise<SumOfRange[]> {
  const { after, most, limit } = range;
  const isBelow = most === undefined ? sql`` : sql`and entry_id <= ${most}`;
  return reader.query(sql`
    with last as materialized (
      select max(entry_id) as id from (
        select entry_id from ledger_posting where entry_id > ${after} ${isBelow}
        order by entry_id limit ${limit}) batch)
    select last.id as "upTo", account_id as "accountId", sum(units) as units,
      coalesce(sum(units) filter (where units > 0 and is_reversal), 0) as reversed,
      count(*) as postings, count(*) filter (where is_reversal is null) as orphans
    from last, lateral (
      select account_id, units,
        (select e.is_reversal from ledger_entry e where e.id = entry_id) as is_reversal
      from ledger_posting where entry_id > ${after} and entry_id <= last.id) line
    group by last.id, account_id`);
}

export type CheckedAccount = {
  readonly id: bigint;
  readonly environment: Environment;
  readonly merchantId: string | null;
  readonly code: AccountCode;
  readonly assetId: string;
  readonly balanceUnits: bigint;
  /** Of the balance, what postings of entries above `settled` moved; and reversals among them. */
  readonly laterUnits: bigint;
  readonly laterReversed: bigint;
};

/** One statement, so that a balance and its later postings are of one moment. */
export function listAccountsAfter(
  reader: Reader,
  range: { readonly after: bigint; readonly settled: bigint; readonly limit: number },
): Promise<CheckedAccount[]> {
  const { after, settled, limit } = range;
  return reader.query<CheckedAccount>(sql`
    select a.account_id as id, a.environment, a.merchant_id as "merchantId", a.code,
      a.asset_id as "assetId", a.balance_units as "balanceUnits",
      coalesce((select sum(p.units) from ledger_posting p
        where p.account_id = a.account_id and p.entry_id > ${settled}), 0) as "laterUnits",
      coalesce((select sum(p.units) from ledger_posting p
        where p.account_id = a.account_id and p.entry_id > ${settled} and p.units > 0
          and (select e.is_reversal from ledger_entry e where e.id = p.entry_id)), 0)
        as "laterReversed"
    from ledger_balance a where a.account_id > ${after} order by a.account_id limit ${limit}`);
}

export function listOrphanPostings(
  reader: Reader,
  { after, upTo, limit }: { readonly after: bigint; readonly upTo: bigint; readonly limit: number },
): Promise<{ entryId: bigint; lines: bigint }[]> {
  return reader.query(sql`
    select entry_id as "entryId", count(*) as lines from ledger_posting p
    where entry_id > ${after} and entry_id <= ${upTo}
      and (select e.id from ledger_entry e where e.id = p.entry_id) is null
    group by entry_id order by entry_id limit ${limit}`);
}

/**
 * Without this index a cause key cannot be looked up, and nothing would keep it from being used
 * twice.
 */
export async function hasIndexOfCauses(reader: Reader): Promise<boolean> {
  const found = await reader.query(sql`
    select 1 from pg_index i join pg_attribute a
      on a.attrelid = i.indrelid and a.attname = 'cause_key' and i.indkey::text = a.attnum::text
    where i.indrelid = 'ledger_entry'::regclass and i.indisunique and i.indisvalid and i.indisready
      and i.indpred is null`);
  return found.length > 0;
}

/** Of the next entries: the first one of several with the same cause key, and how many they are. */
export async function listRepeatedCausesAfter(
  reader: Reader,
  range: { readonly after: bigint; readonly most: bigint; readonly limit: number },
): Promise<{
  readonly upTo: bigint | null;
  readonly repeated: readonly { readonly causeKey: string; readonly times: bigint }[];
}> {
  const { after, most, limit } = range;
  const rows = await reader.query<{ upTo: bigint; causeKey: string | null; times: bigint }>(sql`
    with batch as materialized (
      select id, cause_key from ledger_entry where id > ${after} and id <= ${most}
      order by id limit ${limit})
    select (select max(id) from batch) as "upTo", found."causeKey", found.times
    from (select 1) as one left join lateral (
      select batch.cause_key as "causeKey", same.times
      from batch cross join lateral (
        select count(*) as times, min(id) as first from ledger_entry e
        where e.cause_key = batch.cause_key) same
      where same.times > 1 and same.first = batch.id) found on true`);
  return {
    upTo: rows[0]?.upTo ?? null,
    repeated: rows.flatMap(({ causeKey, times }) => (causeKey === null ? [] : { causeKey, times })),
  };
}

/** One statement over all entries: where there is no index, any other way is worse. */
export function listRepeatedCauses(
  reader: Reader,
  limit: number,
): Promise<{ causeKey: string; times: bigint }[]> {
  return reader.query(sql`
    select cause_key as "causeKey", count(*) as times from ledger_entry
    group by cause_key having count(*) > 1 order by cause_key limit ${limit}`);
}

export async function findTopEntry(reader: Reader): Promise<bigint> {
  const [row] = await reader.query<{ top: bigint }>(sql`
    select coalesce(max(id), 0) as top from ledger_entry`);
  return row?.top ?? 0n;
}
