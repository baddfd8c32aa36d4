// Every state and sub-state of the hosted page by name: to be looked at in the gallery of the demo
// shop, and the material of the tests of the pages.
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { parseDecimal } from '#money/decimal.ts';
import type { CheckoutPage } from '#pages/checkout/checkout-page.ts';
import type { PageKind } from '#pages/checkout/decide-page.ts';
import { type SampleOptions, samplePage } from './sample-page.ts';
import {
  checkoutRecord,
  commitmentOn,
  offerOf,
  RECORD_NOW,
  RECORD_OFFERS,
  receiptFor,
  refundOf,
  returnedCredit,
} from './sample-record.ts';

export type SampleState = {
  readonly name: string;
  readonly kind: PageKind;
  /** For the list of the gallery, which is made for developers. */
  readonly about: string;
  make(options?: SampleOptions): CheckoutPage;
};

function sample(
  kind: PageKind,
  name: string,
  about: string,
  changes: Partial<CheckoutRecord>,
  own: SampleOptions = {},
): SampleState {
  return {
    name,
    kind,
    about,
    make: (options) => samplePage(checkoutRecord(changes), { ...own, ...options }),
  };
}

const bitcoin = commitmentOn('BITCOIN', 'BTC:NATIVE');
const litecoin = commitmentOn('LITECOIN', 'LTC:NATIVE');
const lightning = commitmentOn('LIGHTNING', 'BTC:NATIVE');
const stellar = commitmentOn('STELLAR', 'XLM:NATIVE');
const tagged = commitmentOn('XRP_LEDGER', 'XRP:NATIVE');
const token = commitmentOn('ETHEREUM', 'USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48');
const live = commitmentOn('LITECOIN', 'LTC:NATIVE', 'live');
const bank = commitmentOn('SEPA', 'EUR:FIAT', 'live');
const afterwards = bitcoin.expiresAt.add({ minutes: 20 });
const half = litecoin.arrivingUnits / 2n;
const excess = litecoin.arrivingUnits / 4n;
const withBitcoin = { commitments: [bitcoin] };
const withLitecoin = { commitments: [litecoin] };
const allOfIt = receiptFor(litecoin, { status: 'FINAL' });
const late = { at: '2026-03-01T13:10:00+00:00' };
const overpaid = { amount: '0.1103', assetCode: 'LTC' };
const underpaid = {
  ...withLitecoin,
  state: 'UNDERPAID',
  receipts: [receiptFor(litecoin, { units: half, status: 'FINAL' })],
} as const;
const paid = {
  ...withLitecoin,
  state: 'COMPLETED',
  completedAt: RECORD_NOW,
  receipts: [allOfIt],
} as const;
const expired = { ...withBitcoin, state: 'EXPIRED' } as const;
const isOver = { now: afterwards };

const REQUIRED = { isRequired: true, choices: [] } as const;
const OPTIONAL = { isRequired: false, choices: [] } as const;

const USDC_ON_BASE = 'USDC:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const withBanks = {
  environment: 'live',
  offers: [...RECORD_OFFERS, offerOf('SEPA', 'EUR:FIAT')],
} as const;

const asking: CheckoutRecord['asking'] = {
  asks: [
    { key: 'name', kind: 'TEXT', label: 'Name on the parcel', labels: {}, ...REQUIRED },
    { key: 'mail', kind: 'EMAIL', label: 'E-mail for the tickets', labels: {}, ...OPTIONAL },
    {
      ...{ key: 'size', kind: 'CHOICE', label: 'Size', labels: {}, isRequired: true },
      choices: ['Small', 'Medium', 'Large'],
    },
    { key: 'news', kind: 'CHECKBOX', label: 'Letters from the shop', labels: {}, ...OPTIONAL },
  ],
  termsUrl: 'https://shop.example/terms',
  tipPercents: ['0.05', '0.1', '0.15'],
  tipAmounts: [],
  isTipOwn: true,
};

const ASK: readonly SampleState[] = [
  sample('ask', 'ask', 'What the shop asks first', { asking }),
  sample(
    'ask',
    'ask-wrong',
    'What was answered could not be taken',
    { asking },
    {
      askedAgain: {
        form: new URLSearchParams({ 'ask-mail': 'ada', tip: 'own', tipOwn: 'much' }),
        outcome: {
          faults: [
            { key: 'name', fault: 'required' },
            { key: 'mail', fault: 'email' },
            { key: 'size', fault: 'required' },
          ],
          mustAcceptTerms: true,
          isTipRefused: true,
        },
      },
    },
  ),
  sample('choose', 'choose-tipped', 'After a tip was added', {
    asking,
    ...{ answeredAt: RECORD_NOW, termsAcceptedAt: RECORD_NOW },
    ...{ tip: parseDecimal('4.17'), total: parseDecimal('45.82') },
  }),
];

