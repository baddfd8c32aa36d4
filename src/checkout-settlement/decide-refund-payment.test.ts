import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Receipt } from '#chain/receipt.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import type { CheckoutRefund } from '#checkout/checkout-refund.ts';
import type { Credit } from '#checkout/credit.ts';
import { decideRefundPayment } from './decide-refund-payment.ts';

const START = Temporal.Instant.from('2026-01-01T12:00:00Z');
const at = (minutes: number) => START.add({ minutes });

function credit(id: number, units: bigint, changes: Partial<Credit> = {}): Credit {
  const facts: Partial<Credit> = {
    receiptId: BigInt(id),
    generation: 1,
    network: 'LITECOIN',
    assetId: 'LTC:NATIVE',
    units,
    account: 'available',
    ...changes,
  };
  return facts as Credit;
}

function refund(id: string, units: bigint, changes: Partial<CheckoutRefund> = {}): CheckoutRefund {
  const facts: Partial<CheckoutRefund> = {
    id,
    network: 'LITECOIN',
    assetId: 'LTC:NATIVE',
    units,
    state: 'UNDER_WAY',
    context: 'COMPLETED_CHECKOUT',
    transaction: undefined,
    createdAt: at(0),
    ...changes,
  };
  return facts as CheckoutRefund;
}

function receipt(id: number, changes: Partial<Receipt> = {}): Receipt {
  const facts: Partial<Receipt> = {
    id: BigInt(id),
    generation: 1,
    status: 'FINAL',
    creditedGeneration: 1,
    reversedGeneration: undefined,
    ...changes,
  };
  return facts as Receipt;
}

/** What is said of the first refund. */
function decide(
  refunds: readonly CheckoutRefund[],
  credits: readonly Credit[],
  receipts: readonly Receipt[] = [receipt(1), receipt(2)],
) {
  const [own] = refunds;
  assert.ok(own !== undefined);
  const record: Partial<CheckoutRecord> = { refunds, credits, receipts };
  return decideRefundPayment(record as CheckoutRecord, own);
}

test('a payment that is final and covers the refund stands', () => {
  assert.equal(decide([refund('a', 1000n)], [credit(1, 1000n)]), 'STANDING');
});

test('less than the refund left of it is a payment taken back', () => {
  assert.equal(decide([refund('a', 1000n)], [credit(1, 999n)]), 'TAKEN_BACK');
  assert.equal(decide([refund('a', 1000n)], []), 'TAKEN_BACK');
  const lost = [credit(1, 1000n, { reversedAt: at(1) })];
  assert.equal(decide([refund('a', 1000n)], lost), 'TAKEN_BACK');
});

test('only what was earned by the same way of paying covers it', () => {
  const covered = (changes: Partial<Credit>) =>
    decide([refund('a', 1000n)], [credit(1, 1000n, changes)]);
  assert.equal(covered({ account: 'pending', releasedAt: at(1) }), 'STANDING');
  assert.equal(covered({ account: 'pending' }), 'TAKEN_BACK');
  assert.equal(covered({ account: 'suspense' }), 'TAKEN_BACK');
  assert.equal(covered({ network: 'BITCOIN' }), 'TAKEN_BACK');
  assert.equal(covered({ assetId: 'BTC:NATIVE' }), 'TAKEN_BACK');
});

test('a payment that stopped being final is uncertain until it is final or lost', () => {
  const facts: readonly Partial<Receipt>[] = [
    { status: 'INCLUDED' },
    { status: 'GONE' },
    { generation: 2 },
    { generation: 2, creditedGeneration: 2 },
    { id: 9n },
    { creditedGeneration: undefined },
    { reversedGeneration: 1 },
  ];
  for (const changes of facts) {
    const said = decide([refund('a', 1000n)], [credit(1, 1000n)], [receipt(1, changes)]);
    assert.equal(said, 'UNCERTAIN', JSON.stringify(Object.keys(changes)));
  }
});

test('what is certain among the payments may be enough', () => {
  const credits = [credit(1, 600n), credit(2, 400n)];
  const receipts = [receipt(1), receipt(2, { status: 'GONE' })];
  assert.equal(decide([refund('a', 600n)], credits, receipts), 'STANDING');
  assert.equal(decide([refund('a', 601n)], credits, receipts), 'UNCERTAIN');
});

test('a refund that was asked for before goes before', () => {
  const credits = [credit(1, 1000n)];
  const early = refund('b', 600n, { createdAt: at(-1) });
  assert.equal(decide([refund('a', 400n), early], credits), 'STANDING');
  assert.equal(decide([refund('a', 401n), early], credits), 'TAKEN_BACK');
  const late = refund('A', 600n, { createdAt: at(1) });
  assert.equal(decide([refund('a', 1000n), late], credits), 'STANDING');
});

test('of two that were asked for at one moment the smaller id goes before', () => {
  const credits = [credit(1, 1000n)];
  assert.equal(decide([refund('a', 600n), refund('b', 600n)], credits), 'STANDING');
  assert.equal(decide([refund('b', 600n), refund('a', 600n)], credits), 'TAKEN_BACK');
});

test('what was sent goes before whatever was asked for before it', () => {
  const credits = [credit(1, 1000n)];
  const sent = refund('b', 600n, { createdAt: at(1), transaction: 'tx' });
  assert.equal(decide([refund('a', 600n), sent], credits), 'TAKEN_BACK');
  assert.equal(decide([sent, refund('a', 600n)], credits), 'STANDING');
  const both = refund('c', 600n, { createdAt: at(0), transaction: 'ty' });
  assert.equal(decide([sent, both], credits), 'TAKEN_BACK');
});

test('a refund that failed, of another way, or of a part takes nothing', () => {
  const credits = [credit(1, 1000n)];
  const before = { createdAt: at(-1) };
  const others: readonly Partial<CheckoutRefund>[] = [
    { state: 'FAILED' },
    { network: 'BITCOIN' },
    { assetId: 'BTC:NATIVE' },
    { context: 'UNDERPAID_CHECKOUT' },
  ];
  for (const changes of others) {
    const other = refund('b', 600n, { ...before, ...changes });
    assert.equal(decide([refund('a', 1000n), other], credits), 'STANDING');
  }
});

test('a part that goes back is the very payments that were pending, all of them', () => {
  const part = refund('a', 890n, { context: 'UNDERPAID_CHECKOUT' });
  const pending = (id: number, changes: Partial<Credit> = {}) =>
    credit(id, 450n, { account: 'refunded', refundId: 'a', ...changes });
  assert.equal(decide([part], [pending(1), pending(2)]), 'STANDING');
  assert.equal(decide([part], [pending(1), pending(2, { reversedAt: at(1) })]), 'TAKEN_BACK');
  const gone = [receipt(1), receipt(2, { status: 'GONE' })];
  assert.equal(decide([part], [pending(1), pending(2)], gone), 'UNCERTAIN');
  assert.equal(decide([part], [pending(1), pending(2, { refundId: 'b' })], gone), 'STANDING');
});

test('a part that was lost and came again stands', () => {
  const part = refund('a', 440n, { context: 'UNDERPAID_CHECKOUT' });
  const credits = [
    credit(1, 450n, { refundId: 'a', reversedAt: at(1) }),
    credit(1, 450n, { refundId: 'a', generation: 2 }),
  ];
  const receipts = [receipt(1, { generation: 2, creditedGeneration: 2, reversedGeneration: 1 })];
  assert.equal(decide([part], credits, receipts), 'STANDING');
});
