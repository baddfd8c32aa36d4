// Orders of the house from the position to the books: over a real database, through the trader's real
// socket and the real code of ccxt, at a Kraken on loopback that answers what Kraken published.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { accountsOf, type Entry } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { ONE, parseDecimal } from '#money/decimal.ts';
import type { RateBook } from '#rates/rate-book.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import { type KrakenServer, openKrakenServer } from '#test/support/kraken-server.ts';
import { houseUnits } from '#test/support/ledger-entries.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { WEAK_SEAL } from '#test/support/signer-world.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { openTraderClient } from '#trader/client.ts';
import { addAccount, setUpTrader, traderFiles } from '#trader/key-file.ts';
import { runTrader } from '#trader/run-trader.ts';
import { cancelOrder, orderHedge, placeOrder } from '#treasury/act-on-order.ts';
import { type ConversionPolicy, setPolicy } from '#treasury/conversion-policy.ts';
import { findOrder, listFills, listOrders } from '#treasury/hedge-order.ts';
import { noteArrival, noteMove } from '#treasury/note-move.ts';
import { readUnreserved } from '#treasury/open-position.ts';
import { reserveHedges } from '#treasury/reserve-hedges.ts';
import { explainTrade, listStrayTrades } from './explain-trade.ts';
import { reconcileProvider } from './reconcile-provider.ts';
import { findTrade, type TradeApp, type Trading, tradeOrders } from './trade-orders.ts';

const BTC = 'BTC:NATIVE';
const USDT = 'USDT:0xdAC17F958D2ee523a2206206994597C13D831ec7';
const PASSPHRASE = 'correct horse battery';
const RULES = `
[[cap]]
provider = "kraken"
asset = "BTC:NATIVE"
per_order = "1"
per_day = "100"
`;

let world: TestApp;
let kraken: KrakenServer;
let directory: string;
let trading: Trading;
let app: TradeApp;
let stop: () => Promise<void>;
let isPriced = true;

const rates: RateBook = {
  price(_, code, now) {
    if (!isPriced) return undefined;
    const usdPrice = code === 'BTC' ? parseDecimal('73380.65') : ONE;
    return { id: 1n, code, usdPrice, observedAt: now };
  },
};

before(async () => {
  world = await openTestApp({ connections: 10 });
  kraken = await openKrakenServer();
  directory = mkdtempSync(join(tmpdir(), 'quittance-trader-'));
  const opened = { directory, passphrase: PASSPHRASE, random: seededRandom(1), cost: WEAK_SEAL };
  setUpTrader(opened);
  writeFileSync(traderFiles(directory).settings, RULES);
  const { apiKey, secret, url } = kraken;
  addAccount(opened, { provider: 'kraken', exchange: 'kraken', apiKey, secret, url });
  const client = openTraderClient(join(directory, 'socket'));
  trading = { client, providers: ['kraken'], slippagePartsPerMillion: 5_000 };
  app = { ...world.app, rates, log: silentLog };
  await startTrader();
});
after(async () => {
  await stop();
  rmSync(directory, { recursive: true });
  await kraken.close();
  await world.close();
});
beforeEach(() => {
  isPriced = true;
  Object.assign(kraken, { parts: [], refuses: undefined, breaks: undefined, hidesTrades: false });
  kraken.byHand = [];
});

/** In this process, over its own directory, as after a start. */
async function startTrader(): Promise<void> {
  const [ended, ready] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // The world's clock stands still at another time: exchanges go by the real one.
  const clock = { ...systemClock, now: () => world.clock.now() };
  const running = runTrader({
    ...{ directory, passphrase: PASSPHRASE, clock, log: silentLog, isPaced: false },
    ...{ ended: ended.promise, onReady: () => ready.resolve() },
  });
  await Promise.race([ready.promise, running]);
  stop = async () => {
    ended.resolve();
    await running;
  };
}

let conversions = 0;
/** So much BTC was taken, and so much USDT promised for it, with live keys. */
async function convert(units: bigint, promisedUnits: bigint): Promise<void> {
  conversions += 1;
  const { merchantId } = world.caller;
  const exchange = { code: 'exchange' } as const;
  const available = { merchantId, code: 'merchant:available' } as const;
  const entry: Entry = {
    ...{ causeKey: `swap:live${conversions}`, kind: 'swap', environment: 'live', merchantId },
    occurredAt: world.clock.now(),
    postings: [
      { account: { code: 'custody:BITCOIN' }, assetId: BTC, units },
      { account: exchange, assetId: BTC, units: -units },
      { account: exchange, assetId: USDT, units: promisedUnits },
      { account: available, assetId: USDT, units: -promisedUnits },
    ],
  };
  const { db } = world.app;
  await ensureAccounts(db, accountsOf([entry]));
  await db.transact(async (tx) => {
    postEntries(tx, [entry]);
    reserveHedges(tx, [entry]);
  });
}

