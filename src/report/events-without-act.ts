// What merchants were told, held against what it was about: a statement over one range of events.
import { type Statement, sql } from '#db/db.ts';

/** Numbers of rows: above the one, up to the other. */
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
        union all select least(s.act_count, 1) + (
          select count(*) from suspense_act a
          join undone_transfer u on u.transfer_id = a.transfer_id
          where a.suspense_id = s.id and u.state = 'COMPLETED'), 'SUSPENSE_RESOLVED'
        from suspense s where e.subject = 'suspense' and s.merchant_id = e.merchant_id
          and s.id = case when e.subject_id ~ '^[0-9]{1,18}$' then e.subject_id::bigint end
          and s.environment = e.environment
      ) known on true
      where e.number > ${after} and e.number <= ${upTo})
    select 'W3: event ' || id || ' (' || type || ') is number ' || sequence || ' of ' || subject
      || ' ' || subject_id || ', which told ' || most as fault
    from told where sequence > most
    union all
    select 'S3: event ' || id || ' says ' || type || ', and ' || subject || ' ' || subject_id
      || ' says ' || says
    from told where says <> type`;
}
