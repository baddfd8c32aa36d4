// Whatever is filled, and whatever is taken back of it: entries balance, and the position only ever
// comes nearer to zero, by exactly what the order closes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertBalanced, type Entry, reverseEntries } from '#ledger/ledger-entry.ts';
import { closedByFill } from './decide-fill.ts';
import { arrivedEntry, fillEntry, sentEntry } from './hedge-entries.ts';
import type { HedgeFill, HedgeOrder } from './hedge-order.ts';
import type { ProviderMove } from './provider-move.ts';

const now = Temporal.Instant.from('2026-01-01T00:00:00Z');
const GIVE = 'BTC:NATIVE';
const GET = 'EUR:FIAT';
const amount = fc.bigInt({ min: 1n, max: 10n ** 24n });
const feeAsset = fc.constantFrom(undefined, GIVE, GET, 'LTC:NATIVE');

function orderOf(giveUnits: bigint, closesUnits: bigint): HedgeOrder {
  const ended = { cancelledBy: undefined, cancelReason: undefined, endedAt: undefined };
  return {
    ...{ id: 'order', environment: 'test', provider: 'kraken', state: 'ORDERED' },
    ...{ giveAssetId: GIVE, giveUnits, getAssetId: GET, closesUnits, causeKey: undefined },
    ...{ clientOrderId: 'qtorder', orderedBy: 'anna', orderedAt: now, reservedAt: now },
    ...{
      isByHand: true,
      isAtExchange: false,
      filledUnits: 0n,
      closedUnits: 0n,
      actor: 'anna',
      reason: 'test',
      ...ended,
    },
  };
}

function sumOf(entries: readonly Entry[], code: string, assetId: string): bigint {
  return entries
    .flatMap(({ postings }) => postings)
    .filter((one) => one.account.code === code && one.assetId === assetId)
    .reduce((sum, { units }) => sum + units, 0n);
}

test('random parts of an order bring the position to exactly where it was to be', () => {
  const part = fc.record({
    share: fc.integer({ min: 1, max: 1_000 }),
    gotUnits: amount,
    feeAssetId: feeAsset,
    feeUnits: amount,
    isTakenBack: fc.boolean(),
  });
  const parts = fc.array(part, { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(amount, amount, parts, (giveUnits, closesUnits, given) => {
      let order = orderOf(giveUnits, closesUnits);
      const entries: Entry[] = [];
      let got = 0n;
      const book = (one: (typeof given)[number], soldUnits: bigint, number: number) => {
        const closedUnits = closedByFill(order, soldUnits);
        const hasFee = one.feeAssetId !== undefined;
        const fill: HedgeFill = {
          ...{ orderId: order.id, fillId: `T-${number}`, soldUnits, closedUnits },
          ...{ gotUnits: one.gotUnits, actor: 'anna', bookedAt: now },
          ...{ feeAssetId: one.feeAssetId, feeUnits: hasFee ? one.feeUnits : undefined },
          ...{ undoneBy: undefined, undoneReason: undefined, undoneAt: undefined },
        };
        const entry = fillEntry(order, fill, now);
        entries.push(entry);
        if (one.isTakenBack) {
          entries.push(...reverseEntries([entry], { kind: 'x', cause: 'x', occurredAt: now }));
          return;
        }
        got += one.gotUnits;
        const filledUnits = order.filledUnits + soldUnits;
        order = { ...order, filledUnits, closedUnits: order.closedUnits + closedUnits };
        // Open at the beginning: -giveUnits and +closesUnits. Neither side ever turns.
        assert.ok(sumOf(entries, 'exchange', GIVE) <= giveUnits);
        assert.ok(-sumOf(entries, 'exchange', GET) <= closesUnits);
      };
      given.forEach((one, index) => {
        const left = giveUnits - order.filledUnits;
        const sold = (left * BigInt(one.share)) / 1_000n;
        if (sold > 0n && sold < left) book(one, sold, index);
      });
      const rest = giveUnits - order.filledUnits;
      const last = { share: 1, gotUnits: 1n, feeAssetId: undefined, feeUnits: 1n };
      book({ ...last, isTakenBack: false }, rest, given.length);
      for (const entry of entries) assertBalanced(entry);
      assert.equal(sumOf(entries, 'exchange', GIVE), giveUnits);
      assert.equal(sumOf(entries, 'exchange', GET), -closesUnits);
      assert.equal(sumOf(entries, 'conversion-result', GET), closesUnits - got);
    }),
  );
});

test('money that went to a provider or came back leaves nothing on its way', () => {
  const way = fc.constantFrom('TO' as const, 'FROM' as const);
  fc.assert(
    fc.property(way, amount, amount, (direction, units, some) => {
      const arrivedUnits = some % (units + 1n);
      const move: ProviderMove = {
        ...{ id: 'move', environment: 'test', provider: 'kraken', direction, units },
        ...{ network: 'BITCOIN', assetId: GIVE, reference: 'tx', actor: 'anna', reason: 'test' },
        ...{ sentAt: now, arrivedUnits: undefined, arrivedBy: undefined, arrivedAt: undefined },
      };
      const entries = [sentEntry(move), arrivedEntry(move, arrivedUnits, now)];
      for (const entry of entries) assertBalanced(entry);
      assert.equal(sumOf(entries, 'transit:kraken', GIVE), 0n);
      const [outside, provider] = ['outside:BITCOIN', 'custody:kraken'].map((code) =>
        sumOf(entries, code, GIVE),
      );
      const gone = direction === 'TO' ? outside : provider;
      const come = direction === 'TO' ? provider : outside;
      assert.deepEqual([gone, come], [-units, arrivedUnits]);
      assert.equal(sumOf(entries, 'provider-fees', GIVE), units - arrivedUnits);
    }),
  );
});