/** An order for what was converted, of half a coin. */
async function order(): Promise<string> {
  await convert(50_000_000n, 36_600_000_000n);
  const { id } = await orderHedge(world.app, {
    ...{ environment: 'live', provider: 'kraken', actor: 'anna', reason: 'evening' },
    ...{ giveAssetId: BTC, giveUnits: 50_000_000n, getAssetId: USDT },
    ...{ closesUnits: 36_600_000_000n, isByHand: false },
  });
  return id;
}

/** One more, of what is still without an order. */
const again = (giveUnits: bigint) =>
  orderHedge(world.app, {
    ...{ environment: 'live', provider: 'kraken', actor: 'anna', reason: 'evening' },
    ...{ giveAssetId: BTC, giveUnits, getAssetId: USDT, closesUnits: 1_000_000n, isByHand: false },
  });

async function atOnce(): Promise<void> {
  const policy: ConversionPolicy = {
    ...{ environment: 'live', fromAssetId: BTC, toAssetId: USDT, mode: 'AT_ONCE' },
    ...{ provider: 'kraken', spreadPartsPerMillion: 0, actor: 'anna', reason: 'volatile' },
    setAt: world.clock.now(),
  };
  await world.app.db.transact(async (tx) => setPolicy(tx, policy));
}

async function round(): Promise<void> {
  await world.clock.advance(31_000);
  await tradeOrders(app, trading);
}

async function stateOf(id: string) {
  const { db } = world.app;
  const [found, trade, fills] = await Promise.all([
    findOrder(db, id),
    findTrade(db, id),
    listFills(db, id),
  ]);
  return { state: found?.state, trade: trade?.state, told: trade?.told, fills };
}

const house = (code: Parameters<typeof houseUnits>[1], assetId: string) =>
  houseUnits(world.app.db, code, assetId, 'live');

async function assertBooks(): Promise<void> {
  assert.deepEqual((await verifyLedger(world.app.db)).faults, []);
}

test('an order is sent at our price less the slippage, and its parts and fees are in the books', async () => {
  kraken.parts = [
    { volume: '0.2', price: '73380.6' },
    { volume: '0.3', price: '73379.9' },
  ];
  const id = await order();
  await round();
  // 73380.65 less half a percent, in steps of 0.1 up.
  assert.equal(kraken.sent.at(-1)?.get('price'), '73013.8');
  const { state, trade, fills } = await stateOf(id);
  assert.deepEqual([state, trade, fills.length], ['COMPLETED', 'ENDED', 2]);
  assert.equal(await house('exchange', BTC), 0n);
  assert.equal(await house('exchange', USDT), 0n);
  assert.equal(await house('custody:kraken', BTC), -50_000_000n);
  // 14676.12 + 22013.97, less the fees 38.15791 and 57.23632, which stand beside it.
  assert.equal(await house('custody:kraken', USDT), 36_690_090_000n - 95_394_230n);
  assert.equal(await house('provider-fees', USDT), 95_394_230n);
  assert.equal(await house('conversion-result', USDT), 36_600_000_000n - 36_690_090_000n);
  const sent = kraken.sent.length;
  await round();
  assert.equal(kraken.sent.length, sent);
  await assertBooks();
});

test('what the market does not take within the limit is open again', async () => {
  kraken.parts = [{ volume: '0.2', price: '73380.6' }];
  const id = await order();
  await round();
  const { state, trade, fills } = await stateOf(id);
  assert.deepEqual([state, trade, fills.length], ['CANCELLED', 'ENDED', 1]);
  assert.equal(await house('exchange', BTC), -30_000_000n);
  await assertBooks();
});

test('the answer is lost, and the trader starts again: the order is in the books once', async () => {
  kraken.parts = [{ volume: '0.5', price: '73380.6' }];
  kraken.breaks = 'after';
  const id = await order();
  const sent = kraken.sent.length;
  await stop();
  await round();
  assert.deepEqual(
    [(await stateOf(id)).trade, kraken.sent.length],
    ['WAITING', sent],
    'nobody heard it',
  );
  await startTrader();
  await round();
  await stop();
  await startTrader();
  await round();
  const { state, fills } = await stateOf(id);
  assert.deepEqual([state, fills.length, kraken.sent.length], ['COMPLETED', 1, sent + 1]);
  await assertBooks();
});

