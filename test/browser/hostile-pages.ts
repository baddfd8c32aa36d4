// Pages with one text in every field that a merchant, a buyer or a payer writes, many of them one
// below the other in one document, so that thousands can be shown to a real browser.

import { isEmail } from '#base/text.ts';
import type { Seller } from '#merchant/seller.ts';
import type { CheckoutPage } from '#pages/checkout/checkout-page.ts';
import { groupsOf } from '#pages/checkout/copy-field.ts';
import { orderSummary } from '#pages/checkout/order-summary.ts';
import { renderCheckout } from '#pages/checkout/render-checkout.ts';
import { html } from '#pages/html.ts';
import type { Page } from '#pages/send-page.ts';
import { CUSTOMER_FIELDS, type Customer } from '#people/customer.ts';
import { PAGES, SELLER } from '#test/support/checkout-pages.ts';
import { invoiceOf, receiptOf, refundPageOf } from '#test/support/sample-papers.ts';

const payload = JSON.stringify({
  charge: {
    billingCurrency: 'EUR',
    lineItems: [
      { description: 'x', netAmount: '35.00', quantity: '2', productId: 'x' },
      { description: 'x', netAmount: '1' },
    ],
    discountItems: [{ description: 'x', netAmount: '1' }],
    shippingCostItems: [{ description: 'x', netAmount: '1' }],
    taxItems: [{ name: 'x', percent: '0.19' }],
  },
});

/** One of them with every text. */
const IN_TURN = [
  'choose',
  'choose-group',
  'pay',
  'pay-memo',
  'pay-both',
  'seen',
  'partial',
  'paid',
  'cancelled',
  'trouble',
  'replaced',
];

/** One text, in `contact` as it is or in an address. */
export type Text = { readonly text: string; readonly contact: string | null };

export function hostileText(text: string, index: number): Text {
  return { text, contact: index % 2 === 0 ? text : `https://shop.example/${text}` };
}

/** As long and with the same spaces and lines, and nothing that a browser could take for markup. */
export function harmlessText({ text, contact }: Text): Text {
  const isShown = contact !== null && (isEmail(contact) || /^https?:/i.test(contact));
  return { text: text.replace(/\S/gu, 'x'), contact: isShown ? 'https://shop.example/' : null };
}

/** Texts with the same shape in the same turn make the same elements. */
export function shapeOf({ text, contact }: Text, turn: number): string {
  const lines = text.split(/\r?\n/).map((line) => (line.trim() === '' ? 'empty' : 'filled'));
  const at = turn % TURNS.length;
  const groups = at === GROUPED_TURN ? groupsOf(text).length : 0;
  return [at, groups, contact === null ? 'silent' : 'told', ...lines].join(' ');
}

/** The page with the most fields in it, and another in turn. */
export function pagesWith(given: Text, turn: number): Page[] {
  const { text } = given;
  const seller = sellerWith(given);
  const expired = fill(PAGES.expired!({ seller, fault: text, sample: 'expired' }), given);
  return [renderCheckout(expired), TURNS[turn % TURNS.length]!(given, seller)];
}

const TURNS: readonly ((given: Text, seller: Seller) => Page)[] = [
  ...IN_TURN.map((name) => (given: Text, seller: Seller) => {
    const page = PAGES[name]!({ seller, hasSandbox: true, sample: name });
    return renderCheckout(fill(page, given));
  }),
  (given, seller) => receiptOf(fill(PAGES.paid!({ seller }), given))!,
  (given, seller) => invoiceOf(fill(PAGES.pay!({ seller }), given)),
  ({ text }, seller) => refundPageOf({ seller, typed: text, fault: text }),
  ({ text }, seller) => refundPageOf({ seller, address: text, state: 'UNDER_WAY' }),
];

/** Shows the text as an address: an element for each four characters of it. */
const GROUPED_TURN = TURNS.length - 1;

/** In one document, each in an element with `data-sample`. */
export function joinPages(pages: readonly Page[]): Page {
  return {
    ...pages[0]!,
    title: pages.map(({ title }) => title).join(' '),
    status: 200,
    refreshSeconds: undefined,
    // What is below is parsed and runs, and need not be drawn.
    theme: html`[data-sample] { content-visibility: auto }`,
    frameAncestors: undefined,
    body: html`${pages.map(({ body }) => html`<div data-sample>${body}</div>`)}`,
  };
}

function sellerWith({ text, contact }: Text): Seller {
  const page = {
    ...SELLER.page,
    shopName: text,
    sellerInfo: `${text}\n${text}`,
    displaySellerInfo: true,
    contact,
    // So long is no document looked at: a paid page leads back to its shop.
    returnCountdownSeconds: 300,
  };
  return { ...SELLER, name: text, page };
}

function fill(page: CheckoutPage, { text }: Text): CheckoutPage {
  const record = {
    ...page.record,
    payload,
    meta: text,
    returnUrl: text,
    cancelUrl: text,
    webhookUrl: text,
    settlementAsset: text,
    language: text,
  };
  const summary = orderSummary(record, undefined);
  const { charge } = summary;
  if (charge === undefined) throw new Error('the charge cannot be read');
  const described = <Item extends object>(items: readonly Item[]) =>
    items.map((item) => ({ ...item, description: text, productId: text, name: text }));
  return {
    ...page,
    record,
    query: { ...page.query, group: page.query.group && text },
    summary: {
      ...summary,
      shopName: text,
      sellerInfo: `${text}\n${text}`,
      charge: {
        ...charge,
        lineItems: described(charge.lineItems),
        discountItems: described(charge.discountItems),
        shippingCostItems: described(charge.shippingCostItems),
        taxItems: described(charge.taxItems),
      },
    },
    buyer: buyerWith(text),
  };
}

function buyerWith(text: string): Customer {
  const fields = Object.fromEntries(CUSTOMER_FIELDS.map((name) => [name, text]));
  const createdAt = Temporal.Instant.from('2026-03-01T12:00:00Z');
  return { ...fields, email: text, id: 'customer1234', meta: text, createdAt } as Customer;
}
