import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { closedByFill, shareOfPromise } from './decide-fill.ts';

const amount = fc.bigInt({ min: 1n, max: 10n ** 24n });
/** Weights that cut an amount into parts, each above zero. */
const cuts = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 12 });

function partsOf(total: bigint, weights: readonly number[]): bigint[] {
  const sum = BigInt(weights.reduce((all, one) => all + one, 0));
  let before = 0n;
  let weight = 0n;
  const parts: bigint[] = [];
  for (const one of weights) {
    weight += BigInt(one);
    const upTo = (total * weight) / sum;
    if (upTo > before) parts.push(upTo - before);
    before = upTo;
  }
  return parts;
}

describe('the parts of an order', () => {
  test('close exactly what was ordered once all is sold, and never more on the way', () => {
    fc.assert(
      fc.property(amount, amount, cuts, (giveUnits, closesUnits, weights) => {
        let order = { giveUnits, closesUnits, filledUnits: 0n, closedUnits: 0n };
        for (const sold of partsOf(giveUnits, weights)) {
          const closed = closedByFill(order, sold);
          assert.ok(closed >= 0n);
          const filledUnits = order.filledUnits + sold;
          order = { ...order, filledUnits, closedUnits: order.closedUnits + closed };
          assert.ok(order.closedUnits * giveUnits <= closesUnits * filledUnits);
        }
        assert.deepEqual([order.filledUnits, order.closedUnits], [giveUnits, closesUnits]);
      }),
    );
  });

  test('close it also where parts are taken back and entered again in between', () => {
    fc.assert(
      fc.property(amount, amount, cuts, fc.nat(), (giveUnits, closesUnits, weights, which) => {
        let order = { giveUnits, closesUnits, filledUnits: 0n, closedUnits: 0n };
        const booked: { sold: bigint; closed: bigint }[] = [];
        const book = (sold: bigint) => {
          const closed = closedByFill(order, sold);
          booked.push({ sold, closed });
          const filledUnits = order.filledUnits + sold;
          order = { ...order, filledUnits, closedUnits: order.closedUnits + closed };
        };
        const parts = partsOf(giveUnits, weights);
        for (const sold of parts.slice(0, -1)) book(sold);
        const wrong = booked.splice(which % Math.max(booked.length, 1), 1)[0];
        if (wrong !== undefined) {
          const filledUnits = order.filledUnits - wrong.sold;
          order = { ...order, filledUnits, closedUnits: order.closedUnits - wrong.closed };
        }
        book(parts.at(-1) ?? 1n);
        assert.ok(order.closedUnits <= closesUnits);
        if (wrong !== undefined) book(wrong.sold);
        assert.deepEqual([order.filledUnits, order.closedUnits], [giveUnits, closesUnits]);
      }),
    );
  });

  test('that sell more than is left are a bug of ours', () => {
    const order = { giveUnits: 10n, closesUnits: 7n, filledUnits: 9n, closedUnits: 6n };
    assert.equal(closedByFill(order, 1n), 1n);
    assert.throws(() => closedByFill(order, 2n), /no more than is left/);
    assert.throws(() => closedByFill(order, -1n), /no more than is left/);
    assert.equal(closedByFill(order, 0n), 0n, 'a part below a unit');
  });
});

test('an order closes its share of what was promised, rounded down', () => {
  assert.equal(shareOfPromise(1n, 3n, 10n), 3n);
  assert.equal(shareOfPromise(3n, 3n, 10n), 10n);
  assert.throws(() => shareOfPromise(4n, 3n, 10n), /no more is sold than is open/);
});
