import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type Db, sql } from '#db/db.ts';
import { parseDecimal } from '#money/decimal.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { insertRates } from './rate.ts';
import { listMovedCodes } from './rate-book.ts';

let database: TestDatabase;
let db: Db;
before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  db = database.db;
});
after(() => database.close());

const start = Temporal.Instant.from('2026-11-22T10:00:00Z');

async function observe(minute: number, prices: Readonly<Record<string, string>>): Promise<void> {
  const rates = Object.entries(prices).map(([code, price]) => {
    return { code, usdPrice: parseDecimal(price), spreadPartsPerMillion: 0, evidence: '{}' };
  });
  await db.transact((tx) => insertRates(tx, 'live', rates, start.add({ minutes: minute })));
}

const moved = (minute: number, partsPerMillion = 100_000) =>
  listMovedCodes(db, { partsPerMillion, minutes: 15 }, start.add({ minutes: minute }));

test('a price moved when its highest is too far above its lowest of the last minutes', async () => {
  await observe(0, { BTC: '100000', LTC: '100', XLM: '0.1' });
  await observe(5, { BTC: '110000', LTC: '110.00000001', XLM: '0.08' });
  assert.deepEqual(await moved(6), ['LTC', 'XLM']);
  assert.deepEqual(await moved(6, 100_001), ['XLM']);
  // Down and up again is a move as well, in whichever order.
  await observe(10, { BTC: '100000', LTC: '100', XLM: '0.1' });
  assert.deepEqual(await moved(14), ['LTC', 'XLM']);
});

test('it is calm again when the minutes are over, and what is not known yet moved nothing', async () => {
  assert.deepEqual(await moved(4), []);
  assert.deepEqual(await moved(19), ['LTC', 'XLM']);
  assert.deepEqual(await moved(20), []);
  assert.deepEqual(await moved(600), []);
});

test('the reference prices of test keys never move', async () => {
  await db.single((tx) => tx.query(sql`update rate set environment = 'test'`));
  assert.deepEqual(await moved(6, 0), []);
});

test('any two prices: it is the ratio that counts, exactly', async () => {
  const price = fc.bigInt({ min: 1n, max: 10n ** 12n });
  const parts = fc.integer({ min: 1, max: 1_000_000 });
  let hour = 100;
  await fc.assert(
    fc.asyncProperty(price, price, parts, async (one, other, limit) => {
      hour += 1;
      await observe(hour * 60, { BTC: String(one) });
      await observe(hour * 60 + 1, { BTC: String(other) });
      const [low, high] = one < other ? [one, other] : [other, one];
      const isMoved = (high - low) * 1_000_000n > low * BigInt(limit);
      assert.deepEqual(await moved(hour * 60 + 1, limit), isMoved ? ['BTC'] : []);
    }),
    { numRuns: 40 },
  );
});
