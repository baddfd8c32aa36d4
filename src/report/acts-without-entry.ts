// What was done with money by itself, and whether the ledger knows of it: one statement for each
// kind of act, over the rows of its table in order.
import { type Statement, sql } from '#db/db.ts';

/** The end of the cause key of the next booking, and of booking `u.number`. */
const AGAIN = sql`case undone_count when 0 then '' else ':' || undone_count + 1 end`;
const BOOKING = sql`case u.number when 1 then '' else ':' || u.number end`;

/** Rows above `after`, at most `limit`; each says whether an entry of it is missing or wrong. */
export const ACTS_WITHOUT_ENTRY: readonly ((after: string, limit: number) => Statement)[] = [
  (after, limit) => sql`
    select id, ('transfer ' || id || ' is ' || state || ' and has no entry of it') as sentence,
      (state in ('RESERVED', 'TO_SEND', 'SUBMITTED', 'COMPLETED', 'FAILED', 'RETURNED') and (
        select e.id from ledger_entry e where e.cause_key = 'transfer:' || t.id || ':reserve')
        is null)
      or (requoted_units <> 0 and (select e.id from ledger_entry e
        where e.cause_key = 'transfer:' || t.id || ':requote') is null)
      or (state in ('COMPLETED', 'FAILED', 'RETURNED') and (
        select e.id from ledger_entry e where e.cause_key = 'transfer:' || t.id || ':'
          || case state when 'FAILED' then 'return' else 'complete' end || ${AGAIN}) is null)
      or undone_count <> (select count(*) from undone_transfer u where u.transfer_id = t.id)
      or 0 < (select count(*) from undone_transfer u cross join (values (''), ('reorganisation/'))
          as twice (cause)
        where u.transfer_id = t.id and (select e.id from ledger_entry e where e.cause_key
          = cause || 'transfer:' || t.id || case u.state when 'FAILED' then ':return'
            else ':complete' end || ${BOOKING}) is null) as "isWrong"
    from transfer t where id > ${after} order by id limit ${limit}`,
  (after, limit) => sql`
    select d.id::text as id, 'departure ' || d.id || ' is booked and lacks an entry' as sentence,
      d.booked_at is not null and (
        d.fee_units > (select coalesce(sum(t.fee_taken_units), 0) from departure_part p
            join transfer t on t.id = p.transfer_id where p.departure_id = d.id)
          and (select e.id from ledger_entry e
            where e.cause_key = 'departure:' || d.id || ':fee' || ${AGAIN}) is null
        or 0 < (select count(*) from departure_part p
          where p.departure_id = d.id and p.purpose in ('OUTSIDE', 'LOST')
            and (select e.id from ledger_entry e
              where e.cause_key = 'departure:' || d.id || ':' || p.number || ${AGAIN}) is null))
      or undone_count <> (select count(*) from undone_departure u where u.departure_id = d.id)
      or 0 < (select count(*) from undone_departure u cross join (values (''), ('reorganisation/'))
          as twice (cause)
        where u.departure_id = d.id and u.rest_units > 0
          and (select e.id from ledger_entry e where e.cause_key
            = cause || 'departure:' || d.id || ':fee' || ${BOOKING}) is null) as "isWrong"
    from departure d where d.id > coalesce(nullif(${after}, ''), '0')::bigint
    order by d.id limit ${limit}`,
  (after, limit) => sql`
    select id, 'swap ' || id || ' is COMPLETED and has no entry' as sentence,
      state = 'COMPLETED' and (
        select e.id from ledger_entry e where e.cause_key = 'swap:' || s.id) is null as "isWrong"
    from swap s where id > ${after} order by id limit ${limit}`,
  (after, limit) => sql`
    select id, 'order ' || id || ' of the house and its parts, or what it closes, do not agree'
        as sentence,
      filled_units <> (select coalesce(sum(f.sold_units), 0) from hedge_fill f
          where f.order_id = o.id and f.undone_at is null)
        or closed_units <> (select coalesce(sum(f.closed_units), 0) from hedge_fill f
          where f.order_id = o.id and f.undone_at is null)
        or 0 < (select count(*) from hedge_fill f where f.order_id = o.id and (
          (select e.id from ledger_entry e
            where e.cause_key = 'hedge:' || f.order_id || ':' || f.fill_id) is null
          or f.undone_at is not null and (select e.id from ledger_entry e
            where e.cause_key = 'reverse:hedge:' || f.order_id || ':' || f.fill_id) is null))
        or cause_key is not null and 2 <> (select count(*) from ledger_entry e
          join ledger_posting p on p.entry_id = e.id
          join ledger_account a on a.id = p.account_id and a.code = 'exchange'
          where e.cause_key = o.cause_key and e.environment = o.environment
            and (p.asset_id, p.units) in ((o.give_asset_id, -o.give_units),
              (o.get_asset_id, o.closes_units))) as "isWrong"
    from hedge_order o where id > ${after} order by id limit ${limit}`,
  (after, limit) => sql`
    select id, 'move ' || id || ' to or from a provider lacks an entry' as sentence,
      (select e.id from ledger_entry e where e.cause_key = 'move:' || m.id || ':sent') is null
        or arrived_at is not null and (select e.id from ledger_entry e
          where e.cause_key = 'move:' || m.id || ':arrived') is null as "isWrong"
    from provider_move m where id > ${after} order by id limit ${limit}`,
];