const CHOOSE: readonly SampleState[] = [
  sample('choose', 'choose', 'Coins as people name them', {}),
  sample('choose', 'choose-group', 'Networks of one coin', {}, { query: 'group=USDC' }),
  sample('choose', 'choose-recommended', 'What the shop recommends, and banks', withBanks, {
    recommended: [`BASE ${USDC_ON_BASE}`],
  }),
  sample('choose', 'choose-one', 'Only one way to pay', {
    offers: [offerOf('LITECOIN', 'LTC:NATIVE')],
  }),
  sample('choose', 'choose-change', 'Another way after one was chosen', withBitcoin, {
    query: 'choose=1',
  }),
  sample('choose', 'choose-slow', 'A network is down', {}, { behind: ['LITECOIN'] }),
  sample('choose', 'choose-rate-missing', 'No price for one of the assets', {
    offers: RECORD_OFFERS.filter(({ network }) => network !== 'LITECOIN'),
    withheld: [
      {
        network: 'LITECOIN',
        assetId: 'LTC:NATIVE',
        reason: 'there is no current rate for LTC',
      },
    ],
  }),
  sample('choose', 'choose-none', 'No way to pay is open', { offers: [] }),
];

const PAY: readonly SampleState[] = [
  sample('pay', 'pay', 'Amount, address and code', withBitcoin, { hasSandbox: true }),
  sample('pay', 'pay-address', 'The code holds the address only', withLitecoin, {
    query: 'qr=address',
  }),
  sample('pay', 'pay-memo', 'With a memo', { commitments: [stellar] }),
  sample('pay', 'pay-tag', 'With a destination tag', { commitments: [tagged] }),
  sample('pay', 'pay-token', 'A token', { commitments: [token] }),
  sample('pay', 'pay-lightning', 'A Lightning invoice', { commitments: [lightning] }),
  sample('pay', 'pay-bank', 'A transfer by bank', { environment: 'live', commitments: [bank] }),
  sample(
    'pay',
    'pay-both',
    'Bitcoin and Lightning in one code',
    { commitments: [lightning, bitcoin] },
    { query: 'network=BITCOIN&asset=BTC:NATIVE&qr=both' },
  ),
  sample('pay', 'pay-urgent', 'The last minutes, while the network is down', withBitcoin, {
    now: bitcoin.expiresAt.subtract({ seconds: 200 }),
    behind: ['BITCOIN'],
  }),
];

const SEEN: readonly SampleState[] = [
  sample('seen', 'seen', 'One confirmation of three', {
    ...withLitecoin,
    state: 'PENDING',
    receipts: [receiptFor(litecoin, { confirmationsNeeded: 3 })],
  }),
  sample('seen', 'seen-live', 'Not in a block yet, on a live network', {
    environment: 'live',
    commitments: [live],
    state: 'PENDING',
    receipts: [
      receiptFor(live, { confirmations: 0n, status: 'SEEN', confirmationsNeeded: undefined }),
    ],
  }),
  sample('seen', 'seen-held', 'Held while the network is braked', {
    environment: 'live',
    commitments: [live],
    state: 'PENDING',
    receipts: [receiptFor(live, { confirmations: 7n, confirmationsNeeded: 6, heldAt: RECORD_NOW })],
  }),
  sample('seen', 'seen-short', 'Seen, but less than the price', {
    ...withLitecoin,
    state: 'PENDING',
    receipts: [receiptFor(litecoin, { units: half })],
  }),
  sample(
    'seen',
    'seen-behind',
    'Seen, and then the network was down',
    { ...withLitecoin, state: 'PENDING', receipts: [receiptFor(litecoin)] },
    { behind: ['LITECOIN'] },
  ),
];

const PARTIAL: readonly SampleState[] = [
  sample('partial', 'partial', 'A part is missing', underpaid),
  sample('partial', 'partial-late', 'A part is missing, and the time is over', underpaid, isOver),
  sample('partial', 'partial-returned', 'It was less, and the shop returns all of it', {
    ...underpaid,
    credits: [returnedCredit(litecoin, half)],
    refunds: [{ ...refundOf(litecoin, half), kind: 'full', context: 'UNDERPAID_CHECKOUT' }],
  }),
];

