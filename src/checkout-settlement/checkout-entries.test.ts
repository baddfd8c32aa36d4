import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Credit } from '#checkout/credit.ts';
import { assertBalanced, type Entry } from '#ledger/ledger-entry.ts';
import { pendingCredit } from '#test/support/settlement-facts.ts';
import { receiptEntry, releaseEntry, returnedEntry, reversalEntries } from './checkout-entries.ts';

const NOW = Temporal.Instant.from('2026-01-01T12:00:00Z');
const OWNER = { checkoutId: 'checkout1', merchantId: 'merchant1', environment: 'test' } as const;
const BASE = pendingCredit(7, 1001n, {
  generation: 2,
  settlementUnits: 1000n,
  netUnits: 990n,
  feeUnits: 10n,
  account: 'available',
  evidence: '{"rates":[]}',
});
const CONVERTED: Credit = {
  ...BASE,
  settlementAssetId: 'EUR:FIAT',
  settlementUnits: 50n,
  netUnits: 49n,
  feeUnits: 1n,
};

/** Each line as account, asset and units. */
function lines(entry: Entry | undefined): string[] {
  assert.ok(entry !== undefined);
  assertBalanced(entry);
  return entry.postings.map(({ account, assetId, units }) =>
    [account.code, account.merchantId ?? '-', assetId, units].join(' '),
  );
}

const receive = (changes: Partial<Credit>) => receiptEntry(OWNER, { ...BASE, ...changes }, NOW);

test('money of a completed checkout is the merchant’s, less the fee; rounding has its own account', () => {
  const entry = receive({});
  assert.deepEqual(lines(entry), [
    'custody:LITECOIN - LTC:NATIVE 1001',
    'rounding - LTC:NATIVE -1',
    'merchant:available merchant1 LTC:NATIVE -990',
    'fees - LTC:NATIVE -10',
  ]);
  const { postings: _, ...head } = entry;
  assert.deepEqual(head, {
    causeKey: 'receipt:7:2',
    kind: 'checkout-receipt-available',
    environment: 'test',
    merchantId: 'merchant1',
    subjectId: 'checkout1',
    evidence: '{"rates":[]}',
    occurredAt: NOW,
  });
});

test('a part of nothing has no line', () => {
  assert.deepEqual(lines(receive({ units: 1000n, netUnits: 1000n, feeUnits: 0n })), [
    'custody:LITECOIN - LTC:NATIVE 1000',
    'merchant:available merchant1 LTC:NATIVE -1000',
  ]);
});

test('what is converted passes through the exchange in both assets', () => {
  assert.deepEqual(lines(receive(CONVERTED)), [
    'custody:LITECOIN - LTC:NATIVE 1001',
    'exchange - LTC:NATIVE -1001',
    'exchange - EUR:FIAT 50',
    'merchant:available merchant1 EUR:FIAT -49',
    'fees - EUR:FIAT -1',
  ]);
});

test('money of a checkout that is not completed is pending, and in no other asset', () => {
  assert.deepEqual(lines(receive({ ...CONVERTED, account: 'pending' })), [
    'custody:LITECOIN - LTC:NATIVE 1001',
    'merchant:pending merchant1 LTC:NATIVE -1001',
  ]);
  assert.equal(receive({ account: 'pending' }).kind, 'checkout-receipt-pending');
});

test('refunded money that comes again is pending, or pays what the merchant owes for it', () => {
  assert.deepEqual(
    lines(receive({ account: 'refunded' }))[1],
    'merchant:pending merchant1 LTC:NATIVE -1001',
  );
  const debt = receive({ account: 'refunded', paysDebt: true });
  assert.deepEqual(lines(debt)[1], 'merchant:owed merchant1 LTC:NATIVE -1001');
});

test('what nobody asked for waits in the suspense of its network', () => {
  assert.deepEqual(lines(receive({ account: 'suspense' })), [
    'custody:LITECOIN - LTC:NATIVE 1001',
    'suspense:LITECOIN - LTC:NATIVE -1001',
  ]);
});

test('a release takes it from pending, and makes what a credit makes', () => {
  const entry = releaseEntry(OWNER, CONVERTED, NOW);
  assert.deepEqual(lines(entry), [
    'merchant:pending merchant1 LTC:NATIVE 1001',
    ...lines(receive(CONVERTED)).slice(1),
  ]);
  const { postings: _, ...head } = entry;
  assert.deepEqual(head, {
    causeKey: 'release:7:2',
    kind: 'checkout-release',
    environment: 'test',
    merchantId: 'merchant1',
    subjectId: 'checkout1',
    evidence: '{"rates":[]}',
    occurredAt: NOW,
  });
});

function negation(entry: Entry): Entry {
  return {
    ...entry,
    causeKey: `reorganisation/${entry.causeKey}`,
    kind: 'checkout-reversal',
    correctsCauseKey: entry.causeKey,
    isReversal: true,
    evidence: undefined,
    postings: entry.postings.map((line) => ({ ...line, units: -line.units })),
  };
}

test('what was earned is taken back by its exact negation, its release first', () => {
  const reverse = (changes: Partial<Credit>, isReleased: boolean) =>
    reversalEntries(
      OWNER,
      { ...CONVERTED, ...changes, releasedAt: isReleased ? NOW : undefined },
      NOW,
    );
  assert.deepEqual(reverse({}, false), [negation(receive(CONVERTED))]);
  assert.deepEqual(reverse({ account: 'suspense' }, false), [
    negation(receive({ ...CONVERTED, account: 'suspense' })),
  ]);
  assert.deepEqual(reverse({ account: 'pending' }, true), [
    negation(releaseEntry(OWNER, CONVERTED, NOW)),
    negation(receive({ ...CONVERTED, account: 'pending' })),
  ]);
});

test('pending money is taken from where it is: refunded meanwhile, the merchant owes it', () => {
  const reverse = (changes: Partial<Credit>) => {
    const [entry, ...more] = reversalEntries(OWNER, { ...BASE, ...changes }, NOW);
    assert.deepEqual(more, []);
    assert.equal(entry?.correctsCauseKey, 'receipt:7:2');
    return lines(entry);
  };
  const custody = 'custody:LITECOIN - LTC:NATIVE -1001';
  assert.deepEqual(reverse({ account: 'pending' }), [
    custody,
    'merchant:pending merchant1 LTC:NATIVE 1001',
  ]);
  const cameAgain = reverse({ account: 'pending', paysDebt: true });
  assert.deepEqual(cameAgain, [custody, 'merchant:pending merchant1 LTC:NATIVE 1001']);
  const owed = [custody, 'merchant:owed merchant1 LTC:NATIVE 1001'];
  assert.deepEqual(reverse({ account: 'refunded' }), owed);
});

test('what a failed refund gave back pays what the merchant owes', () => {
  const entry = returnedEntry(OWNER, BASE, NOW);
  assert.deepEqual(lines(entry), [
    'merchant:pending merchant1 LTC:NATIVE 1001',
    'merchant:owed merchant1 LTC:NATIVE -1001',
  ]);
  const { postings: _, ...head } = entry;
  assert.deepEqual(head, {
    causeKey: 'returned:7:2',
    kind: 'checkout-debt-returned',
    environment: 'test',
    merchantId: 'merchant1',
    subjectId: 'checkout1',
    occurredAt: NOW,
  });
});
