// In which order somebody who pays sees coins, and the networks of each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDecimal } from '#money/decimal.ts';
import { offerOf, RECORD_OFFERS } from '#pages/demo/sample-record.ts';
import { listPayWays } from './list-coins.ts';

const BASE_USDC = 'USDC:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
/** In thousandths, by network; the others are not known. */
const FEES: Readonly<Record<string, bigint>> = { STELLAR: 1n, BASE: 3n, ETHEREUM: 230n };

type Case = {
  readonly name: string;
  readonly offers?: typeof RECORD_OFFERS;
  readonly recommended?: readonly string[];
  readonly coins: string;
};

const CASES: readonly Case[] = [
  {
    name: 'as they are named most',
    coins:
      'BTC:BITCOIN LIGHTNING:LIGHTNING USDC:STELLAR,BASE,ETHEREUM USDT:ETHEREUM ETH:BASE,ETHEREUM ' +
      'LTC:LITECOIN XRP:XRP_LEDGER XLM:STELLAR',
  },
  {
    name: 'what the shop recommends comes first, its coin and its network',
    recommended: [`BASE ${BASE_USDC}`],
    coins:
      'USDC!:BASE,STELLAR,ETHEREUM BTC:BITCOIN LIGHTNING:LIGHTNING USDT:ETHEREUM ETH:BASE,ETHEREUM ' +
      'LTC:LITECOIN XRP:XRP_LEDGER XLM:STELLAR',
  },
  {
    name: 'several recommendations come in their own order, before what the shop put in order',
    offers: [
      offerOf('XRP_LEDGER', 'XRP:NATIVE'),
      offerOf('LITECOIN', 'LTC:NATIVE'),
      offerOf('BITCOIN', 'BTC:NATIVE'),
    ],
    recommended: ['BITCOIN BTC:NATIVE', 'LITECOIN LTC:NATIVE'],
    coins: 'BTC!:BITCOIN LTC!:LITECOIN XRP:XRP_LEDGER',
  },
  {
    name: 'the order that a shop gave them',
    offers: [
      offerOf('XRP_LEDGER', 'XRP:NATIVE'),
      offerOf('LITECOIN', 'LTC:NATIVE'),
      offerOf('BITCOIN', 'BTC:NATIVE'),
    ],
    coins: 'XRP:XRP_LEDGER LTC:LITECOIN BTC:BITCOIN',
  },
  {
    name: 'a network whose fee is not known comes after those whose is',
    offers: [offerOf('ETHEREUM', 'ETH:NATIVE'), offerOf('OPTIMISM', 'ETH:NATIVE')],
    coins: 'ETH:ETHEREUM,OPTIMISM',
  },
  {
    name: 'a recommendation that is not offered changes nothing',
    offers: [offerOf('BITCOIN', 'BTC:NATIVE'), offerOf('LITECOIN', 'LTC:NATIVE')],
    recommended: [`BASE ${BASE_USDC}`],
    coins: 'BTC:BITCOIN LTC:LITECOIN',
  },
  { name: 'nothing is offered', offers: [], coins: '' },
];

for (const { name, offers = RECORD_OFFERS, recommended = [], coins } of CASES) {
  test(`coins: ${name}`, () => {
    const feeOf = ({ network }: { readonly network: string }) => {
      const fee = FEES[network];
      return fee === undefined ? undefined : createDecimal(fee, 3);
    };
    const ways = listPayWays(offers, { feeOf, recommended });
    const shown = ways.coins.map(
      (coin) =>
        `${coin.key}${coin.isRecommended ? '!' : ''}:${coin.offers.map(({ network }) => network).join(',')}`,
    );
    assert.equal(shown.join(' '), coins);
    assert.deepEqual(ways.banks, []);
  });
}

test('transfers by bank stand by themselves', () => {
  const offers = [offerOf('BITCOIN', 'BTC:NATIVE'), offerOf('SEPA', 'EUR:FIAT')];
  const { coins, banks } = listPayWays(offers, { feeOf: () => undefined, recommended: [] });
  assert.deepEqual(
    coins.map(({ key }) => key),
    ['BTC'],
  );
  assert.deepEqual(
    banks.map(({ network }) => network),
    ['SEPA'],
  );
});
