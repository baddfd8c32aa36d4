import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decideLimit, LIMIT_WINDOW, type Spent } from './decide-limit.ts';

const NOW = Temporal.Instant.from('2026-01-02T00:00:00Z');
const ago = (minutes: number) => NOW.subtract({ minutes });

test('what is left, and when more fits', () => {
  const spent = [
    { units: 30n, at: ago(60) },
    { units: 50n, at: ago(120) },
  ];
  assert.deepEqual(decideLimit(100n, spent, 20n), { fits: true, leftUnits: 20n });
  assert.deepEqual(decideLimit(100n, spent, 21n), {
    ...{ fits: false, leftUnits: 20n },
    fitsFrom: ago(120).add(LIMIT_WINDOW),
  });
  assert.deepEqual(decideLimit(100n, spent, 71n), {
    ...{ fits: false, leftUnits: 20n },
    fitsFrom: ago(60).add(LIMIT_WINDOW),
  });
  assert.deepEqual(decideLimit(100n, spent, 101n), {
    ...{ fits: false, leftUnits: 20n },
    fitsFrom: undefined,
  });
  assert.deepEqual(decideLimit(0n, [], 1n), { fits: false, leftUnits: 0n, fitsFrom: undefined });
});

const SPENT: fc.Arbitrary<readonly Spent[]> = fc.array(
  fc.record({ units: fc.bigInt(0n, 1_000n), at: fc.integer({ min: 0, max: 1_439 }).map(ago) }),
  { maxLength: 12 },
);

test('it fits from the first moment at which the window holds little enough, and not before', () => {
  fc.assert(
    fc.property(
      SPENT,
      fc.bigInt(0n, 3_000n),
      fc.bigInt(0n, 3_000n),
      (spent, mostUnits, wantedUnits) => {
        const verdict = decideLimit(mostUnits, spent, wantedUnits);
        const inWindow = (at: Temporal.Instant) =>
          spent
            .filter((one) => Temporal.Instant.compare(one.at.add(LIMIT_WINDOW), at) > 0)
            .reduce((sum, { units }) => sum + units, 0n);
        assert.equal(verdict.fits, inWindow(NOW) + wantedUnits <= mostUnits);
        if (verdict.fits) return;
        const { fitsFrom } = verdict;
        assert.equal(fitsFrom === undefined, wantedUnits > mostUnits);
        if (fitsFrom === undefined) return;
        assert.ok(inWindow(fitsFrom) + wantedUnits <= mostUnits);
        assert.ok(inWindow(fitsFrom.subtract({ milliseconds: 1 })) + wantedUnits > mostUnits);
      },
    ),
  );
});
