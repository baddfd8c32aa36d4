// Invoices that were paid a second time, and the SQL of their table. Noted while what came in is
// summed, because a shop has many invoices and hardly any of these: so Today reads them from an
// index of their own. What stands here waits for a person until one of the two payments goes back.

import type { Clock } from '#base/clock.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { bothStand } from '#checkout/list-checkouts.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { defineTable, moment, type NewRow, text } from '#db/table.ts';
import { listBillsOfCheckouts } from './bill.ts';
import { readStandings } from './pay-bill.ts';

const BILL_PAID_AGAIN = defineTable('bill_paid_again', {
  /** The later one. */
  checkoutId: text(),
  billId: text(),
  merchantId: text(),
  environment: text<Environment>(),
  /** The checkout that had paid it. */
  paidBy: text(),
  notedAt: moment,
});
type PaidAgain = NewRow<typeof BILL_PAID_AGAIN>;

/** Of the invoices that these checkouts have paid. */
export async function findPaidAgain(
  app: { readonly db: Reader; readonly clock: Clock },
  checkoutIds: readonly string[],
): Promise<PaidAgain[]> {
  const bills = await listBillsOfCheckouts(app.db, checkoutIds);
  const standings = await readStandings(app, bills);
  const notedAt = app.clock.now();
  return bills.flatMap(({ id, merchantId, environment }, index) => {
    const [paidBy, ...later] = standings[index]?.paidBy ?? [];
    if (paidBy === undefined) return [];
    return later.map((checkoutId) => {
      return { checkoutId, billId: id, merchantId, environment, paidBy, notedAt };
    });
  });
}

/** One that is noted stays as it is. */
export function notePaidAgain(tx: Tx, rows: readonly PaidAgain[]): void {
  if (rows.length === 0) return;
  tx.send(BILL_PAID_AGAIN.insert(rows, sql`on conflict (checkout_id) do nothing`));
}

/** Those of which both payments stand, the oldest first. */
export function selectPaidAgain(owner: Owner, most: number): Statement {
  return sql`
    (select 'bill-again' as what, checkout_id as id, noted_at as since from bill_paid_again
    where ${ownedBy(owner)}
      and ${bothStand(sql`bill_paid_again.checkout_id`, sql`bill_paid_again.paid_by`)}
    order by noted_at limit ${most})`;
}

/** Noted from then on, and before. */
export async function countPaidAgain(
  reader: Reader,
  owner: Owner,
  { from, to }: { readonly from: Temporal.Instant; readonly to: Temporal.Instant },
): Promise<number> {
  const [row] = await reader.query<{ count: number }>(sql`
    select count(*)::int as count from bill_paid_again
    where ${ownedBy(owner)} and noted_at >= ${from} and noted_at < ${to}`);
  return row?.count ?? 0;
}
