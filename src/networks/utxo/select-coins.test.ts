import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { dustLimit, feeFor, type RelayPolicy, relayPolicy } from './relay-policy.ts';
import {
  type Coin,
  type CoinOrder,
  type CoinSelection,
  leastReplacementFee,
  selectCoins,
} from './select-coins.ts';
import {
  type InputKind,
  NO_INPUTS,
  transactionWeight,
  virtualSize,
  withInput,
} from './transaction-size.ts';

const BITCOIN = relayPolicy('BTC:NATIVE');
const LITECOIN = relayPolicy('LTC:NATIVE');
const KEY_HASH = Uint8Array.of(0, 20, ...new Uint8Array(20));
const TAPROOT = Uint8Array.of(0x51, 32, ...new Uint8Array(32));
const LEGACY = Uint8Array.of(0x76, 0xa9, 20, ...new Uint8Array(20), 0x88, 0xac);

function coin(at: number, units: bigint, more: Partial<Coin> = {}): Coin {
  const transaction = at.toString(16).padStart(64, '0');
  return { transaction, vout: 0, units, kind: 'p2wpkh', confirmations: 6, ...more };
}

const coinsOf = (...units: readonly bigint[]) => units.map((each, at) => coin(at, each));

function orderOf(
  coins: readonly Coin[],
  units: readonly bigint[],
  more: Partial<CoinOrder<Coin>> = {},
): CoinOrder<Coin> {
  return {
    coins,
    payments: units.map((each) => ({ script: KEY_HASH, units: each })),
    changeScript: KEY_HASH,
    feeRate: 1000n,
    policy: BITCOIN,
    ...more,
  };
}

function chosen(order: CoinOrder<Coin>): CoinSelection<Coin> {
  const selection = selectCoins(order);
  assert(
    !('refused' in selection),
    JSON.stringify(selection, (_, value) => String(value)),
  );
  return selection;
}

const unitsOf = ({ inputs }: CoinSelection<Coin>) => inputs.map(({ units }) => units);
const sum = (list: readonly bigint[]) => list.reduce((total, each) => total + each, 0n);

function sizeOf({ inputs }: CoinSelection<Coin>, scripts: readonly Uint8Array[]): number {
  const tally = inputs.map(({ kind }) => kind).reduce(withInput, NO_INPUTS);
  return virtualSize(
    transactionWeight(
      tally,
      scripts.map(({ length }) => length),
    ),
  );
}

test('one payment from one coin: the fee is that of the size, the rest comes back', () => {
  assert.deepEqual(chosen(orderOf(coinsOf(100_000n), [40_000n])), {
    inputs: coinsOf(100_000n),
    feeUnits: 141n,
    changeUnits: 59_859n,
    virtualSize: 141,
  });
});

test('what is spent stands in the order of transaction and output, whatever it holds', () => {
  const places = [
    ['cc', 1],
    ['aa', 10],
    ['bb', 0],
    ['aa', 2],
    ['cc', 0],
  ] as const;
  const coins = places.map(([name, vout], at) => {
    return { ...coin(at, 10_000n + BigInt(at)), transaction: name.repeat(32), vout };
  });
  const { inputs } = chosen(orderOf(coins, [49_000n]));
  assert.deepEqual(
    inputs.map(({ transaction, vout }) => `${transaction.slice(0, 2)}:${vout}`),
    ['aa:2', 'aa:10', 'bb:0', 'cc:0', 'cc:1'],
  );
});

test('the least coin that suffices, so that the others stay free', () => {
  const order = orderOf(coinsOf(9_000_000n, 50_000n, 41_000n, 700_000n, 30_000n), [40_000n]);
  assert.deepEqual(unitsOf(chosen(order)), [41_000n]);
});

test('as few coins as can be, and of those the smallest', () => {
  const coins = coinsOf(60_000n, 50_000n, 41_000n, 30_000n, 10_000n, 10_000n, 10_000n);
  assert.deepEqual(unitsOf(chosen(orderOf(coins, [100_000n]))), [60_000n, 41_000n]);
});

test('change that would be dust, or costs more than it is worth, is left to the fee', () => {
  // 110 virtual bytes without change, 141 with it; the limit is 294.
  const just = chosen(orderOf(coinsOf(40_000n + 141n + 294n), [40_000n]));
  assert.deepEqual([just.changeUnits, just.feeUnits], [294n, 141n]);
  const below = chosen(orderOf(coinsOf(40_000n + 141n + 293n), [40_000n]));
  assert.deepEqual([below.changeUnits, below.feeUnits, below.virtualSize], [0n, 434n, 110]);
  const exact = chosen(orderOf(coinsOf(40_110n), [40_000n]));
  assert.deepEqual([exact.changeUnits, exact.feeUnits], [0n, 110n]);
});