const PAID: readonly SampleState[] = [
  sample('paid', 'paid', 'Paid a moment ago', paid),
  sample('paid', 'paid-before', 'Paid a while ago', paid, { now: RECORD_NOW.add({ hours: 5 }) }),
  sample('paid', 'paid-over', 'Too much', {
    ...paid,
    flags: { overpaid },
    receipts: [{ ...allOfIt, units: litecoin.arrivingUnits + excess }],
  }),
  sample('paid', 'paid-over-returned', 'Too much, and the shop returns it', {
    ...paid,
    flags: { overpaid },
    receipts: [{ ...allOfIt, units: litecoin.arrivingUnits + excess }],
    refunds: [refundOf(litecoin, excess)],
  }),
  sample('paid', 'paid-late', 'Too late', { ...paid, flags: { late } }),
  sample('paid', 'paid-over-late', 'Too much and too late', {
    ...paid,
    flags: { overpaid, late },
  }),
  sample('paid', 'paid-multiple', 'More than one payment', {
    ...paid,
    flags: { multiple: { count: 2 } },
    receipts: [allOfIt, { ...allOfIt, id: 2n, units: half }],
  }),
  sample('paid', 'paid-accepted', 'Less than the price, and accepted', {
    ...paid,
    flags: { acceptedUnderpaid: { at: '2026-03-01T13:10:00+00:00' } },
    receipts: [{ ...allOfIt, units: half }],
  }),
];

const ENDED: readonly SampleState[] = [
  sample('expired', 'expired', 'The time is over, another way is open', expired, isOver),
  sample('expired', 'found-waiting', 'The pasted transaction is seen', expired, {
    ...isOver,
    found: { ...ofBitcoin(), kind: 'seen', stage: 'waiting' },
  }),
  sample('expired', 'found-less', 'It was less than the price', expired, {
    ...isOver,
    found: { ...ofBitcoin(), kind: 'wrong-amount', difference: 'less', differenceUnits: 8_312n },
  }),
  sample('expired', 'found-wrong-network', 'It is on another network', expired, {
    ...isOver,
    found: { kind: 'wrong-network', network: 'LITECOIN' },
  }),
  sample('expired', 'found-elsewhere', 'It belongs to something else', expired, {
    ...isOver,
    found: { kind: 'elsewhere' },
  }),
  sample('expired', 'found-nothing', 'It is not known', expired, {
    ...isOver,
    found: { kind: 'not-found', behind: [] },
  }),
  sample('cancelled', 'cancelled', 'The customer cancelled', {
    ...withBitcoin,
    state: 'CANCELLED',
    cancelledAt: RECORD_NOW,
  }),
  sample('cancelled', 'cancelled-paid', 'Something arrived all the same', {
    ...withLitecoin,
    state: 'CANCELLED',
    cancelledAt: RECORD_NOW,
    receipts: [{ ...allOfIt, units: half }],
    refunds: [{ ...refundOf(litecoin, half), kind: 'full' }],
  }),
];

const TROUBLE: readonly SampleState[] = [
  sample('trouble', 'trouble', 'The time is over, and we cannot see the network', withBitcoin, {
    ...isOver,
    behind: ['BITCOIN'],
  }),
  sample('pay', 'replaced', 'A payment was replaced', {
    ...withBitcoin,
    receipts: [receiptFor(bitcoin, { status: 'GONE', confirmations: 0n })],
  }),
  sample('pay', 'wrong-asset', 'Another asset arrived', {
    commitments: [token],
    state: 'PENDING',
    receipts: [receiptFor(token, { assetId: 'ETH:NATIVE', units: 10n ** 16n })],
  }),
  sample('pay', 'wrong-network', 'It came on another network', {
    commitments: [token],
    flags: { wrongNetwork: { network: 'BASE', amount: '45.12', assetCode: 'USDC', tx: '0x6f1c' } },
  }),
  sample('trouble', 'reversed', 'The network took a confirmed payment back', {
    ...paid,
    flags: { reversed: { amount: '0.4412', assetCode: 'LTC', at: '2026-03-01T13:10:00+00:00' } },
    receipts: [{ ...allOfIt, status: 'GONE' }],
  }),
  sample('partial', 'reversed-part', 'The network took a part back', {
    ...underpaid,
    flags: { reversed: { amount: '0.2206', assetCode: 'LTC', at: '2026-03-01T12:10:00+00:00' } },
  }),
];

export const SAMPLE_STATES: readonly SampleState[] = [
  ...ASK,
  ...CHOOSE,
  ...PAY,
  ...SEEN,
  ...PARTIAL,
  ...PAID,
  ...ENDED,
  ...TROUBLE,
];

const byName = new Map(SAMPLE_STATES.map((state) => [state.name, state]));

export function findSampleState(name: string): SampleState | undefined {
  return byName.get(name);
}

function ofBitcoin(): { network: string; assetId: string; units: bigint } {
  return { network: 'BITCOIN', assetId: 'BTC:NATIVE', units: 40_000n };
}
