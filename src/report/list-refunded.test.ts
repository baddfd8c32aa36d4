import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenBackAt, type SalePayment, type SaleRefund } from './list-refunded.ts';

const start = Temporal.Instant.from('2026-01-01T00:00:00Z');
const hour = (hours: number) => start.add({ hours });
const LTC = { network: 'LITECOIN', assetId: 'LTC:NATIVE' };
const BTC = { network: 'BITCOIN', assetId: 'BTC:NATIVE' };

let receipts = 0n;
function paid(units: bigint, more: Partial<SalePayment> = {}): SalePayment {
  receipts += 1n;
  const first = { receiptId: receipts, requiredUnits: 100n, creditedAt: start };
  return { ...LTC, units, ...first, reversedAt: undefined, ...more };
}
const back = (units: bigint, more: Partial<SaleRefund> = {}): SaleRefund => {
  return { ...LTC, at: hour(2), units, ...more };
};

/** In parts of 1000, rounded down. */
function thousandths(
  payments: readonly SalePayment[],
  refunds: readonly SaleRefund[],
  at = hour(9),
) {
  const { part, whole } = givenBackAt(at, payments, refunds);
  return Number((part * 1000n) / whole);
}

test('of what was paid exactly, as much is given back as the payer gets', () => {
  assert.equal(thousandths([paid(100n)], []), 0);
  assert.equal(thousandths([paid(100n)], [back(25n)]), 250);
  assert.equal(thousandths([paid(40n), paid(60n)], [back(25n), back(75n)]), 1000);
});

test('what was undone, or sent back, is not given back', () => {
  assert.equal(thousandths([paid(100n)], [back(25n), back(-25n)]), 0);
});

test('what was paid beyond the price is given back first, and is nothing of the sale', () => {
  assert.equal(thousandths([paid(125n)], [back(25n)]), 0);
  assert.equal(thousandths([paid(125n)], [back(25n), back(50n)]), 500);
  assert.equal(thousandths([paid(125n)], [back(125n)]), 1000);
  const twice = [paid(100n), paid(100n, { ...BTC })];
  assert.equal(thousandths(twice, [back(100n, BTC)]), 0);
  assert.equal(thousandths(twice, [back(100n, BTC), back(50n)]), 500);
});

test('a sale that was accepted with less is given back whole when nothing of it is kept', () => {
  assert.equal(thousandths([paid(90n)], [back(90n)]), 1000);
  assert.equal(thousandths([paid(90n)], [back(45n)]), 500);
});

test('payments by several ways count by their prices', () => {
  const payments = [paid(50n), paid(7n, { ...BTC, requiredUnits: 14n })];
  assert.equal(thousandths(payments, [back(7n, BTC)]), 500);
  assert.equal(thousandths(payments, [back(10n), back(7n, BTC)]), 600);
});

test('what comes after a refund changes nothing of it', () => {
  const later = paid(100n, { creditedAt: hour(5) });
  assert.equal(thousandths([paid(100n), later], [back(50n)], hour(2)), 500);
});

test('a payment that the chain lost makes no refund, and one in its place makes none undone', () => {
  const lost = paid(100n, { reversedAt: hour(3) });
  assert.equal(thousandths([lost], []), 0);
  assert.equal(thousandths([lost], [back(100n)]), 1000);
  const other = paid(100n, { creditedAt: hour(4) });
  assert.equal(thousandths([lost, other], [back(100n)]), 1000);
  const again = paid(100n, { receiptId: lost.receiptId, creditedAt: hour(4) });
  assert.equal(thousandths([lost, again], [back(30n)]), 300);
});

test('a payment whose price nobody knew pays for nothing of the sale', () => {
  const late = paid(500n, { ...BTC, requiredUnits: undefined });
  assert.equal(thousandths([paid(100n), late], [back(500n, BTC)]), 0);
  assert.equal(thousandths([late], [back(500n, BTC)]), 0);
});
