import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainOf } from '#catalog/chain.ts';
import { assertBalanced } from '#ledger/ledger-entry.ts';
import { feeEntry, partEntry } from './custody-entries.ts';

const NOW = Temporal.Instant.from('2026-01-01T12:00:00Z');
const DEPARTURE = {
  id: 7n,
  chain: chainOf('live', 'LITECOIN'),
  transaction: 't1',
  feeAssetId: 'LTC:NATIVE',
  undoneCount: 0,
};
const PART = {
  number: 2,
  assetId: 'LTC:NATIVE',
  units: 500n,
  purpose: 'LOST',
  decidedBy: 'ada',
  reason: 'stolen',
} as const;

test('a network fee leaves custody for the account of fees, once for each departure', () => {
  const entry = feeEntry(DEPARTURE, 30n, NOW);
  assertBalanced(entry);
  const { occurredAt, ...told } = entry;
  assert.equal(String(occurredAt), String(NOW));
  assert.deepEqual(told, {
    causeKey: 'departure:7:fee',
    kind: 'custody-fee',
    environment: 'live',
    subjectId: 'departure:7',
    evidence: '{"transaction":"t1"}',
    postings: [
      { account: { code: 'network-fees' }, assetId: 'LTC:NATIVE', units: 30n },
      { account: { code: 'custody:LITECOIN' }, assetId: 'LTC:NATIVE', units: -30n },
    ],
  });
});

test('what is lost is a loss, and says who said so and why', () => {
  const entry = partEntry(DEPARTURE, PART, NOW);
  assertBalanced(entry);
  const { occurredAt, ...told } = entry;
  assert.equal(String(occurredAt), String(NOW));
  assert.deepEqual(told, {
    causeKey: 'departure:7:2',
    kind: 'custody-move',
    environment: 'live',
    subjectId: 'departure:7',
    evidence: '{"by":"ada","reason":"stolen","transaction":"t1"}',
    postings: [
      { account: { code: 'losses' }, assetId: 'LTC:NATIVE', units: 500n },
      { account: { code: 'custody:LITECOIN' }, assetId: 'LTC:NATIVE', units: -500n },
    ],
  });
});

test('what was moved elsewhere is still the operator’s, outside of what is watched', () => {
  const entry = partEntry(DEPARTURE, { ...PART, purpose: 'OUTSIDE' }, NOW);
  assertBalanced(entry);
  assert.deepEqual(
    entry.postings.map(({ account, units }) => [account.code, units]),
    [
      ['outside:LITECOIN', 500n],
      ['custody:LITECOIN', -500n],
    ],
  );
});