test('two processes that ask at once send it once', async () => {
  kraken.parts = [{ volume: '0.5', price: '73380.6' }];
  const id = await order();
  const sent = kraken.sent.length;
  await world.clock.advance(31_000);
  await Promise.all(Array.from({ length: 4 }, () => tradeOrders(app, trading)));
  await round();
  const { state, fills } = await stateOf(id);
  assert.deepEqual([state, fills.length, kraken.sent.length], ['COMPLETED', 1, sent + 1]);
  await assertBooks();
});

test('it never arrived: nothing is sent again, and then it is open again', async () => {
  kraken.breaks = 'before';
  const id = await order();
  await round();
  assert.deepEqual((await stateOf(id)).trade, 'SENT');
  kraken.breaks = undefined;
  await round();
  assert.match((await stateOf(id)).told ?? '', /does not know it/);
  await world.clock.advance(6 * 60_000);
  await round();
  const { state, trade, told } = await stateOf(id);
  assert.deepEqual([state, trade], ['CANCELLED', 'ENDED']);
  assert.match(told ?? '', /never reached the exchange/);
});

test('without a price, or with too little there, it waits and says why', async () => {
  isPriced = false;
  const id = await order();
  await round();
  assert.deepEqual((await stateOf(id)).told, 'a current rate is missing');
  isPriced = true;
  kraken.refuses = 'EOrder:Insufficient funds';
  await round();
  const waiting = await stateOf(id);
  assert.deepEqual([waiting.state, waiting.trade], ['ORDERED', 'WAITING']);
  assert.match(waiting.told ?? '', /Insufficient funds/);
  kraken.refuses = 'EOrder:Invalid price:Invalid price argument';
  await round();
  const { state, told } = await stateOf(id);
  assert.equal(state, 'CANCELLED');
  assert.match(told ?? '', /Invalid price/);
});

test('an order that a person gives up before it is sent is not sent; of one that was, parts still count', async () => {
  const unsent = await order();
  const sent = kraken.sent.length;
  await cancelOrder(world.app, unsent, { actor: 'anna', reason: 'changed my mind' });
  await round();
  assert.equal(kraken.sent.length, sent);
  kraken.parts = [{ volume: '0.5', price: '73380.6' }];
  kraken.breaks = 'after';
  kraken.hidesTrades = true;
  const late = await order();
  await round();
  await cancelOrder(world.app, late, { actor: 'anna', reason: 'changed my mind' });
  Object.assign(kraken, { breaks: undefined, hidesTrades: false });
  await round();
  const { trade, fills } = await stateOf(late);
  assert.deepEqual([trade, fills.length], ['ENDED', 1]);
  await assertBooks();
});

test('what is given up while it is at the exchange stays counted until the exchange said what it filled', async () => {
  const said = { actor: 'anna', reason: 'changed my mind' };
  kraken.parts = [{ volume: '0.2', price: '73380.6' }];
  kraken.breaks = 'after';
  kraken.hidesTrades = true;
  const id = await order();
  await round();
  const open = () => readUnreserved(world.app.db, 'live').then(({ taken }) => taken.get(BTC) ?? 0n);
  const before = await open();
  const given = await cancelOrder(world.app, id, said);
  assert.deepEqual([given.state, given.isAtExchange], ['CANCELLED', true]);
  await assert.rejects(again(before + 1n), { code: 'position_too_small' });
  const underWay = await listOrders(world.app.db, 'live', { isOpen: true, most: 100 });
  assert(underWay.some((one) => one.id === id));
  Object.assign(kraken, { breaks: undefined, hidesTrades: false });
  await round();
  const { state, trade, fills } = await stateOf(id);
  assert.deepEqual([state, trade, fills.length], ['CANCELLED', 'ENDED', 1]);
  // Of the half coin 0.2 were filled, and booked as such: the rest is open.
  assert.equal(await open(), before + 30_000_000n);
  const { id: next } = await again(before + 30_000_000n);
  await cancelOrder(world.app, next, said);
  await round();
  await assertBooks();
});

