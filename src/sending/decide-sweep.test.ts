import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { getAsset } from '#catalog/asset.ts';
import { decimalFromUnits, multiply, parseDecimal } from '#money/decimal.ts';
import { decideGas, decideSweep, type SweepFacts, type SweepHolding } from './decide-sweep.ts';

const ETH = 'ETH:NATIVE';
const USDC = 'USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const DAI = 'DAI:0x6B175474E89094C44Da98b954EedeAC495271d0F';
const PRICES = new Map([
  [ETH, parseDecimal('2000')],
  [USDC, parseDecimal('1')],
]);

/** What is worth a thousandth of an ETH, or 2 USDC, to move. */
const COST = 10n ** 15n;

function holding(address: string, assetId: string, units: bigint, costUnits?: bigint | null) {
  return {
    address,
    assetId,
    units,
    costUnits: costUnits === null ? undefined : (costUnits ?? COST),
  };
}

function decide(holdings: readonly SweepHolding[], more: Partial<SweepFacts> = {}) {
  return decideSweep({
    survey: { coinAssetId: ETH, holdings, topUpCostUnits: COST },
    worthOf: (assetId, units) => {
      const price = PRICES.get(assetId);
      return price && multiply(decimalFromUnits(units, getAsset(assetId).decimals), price);
    },
    above: new Map(),
    hasGasAccount: true,
    isAutomatic: false,
    ...more,
  });
}

const usdc = (amount: bigint) => amount * 10n ** 6n;

test('coins are moved whole but for the gas', () => {
  const { steps, left } = decide([holding('a', ETH, 10n ** 18n)]);
  assert.deepEqual(steps, [
    { address: 'a', assetId: ETH, units: 10n ** 18n - COST, costUnits: COST, topUpUnits: 0n },
  ]);
  assert.deepEqual(left, []);
});

test('a token without coins beside it gets them first, with a margin', () => {
  const { steps } = decide([holding('a', USDC, usdc(100n)), holding('a', ETH, COST / 2n)]);
  assert.deepEqual(steps, [
    {
      address: 'a',
      assetId: USDC,
      units: usdc(100n),
      costUnits: 2n * COST,
      topUpUnits: (COST * 125n) / 100n - COST / 2n,
    },
  ]);
});

test('coins that pay for tokens stay until those are gone', () => {
  const here = [holding('a', ETH, 10n ** 18n), holding('a', USDC, usdc(100n))];
  assert.deepEqual(
    decide(here).steps.map(({ assetId, topUpUnits }) => [assetId, topUpUnits]),
    [[USDC, 0n]],
  );
});

for (const [name, holdings, more, reason] of [
  [
    '2 USDC that cost 2 to move',
    [holding('a', USDC, usdc(2n)), holding('a', ETH, COST)],
    {},
    /costs more/,
  ],
  ['3 USDC that need coins too', [holding('a', USDC, usdc(3n))], {}, /costs more/],
  ['coins worth twice their gas', [holding('a', ETH, 2n * COST)], {}, /costs more/],
  ['what nobody can value', [holding('a', DAI, 10n ** 20n)], {}, /nobody knows what it is worth/],
  [
    'a token without a gas account',
    [holding('a', USDC, usdc(9n))],
    { hasGasAccount: false },
    /no coin/,
  ],
  ['what the chain would refuse', [holding('a', USDC, usdc(900n), null)], {}, /refuse/],
] as const) {
  test(`left, and listed: ${name}`, () => {
    const { steps, left } = decide(holdings, more);
    assert.deepEqual(steps, []);
    assert.match(left[0]?.reason ?? '', reason);
  });
}

test('what nobody can value is moved from the amount on that the operator said', () => {
  const above = new Map([[DAI, 10n ** 20n]]);
  assert.equal(decide([holding('a', DAI, 10n ** 20n)], { above }).steps.length, 1);
  assert.equal(decide([holding('a', DAI, 10n ** 20n - 1n)], { above }).steps.length, 0);
});

test('without being asked, only what is above its amount', () => {
  const above = new Map([[USDC, usdc(50n)]]);
  const here = [
    holding('a', USDC, usdc(49n)),
    holding('b', USDC, usdc(50n)),
    holding('c', ETH, COST * 9n),
  ];
  const { steps, left } = decide(here, { above, isAutomatic: true });
  assert.deepEqual([steps.map(({ address }) => address), left], [['b'], []]);
});

test('nothing is moved for more than it is worth, and nothing beyond what is there', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 20n });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom(ETH, USDC), amount, amount)),
      (all) => {
        const holdings = [...new Map(all.map((one) => [`${one[0]} ${one[1]}`, one])).values()].map(
          ([address, assetId, units, cost]) => holding(address, assetId, units, cost),
        );
        const { steps, left } = decide(holdings);
        for (const { address, assetId, units, costUnits, topUpUnits } of steps) {
          const there = holdings.find((one) => one.address === address && one.assetId === assetId);
          assert(there !== undefined && units <= there.units && topUpUnits >= 0n);
          if (assetId === ETH) assert(units + costUnits === there.units && units > costUnits);
          else assert(units * 10n ** 12n > costUnits * 2000n);
        }
        const told = new Set([...steps, ...left].map(({ address }) => address));
        assert.deepEqual(told, new Set(holdings.map(({ address }) => address)));
      },
    ),
  );
});

test('gas is enough where every address that waits can be given its coins, and one in any case', () => {
  const gas = (heldUnits: bigint) => ({
    topUpCostUnits: COST,
    gas: { heldUnits, tokenCostUnits: 4n * COST },
  });
  // The fee of giving it, and a quarter more than what it pays for.
  const eachUnits = 6n * COST;
  for (const [held, waiting, isEnough] of [
    [0n, 0, false],
    [eachUnits - 1n, 0, false],
    [eachUnits, 0, true],
    [eachUnits, 1, true],
    [2n * eachUnits, 3, false],
    [3n * eachUnits, 3, true],
  ] as const) {
    assert.deepEqual(decideGas(gas(held), waiting), { heldUnits: held, eachUnits, isEnough });
  }
  assert.equal(decideGas({ topUpCostUnits: COST, gas: undefined }, 3), undefined);
});
