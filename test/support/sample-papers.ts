// Receipts, invoices and pages of refunds beside the states of the gallery: made by hand, written
// by the same code as any other.

import type { LanguageCode } from '#catalog/language.ts';
import { type Seller, sellerName } from '#merchant/seller.ts';
import type { CheckoutPage } from '#pages/checkout/checkout-page.ts';
import { commitmentOn, refundOf } from '#pages/demo/sample-record.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import { verifyTexts } from '#pages/languages/verify-texts.ts';
import { type PaperLinks, renderPaper } from '#pages/receipt/paper-page.ts';
import { renderVerifyAddress } from '#pages/receipt/verify-address-page.ts';
import { renderVerify, type VerifyPage } from '#pages/receipt/verify-page.ts';
import { writeInvoice } from '#pages/receipt/write-invoice.ts';
import { writeReceipt } from '#pages/receipt/write-receipt.ts';
import { renderRefund } from '#pages/refund/refund-page.ts';
import type { Page } from '#pages/send-page.ts';
import type { Refund } from '#refund/refund.ts';
import { PAGES, SELLER } from './checkout-pages.ts';

const checkoutUrl = `https://pay.example/en/checkout/${'T'.repeat(32)}`;

const links: PaperLinks = {
  addressIn: (code) => `?language=${code}`,
  checkout: checkoutUrl,
  pdf: undefined,
};

const buyer = {
  id: 'customer1234',
  email: 'clara@reader.example',
  firstname: 'Clara',
  lastname: 'Winter',
  company: 'Reader & Sons',
  adr1: '12 Long Meadow',
  adr2: null,
  zip: '10115',
  city: 'Berlin',
  countrycode: 'DE',
  phonenumber: null,
  taxid: 'DE123456789',
  note: null,
  meta: null,
  createdAt: Temporal.Instant.from('2026-03-01T12:00:00Z'),
};

/** Undefined: nothing was paid. */
export function receiptOf(page: CheckoutPage): Page | undefined {
  const paper = writeReceipt(page);
  return paper && renderPaper(paper, { ...links, pdf: `${checkoutUrl}/receipt.pdf` }, page);
}

export function invoiceOf(page: CheckoutPage): Page {
  return renderPaper(writeInvoice(page, checkoutUrl), links, page);
}

export type RefundLook = {
  readonly language?: LanguageCode;
  readonly seller?: Seller;
  readonly state?: Refund['state'];
  readonly address?: string;
  readonly account?: Refund['account'];
  readonly typed?: string;
  readonly fault?: string;
  readonly isReview?: boolean;
  readonly way?: readonly [network: string, assetId: string];
  readonly restsUntil?: Temporal.Instant;
  readonly claimable?: Refund['claimable'];
};

const STELLAR_ADDRESS = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const NO_MEMO = { memo: '', memoType: 'text' } as const;

const LITECOIN = ['LITECOIN', 'LTC:NATIVE'] as const;

export function refundPageOf(look: RefundLook = {}): Page {
  const { language = 'en', seller = SELLER, state = 'AWAITING_ADDRESS', address } = look;
  const refund: Refund = {
    ...refundOf(commitmentOn(...(look.way ?? LITECOIN)), 44_120_000n),
    merchantId: 'merchant1234',
    environment: 'test',
    address,
    state,
    transferId: 'transfer1234',
    account: look.account,
    networkFeeUnits: 24_000n,
    feeTakenUnits: undefined,
    undoneCount: 0,
    gasFee: undefined,
    submittedAt: undefined,
    claimable: look.claimable,
    apiKey: undefined,
    language,
    webhookUrl: undefined,
    pageOrigin: undefined,
    checkoutApiKey: undefined,
    checkoutState: 'COMPLETED',
    checkoutMeta: undefined,
    claimableUntil: Temporal.Instant.from('2026-04-01T12:00:00Z'),
    restsUntil: look.restsUntil,
    eventSequence: 0,
  };
  return renderRefund({
    refund,
    seller,
    shopName: sellerName(seller),
    language: pageLanguage(language),
    addressIn: (code) => `?language=${code}`,
    calendar: '/en/refund/sample/claim.ics',
    typed: look.typed === undefined ? undefined : { ...NO_MEMO, address: look.typed },
    isReview: look.isReview ?? false,
    fault: look.fault,
    shopUrl: 'https://shop.example/thanks',
  });
}

