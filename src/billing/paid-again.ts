// Invoices that were paid a second time, and the SQL of their table. Noted while what came in is
// summed, because a shop has many invoices and hardly any of these: so Today reads them from an
// index of their own. What stands here waits for a person until one of the two payments goes back,
// or until somebody says that it was settled outside, and why.

import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { codePointLength, hasLoneSurrogate } from '#base/text.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { bothStand } from '#checkout/list-checkouts.ts';
import { type Db, type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import {
  defineTable,
  moment,
  type NewRow,
  optional,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';
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
  /** Undefined: nobody has said that it is settled. */
  seenToAt: selectOnly(optional(moment)),
  seenToBy: selectOnly(optional(text())),
  seenToReason: selectOnly(optional(text())),
});
type NewPaidAgain = NewRow<typeof BILL_PAID_AGAIN>;
export type PaidAgain = Row<typeof BILL_PAID_AGAIN>;

export const SEEN_TO_REASON_MAX = 500;

/** Both payments stand, and nobody has said that it is settled. */
const WAITS = sql`seen_to_at is null
  and ${bothStand(sql`bill_paid_again.checkout_id`, sql`bill_paid_again.paid_by`)}`;

/** Of the invoices that these checkouts have paid. */
export async function findPaidAgain(
  app: { readonly db: Reader; readonly clock: Clock },
  checkoutIds: readonly string[],
): Promise<NewPaidAgain[]> {
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
export function notePaidAgain(tx: Tx, rows: readonly NewPaidAgain[]): void {
  if (rows.length === 0) return;
  tx.send(BILL_PAID_AGAIN.insert(rows, sql`on conflict (checkout_id) do nothing`));
}

/** Those that wait, the oldest first. */
export function selectPaidAgain(owner: Owner, most: number): Statement {
  return sql`
    (select 'bill-again' as what, checkout_id as id, noted_at as since from bill_paid_again
    where ${ownedBy(owner)} and ${WAITS} order by noted_at limit ${most})`;
}

/** Those that wait, the oldest first. */
export function listPaidAgain(reader: Reader, owner: Owner, most: number): Promise<PaidAgain[]> {
  return BILL_PAID_AGAIN.select(
    reader,
    sql`where ${ownedBy(owner)} and ${WAITS} order by noted_at limit ${most}`,
  );
}

/** Of one invoice those that somebody has seen to, the oldest first. */
export function listSeenTo(reader: Reader, owner: Owner, billId: string): Promise<PaidAgain[]> {
  return BILL_PAID_AGAIN.select(
    reader,
    sql`where ${ownedBy(owner)} and bill_id = ${billId} and seen_to_at is not null
      order by noted_at`,
  );
}

/** Noted from then on and before, as far as they wait still. */
export async function countPaidAgain(
  reader: Reader,
  owner: Owner,
  { from, to }: { readonly from: Temporal.Instant; readonly to: Temporal.Instant },
): Promise<number> {
  const [row] = await reader.query<{ count: number }>(sql`
    select count(*)::int as count from bill_paid_again
    where ${ownedBy(owner)} and noted_at >= ${from} and noted_at < ${to} and ${WAITS}`);
  return row?.count ?? 0;
}

/**
 * It was settled outside: from now on it waits for nobody. `checkoutId`: the later payment.
 * @throws Refusal invalid `seen_to_reason`; missing `bill_again_missing`; conflict
 * `bill_again_seen_to`
 */
export function seeToPaidAgain(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { actor, merchantId, environment }: Owner & { readonly actor: string },
  { checkoutId, reason: typed }: { readonly checkoutId: string; readonly reason: string },
): Promise<void> {
  const reason = readReason(typed);
  return db.transact(async (tx) => {
    const found = await BILL_PAID_AGAIN.find(
      tx,
      sql`where checkout_id = ${checkoutId} and ${ownedBy({ merchantId, environment })} for update`,
    );
    if (found === undefined) {
      throw new Refusal('missing', 'bill_again_missing', 'no such payment of an invoice');
    }
    if (found.seenToAt !== undefined) {
      throw new Refusal('conflict', 'bill_again_seen_to', 'somebody has seen to it already');
    }
    const now = clock.now();
    tx.send(sql`
      update bill_paid_again
      set seen_to_at = ${now}, seen_to_by = ${actor}, seen_to_reason = ${reason}
      where checkout_id = ${checkoutId}`);
    const act = { merchantId, environment, actor, actedAt: now, verb: 'bill-again-seen-to' };
    const details = { bill: found.billId, paidBy: found.paidBy, reason };
    noteAct(tx, { ...act, subject: `checkout:${checkoutId}`, details });
  });
}

function readReason(typed: string): string {
  const reason = typed.trim().replaceAll(/\s+/gu, ' ');
  const isText = !/\p{Cc}/u.test(reason) && !hasLoneSurrogate(reason);
  const length = codePointLength(reason);
  if (length > 0 && length <= SEEN_TO_REASON_MAX && isText) return reason;
  const said = `reason: 1 to ${SEEN_TO_REASON_MAX} characters are wanted`;
  throw new Refusal('invalid', 'seen_to_reason', said);
}
