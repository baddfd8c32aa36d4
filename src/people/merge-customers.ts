// Two records of one customer become one. The one that stays takes over what it did not know; of
// the other one nothing is left but its id, which from then on is another name of the one that
// stays: for checkouts of the past, which name it for ever, for those that are made at this very
// moment, and for programs that have kept it. Nothing else is written, so the ledger, the events
// and whatever was signed stay as they are. It cannot be undone: what was told apart is gone.

import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, sql } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { CUSTOMER, CUSTOMER_FIELDS, type Customer, clearCustomer } from './customer.ts';

/** Other names of one customer, so that whatever is listed of him is bounded. */
export const MERGED_MOST = 20;

type CustomerMerge = {
  /** Id of the one that stays. */
  readonly into: string;
  readonly from: string;
  /** Of both as whoever agreed to it has seen them (`mergeSeen`). */
  readonly seen: string;
};

/** What stands in the one that stays afterwards: its own, else what the other one knew. */
export function mergedFields(
  into: Customer,
  from: Customer,
): Pick<Customer, (typeof MERGED_FIELDS)[number]> {
  const known = MERGED_FIELDS.map((name) => [name, into[name] || from[name]] as const);
  return Object.fromEntries(known) as ReturnType<typeof mergedFields>;
}

const MERGED_FIELDS = [...CUSTOMER_FIELDS, 'meta'] as const;

/** Says that both are as they were when somebody looked at them. */
export function mergeSeen(into: Customer, from: Customer): string {
  const said = [into, from].map((one) => [one.id, ...MERGED_FIELDS.map((name) => one[name])]);
  return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 32);
}

/**
 * @throws Refusal invalid `customer_same`; missing `customer_missing`; conflict `customer_changed`,
 * `customer_merged_often`
 */
export function mergeCustomers(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  owner: Owner,
  { into, from, seen }: CustomerMerge,
): Promise<void> {
  if (into === from) throw new Refusal('invalid', 'customer_same', 'these are the same customer');
  return db.transact(async (tx) => {
    const ids = [into, from];
    // In order of id, so that two merges of the same ones wait for each other.
    const [both, [names]] = await Promise.all([
      CUSTOMER.select(
        tx,
        sql`where id = any(${ids}::text[]) and ${ownedBy(owner)} and deleted_at is null
          order by id for update`,
      ),
      tx.query<{ readonly count: number }>(sql`
        select count(*)::int as count from customer where merged_into = any(${ids}::text[])`),
    ]);
    const [kept, gone] = ids.map((id) => both.find((one) => one.id === id));
    if (kept === undefined || gone === undefined) {
      throw new Refusal('missing', 'customer_missing', 'no such customer');
    }
    if (mergeSeen(kept, gone) !== seen) {
      throw new Refusal('conflict', 'customer_changed', 'a customer has changed: look again');
    }
    if ((names?.count ?? 0) >= MERGED_MOST) {
      const message = `a customer has ${MERGED_MOST} other ids at most`;
      throw new Refusal('conflict', 'customer_merged_often', message);
    }
    const now = clock.now();
    const fields = mergedFields(kept, gone);
    tx.send(sql`
      update customer set updated_at = ${now}, ${CUSTOMER.changed(MERGED_FIELDS, fields)}
      where id = ${into}`);
    tx.send(sql`update customer set merged_into = ${into} where merged_into = ${from}`);
    tx.send(sql`
      update customer set merged_into = ${into}, deleted_at = ${now}, updated_at = ${now},
        ${clearCustomer()}
      where id = ${from}`);
  });
}
