import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { feeFor, relayPolicy } from './relay-policy.ts';
import { type Coin, selectCoins } from './select-coins.ts';
import { paymentFee } from './sending-fees.ts';

const policy = relayPolicy('BTC:NATIVE');
const kind = 'p2wpkh' as const;

function coinsOf(amounts: readonly bigint[]): Coin[] {
  return amounts.map((units, vout) => ({
    transaction: 'a1'.repeat(32),
    vout,
    units,
    kind,
    confirmations: 6,
  }));
}

const feeOf = (amounts: readonly bigint[], units: bigint, feeRate: bigint) =>
  paymentFee({ coins: coinsOf(amounts), kind, units, feeRate, policy });

// 10.5 + 68 for each input + 43 for each output, rounded up.
const TABLE: readonly [what: string, held: readonly bigint[], units: bigint, size: bigint][] = [
  ['one coin is enough', [1_000_000n], 500_000n, 165n],
  ['two coins are needed', [300_000n, 300_000n], 500_000n, 233n],
  ['three coins are needed', [200_000n, 200_000n, 200_000n], 500_000n, 301n],
  ['nothing is held here: another wallet pays', [], 500_000n, 233n],
  ['too little is held here', [1_000n], 500_000n, 233n],
  ['below dust, which a draft refuses', [1_000_000n], 1n, 233n],
];

for (const [what, held, units, size] of TABLE) {
  test(`what a payment costs: ${what}`, () => {
    for (const rate of [1_000n, 12_345n]) {
      const expected = feeFor(Number(size), rate);
      const found = feeOf(held, units, rate);
      assert(found <= expected && found > feeFor(Number(size) - 2, rate), `${found}, ${expected}`);
    }
  });
}

test('no draft out of the same coins is larger than what was quoted for it', () => {
  const amount = fc.bigInt(600n, 10n ** 9n);
  fc.assert(
    fc.property(
      fc.array(amount, { maxLength: 40 }),
      amount,
      fc.bigInt(100n, 500_000n),
      fc.constantFrom(22, 23, 25, 34),
      fc.constantFrom(22, 34),
      (held, units, feeRate, receiver, change) => {
        const quoted = feeOf(held, units, feeRate);
        assert(quoted > 0n);
        for (const paid of [units, units - quoted]) {
          const drafted = selectCoins({
            coins: coinsOf(held),
            payments: [{ script: scriptOf(receiver), units: paid }],
            changeScript: scriptOf(change),
            feeRate,
            policy,
          });
          if ('refused' in drafted) continue;
          assert(feeFor(drafted.virtualSize, feeRate) <= quoted);
        }
      },
    ),
  );
});

function scriptOf(length: number): Uint8Array {
  const script = new Uint8Array(length);
  script.set([0x51, length - 2]);
  return script;
}
