// What the books know of a receipt or an invoice, for whoever holds it: who issued it, how much,
// when, and whether it still stands. Nothing of the buyer, of what was bought, or of where it was
// paid.

import type { IssuedBill } from '#billing/bill.ts';
import type { BillStanding } from '#billing/decide-bill.ts';
import type { LanguageCode } from '#catalog/language.ts';
import type { CheckoutPage } from '#pages/checkout/checkout-page.ts';
import { dayText, momentTime, moneyText } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import { type VerifyTexts, verifyTexts } from '#pages/languages/verify-texts.ts';
import { pageHeader } from '#pages/page-header.ts';
import type { Page } from '#pages/send-page.ts';
import { verifyAddressFormPath } from './verify-address-page.ts';
import { listArrived } from './write-receipt.ts';

type Standing = keyof VerifyTexts['states'];

type Verdict = {
  readonly standing: Standing;
  /** When it was paid, or the last part of it; undefined while nothing that was paid stands. */
  readonly paidAt: Temporal.Instant | undefined;
  readonly refundedAt: Temporal.Instant | undefined;
};

/** What a receipt over this checkout is worth now. Pure. */
export function decideVerdict({ record, state }: Pick<CheckoutPage, 'record' | 'state'>): Verdict {
  const arrived = listArrived(record);
  const isTakenBack = state.kind === 'trouble' && state.cause === 'taken-back';
  // What was paid too much and went back changes nothing of the sale.
  const refunds = record.refunds.filter(
    ({ state: refund, kind }) => refund === 'COMPLETED' && kind !== 'excess',
  );
  const last = arrived.at(-1);
  const paidAt = last && (record.completedAt ?? last.finalAt ?? last.seenAt);
  const lastRefund = refunds.at(-1);
  const refundedAt = lastRefund && (lastRefund.finishedAt ?? lastRefund.createdAt);
  const isRefunded = refunds.some(({ kind }) => kind === 'full');
  const standing = (): Standing => {
    if (isTakenBack) return 'reversed';
    if (isRefunded) return 'refunded';
    if (paidAt === undefined) return 'open';
    if (refunds.length > 0) return 'partlyRefunded';
    return state.kind === 'paid' ? 'paid' : 'partial';
  };
  return { standing: standing(), paidAt, refundedAt };
}

/** An invoice of a shop, and what its books say of it. */
export type CheckedBill = {
  readonly bill: IssuedBill;
  readonly shopName: string;
  readonly language: PageLanguage;
  readonly verdict: Verdict;
};

/**
 * What an invoice is worth now: as the checkout stands that has paid it, or the one that has seen
 * money. Pure.
 */
export function decideBillVerdict(
  { kind, state }: Pick<IssuedBill, 'kind' | 'state'>,
  { paidBy }: Pick<BillStanding, 'paidBy'>,
  paid: Verdict | undefined,
): Verdict {
  const nothing = { paidAt: undefined, refundedAt: undefined };
  if (kind === 'CANCELLATION') return { standing: 'cancellation', ...nothing };
  const found = paid ?? { standing: 'open', ...nothing };
  if (state === 'CANCELLED') return { ...found, standing: 'cancelled' };
  return paidBy.length === 0 && found.standing === 'paid'
    ? { standing: 'open', ...nothing }
    : found;
}

export type VerifyPage = {
  readonly language: PageLanguage;
  /** Whose domain it is on, or who issued what was found. */
  readonly shopName: string;
  readonly logo: CheckoutPage['logo'];
  readonly theme: Html | undefined;
  readonly typed: string;
  readonly found: CheckoutPage | undefined;
  readonly bill: CheckedBill | undefined;
  readonly fault: string | undefined;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
};

export function verifyPath(query: { readonly code?: string; readonly language?: string }): string {
  const search = new URLSearchParams(query);
  return `/verify${search.size === 0 ? '' : `?${search}`}`;
}

export function renderVerify(page: VerifyPage): Page {
  const { language, typed, found, bill, fault, status, retryAfterSeconds, theme } = page;
  const texts = verifyTexts(language.code);
  const addressIn = (code: LanguageCode) =>
    verifyPath({ ...(typed === '' ? {} : { code: typed }), language: code });
  return {
    language: language.code,
    title: texts.title,
    status,
    retryAfterSeconds,
    theme,
    body: html`${(found?.record ?? bill?.bill)?.environment === 'test' && testStrip(language)}
<div class="page narrow">
${pageHeader(page.shopName, page.logo, language, addressIn)}
<main id="main" data-state="verify">
${fault !== undefined && html`<p class="warning" role="alert" id="fault">${fault}</p>`}
${found !== undefined && receiptCard(found)}${bill !== undefined && billCard(bill)}
<section class="card"><h1>${texts.title}</h1>
<p class="hint">${texts.hint}</p>
<form method="get" action="/verify" class="claim">
<input type="hidden" name="language" value="${language.code}">
<label class="label" for="code">${texts.code}</label>
<input id="code" name="code" value="${typed}" required maxlength="60" dir="ltr" autocomplete="off"
 autocapitalize="none" spellcheck="false">
<button class="button" id="check">${texts.check}</button></form>
<p><a class="quiet" href="${verifyAddressFormPath(language.code)}">${
      language.texts.paying.trust.title
    }</a></p></section>
</main>
<footer class="foot">${language.texts.page.poweredBy}</footer></div>`,
  };
}

function testStrip({ texts: { page } }: PageLanguage): Html {
  return html`<aside class="strip" aria-label="${page.testMode}">
<strong>${page.testMode}</strong> ${page.testModeHint}</aside>`;
}

function receiptCard(found: CheckoutPage): Html {
  const { record, summary, language } = found;
  const { texts, code } = language;
  const verdict = decideVerdict(found);
  const { paidAt } = verdict;
  return verdictCard({ ...found, shopName: summary.shopName, verdict }, [
    [texts.summary.total, moneyText(record.total, record.billingCurrency, code)],
    [texts.paper.date, paidAt && momentTime(paidAt, code)],
  ]);
}

function billCard(checked: CheckedBill): Html {
  const { bill, verdict, language } = checked;
  const { texts, code } = language;
  const { paidAt } = verdict;
  const isInvoice = bill.kind === 'INVOICE';
  return verdictCard(checked, [
    [texts.bill.number, foreignText(bill.name)],
    [texts.summary.total, moneyText(bill.total, bill.billingCurrency, code)],
    [texts.paper.date, dayText(bill.issuedOn, code)],
    [texts.bill.dueOn, isInvoice ? dayText(bill.dueOn, code) : undefined],
    [texts.paper.states.paid, paidAt && momentTime(paidAt, code)],
  ]);
}

/** `rows`: each with what stands in it; undefined: it is left out. */
function verdictCard(
  { shopName, verdict, language }: Pick<CheckedBill, 'shopName' | 'verdict' | 'language'>,
  rows: readonly (readonly [label: string, value: Html | string | undefined])[],
): Html {
  const { texts, code } = language;
  const verify = verifyTexts(code);
  const { standing, refundedAt } = verdict;
  const all = [
    [verify.issuer, foreignText(shopName)] as const,
    ...rows,
    [texts.paper.refunded, refundedAt && momentTime(refundedAt, code)] as const,
  ];
  const shown = all.filter(([, value]) => value !== undefined);
  return html`<section class="card" aria-labelledby="verdict" data-standing="${standing}">
<h2 id="verdict">${verify.states[standing]}</h2>
<dl class="lines">
${shown.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}
</dl>
<p class="hint">${verify.compare}</p></section>`;
}
