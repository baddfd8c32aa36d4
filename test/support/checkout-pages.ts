// Every state of the hosted page, from records made by hand.
import { chainOf } from '#catalog/chain.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import type { Seller } from '#merchant/find-seller.ts';
import { DEFAULT_PAGE_SETTINGS } from '#merchant/page-settings.ts';
import { type CheckoutPage, readPageQuery } from '#pages/checkout/checkout-page.ts';
import { decidePage } from '#pages/checkout/decide-page.ts';
import { orderSummary } from '#pages/checkout/order-summary.ts';
import { findPageLanguage } from '#pages/languages/texts.ts';
import {
  checkoutRecord,
  commitmentOn,
  offerOf,
  RECORD_NOW,
  receiptFor,
  recordPaymentUri,
} from './checkout-record.ts';

export const SELLER: Seller = {
  name: 'Fern & Folio',
  page: {
    ...DEFAULT_PAGE_SETTINGS,
    sellerInfo: 'Fern & Folio GmbH\nHauptstraße 12\n10115 Berlin',
    displaySellerInfo: true,
  },
};

export type PageOptions = {
  readonly language?: string;
  readonly query?: string;
  readonly now?: Temporal.Instant;
  readonly behind?: readonly string[];
  readonly hasSandbox?: boolean;
  readonly seller?: Seller;
};

export function pageOf(record: CheckoutRecord, options: PageOptions = {}): CheckoutPage {
  const { language: languageName = 'en', now = RECORD_NOW } = options;
  const language = findPageLanguage(languageName, undefined);
  if (language === undefined) throw new Error(`no such language: ${languageName}`);
  const query = readPageQuery(new URLSearchParams(options.query ?? ''));
  return {
    record,
    summary: orderSummary(record, options.seller ?? SELLER),
    settings: (options.seller ?? SELLER).page,
    language,
    languageName,
    token: 'T'.repeat(32),
    query,
    now,
    state: decidePage({
      record,
      query,
      now,
      behind: new Set(options.behind),
      paymentUri: recordPaymentUri,
    }),
    hasSandbox: options.hasSandbox ?? false,
    fault: undefined,
  };
}

const bitcoin = commitmentOn('BITCOIN', 'BTC:NATIVE');
const litecoin = commitmentOn('LITECOIN', 'LTC:NATIVE');
const stellar = commitmentOn('STELLAR', 'XLM:NATIVE');
const lightning = commitmentOn('LIGHTNING', 'BTC:NATIVE');
const afterwards = RECORD_NOW.add({ hours: 1 });
const completedAt = RECORD_NOW;
const half = litecoin.paymentUnits / 2n;

/** By name, what the hosted page can look like. */
export const PAGES: Readonly<Record<string, (options?: PageOptions) => CheckoutPage>> = {
  choose: (options) => pageOf(checkoutRecord(), options),
  'choose-group': (options) => pageOf(checkoutRecord(), { ...options, query: 'group=USD' }),
  'choose-one': (options) =>
    pageOf(checkoutRecord({ offers: [offerOf('LITECOIN', 'LTC:NATIVE')] }), options),
  pay: (options) =>
    pageOf(checkoutRecord({ commitments: [bitcoin] }), { hasSandbox: true, ...options }),
  'pay-address': (options) =>
    pageOf(checkoutRecord({ commitments: [litecoin] }), { ...options, query: 'qr=address' }),
  'pay-memo': (options) => pageOf(checkoutRecord({ commitments: [stellar] }), options),
  'pay-lightning': (options) => pageOf(checkoutRecord({ commitments: [lightning] }), options),
  'pay-urgent': (options) =>
    pageOf(checkoutRecord({ commitments: [bitcoin] }), {
      ...options,
      now: bitcoin.expiresAt.subtract({ seconds: 200 }),
      behind: ['BITCOIN'],
    }),
  seen: (options) =>
    pageOf(
      checkoutRecord({
        commitments: [litecoin],
        state: 'PENDING',
        receipts: [receiptFor(litecoin, { confirmationsRequired: 3 })],
      }),
      options,
    ),
  'seen-live': (options) =>
    pageOf(
      checkoutRecord({
        environment: 'live',
        commitments: [litecoin],
        state: 'PENDING',
        receipts: [
          receiptFor(litecoin, {
            chain: chainOf('live', 'LITECOIN'),
            confirmations: 0n,
            status: 'SEEN',
            confirmationsRequired: undefined,
          }),
        ],
      }),
      options,
    ),
  'seen-short': (options) =>
    pageOf(
      checkoutRecord({
        commitments: [litecoin],
        state: 'PENDING',
        receipts: [receiptFor(litecoin, { units: half })],
      }),
      options,
    ),
  partial: (options) =>
    pageOf(
      checkoutRecord({
        commitments: [litecoin],
        state: 'UNDERPAID',
        receipts: [receiptFor(litecoin, { units: half, status: 'FINAL' })],
      }),
      options,
    ),
  paid: (options) =>
    pageOf(
      checkoutRecord({
        commitments: [litecoin],
        state: 'COMPLETED',
        completedAt,
        receipts: [receiptFor(litecoin, { status: 'FINAL' })],
      }),
      options,
    ),
  'paid-over-late': (options) =>
    pageOf(
      checkoutRecord({
        commitments: [litecoin],
        state: 'COMPLETED',
        completedAt,
        flags: {
          overpaid: { amount: '0.1103', assetCode: 'LTC' },
          late: { at: '2026-03-01T13:10:00+00:00' },
        },
        receipts: [receiptFor(litecoin, { status: 'FINAL' })],
      }),
      options,
    ),
  expired: (options) =>
    pageOf(checkoutRecord({ commitments: [bitcoin], state: 'EXPIRED' }), {
      ...options,
      now: afterwards,
    }),
  cancelled: (options) =>
    pageOf(
      checkoutRecord({ commitments: [bitcoin], state: 'CANCELLED', cancelledAt: RECORD_NOW }),
      options,
    ),
  trouble: (options) =>
    pageOf(checkoutRecord({ commitments: [bitcoin] }), {
      ...options,
      now: afterwards,
      behind: ['BITCOIN'],
    }),
  replaced: (options) =>
    pageOf(
      checkoutRecord({
        commitments: [bitcoin],
        receipts: [receiptFor(bitcoin, { status: 'GONE', confirmations: 0n })],
      }),
      options,
    ),
};
