// What was done with money by itself, and whether the ledger knows of it: one statement for each
// kind of act, over the rows of its table in order.

import { type Statement, sql } from '#db/db.ts';
import { fragment } from '#db/statement.ts';

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
          where p.departure_id = d.id and p.purpose in ('OUTSIDE', 'LOST', 'CONVERTED')
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
  (after, limit) => sql`
    select id, 'trade ' || id || ' at a provider has no entry' as sentence,
      (select e.id from ledger_entry e where e.cause_key = 'trade:' || t.id) is null as "isWrong"
    from provider_trade t where id > ${after} order by id limit ${limit}`,
];

// What merchants were told, held against what it was about: a statement over one range of events.

/** Numbers that a range has at the most, each of at most one row. */
export const ROWS_AT_ONCE = 500;

/**
 * So many in the text of each statement: PostgreSQL takes a range that it does not know for a good
 * part of the table, and plans to read all of what belongs to that part.
 */
export const ROWS_MOST = fragment(String(ROWS_AT_ONCE));

/** Numbers of rows: above the one, up to the other; at most `ROWS_AT_ONCE`. */
export type NumberRange = { readonly after: bigint; readonly upTo: bigint };

/** Events of a range: what they are about told so many, and is what they say that it is. */
export function eventsWithoutAct({ after, upTo }: NumberRange): Statement {
  return sql`
    with told as materialized (
      select e.id, e.type, e.subject, e.subject_id, e.sequence, coalesce(known.most, 0) as most,
        coalesce(known.says, e.type) as says
      from event e left join lateral (
        select k.event_sequence as most,
          case when e.type = 'CHECKOUT_COMPLETED' then 'CHECKOUT_' || k.state end as says
        from checkout k where e.subject = 'checkout' and k.id = e.subject_id
          and k.merchant_id = e.merchant_id and k.environment = e.environment
        union all select a.event_sequence, null
        from deposit_address a where e.subject = 'deposit-address' and a.id = e.subject_id
          and a.merchant_id = e.merchant_id and a.environment = e.environment
        union all select r.event_sequence, case when e.type = 'REFUND_RESTS'
          or r.state = 'RETURNED' and e.type = 'REFUND_COMPLETED'
          or t.undone_count > 0
            and e.type in ('REFUND_COMPLETED', 'REFUND_FAILED', 'REFUND_REOPENED')
          then e.type else 'REFUND_' || r.state end
        from refund r join transfer t on t.id = r.transfer_id
        where e.subject = 'refund' and r.id = e.subject_id
          and r.merchant_id = e.merchant_id and r.environment = e.environment
        union all select t.event_sequence, case when t.state = 'RETURNED'
          and e.type = 'TRANSFER_COMPLETED'
          or t.undone_count > 0
            and e.type in ('TRANSFER_COMPLETED', 'TRANSFER_FAILED', 'TRANSFER_REOPENED')
          then e.type else 'TRANSFER_' || t.state end
        from transfer t where e.subject = 'transfer' and t.id = e.subject_id
          and t.merchant_id = e.merchant_id and t.environment = e.environment
        union all select s.event_sequence, 'SWAP_' || s.state
        from swap s where e.subject = 'swap' and s.id = e.subject_id
          and s.merchant_id = e.merchant_id and s.environment = e.environment
        union all select g.event_sequence, 'SETTLEMENT_SKIPPED'
        from settlement_rule g where e.subject = 'settlement-rule' and g.id = e.subject_id
          and g.merchant_id = e.merchant_id and g.environment = e.environment
        -- A test event says itself that nothing has happened.
        union all select e.sequence, null where e.subject = 'webhook-endpoint'
        union all select least(s.act_count, 1) + (
          select count(*) from suspense_act a
          join undone_transfer u on u.transfer_id = a.transfer_id
          where a.suspense_id = s.id and u.state = 'COMPLETED'), 'SUSPENSE_RESOLVED'
        from suspense s where e.subject = 'suspense' and s.merchant_id = e.merchant_id
          and s.id = case when e.subject_id ~ '^[0-9]{1,18}$' then e.subject_id::bigint end
          and s.environment = e.environment
      ) known on true
      where e.number > ${after} and e.number <= ${upTo} limit ${ROWS_MOST})
    select 'W3: event ' || id || ' (' || type || ') is number ' || sequence || ' of ' || subject
      || ' ' || subject_id || ', which told ' || most as fault
    from told where sequence > most
    union all
    select 'S3: event ' || id || ' says ' || type || ', and ' || subject || ' ' || subject_id
      || ' says ' || says
    from told where says <> type`;
}