test('what became of it stays unknown: a person looks, and says that it is over there', async () => {
  kraken.breaks = 'after';
  kraken.hidesTrades = true;
  kraken.parts = [{ volume: '0.5', price: '73380.6' }];
  const id = await order();
  await round();
  const said = { actor: 'anna', reason: 'looked at kraken' };
  assert.equal((await cancelOrder(world.app, id, said)).isAtExchange, true);
  const looked = await cancelOrder(world.app, id, { ...said, isLooked: true });
  assert.equal(looked.isAtExchange, false);
  assert.deepEqual(await cancelOrder(world.app, id, said), looked);
  Object.assign(kraken, { breaks: undefined, hidesTrades: false });
  await round();
  assert.deepEqual([(await stateOf(id)).fills.length, (await stateOf(id)).trade], [1, 'ENDED']);
  await assertBooks();
});

/** Before the transaction of this number in a round somebody else acts. */
async function roundWith(number: number, act: () => Promise<unknown>): Promise<void> {
  const { db } = world.app;
  let begun = 0;
  const disturbed: typeof db = {
    ...db,
    async transact(work, ...rest) {
      begun += 1;
      if (begun === number) await act();
      return db.transact(work, ...rest);
    },
  };
  await world.clock.advance(31_000);
  await tradeOrders({ ...app, db: disturbed }, trading);
}

test('an order that a person gives up or takes over at the moment when it is sent is not sent', async () => {
  const sent = kraken.sent.length;
  for (const number of [1, 2]) {
    const id = await order();
    const said = { actor: 'anna', reason: 'changed my mind' };
    await roundWith(number, () => cancelOrder(world.app, id, said));
    await round();
    assert.deepEqual([(await stateOf(id)).trade, kraken.sent.length], ['ENDED', sent]);
  }
  await atOnce();
  await convert(50_000_000n, 36_600_000_000n);
  const [newest] = await listOrders(world.app.db, 'live', { isOpen: false, most: 1 });
  assert(newest?.state === 'RESERVED');
  const placed = { provider: undefined, actor: 'anna', isByHand: true };
  await roundWith(1, () => placeOrder(world.app, newest.id, placed));
  await round();
  const { state, trade } = await stateOf(newest.id);
  assert.deepEqual([state, trade, kraken.sent.length], ['ORDERED', 'ENDED', sent]);
  await cancelOrder(world.app, newest.id, { actor: 'anna', reason: 'not sold' });
});

test('a policy that hedges at once is carried out with nobody at the keyboard', async () => {
  await atOnce();
  kraken.parts = [{ volume: '0.5', price: '73380.6' }];
  await convert(50_000_000n, 36_600_000_000n);
  await round();
  const [newest] = await listOrders(world.app.db, 'live', { isOpen: false, most: 1 });
  assert.deepEqual(
    [newest?.state, newest?.orderedBy, newest?.isByHand, newest?.filledUnits],
    ['COMPLETED', 'trader', false, 50_000_000n],
  );
  await assertBooks();
});

test('what Kraken says it holds is held against the ledger, until what is missing is entered', async () => {
  const said = await trading.client.balances('kraken');
  assert(said.answer === 'balances');
  const reconcile = () => reconcileProvider(world.app.db, 'kraken', said.balances);
  const apart = await reconcile();
  assert.deepEqual(
    apart.map(({ code, said: theirs }) => [code, theirs]),
    [
      ['BTC', '1.2435'],
      ['USDT', '25435.21'],
    ],
  );
  for (const { code, difference } of apart) {
    const assetId = code === 'BTC' ? BTC : USDT;
    const isMissing = !difference.startsWith('-');
    const { id } = await noteMove(world.app, {
      ...{ environment: 'live', provider: 'kraken', actor: 'anna', reason: 'funds' },
      ...{ direction: isMissing ? 'TO' : 'FROM', reference: `move-${code}`, assetId },
      network: code === 'BTC' ? 'BITCOIN' : 'ETHEREUM',
      units: amountFromText(difference.replace('-', ''), code === 'BTC' ? 8 : 6) ?? 0n,
    });
    await noteArrival(world.app, id, { amount: undefined, actor: 'anna' });
  }
  assert.deepEqual(
    (await reconcile()).map(({ difference }) => difference),
    ['0', '0'],
  );
  await assertBooks();
});

