import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertBalanced, type Entry, type EntryPosting, unitsLimit } from './ledger-entry.ts';
import { reverseEntries } from './reverse-entries.ts';

const occurredAt = Temporal.Instant.from('2026-11-21T10:00:00Z');
const asset = 'LTC:NATIVE';

function entryOf(postings: readonly EntryPosting[], more: Partial<Entry> = {}): Entry {
  return { causeKey: 'c', kind: 'k', environment: 'test', occurredAt, postings, ...more };
}

function posting(units: bigint, assetId = asset): EntryPosting {
  return { account: { code: 'fees' }, assetId, units };
}

test('an entry that sums to zero in each asset is right', () => {
  assertBalanced(entryOf([posting(5n), posting(-5n)]));
  assertBalanced(entryOf([posting(5n), posting(-5n), posting(7n, 'B:X'), posting(-7n, 'B:X')]));
});

const wrong: readonly (readonly [string, Entry])[] = [
  ['no postings', entryOf([])],
  ['one posting', entryOf([posting(1n)])],
  ['a sum other than zero', entryOf([posting(5n), posting(-4n)])],
  ['a sum of zero only over two assets', entryOf([posting(5n), posting(-5n, 'B:X')])],
  ['a posting of nothing', entryOf([posting(0n), posting(5n), posting(-5n)])],
  ['2^255 units', entryOf([posting(unitsLimit), posting(-unitsLimit)])],
  ['no cause', entryOf([posting(5n), posting(-5n)], { causeKey: '' })],
  ['a reversal of nothing', entryOf([posting(5n), posting(-5n)], { isReversal: true })],
  [
    'two names for what it corrects',
    entryOf([posting(5n), posting(-5n)], { correctsCauseKey: 'x', correctsEntry: 1n }),
  ],
  [
    'a merchant account without a merchant',
    entryOf([posting(5n), { ...posting(-5n), account: { code: 'merchant:available' } }]),
  ],
  [
    'a house account with a merchant',
    entryOf([posting(5n), { ...posting(-5n), account: { code: 'fees', merchantId: 'm' } }]),
  ],
];
for (const [what, entry] of wrong) {
  test(`an entry with ${what} is refused`, () => {
    assert.throws(() => assertBalanced(entry), { name: 'AssertionFailure' });
  });
}

test('the largest amounts pass', () => {
  assertBalanced(entryOf([posting(unitsLimit - 1n), posting(1n - unitsLimit)]));
});

test('a reversal negates every line, names what it reverses and balances whenever that did', () => {
  const units = fc.bigInt({ min: 1n, max: unitsLimit / 100n });
  fc.assert(
    fc.property(fc.array(units, { minLength: 1, maxLength: 20 }), (list) => {
      const total = list.reduce((sum, each) => sum + each, 0n);
      const entry = entryOf([posting(total), ...list.map((each) => posting(-each))]);
      const [reversal, ...rest] = reverseEntries([entry], { kind: 'undo', cause: 'u', occurredAt });
      assert.ok(reversal !== undefined && rest.length === 0);
      assertBalanced(reversal);
      assert.equal(reversal.correctsCauseKey, 'c');
      assert.equal(reversal.causeKey, 'u/c');
      reversal.postings.forEach((line, index) => {
        assert.equal(line.units + (entry.postings[index]?.units ?? 0n), 0n);
        assert.deepEqual(line.account, entry.postings[index]?.account);
      });
    }),
  );
});
