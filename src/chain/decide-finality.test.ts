import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decideFinality, type Finality } from './decide-finality.ts';

const off = { isBraked: false, isLarge: false, isReleased: false };
const offLarge = { ...off, isLarge: true };
const on = { ...off, isBraked: true };
const onLarge = { ...on, isLarge: true };
const letGo = { ...onLarge, isReleased: true };

const cases: readonly [string, bigint, number, typeof off, Finality][] = [
  ['not deep enough', 2n, 3, off, 'waiting'],
  ['deep enough', 3n, 3, off, 'final'],
  ['large and deep enough', 3n, 3, offLarge, 'final'],
  ['settled when it is reported', 1n, 0, off, 'final'],
  ['brake: deep enough without it', 3n, 3, on, 'waiting'],
  ['brake: one short of twice as deep', 5n, 3, on, 'waiting'],
  ['brake: twice as deep', 6n, 3, on, 'final'],
  ['brake: large and not deep enough', 2n, 3, onLarge, 'waiting'],
  ['brake: large and deep enough', 3n, 3, onLarge, 'held'],
  ['brake: large and twice as deep', 6n, 3, onLarge, 'held'],
  ['brake: large and as deep as can be', 1_000_000n, 6, onLarge, 'held'],
  ['brake of a bank: small', 1n, 0, on, 'final'],
  ['brake of a bank: large', 1n, 0, onLarge, 'held'],
  ['let go: not deep enough', 2n, 3, letGo, 'waiting'],
  ['let go: deep enough without the brake', 3n, 3, letGo, 'waiting'],
  ['let go: twice as deep', 6n, 3, letGo, 'final'],
  ['let go: small', 5n, 3, { ...on, isReleased: true }, 'waiting'],
  ['let go, of a bank', 1n, 0, letGo, 'final'],
];

for (const [what, confirmations, required, brake, expected] of cases) {
  test(`${what}: ${expected}`, () =>
    assert.equal(decideFinality({ confirmations, required, ...brake }), expected));
}

test('the brake only ever makes a payment wait longer, and a hold ends with it', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 200n),
      fc.nat(100),
      fc.boolean(),
      (confirmations, required, isLarge) => {
        const facts = { confirmations, required, isLarge, isReleased: false };
        const braked = decideFinality({ ...facts, isBraked: true });
        const free = decideFinality({ ...facts, isBraked: false });
        if (braked === 'final' || braked === 'held') assert.equal(free, 'final');
        if (free === 'waiting') assert.equal(braked, 'waiting');
        if (isLarge) assert.notEqual(braked, 'final');
        const released = decideFinality({ ...facts, isBraked: true, isReleased: true });
        const small = decideFinality({ ...facts, isBraked: true, isLarge: false });
        assert.equal(released, small, 'what is let go is as deep as what was never held');
      },
    ),
  );
});
