// An account at Binance, through the real code of ccxt, which talks to what Binance published, on
// loopback: the order carries our own id, is found again by it, and its fees may be in a third asset.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { ROOT } from '#test/support/read-source.ts';
import { type Exchange, openExchange } from './open-exchange.ts';

const ANSWERS = JSON.parse(
  readFileSync(join(ROOT, 'test', 'fixtures', 'binance', 'answers.json'), 'utf8'),
) as Readonly<Record<string, object>>;
const SECRET = 'a secret of the loopback server';
const PLANNED = { symbol: 'BTC/USDT', side: 'sell', amount: '0.5', price: '73000.01' } as const;

const asked: { readonly path: string; readonly form: URLSearchParams }[] = [];
/** What the account has traded, by market as Binance names it. */
const traded = new Map<string, readonly object[]>();
/** Which page of more than a limit it gives: its documentation does not say. */
let givesNewest = false;
let breaksTrades = false;
/** Markets that it lists. */
const listed = ['BTCUSDT'];
/** By our own id. */
const orders = new Map<string, URLSearchParams>();
let breaks = false;

const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  const { pathname, search } = new URL(request.url ?? '', 'http://127.0.0.1');
  const query = body === '' ? search.slice(1) : body;
  const form = new URLSearchParams(query);
  asked.push({ path: `${request.method} ${pathname}`, form });
  const say = (content: object, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
  if (form.has('signature')) {
    // developers.binance.com: HMAC-SHA256 of the query without the signature.
    const signed = query.slice(0, query.lastIndexOf('&signature='));
    const hmac = createHmac('sha256', SECRET).update(signed).digest('hex');
    assert.equal(form.get('signature'), hmac);
  }
  switch (`${request.method} ${pathname}`) {
    case 'GET /api/v3/exchangeInfo':
      return say(exchangeInfo());
    case 'GET /api/v3/ticker/24hr':
      return say(ANSWERS.ticker ?? {});
    case 'GET /sapi/v1/capital/config/getall':
      return say([]);
    case 'POST /api/v3/order': {
      orders.set(form.get('newClientOrderId') ?? '', form);
      if (breaks) return response.destroy();
      return say({ ...ANSWERS.newOrder, orderId: 7, clientOrderId: form.get('newClientOrderId') });
    }
    case 'GET /api/v3/order': {
      const name = form.get('origClientOrderId') ?? [...orders.keys()].at(-1) ?? '';
      if (!orders.has(name)) return say(ANSWERS.notFound ?? {}, 400);
      const filled = { executedQty: '0.30000000', cummulativeQuoteQty: '22014.18000000' };
      const ended = { ...filled, origQty: '0.50000000', status: 'EXPIRED' };
      return say({ ...ANSWERS.order, ...ended, orderId: 7, clientOrderId: name });
    }
    case 'GET /api/v3/myTrades': {
      if (!form.has('orderId')) return say(...tradedAnswer(form));
      assert.equal(form.get('orderId'), '7');
      const part = { orderId: 7, price: '73380.60000000', qty: '0.30000000' };
      const money = { quoteQty: '22014.18000000', commission: '0.02500000' };
      return say([{ ...ANSWERS.trade, ...part, ...money }]);
    }
    default:
      return say({ code: -1, msg: `not published here: ${pathname}` }, 404);
  }
});

function exchangeInfo(): object {
  const { symbols: [market] = [], ...info } = ANSWERS.exchangeInfo as { symbols: object[] };
  const symbols = listed.map((symbol) => {
    const quoteAsset = symbol.endsWith('USDT') ? 'USDT' : 'BTC';
    return { ...market, symbol, quoteAsset, baseAsset: symbol.slice(0, -quoteAsset.length) };
  });
  return { ...info, symbols };
}

/** As `Account trade list` says: the moment and the id never together, at most a limit at once. */
function tradedAnswer(form: URLSearchParams): [content: object, status?: number] {
  if (breaksTrades) return [{ code: -1003, msg: 'Too many requests.' }, 429];
  const all = traded.get(form.get('symbol') ?? '');
  if (all === undefined) return [{ code: -1121, msg: 'Invalid symbol.' }, 400];
  const [since, fromId] = [form.get('startTime'), form.get('fromId')];
  if (since !== null && fromId !== null) {
    return [{ code: -1128, msg: 'Combination of optional parameters invalid.' }, 400];
  }
  const wanted = (all as { id: number; time: number }[]).filter(
    ({ id, time }) => time >= Number(since ?? 0) && id >= Number(fromId ?? 0),
  );
  const most = Number(form.get('limit') ?? 500);
  assert(most <= 1_000);
  return [givesNewest && fromId === null ? wanted.slice(-most) : wanted.slice(0, most)];
}

let exchange: Exchange;
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const account = { provider: 'binance', exchange: 'binance', apiKey: 'key', secret: SECRET, url };
  exchange = await openExchange(account, { isPaced: false });
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const find = (clientOrderId: string) =>
  exchange.find({
    ...{ clientOrderId, exchangeId: undefined, symbol: 'BTC/USDT' },
    since: systemClock.now(),
  });

test('the market has its steps, and no host of futures is asked', async () => {
  const market = await exchange.market('BTC', 'USDT');
  assert.deepEqual(
    [market?.symbol, market?.amountStep, market?.priceStep, market?.amountLeast].map((one) =>
      typeof one === 'object' ? `${one.coefficient}e-${one.scale}` : one,
    ),
    ['BTC/USDT', '1e-5', '1e-2', '1e-5'],
  );
  assert.deepEqual(await exchange.best('BTC/USDT'), { bid: '73380.6', ask: '73380.61' });
  assert.deepEqual(
    asked.map(({ path }) => path).filter((path) => /fapi|dapi/.test(path)),
    [],
  );
});