test('a trade in the account that fits no order is listed, explained once, and then the books agree', async () => {
  const { client } = trading;
  const trades = () => listStrayTrades(world.app, client, { provider: 'kraken', days: 365 });
  kraken.parts = [{ volume: '0.5', price: '73380.6' }];
  const id = await order();
  await round();
  assert.equal((await stateOf(id)).state, 'COMPLETED');
  const at = world.clock.now().epochMilliseconds;
  const before = (await trades()).trades.map((one) => one.id);
  kraken.byHand = [
    { id: 'THAND1-AAAAA-CCCCCC', type: 'sell', volume: '0.1', price: '73000.1', at },
    { id: 'THAND2-AAAAA-CCCCCC', type: 'buy', volume: '0.02', price: '72000.5', at: at + 1 },
  ];
  const { trades: found, isWhole } = await trades();
  const stray = found.filter((one) => !before.includes(one.id));
  assert.deepEqual(
    stray.map((one) => [one.id, one.soldAmount, one.soldCode, one.gotAmount, one.gotCode]),
    [
      ['THAND1-AAAAA-CCCCCC', '0.1', 'BTC', '7300.01', 'USDT'],
      ['THAND2-AAAAA-CCCCCC', '1440.01', 'USDT', '0.02', 'BTC'],
    ],
  );
  assert.equal(isWhole, true);
  assert.equal(
    before.some((one) => stray.some((other) => other.id === one)),
    false,
  );
  const [btc, usdt, fees] = [
    await house('custody:kraken', BTC),
    await house('custody:kraken', USDT),
    await house('provider-fees', USDT),
  ];
  const said = { actor: 'anna', reason: 'sold on the page of kraken' };
  const wanted = { provider: 'kraken', days: 365, symbol: 'BTC/USDT', fee: undefined, ...said };
  const explain = (tradeId: string) => explainTrade(world.app, client, { ...wanted, tradeId });
  await assert.rejects(explain('THAND9-AAAAA-CCCCCC'), { code: 'trade_missing' });
  const twice = await Promise.allSettled([
    explain('THAND1-AAAAA-CCCCCC'),
    explain('THAND1-AAAAA-CCCCCC'),
  ]);
  assert.equal(twice.filter(({ status }) => status === 'fulfilled').length, 1);
  await assert.rejects(explain('THAND1-AAAAA-CCCCCC'), { code: 'trade_explained' });
  const fee = { assetId: BTC, units: 100n };
  await explainTrade(world.app, client, { ...wanted, tradeId: 'THAND2-AAAAA-CCCCCC', fee });
  assert.equal((await house('custody:kraken', BTC)) - btc, -10_000_000n + 2_000_000n - 100n);
  const feeUnits = amountFromText('18.98003', 6) ?? 0n;
  assert.equal(
    (await house('custody:kraken', USDT)) - usdt,
    7_300_010_000n - feeUnits - 1_440_010_000n,
  );
  assert.equal((await house('provider-fees', USDT)) - fees, feeUnits);
  assert.deepEqual(
    (await trades()).trades.map((one) => one.id),
    before,
  );
  await assertBooks();
  // What these tests convert has no swap behind it.
  const unfounded = (await verifyReasons(world.app.db)).filter((one) => !one.includes('swap:live'));
  assert.deepEqual(unfounded, []);
});

test('what an order still asks for is not listed; when it has ended without it, it names the order', async () => {
  const { client } = trading;
  const find = async (id: string) => {
    const { trades } = await listStrayTrades(world.app, client, { provider: 'kraken', days: 365 });
    return trades.filter(({ orderId }) => orderId === id);
  };
  kraken.parts = [{ volume: '0.5', price: '73380.6' }];
  kraken.hidesTrades = true;
  const id = await order();
  await round();
  assert.equal((await stateOf(id)).trade, 'SENT');
  assert.deepEqual(await find(id), []);
  const said = { actor: 'anna', reason: 'looked at kraken', isLooked: true };
  await cancelOrder(world.app, id, said);
  assert.deepEqual(
    (await find(id)).map(({ soldAmount }) => soldAmount),
    ['0.5'],
  );
});

test('more trades than a page of Kraken holds are all listed', async () => {
  const at = world.clock.now().epochMilliseconds;
  kraken.byHand = Array.from({ length: 120 }, (_, number) => ({
    id: `THAND3-AAAAA-${String(number).padStart(6, '0')}`,
    ...{ type: 'sell', volume: '0.001', price: '73000', at: at + number },
  }));
  const wanted = { provider: 'kraken', days: 365 };
  const { trades } = await listStrayTrades(world.app, trading.client, wanted);
  assert.equal(trades.filter(({ id }) => id.startsWith('THAND3-')).length, 120);
});
