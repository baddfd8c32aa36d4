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
      return say(ANSWERS.exchangeInfo ?? {});
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
      assert.equal(form.get('orderId'), '7');
      const part = { orderId: 7, price: '73380.60000000', qty: '0.30000000' };
      const money = { quoteQty: '22014.18000000', commission: '0.02500000' };
      return say([{ ...ANSWERS.trade, ...part, ...money }]);
    }
    default:
      return say({ code: -1, msg: `not published here: ${pathname}` }, 404);
  }
});

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
