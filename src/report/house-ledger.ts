// The ledger of the house as it stands at one number: every entry of an environment, whoever's it
// is, oldest first, and what stood on each account at a moment. Guarantees: opening balances and
// movements are the closing balances, to the unit, also while others book; in each asset all
// accounts together are nothing. Merchants are one account a kind: who has what is in their books.
import type { Clock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import { type Db, type Reader, type Statement, sql } from '#db/db.ts';
import { findSettledTop } from '#db/settled-top.ts';
import { fragment } from '#db/statement.ts';
import type { AccountCode } from '#ledger/account.ts';
import { BEGINNING, END, isLater } from './report.ts';

export type HousePeriod = {
  readonly environment: Environment;
  /** From included, to not. */
  readonly from: Temporal.Instant | undefined;
  readonly to: Temporal.Instant | undefined;
  /** What has a higher number is not there. */
  readonly top: bigint;
};

type HouseLine = {
  readonly code: AccountCode;
  readonly assetId: string;
  /** Debit positive. */
  readonly units: bigint;
};

export type HouseEntry = {
  readonly id: bigint;
  readonly occurredAt: Temporal.Instant;
  readonly kind: string;
  readonly subjectId: string | null;
  readonly merchantId: string | null;
  readonly lines: readonly HouseLine[];
};

/** Debit positive. */
export type HouseBalance = {
  readonly code: AccountCode;
  readonly assetId: string;
  readonly openingUnits: bigint;
  readonly debitedUnits: bigint;
  readonly creditedUnits: bigint;
  readonly closingUnits: bigint;
};

const DAYS_MOST = 64;
const NUMBERS = { name: 'ledger_entry', top: sql`select coalesce(max(id), 0) from ledger_entry` };

/** @throws Outage while somebody keeps writing. */
export async function topOfLedger(app: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<bigint> {
  const top = await findSettledTop(app, NUMBERS, -1n);
  if (top !== undefined) return top;
  throw new Outage('the ledger, which is being written to');
}

/**
 * By account, those of all merchants together. Added up from the first entry on, so many at once:
 * what has a number up to `top` never changes, and no statement takes as long as the ledger is.
 */
export async function listHouseBalances(
  reader: Reader,
  period: HousePeriod,
): Promise<HouseBalance[]> {
  const accounts = await reader.query<Pick<HouseBalance, 'code' | 'assetId'>>(sql`
    select code, asset_id as "assetId" from ledger_account
    where environment = ${period.environment}
    group by code, asset_id order by code, asset_id`);
  const sums = new Map<string, Moved>();
  for (let after = 0n; after < period.top; after += SUMMED_AT_ONCE) {
    for (const row of await sumMoved(reader, period, after)) {
      const sum = sums.get(keyOf(row)) ?? NOTHING_MOVED;
      sums.set(keyOf(row), {
        openingUnits: sum.openingUnits + row.openingUnits,
        debitedUnits: sum.debitedUnits + row.debitedUnits,
        creditedUnits: sum.creditedUnits + row.creditedUnits,
      });
    }
  }
  return accounts.map((account) => {
    const sum = sums.get(keyOf(account)) ?? NOTHING_MOVED;
    const closingUnits = sum.openingUnits + sum.debitedUnits - sum.creditedUnits;
    return { ...account, ...sum, closingUnits };
  });
}

type Moved = Pick<HouseBalance, 'openingUnits' | 'debitedUnits' | 'creditedUnits'>;
const NOTHING_MOVED: Moved = { openingUnits: 0n, debitedUnits: 0n, creditedUnits: 0n };
const SUMMED_AT_ONCE = 10_000n;

function keyOf({ code, assetId }: Pick<HouseBalance, 'code' | 'assetId'>): string {
  return `${code} ${assetId}`;
}

/** Of the numbers after this one. The limit in the text says how many there can be of them. */
function sumMoved(
  reader: Reader,
  { environment, from = BEGINNING, to = END, top }: HousePeriod,
  after: bigint,
): Promise<(Moved & Pick<HouseBalance, 'code' | 'assetId'>)[]> {
  const next = after + SUMMED_AT_ONCE;
  const upTo = next < top ? next : top;
  return reader.query(sql`
    with batch as materialized (
      select id, occurred_at < ${from}::timestamptz as before from ledger_entry
      where id > ${after} and id <= ${upTo} and environment = ${environment}
        and occurred_at < ${to}::timestamptz
      limit ${fragment(String(SUMMED_AT_ONCE))}),
    moved as (
      select p.account_id, coalesce(sum(p.units) filter (where before), 0) as opening,
        coalesce(sum(p.units) filter (where not before and p.units > 0), 0) as debited,
        coalesce(-sum(p.units) filter (where not before and p.units < 0), 0) as credited
      from batch cross join lateral (
        select account_id, units from ledger_posting where entry_id = batch.id offset 0) p
      group by p.account_id)
    select a.code, a.asset_id as "assetId", sum(opening) as "openingUnits",
      sum(debited) as "debitedUnits", sum(credited) as "creditedUnits"
    from moved join ledger_account a on a.id = moved.account_id
    group by a.code, a.asset_id`);
}

/**
 * Pages of so many, oldest first, a day after the other where much is booked: there is no index by
 * time alone, so only what lies in a few days is sorted at once.
 */
export async function* listHouseEntries(
  reader: Reader,
  period: HousePeriod,
  limit: number,
): AsyncGenerator<HouseEntry[]> {
  const { environment, to = END, top } = period;
  const [{ first, last } = { first: null, last: null }] = await reader.query<{
    first: Temporal.Instant | null;
    last: Temporal.Instant | null;
  }>(firstAndLast(period));
  if (first === null || last === null) return;
  let days = 1;
  for (let begin = first; !isLater(begin, last); ) {
    const next = begin.add({ hours: 24 * days });
    const end = isLater(next, to) ? to : next;
    let after: Place = { at: begin, id: 0n };
    let count: number;
    do {
      const page = await listPage(reader, { environment, end, top, after, limit });
      if (page.length > 0) yield page;
      count = page.length;
      const newest = page.at(-1);
      if (newest !== undefined) after = { at: newest.occurredAt, id: newest.id };
    } while (count === limit);
    days = count < limit / 2 ? Math.min(2 * days, DAYS_MOST) : 1;
    begin = next;
  }
}

/**
 * Between which times the period has entries, from the index of each merchant, and of what is of no
 * merchant; those above the top count too, where nothing is found then.
 */
function firstAndLast({ environment, from = BEGINNING, to = END }: HousePeriod): Statement {
  const extreme = (which: Statement, whose: Statement) => sql`
    (select ${which}(occurred_at) from ledger_entry where merchant_id ${whose}
      and environment = ${environment} and occurred_at >= ${from} and occurred_at < ${to})`;
  const both = (whose: Statement) =>
    sql`${extreme(sql`min`, whose)} as first, ${extreme(sql`max`, whose)} as last`;
  return sql`
    with recursive merchant_of_entry as (
      select min(merchant_id) as id from ledger_entry
      union all
      select (select min(merchant_id) from ledger_entry where merchant_id > m.id)
      from merchant_of_entry m where m.id is not null)
    select min(first) as first, max(last) as last from (
      select ${both(sql`= m.id`)} from merchant_of_entry m
      union all select ${both(sql`is null`)}) found`;
}

type Place = { readonly at: Temporal.Instant; readonly id: bigint };

async function listPage(
  reader: Reader,
  asked: {
    readonly environment: Environment;
    readonly end: Temporal.Instant;
    readonly top: bigint;
    readonly after: Place;
    readonly limit: number;
  },
): Promise<HouseEntry[]> {
  const { environment, end, top, after, limit } = asked;
  const rows = await reader.query<Omit<HouseEntry, 'lines'> & HouseLine>(sql`
    with page as materialized (
      select e.id, e.occurred_at, e.kind, e.subject_id, e.merchant_id from ledger_entry e
      where e.environment = ${environment} and e.id <= ${top} and e.occurred_at >= ${after.at}
        and e.occurred_at < ${end} and (e.occurred_at, e.id) > (${after.at}, ${after.id})
      order by e.occurred_at, e.id limit ${limit})
    select e.id, e.occurred_at as "occurredAt", e.kind, e.subject_id as "subjectId",
      e.merchant_id as "merchantId", a.code, a.asset_id as "assetId", p.units
    from page e join ledger_posting p on p.entry_id = e.id
      join ledger_account a on a.id = p.account_id
    order by e.occurred_at, e.id, p.position`);
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((list) => {
    const [head] = list;
    if (head === undefined) return [];
    const { id, occurredAt, kind, subjectId, merchantId } = head;
    const lines = list.map(({ code, assetId, units }) => ({ code, assetId, units }));
    return [{ id, occurredAt, kind, subjectId, merchantId, lines }];
  });
}
