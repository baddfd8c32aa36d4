// What plugins decide without a shop and without the service.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CheckoutFacts, decidePayment } from './decide-payment.ts';
import { decideRefund, type RefundFacts } from './decide-refund.ts';
import { compare, isSameAmount, roundHalfUp, shareDown, subtract } from './decimal.ts';
import { amountOfText, amountOfUnits, currencyDigits } from './shop-amount.ts';

test('an amount is the same however many zeros it ends with', () => {
  assert.ok(isSameAmount('19.90', '19.9'));
  assert.ok(isSameAmount('20', '20.000'));
  assert.ok(!isSameAmount('19.90', '19.91'));
  assert.ok(compare('9.99', '10') < 0 && compare('0.1', '0.01') > 0);
  assert.equal(subtract('1.5', '0.25'), '1.25');
  for (const text of ['', '1e3', '1,5', '.5', 'NaN', '0x10', ' 1']) {
    assert.throws(() => isSameAmount(text, '1'), RangeError, text);
  }
});

test('a total is rounded once, halves away from zero', () => {
  for (const [text, digits, rounded] of [
    ['10.005', 2, '10.01'],
    ['10.004999999999999999', 2, '10'],
    ['0.5', 0, '1'],
    ['-0.5', 0, '-1'],
    ['1.2345', 3, '1.235'],
    ['12.5', 2, '12.5'],
    ['90071992547409931.125', 2, '90071992547409931.13'],
  ] as const) {
    assert.equal(roundHalfUp(text, digits), rounded, text);
  }
});

test('an amount has the digits of its currency, with none, two or three', () => {
  for (const [currency, digits, text, amount] of [
    ['JPY', 0, '1990.5', '1991'],
    ['KRW', 0, '1990.4', '1990'],
    ['CLP', 0, '1990', '1990'],
    ['EUR', 2, '19.905', '19.91'],
    ['USD', 2, '19.90', '19.9'],
    ['BHD', 3, '1.2345', '1.235'],
    ['KWD', 3, '0.001', '0.001'],
  ] as const) {
    assert.equal(currencyDigits(currency), digits, currency);
    assert.equal(amountOfText(text, currency), amount, currency);
  }
});

test('whole units are read by the precision of the shop, not by that of the currency', () => {
  for (const [units, precision, currency, amount] of [
    [1990, 2, 'EUR', '19.9'],
    [199000, 2, 'JPY', '1990'],
    [199050, 2, 'JPY', '1991'],
    [1234, 3, 'BHD', '1.234'],
    [123, 2, 'BHD', '1.23'],
    [19905, 3, 'EUR', '19.91'],
    [5, 2, 'EUR', '0.05'],
    [0, 2, 'EUR', '0'],
    [9007199254740991, 2, 'EUR', '90071992547409.91'],
  ] as const) {
    assert.equal(amountOfUnits(units, precision, currency), amount, `${units} ${currency}`);
  }
  for (const units of [0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => amountOfUnits(units, 2, 'EUR'), RangeError);
  }
});

const CHECKOUT: CheckoutFacts = {
  id: 'abcdefghijkl',
  state: 'COMPLETED',
  total: '19.9',
  billingCurrency: 'EUR',
};
const SALE = { checkoutId: 'abcdefghijkl', total: '19.90', currency: 'eur' };

test('only COMPLETED is paid', () => {
  for (const [state, verdict] of [
    ['NEW', 'open'],
    ['AWAITING_PAYMENT', 'open'],
    ['PENDING', 'seen'],
    ['UNDERPAID', 'seen'],
    ['COMPLETED', 'paid'],
    ['EXPIRED', 'open'],
    ['CANCELLED', 'ended'],
    ['A_STATE_OF_TOMORROW', 'open'],
  ] as const) {
    assert.equal(decidePayment({ ...CHECKOUT, state }, SALE), verdict, state);
  }
});

test('another checkout, amount or currency pays nothing', () => {
  for (const other of [
    { id: 'zzzzzzzzzzzz' },
    { total: '19.89' },
    { total: '1.99' },
    { billingCurrency: 'USD' },
  ]) {
    assert.equal(decidePayment({ ...CHECKOUT, ...other }, SALE), 'foreign', JSON.stringify(other));
  }
});

const PAID: RefundFacts = {
  id: 'abcdefghijkl',
  total: '30',
  sourceAssetId: 'LTC:NATIVE',
  sourceAmountReceived: '0.5',
  flags: {},
  blockchainTransactions: [
    { type: 'CHECKOUT_ORIGIN', network: 'LITECOIN', amountAssetCode: 'LTC' },
    { type: 'CHECKOUT_SETTLEMENT', network: 'STELLAR', amountAssetCode: 'USDC' },
  ],
  refunds: [],
};

test('a refund gives back the same share of what was paid, never more', () => {
  const request = (facts: Partial<RefundFacts>, amount: string) =>
    decideRefund({ ...PAID, ...facts }, amount);
  const amountOf = (facts: Partial<RefundFacts>, amount: string) => {
    const decision = request(facts, amount);
    return 'request' in decision ? decision.request.amount : decision.refusal;
  };
  assert.deepEqual(request({}, '30.00'), { request: { checkoutId: PAID.id, kind: 'full' } });
  assert.equal(amountOf({}, '10'), '0.16666666');
  assert.equal(amountOf({ refunds: [{}] }, '30'), '0.5');
  assert.equal(amountOf({ sourceAssetId: 'USDC:GA5Z', sourceAmountReceived: '33' }, '10'), '11');
  assert.equal(
    amountOf({ sourceAssetId: 'XRP:NATIVE', sourceAmountReceived: '7' }, '10'),
    '2.333333',
  );
  assert.equal(amountOf({ sourceAssetId: 'EUR:FIAT', sourceAmountReceived: '30' }, '0.99'), '0.99');
  assert.equal(amountOf({ flags: { overpaid: { amount: '0.2' } } }, '30'), '0.3');
  assert.equal(shareDown('1', '1', '3', 8), '0.33333333');
});

test('a refund that cannot be one amount of one asset is refused in words', () => {
  const two = [
    ...PAID.blockchainTransactions,
    { type: 'CHECKOUT_ORIGIN', network: 'BITCOIN', amountAssetCode: 'BTC' },
  ];
  for (const facts of [
    { sourceAmountReceived: null },
    { sourceAssetId: null },
    { blockchainTransactions: two },
    { sourceAmountReceived: '0.00000001' },
  ]) {
    assert.ok('refusal' in decideRefund({ ...PAID, ...facts }, '10'), JSON.stringify(facts));
  }
});
