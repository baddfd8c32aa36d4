import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decideCaps } from './decide-caps.ts';

const caps = { perTransactionUnits: 100n, perDayUnits: 250n };
const order = (id: string, units: bigint, feeUnits = 1n) => ({
  id,
  payments: [{ units }],
  feeUnits,
});

test('what leaves in a transaction is what it pays and its fee', () => {
  assert.equal(decideCaps(order('a', 99n), [], caps), undefined);
  assert.deepEqual(decideCaps(order('a', 100n), [], caps), { cap: 'transaction', units: 101n });
  const batch = { id: 'a', payments: [{ units: 60n }, { units: 40n }], feeUnits: 1n };
  assert.deepEqual(decideCaps(batch, [], caps), { cap: 'transaction', units: 101n });
});

test('what was signed within a day counts, the same order once and at its most', () => {
  const signed = [order('a', 80n), order('b', 80n), order('b', 80n, 9n)];
  assert.equal(decideCaps(order('c', 79n), signed, caps), undefined);
  assert.deepEqual(decideCaps(order('c', 80n), signed, caps), { cap: 'day', units: 251n });
  assert.equal(
    decideCaps(order('b', 80n, 20n), signed, caps),
    undefined,
    'a higher fee of its own',
  );
});

test('whatever is asked in whatever order, a day lets out no more than its cap', () => {
  const asked = fc.array(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      units: fc.bigInt({ min: 1n, max: 120n }),
      feeUnits: fc.bigInt({ min: 0n, max: 20n }),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(asked, (all) => {
      const signed: ReturnType<typeof order>[] = [];
      for (const { id, units, feeUnits } of all) {
        const one = order(id, units, feeUnits);
        if (decideCaps(one, signed, caps) === undefined) signed.push(one);
      }
      const most = new Map<string, bigint>();
      for (const { id, payments, feeUnits } of signed) {
        const leaves = (payments[0]?.units ?? 0n) + feeUnits;
        assert(leaves <= 100n);
        if (leaves > (most.get(id) ?? 0n)) most.set(id, leaves);
      }
      assert([...most.values()].reduce((sum, one) => sum + one, 0n) <= 250n);
    }),
  );
});
