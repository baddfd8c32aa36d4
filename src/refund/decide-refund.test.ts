import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import type { Receipt } from '#chain/receipt.ts';
import type { CheckoutRecord, Commitment } from '#checkout/checkout.ts';
import type { CheckoutRefund } from '#checkout/checkout-refund.ts';
import type { Credit } from '#checkout/credit.ts';
import { parseDecimal } from '#money/decimal.ts';
import { decideRefund, type RefundWish } from './decide-refund.ts';

const FULL: RefundWish = { kind: 'full', amount: undefined, network: undefined, asset: undefined };
const EXCESS: RefundWish = { ...FULL, kind: 'excess' };
const NOW = Temporal.Instant.from('2026-01-01T12:00:00Z');
const fee = () => 10n;

type Way = { readonly network: string; readonly assetId: string };
const LTC: Way = { network: 'LITECOIN', assetId: 'LTC:NATIVE' };
const BTC: Way = { network: 'BITCOIN', assetId: 'BTC:NATIVE' };

function credit(id: number, units: bigint, changes: Partial<Credit> = {}): Credit {
  const facts: Partial<Credit> = {
    receiptId: BigInt(id),
    generation: 1,
    ...LTC,
    units,
    account: 'available',
    releasedAt: undefined,
    reversedAt: undefined,
    ...changes,
  };
  return facts as Credit;
}

function refund(units: bigint, changes: Partial<CheckoutRefund> = {}): CheckoutRefund {
  const facts: Partial<CheckoutRefund> = {
    ...LTC,
    units,
    state: 'COMPLETED',
    context: 'COMPLETED_CHECKOUT',
    ...changes,
  };
  return facts as CheckoutRefund;
}

function asked(way: Way, arrivingUnits: bigint): Commitment {
  const facts: Partial<Commitment> = { ...way, arrivingUnits };
  return facts as Commitment;
}

function record(changes: Partial<CheckoutRecord>): CheckoutRecord {
  const credits = changes.credits ?? [credit(1, 1000n)];
  const facts: Partial<CheckoutRecord> = {
    state: 'COMPLETED',
    sourceNetwork: 'LITECOIN',
    sourceAssetId: 'LTC:NATIVE',
    commitments: [asked(BTC, 7n), asked({ ...LTC, network: 'BITCOIN' }, 5n), asked(LTC, 900n)],
    receipts: credits.map(
      ({ receiptId, generation }) => ({ id: receiptId, generation, status: 'FINAL' }) as Receipt,
    ),
    refunds: [],
    ...changes,
    credits,
  };
  return facts as CheckoutRecord;
}

const ask = (changes: Partial<CheckoutRecord>, wish: RefundWish = FULL) =>
  decideRefund(record(changes), wish, fee);
const amount = (text: string): RefundWish => ({
  ...FULL,
  kind: 'amount',
  amount: parseDecimal(text),
});

function refused(code: string, run: () => unknown, saying?: RegExp): void {
  assert.throws(run, (error) => {
    assert.ok(error instanceof Refusal);
    assert.equal(error.code, code);
    assert.equal(error.kind, code === 'amount_invalid' ? 'invalid' : 'conflict');
    if (saying !== undefined) assert.match(error.message, saying);
    return true;
  });
}

test('of a completed checkout the payer gets all that was paid, and the merchant pays the network', () => {
  assert.deepEqual(ask({}), {
    ...LTC,
    units: 1000n,
    networkFeeUnits: 10n,
    source: 'merchant:available',
    context: 'COMPLETED_CHECKOUT',
  });
});

test('the network is asked what it takes for exactly what is sent', () => {
  const asked: unknown[] = [];
  decideRefund(record({}), amount('0.000004'), (...about) => {
    asked.push(about);
    return 0n;
  });
  assert.deepEqual(asked, [['LITECOIN', 'LTC:NATIVE', 400n]]);
});

test('refunds that are done or under way leave less, of the same way of paying only', () => {
  const left = (refunds: CheckoutRefund[]) => ask({ refunds }).units;
  assert.equal(left([refund(300n)]), 700n);
  assert.equal(left([refund(300n, { state: 'UNDER_WAY' })]), 700n);
  assert.equal(left([refund(300n, { state: 'AWAITING_ADDRESS' }), refund(1n)]), 699n);
  assert.equal(left([refund(300n, { state: 'FAILED' })]), 1000n);
  assert.equal(left([refund(300n, { context: 'UNDERPAID_CHECKOUT' })]), 1000n);
  assert.equal(left([refund(300n, { context: 'OVERPAID_TRANSACTION' })]), 700n);
  assert.equal(left([refund(300n, { network: 'BITCOIN' })]), 1000n);
  assert.equal(left([refund(300n, { assetId: 'BTC:NATIVE' })]), 1000n);
});

test('the excess is what was paid above what was asked for, less what went back', () => {
  const plan = ask({}, EXCESS);
  assert.equal(plan.units, 100n);
  assert.equal(plan.context, 'OVERPAID_TRANSACTION');
  assert.equal(ask({ refunds: [refund(40n)] }, EXCESS).units, 60n);
  refused('nothing_to_refund', () => ask({ refunds: [refund(100n)] }, EXCESS));
  refused('nothing_to_refund', () => ask({ commitments: [] }, EXCESS));
  const commitments = [asked({ ...LTC, assetId: 'BTC:NATIVE' }, 1n)];
  refused('nothing_to_refund', () => ask({ commitments }, EXCESS));
});

