// What a network takes from whoever pays, in the money of the bill.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import type { AssetAmount } from '#money/asset-amount.ts';
import { decimalToText, parseDecimal } from '#money/decimal.ts';
import { payerFee } from './payer-fee.ts';

const now = Temporal.Instant.from('2026-03-01T12:00:00Z');
const PRICES: Readonly<Record<string, string>> = {
  USD: '1',
  EUR: '1.25',
  BTC: '100000',
  ETH: '4000',
  XLM: '0.5',
};
const rates = {
  price(_: string, code: string, observedAt: Temporal.Instant) {
    const text = PRICES[code];
    return text === undefined
      ? undefined
      : { id: 1n, code, usdPrice: parseDecimal(text), observedAt };
  },
};

function feeOn(network: string, assetId: string, said?: () => AssetAmount | undefined) {
  const sendingFees = { most: said ?? (() => undefined) };
  const networks = new Map(said === undefined ? [] : [[`live:${network}`, { sendingFees }]]);
  const of = { environment: 'live', billingCurrency: 'EUR', now } as const;
  const fee = payerFee({ rates, networks }, of, { network, assetId, askedUnits: 100_000n });
  return fee && decimalToText(fee);
}

const USDC = 'USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const CASES: readonly (readonly [
  name: string,
  fee: string | undefined,
  seen: string | undefined,
])[] = [
  ['a plain payment where no node was asked', feeOn('BITCOIN', 'BTC:NATIVE'), '0.564'],
  ['a token takes more gas than the coin', feeOn('ETHEREUM', USDC), '0.208'],
  ['the coin itself', feeOn('ETHEREUM', 'ETH:NATIVE'), '0.0672'],
  ['a part of the amount on Lightning', feeOn('LIGHTNING', 'BTC:NATIVE'), '0.24'],
  ['far below a cent', feeOn('STELLAR', 'XLM:NATIVE'), '0.000004'],
  ['a coin without a price', feeOn('POLYGON', 'POL:NATIVE'), undefined],
  ['a bank, which says it itself', feeOn('SEPA', 'EUR:FIAT'), undefined],
  [
    'what our node said last',
    feeOn('BITCOIN', 'BTC:NATIVE', () => ({ assetId: 'BTC:NATIVE', units: 10_000n })),
    '8',
  ],
  [
    'a node that does not answer',
    feeOn('BITCOIN', 'BTC:NATIVE', () => {
      throw new Refusal('unavailable', 'network_fee_unknown', ['no node has been asked yet']);
    }),
    '0.564',
  ],
];

for (const [name, fee, wanted] of CASES) {
  test(`the fee of a payer: ${name}`, () => assert.equal(fee, wanted));
}
