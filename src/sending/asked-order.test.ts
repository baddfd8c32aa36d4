import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINE_MOST } from '#signer/protocol.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { readAskedOrder, writeAskedOrder } from './asked-order.ts';

const ORDER: SignOrder = {
  id: 'one',
  beside: ['two'],
  environment: 'live',
  network: 'BITCOIN',
  kind: 'PAY',
  payments: [5n, 7n].map((units) => {
    return { assetId: 'BTC:NATIVE', units, account: { address: 'bc1q' }, index: 3n };
  }),
  feeUnits: 1n,
  facts: { spends: ['coin:0'] },
  unsigned: 'psbt',
};

test('what is kept of a question is read again as it was asked', () => {
  assert.deepEqual(readAskedOrder(writeAskedOrder(ORDER)), ORDER);
});

test('what the signer would not read is never kept, and says what to do', () => {
  const bytes = Buffer.byteLength(writeAskedOrder(ORDER));
  const longest = { ...ORDER, unsigned: 'a'.repeat(LINE_MOST - bytes + ORDER.unsigned.length) };
  assert.equal(Buffer.byteLength(writeAskedOrder(longest)), LINE_MOST);
  const longer = { ...longest, unsigned: `${longest.unsigned}a` };
  assert.throws(() => writeAskedOrder(longer), /so many coins .* custody consolidate/);
  assert.throws(() => readAskedOrder('{"ask":"info"}'), /cannot be read again/);
});
