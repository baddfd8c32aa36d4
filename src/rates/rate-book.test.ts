import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { type Db, sql } from '#db/db.ts';
import { decimalToText, parseDecimal } from '#money/decimal.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { openTestDatabase } from '#test/support/test-database.ts';
import type { PriceSource } from './price-source.ts';
import { createRateBook, REFERENCE_PRICES } from './rate-book.ts';
import { refreshRates } from './refresh-rates.ts';

const start = '2026-03-01T12:00:00Z';
const never = new AbortController().signal;

function sourceOf(name: string, prices: Record<string, string>, clock = manualClock(start)) {
  const source: PriceSource = {
    name,
    fetchPrices: async () =>
      Object.entries(prices).map(([code, text]) => ({
        code,
        usdPrice: parseDecimal(text),
        observedAt: clock.now(),
        isDaily: false,
      })),
  };
  return source;
}

const failing: PriceSource = {
  name: 'failing',
  fetchPrices: async () => {
    throw new Outage('failing', { cause: new Error('status 503') });
  },
};

describe('the rate book', () => {
  let db: Db;
  let close: () => Promise<void>;
  before(async () => {
    ({ db, close } = await openTestDatabase());
  });
  after(() => close());

  test('knows the reference price of every code in the sandbox, for ever', async () => {
    const clock = manualClock(start);
    const book = await createRateBook({ db, clock });
    const later = clock.now().add({ hours: 24 * 365 });
    for (const [code, usdPrice] of REFERENCE_PRICES) {
      const price = book.price('test', code, later);
      assert.deepEqual(price?.usdPrice, usdPrice, code);
      assert.ok(price.id > 0n);
      assert.equal(book.price('live', code, clock.now()), undefined);
    }
    assert.equal(
      decimalToText(book.price('test', 'USD', later)?.usdPrice ?? parseDecimal('0')),
      '1',
    );
    assert.equal(book.price('test', 'XYZ', later), undefined);
  });

  test('keeps the row numbers of the sandbox across restarts, until a price changes', async () => {
    const first = await createRateBook({ db, clock: manualClock(start) });
    const clock = manualClock('2026-03-02T12:00:00Z');
    const second = await createRateBook({ db, clock });
    for (const code of REFERENCE_PRICES.keys()) {
      const [one, two] = [first, second].map((book) => book.price('test', code, clock.now()));
      assert.equal(one?.id, two?.id);
    }
    // As if an older release had known another price.
    await db.single((tx) =>
      tx.query(sql`insert into rate
        (environment, code, usd_price, spread_parts_per_million, evidence, observed_at)
        values ('test', 'BTC', 7, 0, '{}', '2026-03-02T12:00:01Z')`),
    );
    const third = await createRateBook({ db, clock: manualClock('2026-03-03T12:00:00Z') });
    assert.equal(
      decimalToText(third.price('test', 'BTC', clock.now())?.usdPrice ?? parseDecimal('0')),
      '100000',
    );
    const ids = [first, third].map((book) => book.price('test', 'BTC', clock.now())?.id);
    assert.notEqual(ids[0], ids[1]);
    const ether = [first, third].map((book) => book.price('test', 'ETH', clock.now())?.id);
    assert.equal(ether[0], ether[1]);
  });

  test('gives out a live price for 120 s after the median and then no more', async () => {
    const clock = manualClock(start);
    const rates = await createRateBook({ db, clock });
    const priceSources = ['a', 'b', 'c'].map((name) => sourceOf(name, { BTC: '64000.5' }));
    const answer = await refreshRates({ db, clock, log: silentLog, rates, priceSources }, never);
    assert.deepEqual(answer.priced, ['BTC']);
    const at = (seconds: number) => rates.price('live', 'BTC', clock.now().add({ seconds }));
    assert.equal(decimalToText(at(0)?.usdPrice ?? parseDecimal('0')), '64000.5');
    assert.ok(at(120));
    assert.equal(at(121), undefined);
    assert.equal(at(-121), undefined);
    const [row] = await db.query<{
      usd_price: string;
      evidence: string;
      observed_at: Temporal.Instant;
    }>(sql`select usd_price, evidence, observed_at from rate where id = ${at(0)?.id ?? 0n}`);
    assert.equal(row?.usd_price, '64000.50000000000000000000');
    assert.ok(row.observed_at.equals(clock.now()));
    assert.equal(JSON.parse(row.evidence).kept.length, 3);
  });

  test('of another process reads what was stored, and keeps what is newer', async () => {
    const clock = manualClock('2026-04-01T00:00:00Z');
    const writer = await createRateBook({ db, clock });
    const reader = await createRateBook({ db, clock });
    const app = { db, clock, log: silentLog, rates: writer };
    const sources = (price: string) =>
      ['a', 'b', 'c'].map((name) => sourceOf(name, { ETH: price }, clock));
    await refreshRates({ ...app, priceSources: sources('2500') }, never);
    assert.equal(reader.price('live', 'ETH', clock.now()), undefined);
    await reader.reload();
    const seen = reader.price('live', 'ETH', clock.now());
    assert.deepEqual(seen, writer.price('live', 'ETH', clock.now()));
    await clock.advance(60_000);
    await refreshRates({ ...app, priceSources: sources('2600') }, never);
    writer.remember([{ environment: 'live', ...seen! }]);
    await reader.reload();
    for (const book of [writer, reader]) {
      assert.equal(decimalToText(book.price('live', 'ETH', clock.now())!.usdPrice), '2600');
    }
    const restarted = await createRateBook({ db, clock });
    assert.ok(restarted.price('live', 'ETH', clock.now()));
    await clock.advance(200_000);
    const late = await createRateBook({ db, clock });
    assert.equal(late.price('live', 'ETH', clock.now()), undefined);
  });

  test('a refresh prices what it can, says what it cannot and which source failed', async () => {
    const clock = manualClock('2026-05-01T00:00:00Z');
    const rates = await createRateBook({ db, clock });
    const priceSources = [
      sourceOf(
        'a',
        { BTC: '100', USDC: '1', USDT: '0.9', EUR: '1.25', EURC: '1.24', LTC: '1' },
        clock,
      ),
      sourceOf(
        'b',
        { BTC: '101', USDC: '1', USDT: '0.9', EUR: '1.25', EURC: '1.24', LTC: '2' },
        clock,
      ),
      sourceOf(
        'c',
        { BTC: '9900', USDC: '1', USDT: '0.9', EUR: '1.25', EURC: '1.24', LTC: '3' },
        clock,
      ),
      failing,
    ];
    const answer = await refreshRates({ db, clock, log: silentLog, rates, priceSources }, never);
    assert.deepEqual(answer.priced.toSorted(), ['BTC', 'EUR', 'EURC', 'USDC']);
    assert.equal(answer.unavailable.get('USDT'), 'it is more than 2 % off its peg');
    assert.equal(answer.unavailable.get('LTC'), 'the sources disagree by more than 3 %');
    assert.equal(answer.unavailable.get('DAI'), '0 of at least 3 sources have a current price');
    assert.deepEqual([...answer.failures], [['failing', 'failing: status 503']]);
    assert.equal(decimalToText(rates.price('live', 'BTC', clock.now())!.usdPrice), '100.5');
    assert.equal(rates.price('live', 'USDT', clock.now()), undefined);
  });

  test('a euro coin has no price when the euro has none', async () => {
    const clock = manualClock('2026-06-01T00:00:00Z');
    const rates = await createRateBook({ db, clock });
    const priceSources = ['a', 'b', 'c'].map((name) => sourceOf(name, { EURC: '1.2' }, clock));
    const answer = await refreshRates({ db, clock, log: silentLog, rates, priceSources }, never);
    assert.deepEqual(answer.priced, []);
    assert.equal(answer.unavailable.get('EURC'), 'its peg EUR has no price');
  });
});