test('an amount is refunded up to what is left, and one unit more is refused with what is left', () => {
  assert.equal(ask({}, amount('0.00001')).units, 1000n);
  assert.equal(ask({}, amount('0.00001')).context, 'COMPLETED_CHECKOUT');
  refused(
    'refund_exceeds_payment',
    () => ask({}, amount('0.00001001')),
    /^amount: of what was paid 0\.00001 LTC is left$/,
  );
});

test('an amount that is nothing, or has more digits than the asset, is refused', () => {
  const saying = /^amount: must be above 0 with at most 8 digits after the point$/;
  for (const wrong of [amount('0'), amount('0.000000001'), { ...FULL, kind: 'amount' } as const]) {
    refused('amount_invalid', () => ask({}, wrong), saying);
  }
});

test('when all of it went back nothing is left', () => {
  refused(
    'nothing_to_refund',
    () => ask({ refunds: [refund(1000n)] }),
    /^nothing is left to be refunded$/,
  );
});

test('only money that the merchant earned goes back of a completed checkout', () => {
  const credits = [
    credit(1, 1000n),
    credit(2, 50n, { account: 'pending' }),
    credit(3, 50n, { account: 'pending', releasedAt: NOW }),
    credit(4, 50n, { account: 'suspense' }),
    credit(5, 50n, { reversedAt: NOW }),
  ];
  assert.equal(ask({ credits }).units, 1050n);
});

test('the way that was paid last goes back, or the one that is named', () => {
  const credits = [credit(1, 1000n), credit(2, 20n, BTC)];
  assert.equal(ask({ credits }).network, 'LITECOIN');
  assert.equal(ask({ credits, sourceNetwork: 'BITCOIN', sourceAssetId: 'BTC:NATIVE' }).units, 20n);
  assert.equal(ask({ credits, sourceNetwork: undefined }).network, 'BITCOIN');
  assert.equal(ask({ credits, sourceAssetId: undefined }).network, 'BITCOIN');
  assert.equal(ask({ credits }, { ...FULL, network: 'BITCOIN' }).units, 20n);
  assert.equal(ask({ credits }, { ...FULL, asset: 'BTC:NATIVE' }).units, 20n);
  refused('nothing_to_refund', () => ask({ credits }, { ...FULL, network: 'STELLAR' }));
});

test('other money of the same network, or the same asset, is another way', () => {
  const credits = [
    credit(1, 1000n),
    credit(2, 30n, { network: 'BITCOIN' }),
    credit(3, 40n, { assetId: 'BTC:NATIVE' }),
  ];
  assert.equal(ask({ credits }).units, 1000n);
});

test('while the network takes a payment of it back nothing is refunded', () => {
  const receipts = (changes: Partial<Receipt>) => [
    { id: 1n, generation: 1, status: 'FINAL', ...changes } as Receipt,
  ];
  const saying = /taking a payment of this checkout back/;
  for (const changes of [{ status: 'GONE' }, { generation: 2 }, { id: 9n }] as const) {
    refused('payment_uncertain', () => ask({ receipts: receipts(changes) }), saying);
  }
  assert.equal(ask({ receipts: receipts({}) }).units, 1000n);
});

test('one uncertain payment among certain ones is enough to wait', () => {
  const credits = [credit(1, 1000n), credit(2, 5n)];
  const receipts = [
    { id: 1n, generation: 1, status: 'FINAL' },
    { id: 2n, generation: 1, status: 'INCLUDED' },
  ] as Receipt[];
  refused('payment_uncertain', () => ask({ credits, receipts }));
});

test('of an underpaid checkout all that is pending goes back, less what the network takes', () => {
  const credits = [
    credit(1, 600n, { account: 'pending' }),
    credit(2, 300n, { account: 'pending' }),
    credit(3, 50n, { account: 'pending', releasedAt: NOW }),
    credit(4, 70n),
  ];
  assert.deepEqual(ask({ state: 'UNDERPAID', credits }), {
    ...LTC,
    units: 890n,
    networkFeeUnits: 10n,
    source: 'merchant:pending',
    context: 'UNDERPAID_CHECKOUT',
  });
});

test('of an underpaid checkout a part is refused', () => {
  const credits = [credit(1, 600n, { account: 'pending' })];
  const saying = /^kind: of a checkout that is not paid in full/;
  for (const wish of [amount('0.000001'), EXCESS]) {
    refused('refund_only_full', () => ask({ state: 'UNDERPAID', credits }, wish), saying);
  }
});

test('what does not pay more than the network takes is not sent', () => {
  const underpaid = (units: bigint) =>
    ask({ state: 'UNDERPAID', credits: [credit(1, units, { account: 'pending' })] });
  refused('amount_too_small', () => underpaid(10n), /^what was paid does not pay the network fee$/);
  assert.equal(underpaid(11n).units, 1n);
});

test('a checkout in any other state has nothing to refund, and its state is named', () => {
  for (const state of ['NEW', 'AWAITING_PAYMENT', 'PENDING', 'EXPIRED', 'CANCELLED'] as const) {
    refused(
      'checkout_not_paid',
      () => ask({ state }),
      new RegExp(`^the checkout is ${state}: only`),
    );
  }
});
