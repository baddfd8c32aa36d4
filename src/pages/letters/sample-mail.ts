// Every mail to customers and people of this shop as it would look, of a sale that never was: for
// previews, and for tests in a browser.

import { assert } from '#base/assert.ts';
import type { DashboardLanguageCode, LanguageCode } from '#catalog/language.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import type { BILL_MAILS, CheckoutMailKind, MailWords } from '#merchant/customer-mails.ts';
import { type Seller, sellerName } from '#merchant/seller.ts';
import {
  checkoutRecord,
  commitmentOn,
  RECORD_NOW,
  receiptFor,
  refundOf,
} from '#pages/demo/sample-record.ts';
import type { Refund } from '#refund/refund.ts';
import type { StaffMailKind } from '#staff/role.ts';
import type { BillMail } from '#status-mail/bill-mail.ts';
import type { CustomerMail } from '#status-mail/customer-mail.ts';
import type { StaffFact, StaffMail } from '#status-mail/staff-mail.ts';

const TOKEN = 'sample'.repeat(6).slice(0, 32);
const CLAIMABLE_HOURS = 24 * 90;
const litecoin = commitmentOn('LITECOIN', 'LTC:NATIVE', 'live');

type SampleShop = {
  readonly seller: Seller;
  readonly publicUrl: string;
  readonly ownWords?: MailWords;
};

export function sampleMail(
  kind: CheckoutMailKind,
  language: LanguageCode,
  { seller, publicUrl, ownWords = {} }: SampleShop,
): CustomerMail {
  const checkout = `${publicUrl}/${language}/checkout/${TOKEN}`;
  return {
    kind,
    language,
    record: recordOf(kind),
    seller,
    ownWords,
    refund: kind === 'REFUND_CLAIM' || kind === 'REFUND_SENT' ? sampleRefund(kind) : undefined,
    links: {
      checkout,
      receipt: `${checkout}/receipt`,
      claim: `${publicUrl}/${language}/refund/${TOKEN}`,
      leave: `${publicUrl}/${language}/mails/merchant1234/${TOKEN}`,
    },
  };
}

function recordOf(kind: CheckoutMailKind): CheckoutRecord {
  const record = checkoutRecord({ environment: 'live', commitments: [litecoin] });
  // The name of the shop itself is shown, not that of the sample.
  const { pageSettings, ...payload } = JSON.parse(record.payload) as Record<string, unknown>;
  assert(pageSettings !== undefined, 'the sample names a shop of its own');
  const units = kind === 'UNDERPAID' ? litecoin.arrivingUnits / 2n : litecoin.arrivingUnits;
  const receipts = kind === 'EXPIRED' ? [] : [receiptFor(litecoin, { units, status: 'FINAL' })];
  return { ...record, receipts, payload: JSON.stringify(payload) };
}

function sampleRefund(kind: 'REFUND_CLAIM' | 'REFUND_SENT'): Refund {
  const isSent = kind === 'REFUND_SENT';
  const refund = refundOf(litecoin, litecoin.arrivingUnits / 2n);
  return {
    ...refund,
    merchantId: 'merchant1234',
    environment: 'live',
    state: isSent ? 'COMPLETED' : 'AWAITING_ADDRESS',
    transaction: isSent ? receiptFor(litecoin).transaction : undefined,
    transferId: 'transfer1234',
    account: undefined,
    networkFeeUnits: 0n,
    feeTakenUnits: undefined,
    undoneCount: 0,
    gasFee: undefined,
    submittedAt: undefined,
    claimable: undefined,
    apiKey: undefined,
    language: 'auto',
    pageOrigin: undefined,
    webhookUrl: undefined,
    checkoutApiKey: undefined,
    checkoutState: 'COMPLETED',
    checkoutMeta: undefined,
    claimableUntil: RECORD_NOW.add({ hours: CLAIMABLE_HOURS }),
    eventSequence: 0,
  };
}

/** Of the sale that the other samples are about. */
export function sampleBillMail(
  kind: (typeof BILL_MAILS)[number],
  language: LanguageCode,
  { seller, publicUrl, ownWords = {} }: SampleShop,
): BillMail {
  const { total, billingCurrency, payload } = checkoutRecord();
  const party = { street: '1 Moss Lane', zip: '10115', city: 'Berlin', country: 'DE', email: '' };
  const named = { ...party, vatId: 'DE123456789', taxNumber: '' };
  const days = { issuedOn: '2026-02-15', deliveredOn: '2026-02-15', dueOn: '2026-03-01' };
  return {
    words: BILL_WORDS[kind],
    bill: {
      ...({ id: 'bill12345678', merchantId: 'merchant1234', environment: 'live' } as const),
      ...({ kind: 'INVOICE', state: 'ISSUED', language, payload, billingCurrency, total } as const),
      ...({ taxCategory: 'Z', taxReason: undefined, note: undefined } as const),
      buyer: { ...named, name: 'Ann Client' },
      seller: { ...named, name: sellerName(seller) },
      ...{ dueDays: 14, prefix: '2026-', number: 17, name: '2026-0017', ...days },
      ...{ cancels: undefined, hasCode: true, createdAt: RECORD_NOW, issuedAt: RECORD_NOW },
      ...{ cancelledAt: undefined, logoHash: undefined, accent: undefined },
    },
    seller,
    ownWords,
    links: {
      bill: `${publicUrl}/${language}/invoice/${TOKEN}`,
      leave: `${publicUrl}/${language}/mails/merchant1234/${TOKEN}`,
    },
  };
}

const BILL_WORDS = {
  BILL_SENT: 'sent',
  BILL_DUE_SOON: 'soon',
  BILL_DUE: 'today',
  BILL_OVERDUE: 'overdue',
} as const;

export function sampleStaffMail(
  kind: StaffMailKind,
  language: DashboardLanguageCode,
  { seller, publicUrl }: SampleShop,
): StaffMail {
  const { id, total, billingCurrency: currency } = checkoutRecord();
  const facts: Readonly<Record<StaffMailKind, StaffFact>> = {
    PAID: { kind: 'PAID', id, total, currency },
    NEEDS_PERSON: { kind: 'NEEDS_PERSON', id, reason: 'underpaid' },
    DAILY_SUMMARY: {
      kind: 'DAILY_SUMMARY',
      at: RECORD_NOW,
      paid: 7,
      totals: [{ currency, total }],
      needs: 1,
    },
  };
  const link = `${publicUrl}/dashboard`;
  const fact = facts[kind];
  return { language, seller, environment: 'live', fact, link, wishes: `${link}/mails` };
}
