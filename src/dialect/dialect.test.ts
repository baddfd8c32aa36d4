import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExactNumber } from '#money/exact-json.ts';
import { chargeView, timelineOf } from './commerce-charge.ts';
import { invoicePaymentMethods, invoiceStatus, invoiceView } from './greenfield-invoice.ts';
import type { ShownCheckout } from './shown-checkout.ts';
import { DIALECT_EVENTS, speakDialect } from './speak-dialect.ts';

const MADE = '2026-01-01T00:00:00+00:00';
const DURING = Temporal.Instant.from('2026-01-01T00:30:00Z');
const AFTER = Temporal.Instant.from('2026-01-01T01:00:00Z');

function checkout(state: string, more: Partial<ShownCheckout> = {}): ShownCheckout {
  const passed = state === 'NEW' ? ['NEW'] : ['NEW', 'AWAITING_PAYMENT', state];
  return {
    id: 'abcdefghij12',
    state,
    total: '19.9',
    billingCurrency: 'EUR',
    hostedCheckoutUrl: 'https://pay.example/auto/checkout/x',
    expirationTime: '2026-01-01T01:00:00+00:00',
    quoteExpirationTime: '2026-01-01T01:00:00+00:00',
    sourceAmountReceived: '0',
    stateHistory: passed.map((one) => ({ state: one, timestamp: MADE })),
    flags: {},
    payload: { charge: {}, links: { returnUrl: null, cancelUrl: null } },
    paymentMethods: [{ network: 'LITECOIN', assetCode: 'LTC', paymentAmount: '0.25' }],
    depositInstructions: {
      ...{ network: 'LITECOIN', assetCode: 'LTC', amount: '0.25', address: 'tltc1q' },
      paymentUri: 'litecoin:tltc1q?amount=0.25',
    },
    blockchainTransactions: [],
    ...more,
  };
}

const late = { late: { at: MADE } };
const overpaid = { overpaid: { amount: '1', assetCode: 'LTC' } };
const reversed = { reversed: { amount: '1', assetCode: 'LTC', at: MADE } };
const restored = { restored: { amount: '1', assetCode: 'LTC', at: MADE } };

test('each state of a checkout is one status of an invoice, with what is beside it', () => {
  const some = { sourceAmountReceived: '0.1' };
  const rows: readonly (readonly [ShownCheckout, Temporal.Instant, string])[] = [
    [checkout('NEW'), DURING, 'New None'],
    [checkout('AWAITING_PAYMENT'), DURING, 'New None'],
    [checkout('PENDING', some), DURING, 'Processing None'],
    [checkout('PENDING', { ...some, flags: overpaid }), DURING, 'Processing PaidOver'],
    [checkout('UNDERPAID', some), DURING, 'New PaidPartial'],
    [checkout('UNDERPAID', some), AFTER, 'Expired PaidPartial'],
    [checkout('COMPLETED', some), AFTER, 'Settled None'],
    [checkout('COMPLETED', { ...some, flags: overpaid }), AFTER, 'Settled PaidOver'],
    [checkout('COMPLETED', { ...some, flags: late }), AFTER, 'Settled PaidLate'],
    [
      checkout('COMPLETED', { flags: { acceptedUnderpaid: { at: MADE } } }),
      AFTER,
      'Settled Marked',
    ],
    [checkout('COMPLETED', { flags: { manual: { at: MADE } } }), AFTER, 'Settled Marked'],
    [checkout('COMPLETED', { flags: reversed }), AFTER, 'Invalid None'],
    [checkout('COMPLETED', { flags: { ...reversed, ...restored } }), AFTER, 'Settled None'],
    [checkout('EXPIRED'), AFTER, 'Expired None'],
    [checkout('EXPIRED', some), AFTER, 'Expired PaidPartial'],
    [checkout('CANCELLED'), DURING, 'Invalid Marked'],
  ];
  for (const [one, now, wanted] of rows) {
    const said = invoiceStatus(one, now).join(' ');
    assert.equal(said, wanted, `${one.state} ${JSON.stringify(one.flags)}`);
  }
});

test('an invoice has times in Unix seconds and amounts as texts', () => {
  const view = invoiceView(checkout('NEW', { meta: { orderId: '7' } }), 'shop', DURING);
  assert.deepEqual(
    [view.createdTime, view.expirationTime, view.amount, view.metadata],
    [1_767_225_600, 1_767_229_200, '19.9', { orderId: '7' }],
  );
  assert.deepEqual(view.checkout.paymentMethods, ['LTC-CHAIN']);
});