test('too little says how much is missing', () => {
  const order = orderOf(coinsOf(20_000n, 20_000n), [40_000n]);
  // Two inputs and one output.
  assert.deepEqual(selectCoins(order), { refused: 'too-little', missingUnits: 178n });
  assert.equal(chosen(orderOf(coinsOf(20_000n, 20_178n), [40_000n])).feeUnits, 178n);
});

test('coins that cost more than they bring, and unconfirmed ones, are not spent', () => {
  const dear = orderOf(coinsOf(68_000n, 68_001n), [1000n], { feeRate: 1_000_000n });
  assert.deepEqual(selectCoins(dear), {
    refused: 'too-little',
    missingUnits: 1000n + 110_000n - 68_001n,
  });
  const waiting = [coin(1, 90_000n, { confirmations: 0 }), coin(2, 50_000n)];
  assert.deepEqual(unitsOf(chosen(orderOf(waiting, [1000n]))), [50_000n]);
});

test('a payment that nobody relays is named', () => {
  const order = orderOf(coinsOf(100_000n), [40_000n, 293n]);
  assert.deepEqual(selectCoins(order), { refused: 'dust', payment: 1, leastUnits: 294n });
  const litecoin = orderOf(coinsOf(100_000n), [2939n], { policy: LITECOIN });
  assert.deepEqual(selectCoins(litecoin), { refused: 'dust', payment: 0, leastUnits: 2940n });
});

test('more than one transaction can hold is refused', () => {
  const many = Array.from({ length: 2000 }, (_, at) => coin(at, 10_000n));
  const selection = selectCoins(orderOf(many, [15_000_000n]));
  assert('refused' in selection && selection.refused === 'too-large');
  assert(selection.virtualSize > 100_000);
  assert.equal(chosen(orderOf(many, [13_000_000n])).virtualSize < 100_000, true);
  const payments = Array.from({ length: 3300 }, () => 1000n);
  assert.equal(
    Reflect.get(selectCoins(orderOf(coinsOf(10n ** 9n), payments)), 'refused'),
    'too-large',
  );
});

test('the same coin twice, or nothing to pay, is a bug of the caller', () => {
  assert.throws(() => selectCoins(orderOf([coin(1, 5000n), coin(1, 5000n)], [1000n])), /twice/);
  assert.throws(() => selectCoins(orderOf(coinsOf(5000n), [])), /nothing is to be paid/);
});

const kinds = fc.constantFrom<InputKind>('p2wpkh', 'p2tr', 'p2pkh', 'p2sh-p2wpkh');
const someCoins = fc
  .array(fc.tuple(fc.bigInt(1n, 3_000_000n), kinds, fc.integer({ min: 0, max: 3 })), {
    minLength: 1,
    maxLength: 60,
  })
  .map((list) =>
    list.map(([units, kind, confirmations], at) => coin(at, units, { kind, confirmations })),
  );
