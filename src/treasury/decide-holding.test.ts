import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decideHolding } from './decide-holding.ts';

const target = { leastUnits: 10n, targetUnits: 20n, mostUnits: 50n };

test('within its bounds nothing is moved, outside of them it is brought to the target', () => {
  const rows: readonly [hot: bigint, cold: bigint, move: ReturnType<typeof decideHolding>][] = [
    [10n, 0n, undefined],
    [50n, 0n, undefined],
    [51n, 0n, { to: 'cold', units: 31n, missingUnits: 0n }],
    [9n, 100n, { to: 'hot', units: 11n, missingUnits: 0n }],
    [9n, 4n, { to: 'hot', units: 4n, missingUnits: 7n }],
    [9n, 0n, { to: 'hot', units: 0n, missingUnits: 11n }],
    // The operator paid with money of his own.
    [9n, -5n, { to: 'hot', units: 0n, missingUnits: 11n }],
    [-3n, 100n, { to: 'hot', units: 23n, missingUnits: 0n }],
  ];
  for (const [hotUnits, coldUnits, move] of rows) {
    assert.deepEqual(decideHolding({ hotUnits, coldUnits }, target), move);
  }
});

test('after the move it is where it should be, and nothing came out of nowhere', () => {
  const units = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
  const bounds = fc
    .array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 3, maxLength: 3 })
    .map((three) => three.toSorted((one, other) => (one < other ? -1 : 1)));
  fc.assert(
    fc.property(
      units,
      units,
      bounds,
      (hotUnits, coldUnits, [least = 0n, middle = 0n, most = 0n]) => {
        const of = { leastUnits: least, targetUnits: middle, mostUnits: most };
        const move = decideHolding({ hotUnits, coldUnits }, of);
        if (move === undefined) return assert.ok(hotUnits >= least && hotUnits <= most);
        assert.ok(move.units >= 0n && move.missingUnits >= 0n);
        const moved = move.to === 'hot' ? move.units : -move.units;
        assert.equal(hotUnits + moved + move.missingUnits, middle);
        if (move.to === 'hot') assert.ok(move.units === 0n || move.units <= coldUnits);
        // What was moved is not moved again.
        if (move.missingUnits > 0n) return;
        const after = { hotUnits: hotUnits + moved, coldUnits: coldUnits - moved };
        assert.equal(decideHolding(after, of), undefined);
      },
    ),
  );
});
