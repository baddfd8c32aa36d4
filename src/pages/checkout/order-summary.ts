// What is bought, from whom, and what it costs, line by line: read from the request as it was
// stored.

import type { LanguageCode } from '#catalog/language.ts';
import type { Charge } from '#charge/charge.ts';
import { readPayload } from '#charge/checkout-request.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import type { Reader } from '#db/db.ts';
import { type Seller, sellerName } from '#merchant/seller.ts';
import { compare, type Decimal, isZero, negate, ONE, roundDecimal } from '#money/decimal.ts';
import { moneyText, numberText, percentText } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { Texts } from '#pages/languages/en.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import { type Customer, findCustomer } from '#people/customer.ts';

export type OrderSummary = {
  /** Undefined when the stored request cannot be read: the total is known all the same. */
  readonly charge: Charge | undefined;
  readonly shopName: string;
  readonly sellerInfo: string | undefined;
  /** Whether the billing address of the customer is to be seen, if there is one. */
  readonly isBuyerShown: boolean;
};

export function orderSummary(
  record: Pick<CheckoutRecord, 'payload'>,
  seller: Seller | undefined,
): OrderSummary {
  const { charge, pageSettings } = readPayload(record.payload);
  const wished = pageSettings.shopName ?? '';
  const isShown = (name: 'displayBuyerInfo' | 'displaySellerInfo') =>
    pageSettings[name] ?? seller?.page[name] ?? false;
  return {
    charge,
    shopName: wished.trim() === '' ? (seller ? sellerName(seller) : 'Quittance') : wished,
    sellerInfo: isShown('displaySellerInfo') ? (seller?.page.sellerInfo ?? undefined) : undefined,
    isBuyerShown: isShown('displayBuyerInfo'),
  };
}

export function summaryPanel(
  record: CheckoutRecord,
  summary: OrderSummary,
  language: PageLanguage,
  buyer: Customer | undefined,
  verifiedHost: string | undefined,
): Html {
  const { code, texts } = language;
  const total = moneyText(record.total, record.billingCurrency, code);
  return html`<section class="card summary" aria-labelledby="summary-title">
<h2 id="summary-title">${texts.summary.title}</h2>
<p class="shop">${foreignText(summary.shopName)}</p>
${verifiedLine(texts, verifiedHost)}
<dl class="lines">
${summary.charge !== undefined && chargeLines(summary.charge, code, texts)}
${
  !isZero(record.tip) &&
  html`<div><dt>${texts.paying.ask.tipLine}</dt><dd>${moneyText(record.tip, record.billingCurrency, code)}</dd></div>`
}
<div class="total"><dt>${texts.summary.total}</dt><dd>${total}</dd></div>
</dl>
${addressLines(texts.summary.seller, summary.sellerInfo?.split(/\r?\n/))}
${addressLines(texts.paper.buyer, buyer && buyerLines(buyer, language))}
<p class="reference">${texts.summary.order} <code>${record.id}</code></p>
</section>`;
}

/** The name servers of the domain have said that it is the shop's. */
function verifiedLine(texts: Texts, host: string | undefined): Html | undefined {
  if (host === undefined) return undefined;
  return html`<p class="hint" id="domain">✓ ${texts.paying.trust.domain}: <code>${host}</code></p>`;
}

function addressLines(label: string, lines: readonly string[] | undefined): Html | undefined {
  if (lines === undefined || lines.length === 0) return undefined;
  return html`<h3>${label}</h3>
<p class="seller">${lines.map((line) => html`${foreignText(line)}<br>`)}</p>`;
}

function chargeLines(charge: Charge, code: LanguageCode, texts: Texts): Html[] {
  const money = (amount: Decimal) => moneyText(amount, charge.billingCurrency, code);
  const line = (name: Html, amount: string) => html`<div><dt>${name}</dt><dd>${amount}</dd></div>`;
  const items = charge.lineItems.map((item) => {
    const isMany = compare(item.quantity, ONE) !== 0;
    const name = html`${foreignText(item.description)}${
      isMany &&
      html` <span class="quantity">${texts.summary.quantity(numberText(item.quantity, code))}</span>`
    }`;
    return line(name, money(item.amount));
  });
  const discounts = charge.discountItems.map((item) =>
    line(named(texts.summary.discount, item.description), money(negate(item.netAmount))),
  );
  const shipping = charge.shippingCostItems.map((item) =>
    line(named(texts.summary.shipping, item.description), money(item.netAmount)),
  );
  return [...items, ...discounts, ...shipping, ...taxLines(charge, line, money, code)];
}

function named(kind: string, description: string): Html {
  return description === kind ? html`${kind}` : html`${kind}: ${foreignText(description)}`;
}

/** Each tax is rounded for display: the total is rounded once, from the exact sum (S9). */
function taxLines(
  charge: Charge,
  line: (name: Html, amount: string) => Html,
  money: (amount: Decimal) => string,
  code: LanguageCode,
): Html[] {
  return charge.taxItems.map(({ name, percent, amount }) =>
    line(
      html`${foreignText(name)} (${percentText(percent, code)})`,
      money(roundDecimal(amount, charge.decimals, 'half-even')),
    ),
  );
}

// The customer a checkout is made out to, where the merchant wants the address shown.

/** Undefined when none is linked, when it was deleted, and when it is not to be shown. */
export async function findBuyer(
  app: { readonly db: Reader },
  record: CheckoutRecord,
  { isBuyerShown }: { readonly isBuyerShown: boolean },
): Promise<Customer | undefined> {
  const { customerId, merchantId, environment } = record;
  if (!isBuyerShown || customerId === undefined) return undefined;
  return findCustomer(app, { merchantId, environment }, customerId);
}

/** The billing address: no mail address, no telephone number, no note. */
export function buyerLines(buyer: Customer, { code, texts }: PageLanguage): string[] {
  const { company, firstname, lastname, adr1, adr2, zip, city, countrycode, taxid } = buyer;
  const words = (...parts: readonly (string | null)[]) => filled(parts).join(' ');
  return filled([
    company,
    words(firstname, lastname),
    adr1,
    adr2,
    words(zip, city),
    countrycode === null ? null : countryName(countrycode, code),
    taxid === null ? null : `${texts.paper.taxId}: ${taxid}`,
  ]);
}

function filled(lines: readonly (string | null)[]): string[] {
  return lines.filter((line): line is string => line !== null && line.trim() !== '');
}

/** The code itself where no country has it. */
function countryName(countryCode: string, language: string): string {
  if (!/^[A-Z]{2}$/.test(countryCode)) return countryCode;
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'code' });
  return names.of(countryCode) ?? countryCode;
}
