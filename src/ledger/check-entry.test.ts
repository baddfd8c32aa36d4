import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkEntry } from './check-entry.ts';
import type { PostedEntry } from './post-entry.ts';

const NOW = Temporal.Instant.from('2026-01-01T12:00:00Z');
const ROW: PostedEntry = {
  id: 5n,
  causeKey: 'cause',
  kind: 'kind',
  environment: 'test',
  merchantId: 'merchant1',
  subjectId: null,
  correctsEntry: null,
  correctedAt: null,
  isReversal: false,
  evidence: null,
  occurredAt: NOW,
  positions: [1, 2],
  assetIds: ['LTC:NATIVE', 'LTC:NATIVE'],
  units: [10n, -10n],
  environments: ['test', 'test'],
  merchantIds: [null, 'merchant1'],
  codes: ['fees', 'merchant:available'],
  accountAssetIds: ['LTC:NATIVE', 'LTC:NATIVE'],
};
const check = (changes: Partial<PostedEntry>) => [...checkEntry({ ...ROW, ...changes })];

test('an entry that is right says nothing', () => {
  assert.deepEqual(check({}), []);
});

test('fewer than two lines are no entry, and no lines at all neither', () => {
  const none = { positions: null, assetIds: null, units: null };
  assert.deepEqual(check(none), ['L2: entry 5 has 0 postings, not two or more']);
  assert.deepEqual(check({ units: [10n] }), [
    'L2: entry 5 has 1 postings, not two or more',
    'L1: entry 5 is out of balance by 10 units of LTC:NATIVE',
  ]);
});

test('each asset is in balance by itself', () => {
  const assetIds = ['LTC:NATIVE', 'BTC:NATIVE'];
  assert.deepEqual(check({ assetIds, accountAssetIds: assetIds }), [
    'L1: entry 5 is out of balance by 10 units of LTC:NATIVE',
    'L1: entry 5 is out of balance by -10 units of BTC:NATIVE',
  ]);
  assert.deepEqual(check({ units: [10n, -9n] }), [
    'L1: entry 5 is out of balance by 1 units of LTC:NATIVE',
  ]);
});

test('a line that moves nothing is named', () => {
  const three = {
    positions: [1, 2, 3],
    assetIds: ['LTC:NATIVE', 'LTC:NATIVE', 'LTC:NATIVE'],
    units: [10n, 0n, -10n],
    environments: ['test', 'test', 'test'],
    merchantIds: [null, null, null],
    codes: ['fees', 'fees', 'fees'],
    accountAssetIds: ['LTC:NATIVE', 'LTC:NATIVE', 'LTC:NATIVE'],
  };
  assert.deepEqual(check(three), ['L2: entry 5, line 2, moves nothing']);
});

test('amounts lie below 2^255 on both sides', () => {
  const limit = 2n ** 255n;
  assert.deepEqual(check({ units: [limit, -limit] }), [
    'L12: entry 5, line 1, is out of range',
    'L12: entry 5, line 2, is out of range',
  ]);
  assert.deepEqual(check({ units: [limit - 1n, 1n - limit] }), []);
});

test('an account that does not exist is named, and nothing is said of what it would be', () => {
  const gone = { codes: ['fees', null], accountAssetIds: ['LTC:NATIVE', null] };
  assert.deepEqual(check({ ...gone, environments: ['test', null], merchantIds: [null, null] }), [
    'L2: entry 5, line 2, posts to an account that does not exist',
  ]);
});

test('the account of a line has its asset, its environment and its merchant', () => {
  assert.deepEqual(check({ accountAssetIds: ['LTC:NATIVE', 'BTC:NATIVE'] }), [
    'L2: entry 5, line 2, is in LTC:NATIVE, its account in BTC:NATIVE',
  ]);
  assert.deepEqual(check({ environments: ['live', 'test'] }), [
    'L2: entry 5, line 1, posts a test entry to a live account',
  ]);
  assert.deepEqual(check({ merchantIds: [null, 'merchant2'] }), [
    'L2: entry 5, line 2, moves money of merchant merchant2 in an entry of merchant1',
  ]);
  assert.deepEqual(check({ merchantIds: [null, null] }), []);
});

test('what is corrected exists, stands before, and is not younger', () => {
  assert.deepEqual(check({ correctsEntry: 4n, correctedAt: NOW }), []);
  assert.deepEqual(check({ correctsEntry: 4n }), [
    'L3: entry 5 corrects entry 4, which does not exist',
  ]);
  assert.deepEqual(check({ correctsEntry: 5n, correctedAt: NOW }), [
    'L3: entry 5 corrects a later entry',
  ]);
  assert.deepEqual(check({ correctsEntry: 4n, correctedAt: NOW.add({ seconds: 1 }) }), [
    'L11: entry 5 is dated before entry 4, which it corrects',
  ]);
  assert.deepEqual(check({ correctsEntry: 4n, correctedAt: NOW.subtract({ seconds: 1 }) }), []);
});
