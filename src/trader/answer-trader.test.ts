// The trader over the real code of ccxt, which talks to what Kraken published, on loopback: one
// order is sent once, whatever breaks, and what was filled is told to the last digit.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { type KrakenServer, openKrakenServer } from '#test/support/kraken-server.ts';
import { answerTrader, type Trader } from './answer-trader.ts';
import { openExchange } from './open-exchange.ts';
import type { NewOrder, Withdrawal } from './protocol.ts';
import type { TraderRules } from './rules.ts';
import { openTradeJournal } from './trade-journal.ts';

const BTC = 'BTC:NATIVE';
const USDT = 'USDT:0xdAC17F958D2ee523a2206206994597C13D831ec7';
const RULES: TraderRules = {
  worstPricePartsPerMillion: 10_000,
  findCap: (provider, assetId) =>
    provider === 'kraken' && assetId === BTC
      ? { perOrder: 100_000_000n, perDay: 150_000_000n }
      : undefined,
  findAddress: (_, name) =>
    name === 'cold'
      ? {
          ...{
            name,
            provider: 'kraken',
            assetId: BTC,
            address: '2N9fRkx5JTWXWHmXzZtvhQsufvoYRMq9ExV',
          },
          ...{
            tag: undefined,
            key: 'cold wallet',
            perWithdrawal: 50_000_000n,
            perDay: 60_000_000n,
          },
        }
      : undefined,
};

let kraken: KrakenServer;
let directory: string;
let trader: Trader;
let minutesLater = 0;

before(async () => {
  kraken = await openKrakenServer();
  directory = mkdtempSync(join(tmpdir(), 'quittance-trader-'));
});
after(async () => {
  trader.journal.close();
  rmSync(directory, { recursive: true });
  await kraken.close();
});
let run = 0;
beforeEach(async () => {
  trader?.journal.close();
  run += 1;
  minutesLater = 0;
  trader = await openTrader();
  Object.assign(kraken, { parts: [], refuses: undefined, breaks: undefined, hidesTrades: false });
});

/** As after a start: with what the journal says, and nothing else. */
async function openTrader(): Promise<Trader> {
  const { apiKey, secret, url } = kraken;
  const account = { provider: 'kraken', exchange: 'kraken', apiKey, secret, url };
  const exchange = await openExchange(account, { isPaced: false });
  const clock = { ...systemClock, now: () => systemClock.now().add({ minutes: minutesLater }) };
  const journal = openTradeJournal(join(directory, `${run}.jsonl`), clock);
  const exchanges = new Map([['kraken', exchange]]);
  return { exchanges, rules: RULES, journal, clock, log: silentLog, turns: new Map() };
}

async function startAgain(): Promise<void> {
  trader.journal.close();
  trader = await openTrader();
}

function order(clientOrderId: string, giveAmount = '0.5', limit = '73000'): NewOrder {
  const notAfter = trader.clock.now().add({ minutes: 1 }).toString();
  const name = { provider: 'kraken', clientOrderId: `qt${run}${clientOrderId}` };
  return { ...name, giveAssetId: BTC, getAssetId: USDT, giveAmount, limit, notAfter };
}

const place = (wanted: NewOrder) => answerTrader(trader, { ask: 'place', order: wanted });
const look = ({ provider, clientOrderId, giveAssetId, getAssetId }: NewOrder) =>
  answerTrader(trader, {
    ask: 'look',
    order: { provider, clientOrderId, giveAssetId, getAssetId },
  });
const countSent = () => kraken.sent.length;