test('a way to pay shows its address once it is chosen, and whether a payment is final', () => {
  const payment = {
    ...{ type: 'CHECKOUT_ORIGIN', network: 'LITECOIN', timestamp: MADE, tx: 'ab' },
    ...{ amount: '0.25', amountAssetCode: 'LTC' },
    confirmationsRequired: new ExactNumber('2'),
  };
  const statusAt = (confirmations: string) => {
    const paid = { ...payment, confirmations: new ExactNumber(confirmations) };
    const shown = checkout('PENDING', {
      sourceAmountReceived: '0.25',
      blockchainTransactions: [paid],
    });
    const [method] = invoicePaymentMethods(shown);
    return [method?.destination, method?.totalPaid, method?.payments[0]?.status];
  };
  assert.deepEqual(statusAt('1'), ['tltc1q', '0.25', 'Processing']);
  assert.deepEqual(statusAt('2'), ['tltc1q', '0.25', 'Settled']);
  const [unchosen] = invoicePaymentMethods(checkout('NEW', { depositInstructions: null }));
  assert.deepEqual([unchosen?.activated, unchosen?.destination], [false, null]);
});

test('a payment of which nobody knows yet how deep it must lie is told, and is not final', () => {
  const payment = {
    ...{ type: 'CHECKOUT_ORIGIN', network: 'LITECOIN', timestamp: MADE, tx: 'ab' },
    ...{ amount: '0.25', amountAssetCode: 'LTC' },
    ...{ confirmations: new ExactNumber('0'), confirmationsRequired: null },
  };
  const seen = checkout('PENDING', { blockchainTransactions: [payment] });
  assert.equal(chargeView(seen).payments[0]?.status, 'PENDING');
  assert.equal(invoicePaymentMethods(seen)[0]?.payments[0]?.status, 'Processing');
});

test('each state of a checkout is one of the timeline of a charge', () => {
  const last = (one: ShownCheckout) => {
    const { status, context } = timelineOf(one).at(-1) ?? { status: '' };
    return context === undefined ? status : `${status} ${context}`;
  };
  const resolved = { acceptedUnderpaid: { at: MADE } };
  assert.equal(last(checkout('NEW')), 'NEW');
  assert.equal(last(checkout('AWAITING_PAYMENT')), 'NEW');
  assert.equal(last(checkout('PENDING')), 'PENDING');
  assert.equal(last(checkout('UNDERPAID')), 'UNRESOLVED UNDERPAID');
  assert.equal(last(checkout('COMPLETED')), 'COMPLETED');
  assert.equal(last(checkout('COMPLETED', { flags: resolved })), 'RESOLVED');
  assert.equal(last(checkout('COMPLETED', { flags: reversed })), 'UNRESOLVED OTHER');
  assert.equal(last(checkout('COMPLETED', { flags: { ...reversed, ...restored } })), 'COMPLETED');
  assert.equal(last(checkout('EXPIRED')), 'EXPIRED');
  assert.equal(last(checkout('CANCELLED')), 'CANCELED');
});

test('a charge keeps its name apart from the metadata of the shop', () => {
  const meta = { order: '7', commerce: { name: 'A book', description: 'Old' } };
  const view = chargeView(checkout('NEW', { meta }));
  assert.deepEqual([view.name, view.description, view.metadata], ['A book', 'Old', { order: '7' }]);
  assert.deepEqual(view.pricing.local, { amount: '19.9', currency: 'EUR' });
  assert.deepEqual(view.addresses, { litecoin: 'tltc1q' });
});

const DELIVERY = {
  deliveryId: '5',
  endpointId: 'endpoint0001',
  merchantId: 'merchant0001',
  attempt: 1,
};
const SECRET = 'whsec_0123456789abcdef';

function spoken(dialect: 'GREENFIELD' | 'COMMERCE', eventType: string, shown: ShownCheckout) {
  const about = { id: 'event0000001', eventType, created: MADE, data: { checkout: shown } };
  return speakDialect(dialect, JSON.stringify(about), DELIVERY, SECRET);
}

test('each event that both have words for is one of theirs', () => {
  const names = DIALECT_EVENTS.map((eventType) => {
    const shown = checkout('COMPLETED');
    const { type } = JSON.parse(spoken('GREENFIELD', eventType, shown).body);
    const { event } = JSON.parse(spoken('COMMERCE', eventType, shown).body);
    return `${eventType} ${type} ${event.type}`;
  });
  assert.deepEqual(names, [
    'CHECKOUT_PENDING InvoiceProcessing charge:pending',
    'CHECKOUT_UNDERPAID InvoiceReceivedPayment charge:delayed',
    'CHECKOUT_COMPLETED InvoiceSettled charge:confirmed',
    'CHECKOUT_EXPIRED InvoiceExpired charge:failed',
    'CHECKOUT_CANCELLED InvoiceInvalid charge:failed',
    'CHECKOUT_REVERSED InvoiceInvalid charge:failed',
    'CHECKOUT_RESTORED InvoiceSettled charge:confirmed',
  ]);
});

test('nothing is signed with a short secret, nor sent in the place of what has no word', () => {
  const body = JSON.stringify({ data: { checkout: checkout('NEW') } });
  assert.throws(() => speakDialect('GREENFIELD', body, DELIVERY, 'short'), /short secret/);
  const shown = checkout('COMPLETED');
  assert.throws(() => spoken('COMMERCE', 'REFUND_COMPLETED', shown), /no such event/);
});
