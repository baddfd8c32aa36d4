// What parts of an order come to in the ledger: whatever an exchange counts below a unit, in whatever
// order they are heard of, the books have the whole order, rounded once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { getAsset } from '#catalog/asset.ts';
import { createDecimal, decimalToText } from '#money/decimal.ts';
import { divideUnits } from '#money/rate.ts';
import type { ExchangeFill } from '#trader/protocol.ts';
import type { HedgeFill } from '#treasury/hedge-order.ts';
import { decideTraded, limitPrice, type PartToBook } from './decide-traded.ts';

const BTC = 'BTC:NATIVE';
const EUR = 'EUR:FIAT';
const ETH = 'ETH:NATIVE';
const NOW = Temporal.Instant.from('2026-01-01T12:00:00Z');
/** Digits that an exchange counts below our units. */
const FINER = 5;

type Raw = { readonly sold: bigint; readonly got: bigint; readonly fee: bigint };
const raw: fc.Arbitrary<Raw> = fc.record({
  sold: fc.bigInt(1n, 10n ** 13n),
  got: fc.bigInt(1n, 10n ** 12n),
  fee: fc.bigInt(0n, 10n ** 9n),
});

const fine = (units: bigint, assetId: string) =>
  decimalToText(createDecimal(units, getAsset(assetId).decimals + FINER));

function fillsOf(list: readonly Raw[], feeCode: string, feeAssetId: string): ExchangeFill[] {
  return list.map(({ sold, got, fee }, at) => ({
    ...{ id: `T-${at}`, at: NOW.add({ seconds: at }).toString() },
    ...{ soldAmount: fine(sold, EUR), gotAmount: fine(got, BTC) },
    fees: fee === 0n ? [] : [{ code: feeCode, amount: fine(fee, feeAssetId) }],
  }));
}

function booked(part: PartToBook): HedgeFill {
  const undone = { undoneBy: undefined, undoneReason: undefined, undoneAt: undefined };
  return { orderId: 'o', closedUnits: 0n, actor: 'trader', bookedAt: NOW, ...undone, ...part };
}

const ORDER = { giveAssetId: EUR, getAssetId: BTC };
const sum = (list: readonly bigint[]) => list.reduce((total, one) => total + one, 0n);

for (const [code, assetId] of [
  ['EUR', EUR],
  ['BTC', BTC],
  ['ETH', ETH],
] as const) {
  test(`fees in ${code}: parts come to the whole, heard in any order and again and again`, () => {
    fc.assert(
      fc.property(
        fc.array(raw, { minLength: 1, maxLength: 8 }),
        fc.array(fc.array(fc.nat(7)), { maxLength: 4 }),
        (list, rounds) => {
          const fills = fillsOf(list, code, assetId);
          const books: HedgeFill[] = [];
          const hear = (heard: readonly ExchangeFill[]) => {
            const { parts, notes } = decideTraded(ORDER, books, heard);
            assert.deepEqual(notes, []);
            books.push(...parts.map(booked));
            assert.deepEqual(decideTraded(ORDER, books, heard).parts, []);
          };
          // An exchange tells what it knows by then, and never forgets a part.
          const known = new Set<number>();
          for (const round of rounds) {
            for (const at of round) known.add(at);
            hear(fills.filter((_, at) => known.has(at)));
          }
          hear(fills);
          const exact = 10n ** BigInt(FINER);
          const whole = (units: readonly bigint[], rounding: 'up' | 'down') =>
            divideUnits(sum(units), exact, rounding);
          assert.equal(
            sum(books.map(({ soldUnits }) => soldUnits)),
            whole(
              list.map(({ sold }) => sold),
              'up',
            ),
          );
          assert.equal(
            sum(books.map(({ gotUnits }) => gotUnits)),
            whole(
              list.map(({ got }) => got),
              'down',
            ),
          );
          assert.equal(
            sum(books.map(({ feeUnits = 0n }) => feeUnits)),
            whole(
              list.map(({ fee }) => fee),
              'up',
            ),
          );
          assert(books.every(({ feeAssetId = assetId }) => feeAssetId === assetId));
        },
      ),
    );
  });
}

test('a part that a person took back is left to him; a fee in what is no asset is said', () => {
  const [one, two] = fillsOf(
    [
      { sold: 10n ** 7n, got: 10n ** 7n, fee: 5n },
      { sold: 1n, got: 1n, fee: 0n },
    ],
    'KFEE',
    EUR,
  );
  assert(one !== undefined && two !== undefined);
  const { parts, notes } = decideTraded(ORDER, [], [one]);
  assert.deepEqual(parts, [
    { fillId: 'T-0', soldUnits: 100n, gotUnits: 100n, feeAssetId: undefined, feeUnits: undefined },
  ]);
  assert.match(notes.join(), /T-0: a fee of 0.0000005 KFEE, which is no asset here/);
  const undone = { ...parts.map(booked)[0], undoneAt: NOW } as HedgeFill;
  assert.deepEqual(decideTraded(ORDER, [undone], [one]).parts, []);
});

test('the part that came first is counted first, however its moment is written', () => {
  const half = { soldAmount: '0.5', gotAmount: '0.1', fees: [] };
  const [late, early] = [
    { ...half, id: 'a', at: '2026-01-01T12:00:00.5Z' },
    { ...half, id: 'b', at: '2026-01-01T12:00:00Z' },
  ];
  const other = { ...half, id: 'c', at: '2026-01-01T12:00:00.25Z' };
  const cents = { ...ORDER, giveAssetId: 'XRP:NATIVE', getAssetId: BTC };
  const fine = [late, early, other].map((one) => ({ ...one, soldAmount: '0.0000005' }));
  const { parts } = decideTraded(cents, [], fine);
  assert.deepEqual(
    parts.map(({ fillId, soldUnits }) => [fillId, soldUnits]),
    [
      ['b', 1n],
      ['c', 0n],
      ['a', 1n],
    ],
  );
});

test('the limit is our own price less the slippage; without a price there is none', () => {
  const prices = new Map([
    ['BTC', 100_000n],
    ['EUR', 1n],
  ]);
  const book = {
    price: (_: string, code: string) => {
      const price = prices.get(code);
      const usdPrice = price === undefined ? undefined : createDecimal(price, 0);
      return usdPrice && { id: 1n, code, usdPrice, observedAt: NOW };
    },
  };
  const live = { ...ORDER, environment: 'live' } as const;
  const sale = { ...live, giveAssetId: BTC, getAssetId: EUR };
  assert.equal(limitPrice(book, sale, 5_000, NOW), '99500');
  assert.equal(limitPrice(book, live, 0, NOW), '0.00001');
  assert.equal(limitPrice(book, { ...live, giveAssetId: ETH }, 0, NOW), undefined);
});
