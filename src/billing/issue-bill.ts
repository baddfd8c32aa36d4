// Issues a bill, and cancels one that is issued. A number that was given is never taken back: what
// is cancelled stays, and gets a document with a number of its own beside it.

import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { Owner } from '#catalog/owner.ts';
import { type PageTokenKeys, pageToken, pageTokenHash } from '#checkout/page-token.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import type { SettleCheckoutApp } from '#checkout-settlement/settle-checkout.ts';
import { type Db, sql } from '#db/db.ts';
import {
  BILL,
  type Bill,
  billTokenSubject,
  findSender,
  listBillCheckouts,
  lockBill,
  takeNumber,
} from './bill.ts';

type IssueApp = { readonly db: Db; readonly clock: Clock };

export type CancelBillApp = SettleCheckoutApp &
  IssueApp & { readonly random: Random; readonly keyring: PageTokenKeys };

type Maker = Owner & { readonly actor: string };

/**
 * Gives it the next number of its range, with the date of today and whoever sends it.
 * @throws Refusal missing `bill_missing`; conflict `bill_state`, `bill_sender`
 */
export function issueBill(app: IssueApp, maker: Maker, id: string): Promise<Bill> {
  return app.db.transact(async (tx) => {
    const bill = await lockBill(tx, maker, id);
    if (bill.state !== 'DRAFT') throw notSo('it is issued already');
    const seller = await findSender(tx, bill.merchantId);
    if (seller === undefined) {
      throw new Refusal('conflict', 'bill_sender', 'say first who sends the invoices');
    }
    const { number, name } = await takeNumber(tx, bill, bill.prefix);
    // Read under the lock of the range: a higher number is never older.
    const issuedAt = app.clock.now();
    const dates = datesOf(issuedAt, bill.dueDays);
    const deliveredOn = bill.deliveredOn ?? dates.issuedOn;
    const named = { seller, number, name, issuedAt, deliveredOn, ...dates };
    const issued: Bill = { ...bill, ...named, state: 'ISSUED' };
    const columns = [...(Object.keys(named) as (keyof typeof named)[]), 'state'] as const;
    tx.send(sql`update bill set ${BILL.changed(columns, issued)} where id = ${id}`);
    noteAct(tx, { ...actOf(maker, bill, issuedAt), verb: 'bill-issue', details: { name } });
    return issued;
  });
}

/**
 * Answers the document that cancels it. Nobody can pay it any more; what still arrives is credited.
 * @throws Refusal missing `bill_missing`; conflict `bill_state`
 */
export async function cancelBill(app: CancelBillApp, maker: Maker, id: string): Promise<Bill> {
  const made = await app.db.transact(async (tx) => {
    const bill = await lockBill(tx, maker, id);
    if (bill.kind !== 'INVOICE' || bill.state !== 'ISSUED') throw notSo('it is not issued');
    const { number, name } = await takeNumber(tx, bill, bill.prefix);
    const now = app.clock.now();
    const newBillId = newId(app.random);
    const cancellation = {
      ...bill,
      ...({ id: newBillId, kind: 'CANCELLATION', cancels: id, number, name } as const),
      ...{ dueDays: 0, ...datesOf(now, 0), createdAt: now, issuedAt: now },
      pageTokenHash: pageTokenHash(pageToken(app.keyring, billTokenSubject(newBillId))),
    };
    await tx.query(
      sql`update bill set state = 'CANCELLED', cancelled_at = ${now} where id = ${id}`,
    );
    tx.send(BILL.insert([cancellation]));
    noteAct(tx, { ...actOf(maker, bill, now), verb: 'bill-cancel', details: { by: name } });
    return cancellation;
  });
  for (const { checkoutId } of await listBillCheckouts(app.db, [id])) {
    await closeCheckout(app, maker, checkoutId);
  }
  return made;
}

async function closeCheckout(app: CancelBillApp, maker: Maker, checkoutId: string): Promise<void> {
  const { actor, ...owner } = maker;
  try {
    await cancelCheckout(app, { checkoutId, owner, actor });
  } catch (error) {
    // Money was seen for it, or it is over: it stays as it is.
    if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
  }
}

function datesOf(at: Temporal.Instant, dueDays: number) {
  const issuedOn = at.toZonedDateTimeISO('UTC').toPlainDate();
  return { issuedOn: issuedOn.toString(), dueOn: issuedOn.add({ days: dueDays }).toString() };
}

function actOf({ actor, merchantId, environment }: Maker, { id }: Bill, actedAt: Temporal.Instant) {
  return { actor, merchantId, environment, subject: `bill:${id}`, actedAt };
}

function notSo(why: string): Refusal {
  return new Refusal('conflict', 'bill_state', why);
}
