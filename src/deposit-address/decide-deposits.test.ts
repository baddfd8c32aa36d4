import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AssertionFailure } from '#base/assert.ts';
import type { Receipt } from '#chain/receipt.ts';
import { assertBalanced } from '#ledger/ledger-entry.ts';
import { decideDeposits } from './decide-deposits.ts';
import type { DepositAddress, DepositCredit } from './deposit-address.ts';
import { depositEntry, depositReversal } from './deposit-entries.ts';

const NOW = Temporal.Instant.from('2026-01-01T12:00:00Z');
const ADDRESS = {
  id: 'address1',
  merchantId: 'merchant1',
  environment: 'test',
  network: 'LITECOIN',
  assetId: 'LTC:NATIVE',
  feePartsPerMillion: 29_000,
} as DepositAddress;

function receipt(changes: Partial<Receipt> = {}): Receipt {
  const facts: Partial<Receipt> = {
    id: 1n,
    generation: 1,
    status: 'FINAL',
    assetId: 'LTC:NATIVE',
    units: 1001n,
    creditedGeneration: undefined,
    reversedGeneration: undefined,
    reversalDue: false,
    ...changes,
  };
  return facts as Receipt;
}

const CREDIT: DepositCredit = {
  receiptId: 1n,
  generation: 1,
  assetId: 'LTC:NATIVE',
  units: 1001n,
  netUnits: 971n,
  feeUnits: 30n,
  account: 'available',
};
const SUSPENSE: DepositCredit = {
  ...CREDIT,
  assetId: 'BTC:NATIVE',
  netUnits: 1001n,
  feeUnits: 0n,
  account: 'suspense',
};

const decide = (changes: Partial<Receipt>, credits: readonly DepositCredit[] = []) =>
  decideDeposits(ADDRESS, [receipt(changes)], credits);

test('a final receipt is credited less the fee, which rounds up because the net amount rounds down', () => {
  const { credits, reversals, pending } = decide({});
  assert.deepEqual(credits, [{ receipt: receipt(), credit: CREDIT }]);
  assert.deepEqual([reversals, pending], [[], []]);
});

test('money in another asset than was asked for waits whole in suspense', () => {
  const [one] = decide({ assetId: 'BTC:NATIVE' }).credits;
  assert.deepEqual(one?.credit, SUSPENSE);
});

test('a generation is credited once, and the next one again', () => {
  assert.deepEqual(decide({ creditedGeneration: 1 }).credits, []);
  const [again] = decide({ generation: 2, creditedGeneration: 1, reversedGeneration: 1 }).credits;
  assert.equal(again?.credit.generation, 2);
});

test('what is not final is not credited, and is pending in the asset that was asked for', () => {
  for (const status of ['SEEN', 'INCLUDED'] as const) {
    const decided = decide({ status });
    assert.deepEqual([decided.credits, decided.pending.length], [[], 1]);
    assert.deepEqual(decide({ status, assetId: 'BTC:NATIVE' }).pending, []);
    assert.deepEqual(decide({ status, creditedGeneration: 1 }).pending, []);
    assert.deepEqual(decide({ status, creditedGeneration: 1, reversedGeneration: 1 }).pending, []);
  }
  const gone = decide({ status: 'GONE' });
  assert.deepEqual([gone.credits, gone.pending], [[], []]);
});

test('what the chain lost is taken back as it was credited, that generation and no other', () => {
  const lost = { status: 'GONE', generation: 2, creditedGeneration: 2, reversalDue: true } as const;
  const credits = [
    { ...CREDIT, receiptId: 9n, generation: 2 },
    CREDIT,
    { ...CREDIT, generation: 2, netUnits: 5n },
  ];
  const { reversals } = decide(lost, credits);
  assert.deepEqual(reversals, [{ receipt: receipt(lost), credit: credits[2] }]);
  assert.throws(() => decide(lost, [CREDIT]), AssertionFailure);
  assert.throws(() => decide(lost, [CREDIT]), /what is reversed was credited/);
});

test('a credit is posted from custody to the merchant and the house, and is balanced', () => {
  const entry = depositEntry(ADDRESS, CREDIT, NOW);
  assertBalanced(entry);
  assert.deepEqual(entry, {
    causeKey: 'receipt:1:1',
    kind: 'deposit-available',
    environment: 'test',
    merchantId: 'merchant1',
    subjectId: 'address1',
    occurredAt: NOW,
    postings: [
      { account: { code: 'custody:LITECOIN' }, assetId: 'LTC:NATIVE', units: 1001n },
      {
        account: { merchantId: 'merchant1', code: 'merchant:available' },
        assetId: 'LTC:NATIVE',
        units: -971n,
      },
      { account: { code: 'fees' }, assetId: 'LTC:NATIVE', units: -30n },
    ],
  });
});

test('a fee of nothing has no line', () => {
  const entry = depositEntry(ADDRESS, { ...CREDIT, netUnits: 1001n, feeUnits: 0n }, NOW);
  assertBalanced(entry);
  assert.equal(entry.postings.length, 2);
});

test('money in another asset is posted to the suspense of its network', () => {
  const entry = depositEntry(ADDRESS, SUSPENSE, NOW);
  assertBalanced(entry);
  assert.equal(entry.kind, 'deposit-suspense');
  assert.deepEqual(entry.postings, [
    { account: { code: 'custody:LITECOIN' }, assetId: 'BTC:NATIVE', units: 1001n },
    { account: { code: 'suspense:LITECOIN' }, assetId: 'BTC:NATIVE', units: -1001n },
  ]);
});

test('a reversal is the exact negation and names what it reverses', () => {
  const [entry, ...more] = depositReversal(ADDRESS, CREDIT, NOW);
  const original = depositEntry(ADDRESS, CREDIT, NOW);
  assert.deepEqual(more, []);
  assert.deepEqual(entry, {
    ...original,
    causeKey: 'reorganisation/receipt:1:1',
    kind: 'deposit-reversal',
    correctsCauseKey: 'receipt:1:1',
    isReversal: true,
    evidence: undefined,
    postings: original.postings.map((line) => ({ ...line, units: -line.units })),
  });
});
