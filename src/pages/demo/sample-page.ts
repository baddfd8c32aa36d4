// A hosted page over a record made by hand, decided and rendered by the same code as any other.

import { chainOf, type Environment } from '#catalog/chain.ts';
import { KNOWN_EXPLORERS } from '#catalog/explorer.ts';
import { defaultConfirmations } from '#catalog/network.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { DEFAULT_PAGE_SETTINGS } from '#merchant/page-settings.ts';
import type { Seller } from '#merchant/seller.ts';
import { ONE } from '#money/decimal.ts';
import { type CheckoutPage, readPageQuery } from '#pages/checkout/checkout-page.ts';
import type { FoundPayment } from '#pages/checkout/decide-found-payment.ts';
import { decidePage } from '#pages/checkout/decide-page.ts';
import { orderSummary } from '#pages/checkout/order-summary.ts';
import { payerFee } from '#pages/checkout/payer-fee.ts';
import { findPageLanguage, type PageLanguage, pageLanguage } from '#pages/languages/texts.ts';
import { REFERENCE_PRICES } from '#rates/rate-book.ts';
import { RECORD_NOW, recordPaymentUri } from './sample-record.ts';

export const SAMPLE_SELLER: Seller = {
  name: 'Fern & Folio',
  page: {
    ...DEFAULT_PAGE_SETTINGS,
    sellerInfo: 'Fern & Folio GmbH\nHauptstraße 12\n10115 Berlin',
    displaySellerInfo: true,
    contact: 'help@fern-folio.example',
  },
};

export type SampleOptions = {
  readonly language?: string;
  readonly query?: string;
  readonly now?: Temporal.Instant;
  readonly behind?: readonly string[];
  readonly hasSandbox?: boolean;
  readonly seller?: Seller;
  readonly fault?: string;
  readonly found?: FoundPayment;
  readonly askedAgain?: CheckoutPage['askedAgain'];
  readonly recommended?: readonly string[];
  /** Name of the sample in whose address the page stands; a checkout's own when absent. */
  readonly sample?: string;
};

/** Prices of the sandbox, and no node that was asked. */
const PRICED = {
  networks: new Map(),
  rates: {
    price(_: Environment, code: string, observedAt: Temporal.Instant) {
      const usdPrice = code === 'USD' ? ONE : REFERENCE_PRICES.get(code);
      return usdPrice && { id: 0n, code, usdPrice, observedAt };
    },
  },
};

export function samplePage(record: CheckoutRecord, options: SampleOptions = {}): CheckoutPage {
  const { language = 'en', now = RECORD_NOW, seller = SAMPLE_SELLER } = options;
  const query = readPageQuery(new URLSearchParams(options.query ?? ''));
  return {
    record,
    summary: orderSummary(record, seller),
    settings: seller.page,
    logo: seller.logo,
    explorers: KNOWN_EXPLORERS,
    language: languageOf(language),
    languageName: language,
    token: 'T'.repeat(32),
    pageUrl: `https://pay.example/${language}/checkout/${'T'.repeat(32)}`,
    sample: options.sample,
    query,
    now,
    state: decidePage({
      record,
      query,
      now,
      behind: new Set(options.behind),
      paymentUri: recordPaymentUri,
      askedUnits: (_, units) => units,
    }),
    confirmationsOf: (network) => defaultConfirmations(chainOf(record.environment, network))[0],
    payerFeeOf: (offer) => payerFee(PRICED, { ...record, now }, offer),
    recommended: options.recommended ?? [],
    hasSandbox: options.hasSandbox ?? false,
    words: seller.pageWords ?? [],
    fault: options.fault,
    found: options.found,
    mailWish: 'open',
    askedAgain: options.askedAgain,
  };
}

function languageOf(name: string): PageLanguage {
  return findPageLanguage(name, undefined) ?? pageLanguage('en');
}
