// How a bill is paid: by a checkout that is opened when somebody wants to pay it, for its price is
// one of now. Guarantees: nobody is led to a new checkout while money for the bill is under way, or
// while the price of the last one holds, however many ask at once, nor after it was cancelled: that
// is looked at and done under the lock of the bill. Not guaranteed: that it is paid once, since one
// whose price has ended may be paid beside the next one. Both are credited, and the shop sees that
// it was paid again.

import { getMerchantTerms } from '#access/caller.ts';
import { Refusal } from '#base/refusal.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import { type CreateCheckoutApp, createCheckout } from '#checkout/create-checkout.ts';
import { listStandings } from '#checkout/find-checkout.ts';
import { pageToken } from '#checkout/page-token.ts';
import type { Reader } from '#db/db.ts';
import { dbWithin } from '#db/db-within.ts';
import { parseStoredObject } from '#money/exact-json.ts';
import {
  type Bill,
  type IssuedBill,
  listBillCheckouts,
  lockBill,
  noteBillCheckout,
} from './bill.ts';
import { type BillStanding, decideBill } from './decide-bill.ts';

type StandingApp = { readonly db: Reader; readonly clock: CreateCheckoutApp['clock'] };

/** In the order of the bills. */
export async function readStandings(
  { db, clock }: StandingApp,
  bills: readonly Bill[],
): Promise<BillStanding[]> {
  const opened = await listBillCheckouts(
    db,
    bills.map(({ id }) => id),
  );
  const standings = await listStandings(
    db,
    opened.map(({ checkoutId }) => checkoutId),
  );
  const byId = new Map(standings.map(({ id, ...one }) => [id, { ...one, checkoutId: id }]));
  return bills.map((bill) => {
    const own = opened.filter(({ billId }) => billId === bill.id);
    const checkouts = own.map(({ checkoutId }) => byId.get(checkoutId));
    return decideBill(
      bill,
      checkouts.filter((one) => one !== undefined),
      clock.now(),
    );
  });
}

export async function readStanding(app: StandingApp, bill: Bill): Promise<BillStanding> {
  const [standing] = await readStandings(app, [bill]);
  return standing ?? decideBill(bill, [], app.clock.now());
}

/**
 * The token of the page where it is paid. `language`: of that page, as an address names it.
 * @throws Refusal conflict `bill_closed` when there is nothing to pay, `no_payment_method`
 */
export async function openBillCheckout(
  app: CreateCheckoutApp,
  bill: IssuedBill,
  language: string,
): Promise<string> {
  const terms = await getMerchantTerms(app.db, bill);
  const request = parseCheckoutRequest({
    ...parseStoredObject(bill.payload),
    checkoutLanguage: language,
    settlementAsset: terms.settlementAsset,
    meta: { invoice: bill.name },
  });
  // An invoice says what is due, and to whom: nothing is asked or added on top of it.
  const options = { type: 'HOSTED', origin: 'DASHBOARD', asking: 'nothing' } as const;
  const checkoutId = await app.db.transact(async (tx) => {
    const within = { ...app, db: dbWithin(tx) };
    const { payBy } = await readStanding(within, await lockBill(tx, bill, bill.id));
    if (payBy === undefined) {
      throw new Refusal('conflict', 'bill_closed', 'there is nothing to pay');
    }
    if (payBy !== 'new') return payBy;
    const { id } = await createCheckout(within, terms, request, options);
    await noteBillCheckout(tx, { billId: bill.id, checkoutId: id, openedAt: app.clock.now() });
    return id;
  });
  return pageToken(app.keyring, checkoutId);
}
