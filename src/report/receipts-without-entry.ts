// What came in, and whether it was credited and the ledger knows of it: one statement over a range
// of receipts, and one over checkouts in order.
import { type Statement, sql } from '#db/db.ts';
import { type NumberRange, ROWS_MOST } from './acts-without-entry.ts';

/**
 * Receipts of a range: what was credited for each, and the entry of each credit. What a person
 * assigned as a payment lay in suspense before, and its checkout may not have credited it yet.
 */
export function receiptsWithoutEntry({ after, upTo }: NumberRange): Statement {
  return sql`
    with r as materialized (
      select * from receipt where id > ${after} and id <= ${upTo} limit ${ROWS_MOST}),
    credit as materialized (
      select c.receipt_id, c.generation, c.asset_id, c.units, c.reversed_at, c.released_at,
        c.returned_at
      from r join receipt_credit c on c.receipt_id = r.id
      union all select c.receipt_id, c.generation, c.asset_id, c.units, c.reversed_at, null, null
      from r join deposit_credit c on c.receipt_id = r.id),
    uncredited as materialized (
      select r.id, r.credited_generation, r.purpose is null or (
        select s.id from suspense s join suspense_act a on a.suspense_id = s.id and a.is_payment
        where s.receipt_id = r.id and s.generation = r.credited_generation
        limit 1) is not null as "isSuspense"
      from r where r.credited_generation is not null and not exists (
        select 1 from credit
        where credit.receipt_id = r.id and credit.generation = r.credited_generation)),
    due as (
      select receipt_id, 'receipt:' || receipt_id || ':' || generation as cause from credit
      union all select receipt_id, 'release:' || receipt_id || ':' || generation from credit
        where released_at is not null
      union all select receipt_id, 'returned:' || receipt_id || ':' || generation from credit
        where returned_at is not null
      union all select receipt_id, 'reorganisation/receipt:' || receipt_id || ':' || generation
        from credit where reversed_at is not null and (
          select s.id from suspense s join suspense_act a on a.suspense_id = s.id and a.is_payment
          where s.receipt_id = credit.receipt_id and s.generation = credit.generation
          limit 1) is null
      union all select id, 'receipt:' || id || ':' || credited_generation from uncredited
        where "isSuspense")
    select 'L7: receipt ' || receipt_id || ' has no entry ' || cause as fault from due
    where (select e.id from ledger_entry e where e.cause_key = due.cause) is null
    union all
    select 'R6: receipt ' || r.id || ' is of ' || r.units || ' ' || r.asset_id || ', credited was '
      || credit.units || ' ' || credit.asset_id
    from r join credit on credit.receipt_id = r.id
    where credit.units <> r.units or credit.asset_id <> r.asset_id
    union all
    select 'R6: receipt ' || id || ' was credited and its credit is missing' from uncredited
    where not "isSuspense"`;
}

/** In the order in which a shop made them, for so they lie on the disk; by id each is elsewhere. */
export type CheckoutPlace = {
  readonly merchantId: string;
  readonly environment: string;
  /** As PostgreSQL tells it, to the microsecond. */
  readonly createdAt: string;
  readonly id: string;
};
export const FIRST_PLACE: CheckoutPlace = {
  merchantId: '',
  environment: '',
  createdAt: '-infinity',
  id: '',
};

/** The next checkouts behind a place: money that was credited completes one, nothing else does. */
export function completedWithoutCredit(after: CheckoutPlace): Statement {
  const { merchantId, environment, createdAt, id } = after;
  return sql`
    select merchant_id as "merchantId", environment, created_at::text as "createdAt", id,
      state = 'COMPLETED' and (
        select c.receipt_id from receipt_credit c where c.checkout_id = k.id
          and (c.account = 'available' or c.released_at is not null) limit 1) is null as "isUnpaid"
    from checkout k where (merchant_id, environment, k.created_at, id)
      > (${merchantId}, ${environment}, ${createdAt}::timestamptz, ${id})
    order by merchant_id, environment, k.created_at, id limit ${ROWS_MOST}`;
}
