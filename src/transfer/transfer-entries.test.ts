import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertBalanced } from '#ledger/ledger-entry.ts';
import type { Transfer } from './transfer.ts';
import { completeEntry, reserveEntry, returnEntry } from './transfer-entries.ts';

const NOW = Temporal.Instant.from('2026-01-01T12:00:00Z');
const RESERVED = { merchantId: 'merchant1', code: 'merchant:reserved' };

function transfer(changes: Partial<Transfer> = {}): Transfer {
  const facts: Partial<Transfer> = {
    id: 'transfer1',
    kind: 'TRANSFER',
    merchantId: 'merchant1',
    environment: 'test',
    network: 'LITECOIN',
    assetId: 'LTC:NATIVE',
    units: 1000n,
    targetUnits: 970n,
    networkFeeUnits: 20n,
    feeUnits: 10n,
    feeBeyondUnits: 0n,
    undoneCount: 0,
    source: 'merchant:available',
    ...changes,
  };
  return facts as Transfer;
}

const linesOf = (entry: ReturnType<typeof reserveEntry>) => {
  assertBalanced(entry);
  return entry.postings.map(({ account, assetId, units }) => {
    assert.equal(assetId, 'LTC:NATIVE');
    return [account, units];
  });
};

test('before anything is sent the whole amount is reserved, fees with it', () => {
  const entry = reserveEntry(transfer(), NOW);
  assert.deepEqual(linesOf(entry), [
    [{ merchantId: 'merchant1', code: 'merchant:available' }, 1000n],
    [RESERVED, -1000n],
  ]);
  const { postings: _, ...head } = entry;
  assert.deepEqual(head, {
    causeKey: 'transfer:transfer1:reserve',
    kind: 'transfer-reserve',
    environment: 'test',
    merchantId: 'merchant1',
    subjectId: 'transfer1',
    occurredAt: NOW,
  });
});

test('when it has landed custody, the network and the house have their parts', () => {
  const entry = completeEntry(transfer(), NOW);
  assert.deepEqual(linesOf(entry), [
    [RESERVED, 1000n],
    [{ code: 'custody:LITECOIN' }, -970n],
    [{ code: 'network-fees' }, -20n],
    [{ code: 'fees' }, -10n],
  ]);
  assert.equal(entry.causeKey, 'transfer:transfer1:complete');
  assert.equal(entry.kind, 'transfer-complete');
});

test('where it is known what the network took, the rest of what was reserved goes back', () => {
  const partsOf = (changes: Partial<Transfer>) =>
    linesOf(completeEntry(transfer({ feeTakenUnits: 5n, ...changes }), NOW)).slice(1);
  const [house, available] = [
    [{ code: 'fees' }, -10n],
    { merchantId: 'merchant1', code: 'merchant:available' },
  ];
  assert.deepEqual(partsOf({}), [[{ code: 'custody:LITECOIN' }, -975n], [available, -15n], house]);
  assert.deepEqual(partsOf({ kind: 'REFUND' })[1], [available, -15n]);
  assert.deepEqual(partsOf({ kind: 'RETURN' })[1], [{ code: 'dust' }, -15n]);
  assert.deepEqual(partsOf({ feeTakenUnits: 20n }), [[{ code: 'custody:LITECOIN' }, -990n], house]);
});

test('what was paid with money held elsewhere leaves nothing that we watch', () => {
  const paid = { feeTakenUnits: 0n, paidOutside: true };
  const [, outside, back] = linesOf(completeEntry(transfer(paid), NOW));
  assert.deepEqual(outside, [{ code: 'outside:LITECOIN' }, -970n]);
  assert.deepEqual(back, [{ merchantId: 'merchant1', code: 'merchant:available' }, -20n]);
});

test('a part of nothing has no line', () => {
  const entry = completeEntry(
    transfer({ targetUnits: 1000n, networkFeeUnits: 0n, feeUnits: 0n }),
    NOW,
  );
  assert.deepEqual(linesOf(entry), [
    [RESERVED, 1000n],
    [{ code: 'custody:LITECOIN' }, -1000n],
  ]);
});

test('what can never land goes back whole to where it was taken from', () => {
  const source = (code: Transfer['source']) => {
    const entry = returnEntry(transfer({ source: code, kind: 'REFUND' }), NOW);
    assert.equal(entry.causeKey, 'transfer:transfer1:return');
    assert.equal(entry.kind, 'refund-return');
    const [reserved, back, ...more] = linesOf(entry);
    assert.deepEqual([reserved, more], [[RESERVED, 1000n], []]);
    return back;
  };
  const own = (code: string) => [{ merchantId: 'merchant1', code }, -1000n];
  assert.deepEqual(source('merchant:available'), own('merchant:available'));
  assert.deepEqual(source('merchant:pending'), own('merchant:pending'));
  assert.deepEqual(source('suspense:LITECOIN'), [{ code: 'suspense:LITECOIN' }, -1000n]);
});

test('what the network took above what was reserved is paid by the house', () => {
  const entry = completeEntry(transfer({ feeTakenUnits: 20n, feeBeyondUnits: 3n }), NOW);
  assert.deepEqual(linesOf(entry), [
    [RESERVED, 1000n],
    [{ code: 'custody:LITECOIN' }, -993n],
    [{ code: 'network-fees' }, 3n],
    [{ code: 'fees' }, -10n],
  ]);
});
