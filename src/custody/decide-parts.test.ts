import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RecordedPart } from '#chain/departure.ts';
import { decideParts, feeShares, type Order } from './decide-parts.ts';

const LTC = 'LTC:NATIVE';

function part(number: number, changes: Partial<RecordedPart> = {}): RecordedPart {
  const facts = { number, destination: 'them', assetId: LTC, units: 100n, purpose: undefined };
  return { ...facts, ...changes } as RecordedPart;
}

function order(transferId: string, changes: Partial<Order> = {}): Order {
  return { transferId, destination: 'them', assetId: LTC, units: 100n, ...changes };
}

function carried(parts: readonly RecordedPart[], orders: readonly Order[]): string[] {
  return decideParts({ parts, transaction: 't1', spends: ['coin', 'digest'] }, orders).map(
    (carries) => `${carries.part.number}:${carries.transferId}`,
  );
}

test('a part carries the transfer with its receiver, its asset and its exact amount', () => {
  assert.deepEqual(carried([part(1)], [order('a')]), ['1:a']);
  const others: Partial<Order>[] = [
    { destination: 'somebody else' },
    { destination: undefined },
    { assetId: 'BTC:NATIVE' },
    { units: 99n },
    { units: 101n },
  ];
  for (const other of others) {
    assert.deepEqual(
      carried([part(1)], [order('a', other)]),
      [],
      JSON.stringify(Object.keys(other)),
    );
    // What does not fit stands in nobody's way.
    assert.deepEqual(carried([part(1)], [order('a', other), order('b')]), ['1:b']);
  }
});

test('each part carries one, the oldest first, and no transfer is carried twice', () => {
  const orders = [order('a'), order('b'), order('c')];
  assert.deepEqual(carried([part(1)], orders), ['1:a']);
  assert.deepEqual(carried([part(1), part(2)], orders), ['1:a', '2:b']);
  const many = [part(1), part(2), part(3), part(4)];
  assert.deepEqual(carried(many, orders), ['1:a', '2:b', '3:c']);
  assert.deepEqual(carried([], orders), []);
  assert.deepEqual(carried(many, []), []);
});

test('of orders that look the same, who was signed so goes first, and who was signed otherwise last', () => {
  const otherwise = order('a', { transaction: 't2' });
  const orders = [otherwise, order('b'), order('c', { transaction: 't1' })];
  assert.deepEqual(carried([part(1)], orders), ['1:c']);
  assert.deepEqual(carried([part(1), part(2), part(3)], orders), ['1:c', '2:b', '3:a']);
  assert.deepEqual(carried([part(1)], [otherwise]), ['1:a']);
  // What owners signed is carried out by a transaction of somebody's.
  assert.deepEqual(carried([part(1)], [order('a'), order('b', { transaction: 'digest' })]), [
    '1:b',
  ]);
});

test('a part that is for something already carries nothing, and takes nothing from the next', () => {
  for (const purpose of ['TRANSFER', 'LOST'] as const) {
    const parts = [part(1, { purpose }), part(2)];
    assert.deepEqual(carried(parts, [order('a')]), ['2:a']);
  }
});

test('what is carried fits exactly, each once, and nothing that fits is left', () => {
  const choice = fc.record({
    destination: fc.constantFrom('x', 'y'),
    units: fc.constantFrom(1n, 2n),
    assetId: fc.constantFrom('A', 'B'),
  });
  fc.assert(
    fc.property(fc.array(choice, { maxLength: 8 }), fc.array(choice, { maxLength: 8 }), (a, b) => {
      const parts = a.map((one, at) => part(at, one));
      const orders = b.map((one, at) => order(String(at), one));
      const pairs = decideParts({ parts, transaction: 't1', spends: [] }, orders);
      const keyOf = (of: Pick<Order, 'destination' | 'assetId' | 'units'>) =>
        `${of.destination} ${of.assetId} ${of.units}`;
      for (const { part: left, transferId } of pairs) {
        assert.equal(keyOf(orders[Number(transferId)] as Order), keyOf(left));
      }
      assert.equal(new Set(pairs.map(({ transferId }) => transferId)).size, pairs.length);
      assert.equal(new Set(pairs.map(({ part: left }) => left.number)).size, pairs.length);
      for (const key of new Set(parts.map(keyOf))) {
        const fitting = (of: readonly Pick<Order, 'destination' | 'assetId' | 'units'>[]) =>
          of.filter((one) => keyOf(one) === key).length;
        const expected = Math.min(fitting(parts), fitting(orders));
        assert.equal(fitting(pairs.map((pair) => pair.part)), expected);
      }
    }),
  );
});

const reserved = (...units: bigint[]) =>
  units.map((networkFeeUnits) => ({ assetId: LTC, networkFeeUnits }));
const fee = (feeUnits: bigint | undefined) => ({ feeAssetId: LTC, feeUnits });

test('each transfer pays an equal share, to the unit, and never more than was reserved', () => {
  assert.deepEqual(feeShares(fee(100n), reserved(200n)), [100n]);
  assert.deepEqual(feeShares(fee(100n), reserved(99n)), [99n]);
  assert.deepEqual(feeShares(fee(100n), reserved(100n)), [100n]);
  assert.deepEqual(feeShares(fee(100n), reserved(500n, 500n, 20n)), [33n, 33n, 20n]);
  assert.deepEqual(feeShares(fee(100n), reserved(500n, 500n, 500n)), [33n, 33n, 34n]);
  assert.deepEqual(feeShares(fee(2n), reserved(5n, 5n, 5n)), [0n, 1n, 1n]);
  assert.deepEqual(feeShares(fee(0n), reserved(5n, 5n)), [0n, 0n]);
  assert.deepEqual(feeShares(fee(100n), []), []);
});

test('nobody pays a fee of another asset, or one that nobody knows', () => {
  const token = { assetId: 'ETH:USDC', networkFeeUnits: 50n };
  assert.deepEqual(feeShares(fee(100n), [token, ...reserved(90n)]), [undefined, 90n]);
  assert.deepEqual(feeShares(fee(100n), [token]), [undefined]);
  assert.deepEqual(feeShares(fee(undefined), [token, ...reserved(90n)]), [undefined, undefined]);
});

test('transfers never pay more together than the network took', () => {
  const anyUnits = fc.bigInt({ min: 0n, max: 10n ** 12n });
  fc.assert(
    fc.property(anyUnits, fc.array(anyUnits, { maxLength: 6 }), (taken, fees) => {
      const shares = feeShares(fee(taken), reserved(...fees));
      const sum = shares.reduce<bigint>((total, share) => total + (share ?? 0n), 0n);
      assert(sum <= taken);
      // Where enough was reserved nothing is left for the house, and nobody pays two units more.
      const count = BigInt(fees.length);
      if (fees.length > 0 && fees.every((one) => one * count >= taken + count)) {
        assert.equal(sum, taken);
      }
      for (const share of shares) assert(share! * count < taken + count);
      for (const [at, share] of shares.entries()) assert(share !== undefined && share <= fees[at]!);
    }),
  );
});