test('an order is sent with our id, its limit and a deadline; parts and fees come back exactly', async () => {
  kraken.parts = [
    { volume: '0.2', price: '73380.6' },
    { volume: '0.3', price: '73379.9' },
  ];
  const wanted = order('a');
  const told = await place(wanted);
  const form = kraken.sent.at(-1);
  assert.equal(form?.get('cl_ord_id'), wanted.clientOrderId);
  assert.deepEqual(
    ['pair', 'type', 'ordertype', 'volume', 'price'].map((name) => form?.get(name)),
    ['XBTUSDT', 'sell', 'limit', '0.5', '73000'],
  );
  assert.match(form?.get('deadline') ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert(told.answer === 'order' && told.state === 'ENDED');
  assert.deepEqual(
    told.fills.map(({ soldAmount, gotAmount, fees }) => [soldAmount, gotAmount, fees]),
    [
      ['0.2', '14676.12', [{ code: 'USDT', amount: '38.15791' }]],
      ['0.3', '22013.97', [{ code: 'USDT', amount: '57.23632' }]],
    ],
  );
  const count = countSent();
  assert.deepEqual(await place(wanted), told);
  assert.deepEqual(await look(wanted), told);
  assert.equal(countSent(), count);
});

test('a part of it that the market does not take is given up, and told', async () => {
  kraken.parts = [{ volume: '0.2', price: '73380.6' }];
  const told = await place(order('a'));
  assert(told.answer === 'order' && told.state === 'ENDED');
  assert.deepEqual(
    told.fills.map(({ soldAmount }) => soldAmount),
    ['0.2'],
  );
});

test('the connection breaks after the exchange has the order: it is found by our id, also by another process', async () => {
  kraken.parts = [{ volume: '0.5', price: '73380.6' }];
  kraken.breaks = 'after';
  const wanted = order('a');
  const count = countSent();
  const told = await place(wanted);
  assert(told.answer === 'order' && told.state === 'ENDED');
  await startAgain();
  kraken.breaks = undefined;
  assert.deepEqual(await place(wanted), told);
  assert.equal(countSent(), count + 1);
});

test('killed between order and answer: whoever starts again finds it, and sends nothing', async () => {
  kraken.parts = [{ volume: '0.5', price: '73380.6' }];
  const wanted = order('a');
  await place(wanted);
  // The line that says how Kraken calls it was not written any more.
  const { provider, clientOrderId: id, giveAssetId: assetId, giveAmount: amount } = wanted;
  run += 1;
  await startAgain();
  trader.journal.append({
    ...{ kind: 'placing', id, provider, assetId, amount, symbol: 'BTC/USDT' },
    ...{ side: 'sell', baseAmount: '0.5', price: '73000' },
  });
  const count = countSent();
  await startAgain();
  const told = await place(wanted);
  assert(told.answer === 'order' && told.state === 'ENDED' && told.fills.length === 1);
  assert.equal(countSent(), count);
});

test('it never arrived: nothing is sent again, and when it cannot come any more that is said', async () => {
  kraken.breaks = 'before';
  const wanted = order('a');
  const count = countSent();
  const told = await place(wanted);
  assert(told.answer === 'order' && told.state === 'NOT_FOUND' && told.mayStillCome);
  kraken.breaks = undefined;
  assert.deepEqual(await place(wanted), told);
  minutesLater = 6;
  const lost = await look(wanted);
  assert(lost.answer === 'order' && lost.state === 'REJECTED');
  assert.match(lost.reason ?? '', /never reached/);
  await startAgain();
  assert.deepEqual(await place(wanted), lost);
  assert.equal(countSent(), count);
});

test('what the exchange rejects is rejected for good', async () => {
  kraken.refuses = 'EOrder:Invalid price:Invalid price argument';
  const wanted = order('a');
  const told = await place(wanted);
  assert(told.answer === 'order' && told.state === 'REJECTED');
  kraken.refuses = undefined;
  assert.deepEqual(await place(wanted), told);
});

for (const error of [
  'EOrder:Rate limit exceeded',
  'EAPI:Invalid nonce',
  'EOrder:Insufficient funds',
  'EService:Market in cancel_only mode',
]) {
  test(`${error}: nothing was sent, and the same order is sent later`, async () => {
    kraken.refuses = error;
    kraken.parts = [{ volume: '0.5', price: '73380.6' }];
    const wanted = order('a');
    const told = await place(wanted);
    assert(told.answer === 'refused' && told.code === 'exchange_busy');
    kraken.refuses = undefined;
    const later = await place(wanted);
    assert(later.answer === 'order' && later.state === 'ENDED');
  });
}

test('below the least amount of the market nothing is sent', async () => {
  const count = countSent();
  const told = await place(order('a', '0.00009'));
  assert(told.answer === 'refused' && told.code === 'not_tradable');
  assert.equal(countSent(), count);
});

test('a limit far below what the exchange itself offers is not sent', async () => {
  const told = await place(order('a', '0.5', '70000'));
  assert(told.answer === 'refused' && told.code === 'price_too_bad');
});

test('caps of an order and of a day hold, also after a start; what came too late is not sent', async () => {
  kraken.parts = [{ volume: '1', price: '73380.6' }];
  const above = await place(order('a', '1.00000001'));
  assert(above.answer === 'refused' && above.code === 'above_cap');
  assert.equal((await place(order('b', '1'))).answer, 'order');
  await startAgain();
  kraken.parts = [{ volume: '0.5', price: '73380.6' }];
  const more = await place(order('c', '0.50000001'));
  assert(more.answer === 'refused' && more.code === 'above_cap');
  assert.equal((await place(order('d', '0.5'))).answer, 'order');
  minutesLater = 24 * 60 + 1;
  assert.equal((await place(order('e', '0.5'))).answer, 'order');
  const notAfter = trader.clock.now().subtract({ seconds: 1 }).toString();
  const late = await place({ ...order('f'), notAfter });
  assert(late.answer === 'refused' && late.code === 'too_late');
});

test('an order is not ended while the exchange does not list all its parts', async () => {
  kraken.parts = [
    { volume: '0.2', price: '73380.6' },
    { volume: '0.3', price: '73380.6' },
  ];
  kraken.hidesTrades = true;
  const wanted = order('a');
  const told = await place(wanted);
  assert(told.answer === 'order' && told.state === 'OPEN' && told.fills.length === 1);
  kraken.hidesTrades = false;
  const whole = await look(wanted);
  assert(whole.answer === 'order' && whole.state === 'ENDED' && whole.fills.length === 2);
});

test('money goes to listed addresses alone, within their caps, and once under a name', async () => {
  const withdrawal = { provider: 'kraken', name: 'june', to: 'cold', assetId: BTC, amount: '0.5' };
  const ask = (changed: Partial<Withdrawal> = {}) =>
    answerTrader(trader, { ask: 'withdraw', withdrawal: { ...withdrawal, ...changed } });
  const unlisted = await ask({ to: 'thief' });
  assert(unlisted.answer === 'refused' && unlisted.code === 'address_not_listed');
  const above = await ask({ amount: '0.6' });
  assert(above.answer === 'refused' && above.code === 'above_cap');
  const sent = await ask();
  assert.deepEqual(sent, {
    answer: 'withdrawal',
    state: 'SENT',
    reference: 'AGBSO6T-UFMTTQ-I7KGS6',
  });
  assert.equal(kraken.withdrawn.at(-1)?.get('key'), 'cold wallet');
  await startAgain();
  assert.deepEqual(await ask(), sent);
  const differs = await ask({ amount: '0.4' });
  assert(differs.answer === 'refused' && differs.code === 'withdrawal_differs');
  const more = await ask({ name: 'july', amount: '0.2' });
  assert(more.answer === 'refused' && more.code === 'above_cap');
  assert.equal(kraken.withdrawn.length, 1);
});

test('balances with what orders hold, and where to deposit', async () => {
  const told = await answerTrader(trader, { ask: 'balances', provider: 'kraken' });
  assert(told.answer === 'balances');
  assert.deepEqual(
    told.balances.toSorted((one, other) => one.code.localeCompare(other.code)),
    [
      { code: 'BTC', amount: '1.2435' },
      { code: 'USDT', amount: '25435.21' },
    ],
  );
  const question = { ask: 'deposit-address', provider: 'kraken', assetId: BTC } as const;
  const address = await answerTrader(trader, { ...question, network: 'BITCOIN' });
  assert.deepEqual(address, {
    ...{ answer: 'address', address: '2N9fRkx5JTWXWHmXzZtvhQsufvoYRMq9ExV', tag: undefined },
  });
});
