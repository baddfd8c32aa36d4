import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  accountsOf,
  assertBalanced,
  type Entry,
  type EntryPosting,
  reverseEntries,
  UNITS_LIMIT,
} from './ledger-entry.ts';

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

const wrong: readonly (readonly [what: string, says: string, entry: Entry])[] = [
  ['no postings', 'entry c has 0 postings, not two or more', entryOf([])],
  ['one posting', 'entry c has 1 postings, not two or more', entryOf([posting(1n)])],
  [
    'a sum other than zero',
    'entry c is out of balance by 1 units of LTC:NATIVE',
    entryOf([posting(5n), posting(-4n)]),
  ],
  [
    'a sum of zero only over two assets',
    'entry c is out of balance by 5 units of LTC:NATIVE',
    entryOf([posting(5n), posting(-5n, 'B:X')]),
  ],
  [
    'a posting of nothing',
    'entry c posts nothing to fees',
    entryOf([posting(0n), posting(5n), posting(-5n)]),
  ],
  [
    '2^255 units',
    `entry c posts ${UNITS_LIMIT} units: out of range`,
    entryOf([posting(UNITS_LIMIT), posting(1n - UNITS_LIMIT), posting(-1n)]),
  ],
  [
    '-2^255 units',
    `entry c posts ${-UNITS_LIMIT} units: out of range`,
    entryOf([posting(UNITS_LIMIT - 1n), posting(1n), posting(-UNITS_LIMIT)]),
  ],
  ['no cause', 'an entry has a cause key', entryOf([posting(5n), posting(-5n)], { causeKey: '' })],
  [
    'a reversal of nothing',
    'entry c is a reversal and does not say of what',
    entryOf([posting(5n), posting(-5n)], { isReversal: true }),
  ],
  [
    'two names for what it corrects',
    'entry c names what it corrects once',
    entryOf([posting(5n), posting(-5n)], { correctsCauseKey: 'x', correctsEntry: 1n }),
  ],
  [
    'a merchant account without a merchant',
    'entry c: merchant accounts and no others have a merchant, not merchant:available',
    entryOf([posting(5n), { ...posting(-5n), account: { code: 'merchant:available' } }]),
  ],
  [
    'a house account with a merchant',
    'entry c: merchant accounts and no others have a merchant, not fees',
    entryOf([posting(5n), { ...posting(-5n), account: { code: 'fees', merchantId: 'm' } }]),
  ],
];
for (const [what, says, entry] of wrong) {
  test(`an entry with ${what} is refused`, () => {
    assert.throws(() => assertBalanced(entry), { name: 'AssertionFailure', message: says });
  });
}

test('an entry may correct another by cause key or by row number', () => {
  const lines = [posting(5n), posting(-5n)];
  assertBalanced(entryOf(lines, { isReversal: true, correctsEntry: 1n }));
  assertBalanced(entryOf(lines, { isReversal: true, correctsCauseKey: 'x' }));
});

test('the accounts of entries are those of their lines, in the asset of the line', () => {
  const merchant = { account: { code: 'merchant:pending', merchantId: 'm' } } as const;
  const first = entryOf([posting(5n), { ...posting(-5n), ...merchant }]);
  const second = entryOf([posting(7n, 'B:X'), posting(-7n, 'B:X')], { environment: 'live' });
  assert.deepEqual(accountsOf([first, second]), [
    { code: 'fees', environment: 'test', assetId: asset },
    { code: 'merchant:pending', merchantId: 'm', environment: 'test', assetId: asset },
    { code: 'fees', environment: 'live', assetId: 'B:X' },
    { code: 'fees', environment: 'live', assetId: 'B:X' },
  ]);
});

test('the largest amounts pass', () => {
  assertBalanced(entryOf([posting(UNITS_LIMIT - 1n), posting(1n - UNITS_LIMIT)]));
});

test('a reversal negates every line, names what it reverses and balances whenever that did', () => {
  const units = fc.bigInt({ min: 1n, max: UNITS_LIMIT / 100n });
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
