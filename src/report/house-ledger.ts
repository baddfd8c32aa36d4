// The ledger of the house as it stands at one number: every entry of an environment, whoever's it
// is, oldest first, and what stood on each account at a moment. Guarantees: opening balances and
// movements are the closing balances, to the unit, also while others book; in each asset all
// accounts together are nothing. Merchants are one account a kind: who has what is in their books.
import type { Clock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { findSettledTop } from '#db/settled-top.ts';
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

/** By account, those of all merchants together. From the balances of now back to the period. */
export async function listHouseBalances(
  reader: Reader,
  { environment, from = BEGINNING, to = END, top }: HousePeriod,
): Promise<HouseBalance[]> {
  const rows = await reader.query<Omit<HouseBalance, 'openingUnits'>>(sql`
    with moved as (
      select p.account_id,
        coalesce(sum(p.units) filter (where later), 0) as later,
        coalesce(sum(p.units) filter (where not later and p.units > 0), 0) as debited,
        coalesce(-sum(p.units) filter (where not later and p.units < 0), 0) as credited
      from ledger_entry e join ledger_posting p on p.entry_id = e.id
        cross join lateral (select e.id > ${top} or e.occurred_at >= ${to}::timestamptz as later) l
      where e.environment = ${environment}
        and (e.id > ${top} or e.occurred_at >= ${from}::timestamptz)
      group by p.account_id)
    select a.code, a.asset_id as "assetId",
      sum(a.balance_units - coalesce(later, 0)) as "closingUnits",
      coalesce(sum(debited), 0) as "debitedUnits", coalesce(sum(credited), 0) as "creditedUnits"
    from ledger_balance a left join moved on moved.account_id = a.account_id
    where a.environment = ${environment}
    group by a.code, a.asset_id order by a.code, a.asset_id`);
  return rows.map((row) => {
    return { ...row, openingUnits: row.closingUnits - row.debitedUnits + row.creditedUnits };
  });
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
  const { environment, from = BEGINNING, to = END, top } = period;
  const [{ first, last } = { first: null, last: null }] = await reader.query<{
    first: Temporal.Instant | null;
    last: Temporal.Instant | null;
  }>(sql`
    select min(occurred_at) as first, max(occurred_at) as last from ledger_entry
    where environment = ${environment} and id <= ${top} and occurred_at >= ${from}
      and occurred_at < ${to}`);
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