function verifyPageOf(code: LanguageCode, changes: Partial<VerifyPage> = {}): Page {
  return renderVerify({
    language: pageLanguage(code),
    shopName: sellerName(SELLER),
    logo: SELLER.logo,
    theme: undefined,
    typed: '',
    found: undefined,
    bill: undefined,
    fault: undefined,
    status: 200,
    retryAfterSeconds: undefined,
    ...changes,
  });
}

function verifyAddressOf(code: LanguageCode, isOurs: boolean | undefined): Page {
  const way = { network: 'STELLAR', address: STELLAR_ADDRESS, memo: '4821907715' };
  return renderVerifyAddress({
    language: pageLanguage(code),
    shopName: sellerName(SELLER),
    given: { ...way, signature: 'S'.repeat(86) },
    isOurs,
    publicKey: 'K'.repeat(43),
    host: 'pay.shop.example',
    domain: 'pay.shop.example',
  });
}

const RECEIPT_CODE = 'K7QF-2MZX-90PA-TB4C-W8HE-N3RD';

/** By name, as they look in a language. */
export const SAMPLE_PAPERS: Readonly<Record<string, (language: LanguageCode) => Page | undefined>> =
  {
    receipt: (language) => receiptOf({ ...PAGES.paid!({ language }), buyer }),
    'receipt-partial': (language) => receiptOf(PAGES.partial!({ language })),
    invoice: (language) => invoiceOf({ ...PAGES.pay!({ language }), buyer }),
    verify: (language) => verifyPageOf(language),
    'verify-paid': (language) =>
      verifyPageOf(language, { typed: RECEIPT_CODE, found: PAGES.paid!({ language }) }),
    'verify-address': (language) => verifyAddressOf(language, undefined),
    'verify-address-ours': (language) => verifyAddressOf(language, true),
    'verify-address-foreign': (language) => verifyAddressOf(language, false),
    // As a page to look at it is no fault.
    'verify-unknown': (language) =>
      verifyPageOf(language, { typed: RECEIPT_CODE, fault: verifyTexts(language).unknown }),
    refund: (language) => refundPageOf({ language }),
    // As a page to look at it is no fault.
    'refund-fault': (language) => ({
      ...refundPageOf({
        language,
        typed: 'tltc1qwrong',
        fault: pageLanguage(language).texts.refund.noAddress,
      }),
      status: 200,
    }),
    'refund-bank': (language) => refundPageOf({ language, way: ['SWIFT', 'USD:FIAT'] }),
    'refund-tag': (language) => refundPageOf({ language, way: ['XRP_LEDGER', 'XRP:NATIVE'] }),
    'refund-memo': (language) => refundPageOf({ language, way: ['STELLAR', 'XLM:NATIVE'] }),
    'refund-review': (language) =>
      refundPageOf({
        language,
        way: ['STELLAR', 'XLM:NATIVE'],
        typed: STELLAR_ADDRESS,
        isReview: true,
      }),
    'refund-done': (language) =>
      refundPageOf({
        language,
        state: 'COMPLETED',
        address: 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0',
      }),
    'refund-to-claim': (language) =>
      refundPageOf({
        language,
        way: ['STELLAR', 'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'],
        state: 'COMPLETED',
        address: STELLAR_ADDRESS,
        claimable: { id: `00000000${'c5'.repeat(32)}`, reclaimableAt: '2026-04-01T12:00:00Z' },
      }),
    'refund-rests': (language) =>
      refundPageOf({
        language,
        state: 'UNDER_WAY',
        address: 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0',
        restsUntil: Temporal.Instant.from('2026-01-03T12:00:00Z'),
      }),
    'refund-claimed': (language) =>
      refundPageOf({
        language,
        way: ['STELLAR', 'XLM:NATIVE'],
        state: 'UNDER_WAY',
        address: STELLAR_ADDRESS,
        account: { account: STELLAR_ADDRESS, memo: '4821907715', memoType: 'id' },
      }),
  };
