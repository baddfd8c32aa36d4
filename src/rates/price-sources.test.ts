import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { Outage } from '#base/refusal.ts';
import { decimalToText } from '#money/decimal.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import type { PriceSource, PriceSourceOptions } from './price-source.ts';
import {
  createBitfinexSource,
  createBitstampSource,
  createCoinbaseSource,
  createCoingeckoSource,
  createExchangeRateApiSource,
  createFrankfurterSource,
  createGeminiSource,
  createKrakenSource,
} from './price-sources.ts';
import { createPriceSources } from './refresh-rates.ts';

const start = '2026-11-21T10:00:00Z';
const now = Temporal.Instant.from(start);
const clock = manualClock(start);
const unix = (instant: Temporal.Instant) => Math.floor(instant.epochMilliseconds / 1000);

/** A server on loopback for as long as `act` runs. */
async function withServer<T>(
  listener: RequestListener,
  act: (baseUrl: string) => Promise<T>,
): Promise<T> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await act(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

type Create = (options: PriceSourceOptions) => PriceSource;
type Told = Record<string, string>;

function ask(
  create: Create,
  body: string,
  limits: { timeoutMs?: number; bytesMax?: number; signal?: AbortSignal } = {},
): Promise<{ prices: Told; ages: Record<string, number>; daily: string[]; path: string }> {
  let path = '';
  const answer: RequestListener = (request, response) => {
    path = request.url ?? '';
    response.setHeader('content-type', 'application/json');
    response.end(body);
  };
  const { signal = new AbortController().signal, ...rest } = limits;
  return withServer(answer, async (baseUrl) => {
    const prices = await create({ clock, baseUrl, ...rest }).fetchPrices(signal);
    return {
      path,
      prices: Object.fromEntries(prices.map((p) => [p.code, decimalToText(p.usdPrice)])),
      ages: Object.fromEntries(
        prices.map((p) => [p.code, now.since(p.observedAt).total('seconds')]),
      ),
      daily: prices.filter(({ isDaily }) => isDaily).map(({ code }) => code),
    };
  });
}

describe('Kraken', () => {
  const ticker = (last: string) =>
    `{"a":["1","1","1.000"],"b":["1","1","1.000"],"c":["${last}","0.5"],"v":["1","2"],
      "p":["1","2"],"t":[1,2],"l":["1","1"],"h":["1","1"],"o":"1"}`;

  test('prices by last trade, under old pair names and new, some inverted', async () => {
    const body = `{"error":[],"result":{"XXBTZUSD":${ticker('64123.10000')},
      "USDTZUSD":${ticker('0.99950000')},"ETHUSD":${ticker('2500.01')},
      "ZEURZUSD":${ticker('1.15')},"ZUSDZJPY":${ticker('150.000')},"WHATUSD":${ticker('1')}}}`;
    const { prices, path, ages } = await ask(createKrakenSource, body);
    assert.deepEqual(prices, {
      ...{ BTC: '64123.1', ETH: '2500.01', USDT: '0.9995', EUR: '1.15' },
      JPY: '0.00666666666666666667',
    });
    assert.match(path, /^\/0\/public\/Ticker\?pair=XBTUSD,ETHUSD,/);
    assert.equal(ages.BTC, 0);
  });

  test('that reports an error is an outage', async () => {
    const body = '{"error":["EQuery:Unknown asset pair"]}';
    await assert.rejects(ask(createKrakenSource, body), /kraken: EQuery:Unknown asset pair/);
  });

  test('gives no price for a zero, negative, empty or missing last trade or a NaN', async () => {
    for (const last of ['0', '0.000', 'NaN', '-1', '', '1,5', 'Infinity', '0x10']) {
      const body = `{"error":[],"result":{"XXBTZUSD":${ticker(last)},
        "XETHZUSD":{"c":[]},"XLTCZUSD":{},"DAIUSD":null,"POLUSD":${ticker('0.2')}}}`;
      assert.deepEqual((await ask(createKrakenSource, body)).prices, { POL: '0.2' });
    }
  });
});

test('Coinbase says how many of each a dollar is; its USDC at 1 is no market price', async () => {
  const body = `{"data":{"currency":"USD","rates":{"AED":"3.6725","BTC":"0.0000156250000000",
    "EUR":"0.8","USD":"1.0","USDC":"1.0","USDT":"1.0005","VND":"26000","XYZ":"5",
    "JPY":"0","KRW":null,"GBP":0.75}}}`;
  const { prices, path } = await ask(createCoinbaseSource, body);
  assert.deepEqual(prices, {
    AED: '0.27229407760381211709',
    EUR: '1.25',
    GBP: '1.33333333333333333333',
    VND: '0.00003846153846153846',
    BTC: '64000',
    USDT: '0.99950024987506246877',
  });
  assert.equal(path, '/v2/exchange-rates?currency=USD');
  const inEuros = '{"data":{"currency":"EUR","rates":{"BTC":"0.00001"}}}';
  await assert.rejects(ask(createCoinbaseSource, inEuros), /another currency/);
});

test('Bitstamp says every pair with its time', async () => {
  const row = (pair: string, last: string, seconds: number) =>
    `{"timestamp":"${unix(now) - seconds}","open":"1","high":"1","low":"1","last":"${last}",
      "volume":"1","vwap":"1","bid":"1","ask":"1","side":"0","open_24":"1",
      "percent_change_24":"0","pair":"${pair}"}`;
  const body = `[${row('BTC/USD', '64000', 1)},${row('BTC/EUR', '55000', 1)},
    ${row('XLM/USD', '0.39', 500)},{"pair":"ETH/USD","last":"1"}]`;
  const { prices, ages } = await ask(createBitstampSource, body);
  assert.deepEqual(prices, { BTC: '64000', XLM: '0.39' });
  assert.deepEqual(ages, { BTC: 1, XLM: 500 });
});

test('CoinGecko says coins with times; fiat comes from two prices of bitcoin', async () => {
  const at = unix(now) - 45;
  const body = `{"bitcoin":{"usd":64000,"eur":51200.0,"jpy":9.6e6,"gbp":0,"last_updated_at":${at}},
    "usd-coin":{"usd":0.99985512345678901,"last_updated_at":${at}},"ripple":{"usd":2.5},"dai":{}}`;
  const { prices, ages, path } = await ask(createCoingeckoSource, body);
  assert.deepEqual(prices, {
    BTC: '64000',
    USDC: '0.99985512345678901',
    EUR: '1.25',
    JPY: '0.00666666666666666667',
  });
  assert.equal(ages.EUR, 45);
  assert.match(path, /vs_currencies=usd,aed,.*,zar&include_last_updated_at=true&precision=full$/);
});

describe('Bitfinex', () => {
  test('says rows without names, with Tether as UST', async () => {
    const body = `[["tBTCUSD",63999,1.5,64001,2.5,-100,-0.0015,64000,900,65000,63000],
      ["tUSTUSD",0.9994,1,0.9996,1,0,0,0.9995,1,1,1],
      ["fUSD",0.0002,0.0001,2,1,0.0001,30,1,0,0,0.0002]]`;
    const { prices } = await ask(createBitfinexSource, body);
    assert.deepEqual(prices, { BTC: '64000', USDT: '0.9995' });
  });

  test('says an error as a row', async () => {
    const body = '["error",10020,"symbols: invalid"]';
    await assert.rejects(ask(createBitfinexSource, body), /symbols: invalid/);
  });
});

test('Gemini says every pair', async () => {
  const body =
    '[{"pair":"BTCUSD","price":"64000.00","percentChange24h":"5"},{"pair":"BTCEUR","price":"1"}]';
  assert.deepEqual((await ask(createGeminiSource, body)).prices, { BTC: '64000' });
});

describe('a daily publisher', () => {
  const hours = (count: number) => unix(now.add({ hours: count }));
  const open = (last: number, next: number) =>
    `{"result":"success","time_last_update_unix":${hours(last)},
      "time_next_update_unix":${hours(next)},"base_code":"USD",
      "rates":{"USD":1,"EUR":0.8,"SEK":10}}`;

  test('speaks for now while its word is the latest, marked as daily', async () => {
    const { prices, ages, daily } = await ask(createExchangeRateApiSource, open(-20, 4));
    assert.deepEqual(prices, { EUR: '1.25', SEK: '0.1' });
    assert.deepEqual(ages, { EUR: 0, SEK: 0 });
    assert.deepEqual(daily, ['EUR', 'SEK']);
  });

  test('that is a day overdue is as old as it is', async () => {
    const { ages } = await ask(createExchangeRateApiSource, open(-49, -25));
    assert.equal(ages.EUR, 49 * 3600);
  });

  test('that fails or tells no time is an outage', async () => {
    const failed = '{"result":"error","error-type":"unsupported-code"}';
    await assert.rejects(ask(createExchangeRateApiSource, failed), /result is error/);
    const timeless = '{"result":"success","base_code":"USD","rates":{"EUR":0.8}}';
    await assert.rejects(ask(createExchangeRateApiSource, timeless), /tells no time/);
  });

  test('the European Central Bank is current over a long weekend and not over two', async () => {
    const ecb = (date: string) =>
      `{"amount":1.0,"base":"USD","date":"${date}","rates":{"EUR":0.8,"CHF":0.8}}`;
    const recent = await ask(createFrankfurterSource, ecb('2026-11-17'));
    assert.deepEqual(recent.prices, { CHF: '1.25', EUR: '1.25' });
    assert.equal(recent.ages.EUR, 0);
    const old = await ask(createFrankfurterSource, ecb('2026-11-13'));
    assert.ok((old.ages.EUR ?? 0) > 7 * 24 * 3600);
    await assert.rejects(ask(createFrankfurterSource, ecb('yesterday')), /tells no date/);
  });
});

describe('every source', () => {
  const creators: readonly Create[] = [
    ...[createKrakenSource, createCoinbaseSource, createBitstampSource, createCoingeckoSource],
    ...[createBitfinexSource, createGeminiSource, createExchangeRateApiSource],
    createFrankfurterSource,
  ];

  test('is in the list, each under its own name', () => {
    const names = createPriceSources({ clock }).map(({ name }) => name);
    const own = creators.map((create) => create({ clock }).name);
    assert.deepEqual(names.toSorted(), own.toSorted());
    assert.equal(new Set(names).size, creators.length);
  });

  for (const body of [
    '',
    '{"error":[],"result":{"XXBTZ',
    'null',
    '[[]',
    '"text"',
    '<html>',
    '{"a":NaN}',
  ]) {
    test(`is an outage when it answers ${JSON.stringify(body)}`, async () => {
      for (const create of creators) await assert.rejects(ask(create, body), Outage);
    });
  }

  test('is an outage when it answers an error status or nothing at all', async () => {
    const refusals: readonly [number, string][] = [
      [429, 'status 429'],
      [500, 'status 500'],
      [204, 'status 204'],
    ];
    for (const [status, message] of refusals) {
      const listener: RequestListener = (_request, response) => {
        response.writeHead(status, { location: '/elsewhere' }).end();
      };
      await withServer(listener, async (baseUrl) => {
        for (const create of creators) {
          const asked = create({ clock, baseUrl }).fetchPrices(new AbortController().signal);
          await assert.rejects(asked, (error) => {
            return error instanceof Outage && error.message.includes(message);
          });
        }
      });
    }
    const closed = await withServer(
      () => {},
      async (baseUrl) => baseUrl,
    );
    const source = createKrakenSource({ clock, baseUrl: closed });
    await assert.rejects(source.fetchPrices(new AbortController().signal), Outage);
  });

  test('is not followed to another address', async () => {
    const listener: RequestListener = (request, response) => {
      if (request.url === '/elsewhere') response.end('[{"pair":"BTCUSD","price":"1"}]');
      else response.writeHead(302, { location: '/elsewhere' }).end();
    };
    await withServer(listener, async (baseUrl) => {
      const source = createGeminiSource({ clock, baseUrl });
      await assert.rejects(source.fetchPrices(new AbortController().signal), Outage);
    });
  });

  test('is given up when it is slow, too long or no longer wanted', async () => {
    const silent: RequestListener = () => {};
    const dripping: RequestListener = (_request, response) => {
      response.writeHead(200).write('{"error":[],');
    };
    for (const listener of [silent, dripping]) {
      await withServer(listener, async (baseUrl) => {
        const source = createKrakenSource({ clock, baseUrl, timeoutMs: 50 });
        const asked = source.fetchPrices(new AbortController().signal);
        await assert.rejects(asked, /no answer within 50 ms/);
      });
    }
    const long = `[${'{"pair":"BTCUSD","price":"1"},'.repeat(1000)}{}]`;
    await assert.rejects(ask(createGeminiSource, long, { bytesMax: 10_000 }), /above 10000 bytes/);
    await withServer(silent, async (baseUrl) => {
      const controller = new AbortController();
      const asked = createKrakenSource({ clock, baseUrl }).fetchPrices(controller.signal);
      controller.abort(new Error('stopping'));
      await assert.rejects(asked, /stopping/);
    });
  });
});
