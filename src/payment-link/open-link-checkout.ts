// A customer opens a link: he gets a checkout of his own, if there is one left for him.
//
// Guarantees, where a link has a stock of n: at most n of its checkouts are open or paid at any
// time, whoever opens it at once and in however many processes, because they are counted and made
// under the lock of the link. A place is free again only when its checkout was cancelled while no
// money had been seen. That happens by itself, when somebody else wants the place, to a checkout
// that nobody chose a way to pay for in 60 minutes, and to one whose window to pay has ended.
// Not guaranteed: that nothing is sent to a checkout after it was cancelled. Such money is credited
// as always, and the sale above the stock is shown, for the merchant to decide about.

import { getMerchantTerms } from '#access/caller.ts';
import { Refusal } from '#base/refusal.ts';
import { getCurrency } from '#catalog/currency.ts';
import type { LanguageCode } from '#catalog/language.ts';
import { type CheckoutRequest, parseCheckoutRequest } from '#charge/checkout-request.ts';
import {
  type CreateCheckoutApp,
  type CreatedCheckout,
  createCheckout,
} from '#checkout/create-checkout.ts';
import { listLapsedOfLink, tallyLinks } from '#checkout/list-checkouts.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import type { SettleCheckoutApp } from '#checkout-settlement/settle-checkout.ts';
import { dbWithin } from '#db/db-within.ts';
import { compare, type Decimal, decimalToText, ZERO } from '#money/decimal.ts';
import { lockPaymentLink, type PaymentLink } from './payment-link.ts';

type OpenLinkApp = CreateCheckoutApp & SettleCheckoutApp;

/** `soldOut`: nothing is left, now at least. */
export type LinkStanding = 'open' | 'off' | 'over' | 'soldOut';

/** `taken`: how many of its checkouts are open or paid. */
export function standingOf(link: PaymentLink, taken: number, now: Temporal.Instant): LinkStanding {
  if (link.endsAt !== undefined && Temporal.Instant.compare(now, link.endsAt) >= 0) return 'over';
  if (!link.isOn) return 'off';
  return link.stock !== undefined && taken >= link.stock ? 'soldOut' : 'open';
}

/** As the link stands for a customer: what lapsed counts as left. */
export async function readLinkStanding(
  app: Pick<CreateCheckoutApp, 'db' | 'clock'>,
  link: PaymentLink,
): Promise<LinkStanding> {
  const now = app.clock.now();
  if (link.stock === undefined) return standingOf(link, 0, now);
  const taken = (await tallyLinks(app.db, [link.id])).get(link.id)?.taken ?? 0;
  if (taken < link.stock) return standingOf(link, taken, now);
  const lapsed = await listLapsedOfLink(app.db, link.id, now);
  return standingOf(link, taken - lapsed.length, now);
}

/**
 * `chosen`: what the customer wants to pay, where he chooses.
 * @throws Refusal conflict `link_off`, `link_over`, `link_sold_out`; invalid `link_price`; and as
 * POST /checkout does
 */
export async function openLinkCheckout(
  app: OpenLinkApp,
  link: PaymentLink,
  chosen: Decimal | undefined,
  language: LanguageCode,
): Promise<CreatedCheckout> {
  const request = requestOf(link, chosen, language);
  const terms = await getMerchantTerms(app.db, link);
  const { id: paymentLinkId, asking } = link;
  const options = { type: 'HOSTED', origin: 'PAYMENT_LINK', paymentLinkId, asking } as const;
  requireOpen(standingOf(link, 0, app.clock.now()));
  if (link.stock === undefined) return createCheckout(app, terms, request, options);
  await freeLapsed(app, link);
  return app.db.transact(async (tx) => {
    const locked = await lockPaymentLink(tx, link.id);
    const taken = (await tallyLinks(tx, [link.id])).get(link.id)?.taken ?? 0;
    requireOpen(standingOf(locked ?? link, taken, app.clock.now()));
    return createCheckout({ ...app, db: dbWithin(tx) }, terms, request, options);
  });
}

function requireOpen(standing: LinkStanding): void {
  if (standing === 'off') throw new Refusal('conflict', 'link_off', 'the link is switched off');
  if (standing === 'over') throw new Refusal('conflict', 'link_over', 'the link has ended');
  if (standing === 'soldOut') {
    throw new Refusal('conflict', 'link_sold_out', 'nothing is left of what the link sells');
  }
}

/** Only when all places are taken: until then nobody is in the way. */
async function freeLapsed(app: OpenLinkApp, { id, stock }: PaymentLink): Promise<void> {
  const taken = (await tallyLinks(app.db, [id])).get(id)?.taken ?? 0;
  if (stock === undefined || taken < stock) return;
  for (const checkoutId of await listLapsedOfLink(app.db, id, app.clock.now())) {
    // A customer who chose a way to pay a moment ago keeps his place.
    await cancelCheckout(app, { checkoutId, owner: 'page', from: ['NEW', 'EXPIRED'] });
  }
}

function requestOf(
  link: PaymentLink,
  chosen: Decimal | undefined,
  language: LanguageCode,
): CheckoutRequest {
  const { id, title, currency, settlementAsset } = link;
  const netAmount = decimalToText(priceOf(link, chosen));
  return parseCheckoutRequest({
    charge: { billingCurrency: currency, lineItems: [{ description: title, netAmount }] },
    settlementAsset,
    checkoutLanguage: language,
    meta: { paymentLink: id },
  });
}

/** @throws Refusal invalid `link_price` */
function priceOf(link: PaymentLink, chosen: Decimal | undefined): Decimal {
  if (link.amount !== undefined) return link.amount;
  const { leastAmount, mostAmount, currency } = link;
  const isPrice =
    chosen !== undefined &&
    compare(chosen, ZERO) > 0 &&
    chosen.scale <= getCurrency(currency).decimals &&
    (leastAmount === undefined || compare(chosen, leastAmount) >= 0) &&
    (mostAmount === undefined || compare(chosen, mostAmount) <= 0);
  if (isPrice) return chosen;
  throw new Refusal('invalid', 'link_price', 'amount: one that the link takes');
}
