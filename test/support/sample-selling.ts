// Pages of payment links and of invoices of a shop, beside the states of the gallery: made by hand,
// written by the same code as any other.

import type { IssuedBill } from '#billing/bill.ts';
import type { BillStanding } from '#billing/decide-bill.ts';
import { type LanguageCode, nearestDashboardLanguage } from '#catalog/language.ts';
import { parseDecimal } from '#money/decimal.ts';
import { writeOpenBill } from '#pages/billing/write-bill.ts';
import { linkPoster } from '#pages/dashboard/payment-link-cards.ts';
import { dashboardLanguage } from '#pages/languages/dashboard/texts.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import { type PayPage, renderPay } from '#pages/pay/pay-page.ts';
import { renderPaper } from '#pages/receipt/paper-page.ts';
import type { Page } from '#pages/send-page.ts';
import type { PaymentLink } from '#payment-link/payment-link.ts';
import { BUYER, CHARGE, SENDER } from './bill-fixture.ts';
import { SELLER } from './checkout-pages.ts';

const link: PaymentLink = {
  id: 'link12345678',
  merchantId: 'merchant1234',
  environment: 'test',
  title: 'Workshop: bookbinding for beginners <b>',
  description: 'Saturday, 10 to 16 o’clock. Paper, thread and coffee are included.',
  currency: 'EUR',
  amount: parseDecimal('89.00'),
  leastAmount: undefined,
  mostAmount: undefined,
  settlementAsset: 'ORIGIN',
  stock: 12,
  endsAt: undefined,
  asking: undefined,
  isOn: true,
  createdAt: Temporal.Instant.from('2026-03-01T12:00:00Z'),
};
const chosen: PaymentLink = {
  ...link,
  title: 'Donaudampfschifffahrtsgesellschaftskapitänswitwen',
  amount: undefined,
  leastAmount: parseDecimal('5'),
  mostAmount: parseDecimal('5000'),
};
const payPath = `/pay/${'T'.repeat(32)}`;

function linkPage(language: LanguageCode, changes: Partial<PayPage> = {}): Page {
  return renderPay({
    origin: 'https://pay.example',
    link,
    standing: 'open',
    seller: SELLER,
    language: pageLanguage(language),
    path: payPath,
    typed: '',
    fault: undefined,
    status: 200,
    retryAfterSeconds: undefined,
    ...changes,
  });
}

const bill: IssuedBill = {
  id: 'bill12345678',
  merchantId: 'merchant1234',
  environment: 'test',
  kind: 'INVOICE',
  state: 'ISSUED',
  language: 'en',
  payload: JSON.stringify({ charge: CHARGE }),
  billingCurrency: 'EUR',
  total: parseDecimal('47.24'),
  taxCategory: 'S',
  taxReason: undefined,
  note: 'Thank you.\nUntil the next time!',
  buyer: BUYER,
  seller: SENDER,
  dueDays: 14,
  prefix: 'R-',
  number: 7,
  name: 'R-0007',
  issuedOn: '2026-03-01',
  dueOn: '2026-03-15',
  deliveredOn: '2026-02-28',
  cancels: undefined,
  ...{ hasCode: true, logoHash: undefined, accent: undefined },
  createdAt: Temporal.Instant.from('2026-03-01T12:00:00Z'),
  issuedAt: Temporal.Instant.from('2026-03-01T12:00:00Z'),
  cancelledAt: undefined,
};
const unpaid: BillStanding = {
  state: 'ISSUED',
  paidBy: [],
  paidAt: undefined,
  isUnderWay: false,
  isOverdue: false,
  payBy: 'new',
};
const over = { payBy: undefined } as const;
const cancellation: IssuedBill = {
  ...{ ...bill, id: 'bill23456789', kind: 'CANCELLATION', number: 8, name: 'R-0008' },
  ...{ total: parseDecimal('-47.24'), cancels: bill.id, note: undefined },
};

function billPage(
  code: LanguageCode,
  standing: Partial<BillStanding> = {},
  shown: IssuedBill = bill,
): Page {
  const isCancelled = standing.state === 'CANCELLED';
  const cancelled = shown.kind === 'CANCELLATION' ? bill : undefined;
  const proof = {
    code: 'bill-1234-5678-abcd-efgh-jkmn-pqrs',
    url: 'https://pay.example/verify?code=bill-1234-5678-abcd-efgh-jkmn-pqrs',
  };
  const url = `https://pay.example/en/invoice/${'T'.repeat(32)}`;
  const view = { bill: shown, cancelled, url, proof };
  const language = pageLanguage(code);
  const stands = { ...unpaid, ...standing };
  const paper = writeOpenBill(view, stands, isCancelled ? cancellation : undefined, language);
  const links = {
    addressIn: (other: LanguageCode) => `?language=${other}`,
    checkout: undefined,
    pdf: undefined,
    pay: stands.payBy === undefined ? undefined : `/${code}/invoice/${'T'.repeat(32)}/pay`,
  };
  return renderPaper(paper, links, { settings: SELLER.page, logo: SELLER.logo });
}

/** By name, as they look in a language. */
export const SAMPLE_SELLING: Readonly<Record<string, (language: LanguageCode) => Page>> = {
  link: (language) => linkPage(language),
  'link-chosen': (language) => linkPage(language, { link: chosen }),
  // As a page to look at it is no fault.
  'link-fault': (language) => {
    const { wrong } = pageLanguage(language).texts.link;
    return linkPage(language, { link: chosen, typed: '1', fault: wrong });
  },
  'link-sold-out': (language) => linkPage(language, { standing: 'soldOut' }),
  'link-off': (language) => linkPage(language, { standing: 'off' }),
  'link-over': (language) => linkPage(language, { standing: 'over' }),
  'link-poster': (language) => {
    const visit = { language: dashboardLanguage(nearestDashboardLanguage(language)) };
    return linkPoster(visit, link, { url: `https://pay.example${payPath}`, shopName: 'My <shop>' });
  },
  bill: (language) => billPage(language),
  'bill-overdue': (language) => billPage(language, { isOverdue: true }),
  'bill-under-way': (language) => billPage(language, { isUnderWay: true, payBy: 'checkout1234' }),
  'bill-paid': (language) => billPage(language, { state: 'PAID', ...over }),
  'bill-cancelled': (language) => billPage(language, { state: 'CANCELLED', ...over }),
  'bill-cancellation': (language) => billPage(language, over, cancellation),
};
