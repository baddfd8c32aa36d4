// Issues a bill, and cancels one that is issued. A number that was given is never taken back: what
// is cancelled stays, and gets a document with a number of its own beside it.

import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { Owner } from '#catalog/owner.ts';
import type { CheckoutState } from '#checkout/checkout.ts';
import { listStandings } from '#checkout/find-checkout.ts';
import { type PageTokenKeys, pageToken, pageTokenHash } from '#checkout/page-token.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import type { SettleCheckoutApp } from '#checkout-settlement/settle-checkout.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import {
  BILL,
  type Bill,
  type BillLook,
  billTokenSubject,
  findSender,
  keepLogo,
  listBillCheckouts,
  lockBill,
  requireBill,
  takeNumber,
} from './bill.ts';
import { insertBillMails } from './bill-mails.ts';

type IssueApp = { readonly db: Db; readonly clock: Clock };

export type CancelBillApp = SettleCheckoutApp &
  IssueApp & { readonly random: Random; readonly keyring: PageTokenKeys };

/** States in which a checkout takes a payment that nobody has begun. */
const PAYABLE: readonly CheckoutState[] = ['NEW', 'AWAITING_PAYMENT', 'EXPIRED'];

type Maker = Owner & { readonly actor: string };

/**
 * Gives it the next number of its range, with the date of today and whoever sends it. `look`: the
 * shop's own, which its PDF keeps.
 * @throws Refusal missing `bill_missing`; conflict `bill_state`, `bill_sender`
 */
export function issueBill(
  app: IssueApp,
  maker: Maker,
  id: string,
  look: BillLook = {},
): Promise<Bill> {
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
    const kept = { logoHash: look.logo && keepLogo(tx, look.logo), accent: look.accent };
    const named = { seller, number, name, issuedAt, deliveredOn, hasCode: true, ...dates, ...kept };
    const issued: Bill = { ...bill, ...named, state: 'ISSUED' };
    const columns = [...(Object.keys(named) as (keyof typeof named)[]), 'state'] as const;
    tx.send(sql`update bill set ${BILL.changed(columns, issued)} where id = ${id}`);
    tx.send(insertBillMails(id, dates));
    noteAct(tx, { ...actOf(maker, bill, issuedAt), verb: 'bill-issue', details: { name } });
    return issued;
  });
}

/**
 * Answers the document that cancels it. Nobody can pay it any more; what still arrives is credited.
 * Its checkouts are closed before it is cancelled: whoever dies in between leaves an invoice that
 * is issued still, for which the next who pays gets a new one.
 * @throws Refusal missing `bill_missing`; conflict `bill_state`
 */
export async function cancelBill(app: CancelBillApp, maker: Maker, id: string): Promise<Bill> {
  requireCancellable(await requireBill(app.db, maker, id));
  for (;;) {
    for (const { checkoutId } of await listBillCheckouts(app.db, [id])) {
      await closeCheckout(app, maker, checkoutId);
    }
    const made = await app.db.transact(async (tx) => {
      const bill = requireCancellable(await lockBill(tx, maker, id));
      return (await canBePaid(tx, id)) ? undefined : writeCancellation(app, tx, maker, bill);
    });
    if (made !== undefined) return made;
  }
}

/** One was opened after the others were closed. */
async function canBePaid(tx: Tx, id: string): Promise<boolean> {
  const opened = await listBillCheckouts(tx, [id]);
  const standings = await listStandings(
    tx,
    opened.map(({ checkoutId }) => checkoutId),
  );
  return standings.some(({ state }) => PAYABLE.includes(state));
}

function requireCancellable(bill: Bill): Bill {
  if (bill.kind !== 'INVOICE' || bill.state !== 'ISSUED') throw notSo('it is not issued');
  return bill;
}

async function writeCancellation(
  { clock, random, keyring }: CancelBillApp,
  tx: Tx,
  maker: Maker,
  bill: Bill,
): Promise<Bill> {
  const { number, name } = await takeNumber(tx, bill, bill.prefix);
  const now = clock.now();
  const id = newId(random);
  const cancellation = {
    ...bill,
    ...({ id, kind: 'CANCELLATION', cancels: bill.id, number, name } as const),
    ...{ dueDays: 0, ...datesOf(now, 0), createdAt: now, issuedAt: now, hasCode: true },
    pageTokenHash: pageTokenHash(pageToken(keyring, billTokenSubject(id))),
  };
  await tx.query(
    sql`update bill set state = 'CANCELLED', cancelled_at = ${now} where id = ${bill.id}`,
  );
  tx.send(BILL.insert([cancellation]));
  noteAct(tx, { ...actOf(maker, bill, now), verb: 'bill-cancel', details: { by: name } });
  return cancellation;
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
