import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outage } from '#base/refusal.ts';
import { parseDecimal } from '#money/decimal.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { findGasFault } from './judge-gas.ts';

const USDC = 'USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const PRICES: Readonly<Record<string, string>> = { ETH: '4000', USDC: '1' };
const clock = manualClock('2026-11-28T10:00:00Z');
const ratesOf = (prices: Readonly<Record<string, string>>) => ({
  price: (_: unknown, code: string) => {
    const text = prices[code];
    return text === undefined
      ? undefined
      : { code, id: 1n, usdPrice: parseDecimal(text), observedAt: clock.now() };
  },
});

type Case = {
  readonly gasWei?: bigint | undefined;
  readonly units?: bigint;
  readonly percent?: number;
  readonly account?: string | undefined;
  readonly prices?: Readonly<Record<string, string>>;
  readonly hasPriceSources?: boolean;
};

function judge(given: Case) {
  const { gasWei, units, percent, account, prices, hasPriceSources } = {
    ...{ gasWei: 10n ** 14n, units: 1_000_000n, percent: 100, account: '0xaa' },
    ...{ prices: PRICES, hasPriceSources: true },
    ...given,
  };
  const transfer = {
    ...{ assetId: USDC, from: '0x1', to: '0x2', units, validAfter: 0n, validBefore: 9n },
    ...{ nonce: '0x3', signature: '0x4' },
  };
  const readFee = async () =>
    gasWei === undefined ? undefined : { assetId: 'ETH:NATIVE', units: gasWei };
  const payer = { account, gasPercentMost: percent, readFee };
  const app = { rates: ratesOf(prices), clock, hasPriceSources };
  return findGasFault(app, 'live:ETHEREUM', payer, transfer);
}

test('gas is too dear above the share of the payment that is set, to the unit', async () => {
  // 0.0001 ETH is worth 0.40, the payment 1.00 US dollars.
  for (const [percent, gasWei, fault] of [
    [40, 10n ** 14n, undefined],
    [40, 10n ** 14n + 1n, 'gas_too_dear'],
    [39, 10n ** 14n, 'gas_too_dear'],
    [100, 25n * 10n ** 13n, undefined],
    [100, 25n * 10n ** 13n + 1n, 'gas_too_dear'],
    [1_000, 25n * 10n ** 14n, undefined],
  ] as const) {
    assert.equal(await judge({ percent, gasWei }), fault, `${percent} ${gasWei}`);
  }
  assert.equal(await judge({ units: 1n }), 'gas_too_dear', 'a millionth of a dollar');
});

test('nothing is judged where it is not wanted, cannot be, or others pay the gas', async () => {
  const dear = { gasWei: 10n ** 20n };
  assert.equal(await judge({ ...dear, percent: 0 }), undefined);
  assert.equal(await judge({ ...dear, account: undefined }), undefined);
  assert.equal(await judge({ ...dear, hasPriceSources: false }), undefined);
  assert.equal(await judge(dear), 'gas_too_dear');
});

test('what cannot be sent now is refused, and what has no price now is asked again', async () => {
  assert.equal(await judge({ gasWei: undefined }), 'gas_not_available');
  await assert.rejects(judge({ prices: { ETH: '4000' } }), Outage);
  await assert.rejects(judge({ prices: { USDC: '1' } }), Outage);
});
