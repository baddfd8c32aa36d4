import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from '#db/db.ts';
import { decimalToText } from '#money/decimal.ts';
import { forgetRates } from '#rates/forget-rates.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { readStoredPrices } from './stored-prices.ts';

const START = Temporal.Instant.from('2026-01-01T00:00:00Z');
const CODES = ['BTC', 'EUR'];

let database: TestDatabase;
before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
});
after(() => database.close());

/** Minutes since the start. */
const minutes = (most: number) => fc.nat(most).map((nat) => START.add({ minutes: nat }));
const seen = fc.record({ code: fc.constantFrom(...CODES), at: minutes(5 * 24 * 60) });
const story = fc.record({
  /** With gaps of hours, and of days. */
  rates: fc.array(seen, { minLength: 5, maxLength: 300 }),
  entries: fc.array(minutes(7 * 24 * 60), { minLength: 1, maxLength: 12 }),
});

async function pricesAt(entries: readonly Temporal.Instant[]): Promise<(string | undefined)[]> {
  const wanted = entries.flatMap((at) => CODES.map((code) => ({ code, at })));
  const priceAt = await readStoredPrices(database.db, 'live', wanted);
  return wanted.map((one) => {
    const { usd, rate } = priceAt(one) ?? {};
    const isYoung =
      rate === undefined ||
      (Temporal.Instant.compare(rate.observedAt, one.at) <= 0 &&
        Temporal.Instant.compare(rate.observedAt, one.at.subtract({ hours: 24 })) > 0);
    assert.ok(isYoung, 'a price is of the day before, and none of afterwards');
    return usd && `${decimalToText(usd)} ${rate?.id}`;
  });
}

test('a report says the same of what was worth how much after old prices went', async () => {
  const { db } = database;
  const clock = manualClock('2026-06-01T00:00:00Z');
  let [found, forgotten] = [0, 0];
  await fc.assert(
    fc.asyncProperty(story, async ({ rates, entries }) => {
      await db.transact(async (tx) => {
        await tx.query(sql`set local session_replication_role = replica`);
        await tx.query(sql`delete from rate`);
        await tx.query(sql`delete from ledger_entry`);
        await tx.query(sql`
          insert into rate (environment, code, usd_price, spread_parts_per_million, evidence,
            observed_at)
          select 'live', code, n, 0, '{}', at
          from unnest(${rates.map(({ code }) => code)}::text[],
            ${rates.map(({ at }) => at)}::timestamptz[]) with ordinality as r (code, at, n)
          order by at`);
        await tx.query(sql`
          insert into ledger_entry (cause_key, kind, environment, merchant_id, occurred_at)
          select 'entry:' || n, 'deposit', 'live', 'm00000000001', at
          from unnest(${entries}::timestamptz[]) with ordinality as e (at, n)`);
      });
      const told = await pricesAt(entries);
      const gone = await forgetRates({ db, clock }, { keptDays: 30, after: 0n });
      assert.deepEqual(await pricesAt(entries), told);
      found += told.filter((price) => price !== undefined).length;
      forgotten += gone.forgotten;
    }),
    { numRuns: 15 },
  );
  assert.ok(found > 0 && forgotten > 0, `${found} prices found, ${forgotten} forgotten`);
});
