import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decideClaimFee } from './decide-claim-fee.ts';

const CASES = [
  ['it takes the same', 100n, 100n, true, { kind: 'keep' }],
  ['nobody knows what it takes', 100n, undefined, true, { kind: 'keep' }],
  ['it takes more', 100n, 101n, true, { kind: 'follow', moreUnits: 1n }],
  ['it takes three times as much', 100n, 300n, true, { kind: 'follow', moreUnits: 200n }],
  ['it takes more than that', 100n, 301n, true, { kind: 'too-dear' }],
  ['it takes less', 100n, 40n, true, { kind: 'follow', moreUnits: -60n }],
  ['it takes nothing', 100n, 0n, true, { kind: 'follow', moreUnits: -100n }],
  ['it took nothing and takes nothing', 0n, 0n, true, { kind: 'keep' }],
  ['it took nothing and takes something', 0n, 1n, true, { kind: 'too-dear' }],
  ['out of the payment: it takes more', 100n, 300n, false, { kind: 'keep' }],
  ['out of the payment: it takes less', 100n, 1n, false, { kind: 'keep' }],
  ['out of the payment: it takes too much', 100n, 301n, false, { kind: 'too-dear' }],
] as const;

for (const [what, reservedUnits, askedUnits, isOnTop, decision] of CASES) {
  test(`${what}: ${decision.kind}`, () => {
    assert.deepEqual(decideClaimFee({ reservedUnits, askedUnits, isOnTop }), decision);
  });
}

test('what is reserved is what it takes now, and never above three times of what was shown', () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 30n });
  fc.assert(
    fc.property(units, units, fc.boolean(), (reservedUnits, askedUnits, isOnTop) => {
      const decision = decideClaimFee({ reservedUnits, askedUnits, isOnTop });
      const isTooDear = askedUnits > 3n * reservedUnits;
      assert.equal(decision.kind === 'too-dear', isTooDear);
      if (decision.kind !== 'follow') return;
      assert.equal(isOnTop, true);
      assert.equal(reservedUnits + decision.moreUnits, askedUnits);
    }),
  );
});