const someOrder = fc
  .record({
    coins: someCoins,
    payments: fc.array(
      fc.record({
        script: fc.constantFrom(KEY_HASH, TAPROOT, LEGACY),
        units: fc.bigInt(5460n, 2_000_000n),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    changeScript: fc.constantFrom(KEY_HASH, TAPROOT),
    feeRate: fc.oneof(fc.bigInt(1000n, 5000n), fc.bigInt(1000n, 500_000n)),
    policy: fc.constantFrom<RelayPolicy>(BITCOIN, LITECOIN),
  })
  .map((order): CoinOrder<Coin> => order);

/** What holds of every selection; `least` is the least fee of so many virtual bytes. */
function checkSums(
  selection: CoinSelection<Coin>,
  { payments, changeScript, policy }: CoinOrder<Coin>,
  least: (size: number) => bigint,
): void {
  const { feeUnits, changeUnits } = selection;
  const paid = sum(payments.map(({ units }) => units));
  assert.equal(sum(unitsOf(selection)), paid + feeUnits + changeUnits);
  const limit = dustLimit(changeScript, policy);
  assert(changeUnits === 0n || changeUnits >= limit, 'the change is dust');
  const scripts = payments.map(({ script }) => script);
  const withChange = sizeOf(selection, [...scripts, changeScript]);
  const size = changeUnits > 0n ? withChange : sizeOf(selection, scripts);
  assert.equal(selection.virtualSize, size);
  assert(size <= 100_000);
  assert(feeUnits >= least(size), 'the fee is below the rate');
  assert(feeUnits < least(withChange) + limit, 'more is left to the fee than change costs');
  if (changeUnits > 0n) assert.equal(feeUnits, least(size));
  const names = selection.inputs.map(({ transaction, vout }) => `${transaction}:${vout}`);
  assert.equal(new Set(names).size, names.length);
}

test('whatever is asked: sums are exact, fees within bounds, no dust, as few inputs as can be', () => {
  fc.assert(
    fc.property(someOrder, (order) => {
      const selection = selectCoins(order);
      const { coins, feeRate } = order;
      const confirmed = coins.filter(({ confirmations }) => confirmations > 0);
      if ('refused' in selection) {
        assert.equal(selection.refused, 'too-little');
        assert(selection.missingUnits > 0n);
        // With so much more, in a coin that costs no more than it brings on top, it goes.
        const cost = feeFor(200, feeRate) + 1n;
        const more = coin(9999, selection.missingUnits + cost);
        chosen({ ...order, coins: [...coins, more] });
        return;
      }
      checkSums(selection, order, (size) => feeFor(size, feeRate));
      assert(selection.inputs.every((input) => confirmed.includes(input)));
      const { inputs } = selection;
      // Without the least of them it does not go: there is no one too many.
      const least = inputs.reduce((one, other) => (other.units < one.units ? other : one));
      const fewer = selectCoins({ ...order, coins: inputs.filter((input) => input !== least) });
      assert('refused' in fewer);
    }),
    { numRuns: 500 },
  );
});

test('the order in which coins are named changes nothing', () => {
  const shuffled = someOrder.chain((order) =>
    fc.tuple(
      fc.constant(order),
      fc.shuffledSubarray([...order.coins], { minLength: order.coins.length }),
    ),
  );
  fc.assert(
    fc.property(shuffled, ([order, coins]) => {
      assert.deepEqual(selectCoins({ ...order, coins }), selectCoins(order));
    }),
  );
});

test('a replacement spends all that it replaces, and pays for both as BIP-125 asks', () => {
  const replacing = fc.tuple(someOrder, fc.bigInt(1000n, 600_000n), fc.bigInt(0n, 20_000n));
  let replaced = 0;
  fc.assert(
    fc.property(replacing, ([order, feeRate, descendantsFee]) => {
      const first = selectCoins(order);
      if ('refused' in first) return;
      const replaces = {
        coins: first.inputs,
        feeUnits: first.feeUnits + descendantsFee,
        virtualSize: first.virtualSize,
      };
      const again: CoinOrder<Coin> = { ...order, feeRate, replaces };
      const second = selectCoins(again);
      if ('refused' in second) {
        assert.equal(second.refused, 'too-little');
        return;
      }
      replaced += 1;
      for (const input of first.inputs) assert(second.inputs.includes(input));
      checkSums(second, again, (size) => {
        const least = leastReplacementFee(replaces, size, order.policy);
        const fee = feeFor(size, feeRate);
        return fee > least ? fee : least;
      });
      // Rules 3 and 4, and the higher rate that Bitcoin Core wants.
      assert(second.feeUnits >= replaces.feeUnits + BigInt(second.virtualSize));
      assert(
        second.feeUnits * BigInt(first.virtualSize) >
          replaces.feeUnits * BigInt(second.virtualSize),
      );
    }),
    { numRuns: 300 },
  );
  assert(replaced > 50, `only ${replaced} were replaced`);
});

test('a payment is called off by paying all of it back, for a higher fee', () => {
  const first = chosen(orderOf(coinsOf(100_000n), [40_000n]));
  const replaces = { coins: first.inputs, feeUnits: 141n, virtualSize: 141 };
  const back = chosen(orderOf([], [], { replaces }));
  assert.deepEqual([back.feeUnits, back.changeUnits, back.virtualSize], [251n, 99_749n, 110]);
  const poor = orderOf([], [], { replaces: { ...replaces, coins: coinsOf(400n) } });
  assert.deepEqual(selectCoins(poor), { refused: 'too-little', missingUnits: 145n });
});
