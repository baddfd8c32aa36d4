import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExchangeTrade } from '#trader/protocol.ts';
import { decideSides, decideStray } from './decide-trade.ts';

const BTC = 'BTC:NATIVE';
const USDT = 'USDT:0xdAC17F958D2ee523a2206206994597C13D831ec7';
const TRADE: ExchangeTrade = {
  ...{ id: 'T1', symbol: 'BTC/USDT', at: '2026-01-02T00:00:00Z', clientOrderId: undefined },
  ...{ soldCode: 'BTC', soldAmount: '0.1', gotCode: 'USDT', gotAmount: '7300', fees: [] },
};
const ORDER: Parameters<typeof decideStray>[1]['orders'][number] = {
  ...{ id: 'one', state: 'COMPLETED', isAtExchange: false, isByHand: false },
  ...{ giveAssetId: BTC, getAssetId: USDT, clientOrderId: 'qtone' },
};
const NOTHING = { orders: [], fills: [], explained: [] };
const PART = { orderId: 'one', fillId: 'T1' };
const SENT = { ...TRADE, clientOrderId: 'qtone' };

const CASES: readonly (readonly [
  what: string,
  trade: ExchangeTrade,
  known: Parameters<typeof decideStray>[1],
  expected: 'ours' | 'stray' | 'of one',
])[] = [
  ['nobody knows it', TRADE, NOTHING, 'stray'],
  [
    'an order was there, and it is none of its parts',
    TRADE,
    { ...NOTHING, orders: [ORDER] },
    'stray',
  ],
  ['a part that is booked', TRADE, { ...NOTHING, orders: [ORDER], fills: [PART] }, 'ours'],
  [
    'the same id in another market',
    { ...TRADE, symbol: 'LTC/USDT', soldCode: 'LTC' },
    { ...NOTHING, orders: [ORDER], fills: [PART] },
    'stray',
  ],
  [
    'the same id in the other direction',
    { ...TRADE, soldCode: 'USDT', gotCode: 'BTC' },
    { ...NOTHING, orders: [ORDER], fills: [PART] },
    'stray',
  ],
  [
    'one that was explained',
    TRADE,
    { ...NOTHING, explained: [{ symbol: 'BTC/USDT', id: 'T1' }] },
    'ours',
  ],
  [
    'one of another market was explained',
    TRADE,
    { ...NOTHING, explained: [{ symbol: 'LTC/USDT', id: 'T1' }] },
    'stray',
  ],
  [
    'its order is on its way',
    SENT,
    { ...NOTHING, orders: [{ ...ORDER, state: 'ORDERED' }] },
    'ours',
  ],
  [
    'its order was given up while it was at the exchange',
    SENT,
    { ...NOTHING, orders: [{ ...ORDER, state: 'CANCELLED', isAtExchange: true }] },
    'ours',
  ],
  ['its order has ended', SENT, { ...NOTHING, orders: [ORDER] }, 'of one'],
  ['the ledger does not know its order', SENT, NOTHING, 'stray'],
];

for (const [what, trade, known, expected] of CASES) {
  test(`a trade at an exchange: ${what}: ${expected}`, () => {
    const [found] = decideStray([trade], known);
    const said = found === undefined ? 'ours' : found.orderId === undefined ? 'stray' : 'of one';
    assert.equal(said, expected);
  });
}

const assetOf = (code: string) => ({ BTC, USDT })[code];

test('what was sold and the fee are rounded up, what came down', () => {
  const fees = [{ code: 'USDT', amount: '18.9800264' }];
  const trade = { ...TRADE, soldAmount: '0.100000001', gotAmount: '7300.0000019', fees };
  assert.deepEqual(decideSides(trade, assetOf), {
    sold: { assetId: BTC, units: 10_000_001n },
    got: { assetId: USDT, units: 7_300_000_001n },
    fee: { assetId: USDT, units: 18_980_027n },
  });
});

test('a fee of nothing is none', () => {
  const sides = decideSides({ ...TRADE, fees: [{ code: 'KFEE', amount: '0.00' }] }, assetOf);
  assert('sold' in sides && sides.fee === undefined);
});

const UNKNOWN: readonly (readonly [string, Partial<ExchangeTrade>, RegExp])[] = [
  ['what was sold', { soldCode: 'DOGE' }, /DOGE is no asset here/],
  ['what came', { gotCode: 'DOGE' }, /DOGE is no asset here/],
  ['the fee', { fees: [{ code: 'KFEE', amount: '1.20' }] }, /fee of 1.2 KFEE is in no asset here/],
  [
    'one of two fees',
    {
      fees: [
        { code: 'BTC', amount: '1' },
        { code: 'USDT', amount: '1' },
      ],
    },
    /several fees/,
  ],
];
for (const [what, changed, sentence] of UNKNOWN) {
  test(`nothing is booked where ${what} is not known`, () => {
    const sides = decideSides({ ...TRADE, ...changed }, assetOf);
    assert.match('refused' in sides ? sides.refused : '', sentence);
  });
}
