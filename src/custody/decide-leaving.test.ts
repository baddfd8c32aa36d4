import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RecordedDeparture, RecordedPart } from '#chain/departure.ts';
import { decideLeaving } from './decide-leaving.ts';
import type { Order } from './decide-parts.ts';

const COIN = 'ETH:NATIVE';
const TOKEN = 'USDC:ETHEREUM';
const HEIGHT = 100n;

/** What the books and the chain have of one part, told apart from how the decision finds it. */
const FATES = [
  ...['own', 'booked with the rest', 'carries a transfer', 'recognised now', 'nobody’s'],
  ...['converted', 'converted for an order'],
];

const departures = fc.array(
  fc.record({
    where: fc.constantFrom('up to the height', 'above it', 'waiting', 'gone'),
    isBooked: fc.boolean(),
    feeUnits: fc.option(fc.bigInt(0n, 1_000n), { nil: undefined }),
    parts: fc.array(
      fc.record({
        fate: fc.constantFrom(...FATES),
        assetId: fc.constantFrom(COIN, TOKEN),
        units: fc.bigInt(1n, 10n ** 24n),
        isCompleted: fc.boolean(),
        feeShare: fc.bigInt(0n, 5n),
      }),
      { maxLength: 4 },
    ),
  }),
  { maxLength: 6 },
);

type Story = typeof departures extends fc.Arbitrary<infer T> ? T : never;

/** The facts of a story, and what by it has left the chain and not the books. */
function tell(story: Story) {
  const orders: Order[] = [];
  const paidFees = new Map<string, bigint>();
  const expected = new Map([
    [COIN, 0n],
    [TOKEN, 0n],
  ]);
  const add = (assetId: string, units: bigint) =>
    expected.set(assetId, (expected.get(assetId) ?? 0n) + units);
  const recorded = story.map(({ where, isBooked, feeUnits, parts: told }, at) => {
    const hasLeft = where === 'up to the height';
    const parts = told.map(({ fate, assetId, units, isCompleted, feeShare }, index) => {
      const id = `${at}:${index}`;
      const part = { number: index, destination: id, assetId, units, purpose: undefined };
      if (fate === 'nobody’s') return part;
      if (fate === 'own') return { ...part, purpose: 'OWN' };
      if (fate === 'recognised now') {
        orders.push({ transferId: id, destination: id, assetId, units });
        // What is booked is not looked at again, what is gone carries nothing.
        if (hasLeft && !isBooked) add(assetId, units);
        return part;
      }
      if (hasLeft) add(assetId, units);
      if (isBooked) add(assetId, -units);
      if (fate.startsWith('converted')) {
        const [gotAssetId, gotUnits] = [assetId === COIN ? TOKEN : COIN, units / 2n + 1n];
        if (hasLeft) add(gotAssetId, -gotUnits);
        if (isBooked) add(gotAssetId, gotUnits);
        const purpose = fate === 'converted' ? undefined : 'CONVERSION';
        return { ...part, gotAssetId, gotUnits, purpose };
      }
      if (fate === 'booked with the rest') return { ...part, purpose: 'OUTSIDE' };
      if (isCompleted && !isBooked) {
        paidFees.set(id, feeShare);
        add(assetId, -units - feeShare);
      }
      return { ...part, purpose: 'TRANSFER', transferId: id };
    });
    if (hasLeft) add(COIN, feeUnits ?? 0n);
    if (isBooked) add(COIN, -(feeUnits ?? 0n));
    const status = where === 'waiting' ? 'SEEN' : where === 'gone' ? 'GONE' : 'INCLUDED';
    const heights = { 'up to the height': HEIGHT, 'above it': HEIGHT + 1n } as const;
    const blockHeight = heights[where as keyof typeof heights] as bigint | undefined;
    const bookedAt = isBooked ? Temporal.Instant.from('2026-01-01T00:00:00Z') : undefined;
    return { status, blockHeight, bookedAt, feeAssetId: COIN, feeUnits, parts };
  }) as unknown as RecordedDeparture[];
  return { expected, facts: { height: HEIGHT, departures: recorded, orders, paidFees } };
}

test('what is leaving is what the blocks have taken and the books have not, asset by asset', () => {
  fc.assert(
    fc.property(departures, (story) => {
      const { expected, facts } = tell(story);
      const leaving = decideLeaving({ ...facts, collectTo: undefined });
      for (const [assetId, units] of expected) assert.equal(leaving.get(assetId) ?? 0n, units);
    }),
    { numRuns: 500 },
  );
});

test('a transfer that waits stands for one payment of those that look like it, the oldest', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }), (paid, waiting) => {
      const part = { destination: 'them', assetId: COIN, units: 7n } as RecordedPart;
      const one = { status: 'INCLUDED', blockHeight: HEIGHT, feeAssetId: COIN, feeUnits: 1n };
      const recorded = Array.from({ length: paid }, () => ({ ...one, parts: [{ ...part }] }));
      const orders = Array.from({ length: waiting }, (_, at) => {
        return { transferId: String(at), destination: 'them', assetId: COIN, units: 7n };
      });
      const leaving = decideLeaving({
        height: HEIGHT,
        departures: recorded as unknown as RecordedDeparture[],
        orders,
        collectTo: undefined,
        paidFees: new Map(),
      });
      const carried = BigInt(Math.min(paid, waiting));
      assert.equal(leaving.get(COIN) ?? 0n, 7n * carried + BigInt(paid));
    }),
  );
});

test('what goes where the operator collects it has left, whether it is recognised yet or not', () => {
  const part = { destination: 'treasury', assetId: TOKEN, units: 9n } as RecordedPart;
  const departure = { status: 'INCLUDED', blockHeight: 3n, feeAssetId: COIN, feeUnits: 2n };
  const leaving = decideLeaving({
    height: HEIGHT,
    departures: [{ ...departure, parts: [part] } as unknown as RecordedDeparture],
    orders: [],
    collectTo: 'treasury',
    paidFees: new Map(),
  });
  assert.deepEqual(Object.fromEntries(leaving), { [TOKEN]: 9n, [COIN]: 2n });
});