test('an order carries our id, and is found by it when the answer is lost', async () => {
  assert.equal(await find('qtnever'), undefined);
  breaks = true;
  const until = systemClock.now().add({ seconds: 45 });
  await assert.rejects(exchange.place(PLANNED, 'qtlost', until));
  const form = orders.get('qtlost');
  assert.deepEqual(
    ['symbol', 'side', 'type', 'timeInForce', 'quantity', 'price', 'recvWindow'].map((name) =>
      form?.get(name),
    ),
    ['BTCUSDT', 'SELL', 'LIMIT', 'IOC', '0.5', '73000.01', '10000'],
  );
  const found = await find('qtlost');
  assert.deepEqual(found, {
    ...{ exchangeId: '7', isOpen: false },
    fills: [
      {
        ...{ id: '28457', at: '2017-07-12T13:19:09.59Z', soldAmount: '0.3', gotAmount: '22014.18' },
        fees: [{ code: 'BNB', amount: '0.025' }],
      },
    ],
  });
});

const NOW = Temporal.Instant.from('2026-01-02T00:00:00Z');
const CODES = ['BTC', 'LTC', 'USDT'];

/** So many trades of a market; `everyMs`: how long after each other, from 0 on. */
function trades(symbol: string, count: number, everyMs: number): readonly object[] {
  return Array.from({ length: count }, (_, number) => ({
    ...ANSWERS.trade,
    ...{ symbol, id: 1_000 + 3 * number, time: NOW.epochMilliseconds + number * everyMs },
    ...{ price: '73380.60000000', qty: '0.00100000', quoteQty: '73.38060000' },
    ...{ commission: '0.00000100', commissionAsset: 'BTC', isBuyer: true },
  }));
}

async function listAll(): ReturnType<Exchange['trades']> {
  asked.length = 0;
  return exchange.trades(CODES, NOW);
}

const marketsAsked = () =>
  asked.filter(({ path }) => path.endsWith('/myTrades')).map(({ form }) => form.get('symbol'));

test('each market of our assets is asked, also one that came since, and each trade is told once', async () => {
  traded.set('BTCUSDT', trades('BTCUSDT', 2, 1));
  traded.set('LTCBTC', trades('LTCBTC', 1, 1));
  traded.set('LTCUSDT', []);
  await listAll();
  assert.deepEqual(marketsAsked(), ['BTCUSDT']);
  listed.push('LTCBTC', 'LTCUSDT', 'BNBUSDT');
  const told = await listAll();
  assert.deepEqual(marketsAsked(), ['BTCUSDT', 'LTCBTC', 'LTCUSDT']);
  assert.deepEqual([told.isWhole, told.unlisted], [true, []]);
  assert.deepEqual(
    told.trades.map(({ symbol, id }) => [symbol, id]),
    [
      ['BTC/USDT', '1000'],
      ['BTC/USDT', '1003'],
      ['LTC/BTC', '1000'],
    ],
  );
  assert.deepEqual(told.trades[0], {
    ...{ id: '1000', symbol: 'BTC/USDT', at: NOW.toString(), exchangeOrderId: '100234' },
    ...{ soldCode: 'USDT', soldAmount: '73.3806', gotCode: 'BTC', gotAmount: '0.001' },
    fees: [{ code: 'BTC', amount: '0.000001' }],
  });
});

test('more than a page are all told, also of one moment, by the id after the last one', async () => {
  for (const everyMs of [1, 0]) {
    traded.set('BTCUSDT', trades('BTCUSDT', 2_500, everyMs));
    const told = await listAll();
    const ids = told.trades.filter(({ symbol }) => symbol === 'BTC/USDT').map(({ id }) => id);
    assert.deepEqual([new Set(ids).size, told.isWhole, told.unlisted], [2_500, true, []]);
    const sent = asked.filter(({ form }) => form.get('symbol') === 'BTCUSDT');
    assert.deepEqual(
      sent.map(({ form }) => [form.get('startTime'), form.get('fromId')]),
      [
        [String(NOW.epochMilliseconds), null],
        [null, '3998'],
        [null, '6998'],
      ],
    );
  }
});

test('where a full page may be the newest of more, it says of which market that is', async () => {
  givesNewest = true;
  traded.set('BTCUSDT', trades('BTCUSDT', 1_500, 1));
  const told = await listAll();
  assert.deepEqual(told.unlisted, ['BTC/USDT']);
  assert.equal(told.trades.filter(({ symbol }) => symbol === 'BTC/USDT').length, 1_000);
  givesNewest = false;
});

test('a market that is gone is named, and the trades of the others are told', async () => {
  traded.set('BTCUSDT', trades('BTCUSDT', 1, 1));
  traded.delete('LTCBTC');
  const told = await listAll();
  assert.deepEqual([told.isWhole, told.unlisted], [true, ['LTC/BTC']]);
  assert.deepEqual(
    told.trades.map(({ symbol }) => symbol),
    ['BTC/USDT'],
  );
  // Nothing of another fault is passed over.
  traded.set('LTCBTC', trades('LTCBTC', 1, 1));
  breaksTrades = true;
  await assert.rejects(listAll());
  breaksTrades = false;
});
