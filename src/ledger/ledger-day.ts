// What moved on the accounts of merchants, summed by day: what an account held at a moment of long
// ago is told from days and the entries of one, not from every entry since.
// Guarantees: the place in the entries and the sums of what lies up to it are one transaction, so
// each posting is in them once, however often a process dies or how many do it; entries are read
// below a number under which none can appear any more. Who reads adds what lies above the place, so
// nothing is told late.

import type { Clock } from '#base/clock.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Statement, sql } from '#db/db.ts';
import { findSettledTop } from '#db/settled-top.ts';
import { fragment } from '#db/statement.ts';
import { bigInteger, defineTable } from '#db/table.ts';
import { ENTRY_NUMBERS } from './post-entry.ts';

const LEDGER_DAY_FOLLOW = defineTable('ledger_day_follow', { entryId: bigInteger });

const ENTRIES_AT_ONCE = 5_000n;
/** So many entries above the place are found sooner by their numbers than by their time. */
const NEAR_MOST = 10_000n;
/** Later than any day. */
const END = Temporal.Instant.from('9999-12-31T00:00:00Z');

/** Any number of processes may do it. */
export async function followLedgerDays(app: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<'idle' | 'busy'> {
  const { db } = app;
  const place = await LEDGER_DAY_FOLLOW.find(db, sql`limit 1`);
  const after = place?.entryId ?? 0n;
  const top = await findSettledTop(app, ENTRY_NUMBERS, after);
  if (top === undefined) return 'idle';
  const next = after + ENTRIES_AT_ONCE;
  const upTo = next < top ? next : top;
  await db.transact(async (tx) => {
    const moved = await tx.query(sql`
      update ledger_day_follow set entry_id = ${upTo} where entry_id = ${after}
      returning entry_id`);
    // Another process has summed them.
    if (moved.length > 0) tx.send(addDays(after, upTo));
  });
  return upTo < top ? 'busy' : 'idle';
}

/** The limit in the text says how many there can be; the offset keeps a join from reading all. */
function addDays(after: bigint, upTo: bigint): Statement {
  return sql`
    with batch as materialized (
      select id, date_trunc('day', occurred_at, 'UTC') as day from ledger_entry
      where id > ${after} and id <= ${upTo} limit ${fragment(String(ENTRIES_AT_ONCE))})
    insert into ledger_day (account_id, day, debited_units, credited_units)
    select p.account_id, batch.day, coalesce(sum(p.units) filter (where p.units > 0), 0),
      coalesce(-sum(p.units) filter (where p.units < 0), 0)
    from batch cross join lateral (
      select account_id, units from ledger_posting
      where entry_id = batch.id and owner <> '' offset 0) p
    group by p.account_id, batch.day order by p.account_id, batch.day
    on conflict (account_id, day) do update set
      debited_units = ledger_day.debited_units + excluded.debited_units,
      credited_units = ledger_day.credited_units + excluded.credited_units`;
}

function dayOf(moment: Temporal.Instant, roundingMode: 'floor' | 'ceil'): Temporal.Instant {
  return moment.round({ smallestUnit: 'hour', roundingIncrement: 24, roundingMode });
}

/**
 * What moved on accounts of one merchant at `from` or later, as a query whose rows are a whole day
 * or one posting: `account_id`, `at` (of a day its beginning), `entry_id` and `position` (0 of a
 * day), `debited`, `credited`. The days of `from` and of `cut`, which is not before it, are told by
 * their postings, unless they begin at that moment. `accounts`: a query of their ids.
 */
export function movesSince(
  { merchantId, environment }: Owner,
  moves: {
    readonly from: Temporal.Instant;
    readonly cut: Temporal.Instant;
    readonly accounts: Statement;
  },
): Statement {
  const { from, cut, accounts } = moves;
  const firstDay = dayOf(from, 'ceil');
  const begin = dayOf(cut, 'floor');
  // The day of `from` is told by postings already.
  const end = Temporal.Instant.compare(begin, firstDay) < 0 ? begin : dayOf(cut, 'ceil');
  const ofMerchant = sql`e.merchant_id = ${merchantId} and e.environment = ${environment}`;
  const place = sql`coalesce((select entry_id from ledger_day_follow), 0)`;
  const top = sql`(select max(id) from ledger_entry)`;
  const isNear = sql`${top} - ${place} <= ${NEAR_MOST}`;
  // Both ends of each range are named: PostgreSQL takes what has one end for a third of all. The
  // offsets keep what is found entry by entry from becoming joins that read all postings. Of the
  // last two parts one is read: a few entries by their numbers, many by their time, where adding 0
  // keeps the index of numbers out.
  return sql`
    select d.account_id, d.day as at, 0 as entry_id, 0 as position, d.debited_units as debited,
      d.credited_units as credited
    from (${accounts}) own cross join lateral (
      select * from ledger_day
      where account_id = own.id and day >= ${firstDay} and day < ${END}
        and not (day >= ${begin} and day < ${end}) offset 0) d
    union all
    select p.account_id, e.occurred_at, e.id, p.position, greatest(p.units, 0),
      greatest(-p.units, 0)
    from (
      select e.id, e.occurred_at from ledger_entry e where ${ofMerchant}
        and e.occurred_at >= ${from} and e.occurred_at < ${firstDay} and e.id <= ${place}
      union all
      select e.id, e.occurred_at from ledger_entry e where ${ofMerchant}
        and e.occurred_at >= ${begin} and e.occurred_at < ${end} and e.id <= ${place}
      union all
      select e.id, e.occurred_at from ledger_entry e where ${ofMerchant} and ${isNear}
        and e.occurred_at >= ${from} and e.id > ${place} and e.id <= ${top}
      union all
      select e.id, e.occurred_at from ledger_entry e where ${ofMerchant} and not (${isNear})
        and e.occurred_at >= ${from} and e.occurred_at < ${END} and e.id + 0 > ${place}) e
    cross join lateral (
      select account_id, position, units from ledger_posting
      where entry_id = e.id and account_id = any (array(${accounts})) offset 0) p`;
}
