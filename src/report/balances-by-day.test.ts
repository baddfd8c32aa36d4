// Balances of a period are told from sums by day. Whatever the period, and however far the days are
// summed, they are what every posting says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { followLedgerDays } from '#ledger/ledger-day.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { readAccountStatement } from './account-statement.ts';
import { listPeriodBalances } from './balances-report.ts';

const START = Temporal.Instant.from('2026-01-01T00:00:00Z');
const DAYS = 4;
const ASSETS = ['LTC:NATIVE', 'BTC:NATIVE'] as const;

let api: TestApi;
before(async () => {
  api = await openTestApi();
});
after(() => api.close());

/** Often midnight, and moments beside it. */
const moment = fc
  .record({ quarter: fc.nat(4 * DAYS), microseconds: fc.constantFrom(0, 0, 1, -1, 1_000_000) })
  .map(({ quarter, microseconds }) => START.add({ hours: 6 * quarter }).add({ microseconds }));

const move = fc.record({
  at: moment,
  assetId: fc.constantFrom(...ASSETS),
  code: fc.constantFrom('merchant:available', 'merchant:pending'),
  units: fc.oneof(fc.bigInt(1n, 9n), fc.bigInt(-1n, -1n)),
});
type Move = Parameters<Parameters<typeof move.map>[0]>[0];

const story = fc.record({
  moves: fc.array(move, { minLength: 5, maxLength: 40 }),
  /** After so many of them the days are summed, and after so many again. */
  followed: fc.tuple(fc.nat(40), fc.nat(40)),
  periods: fc.array(fc.tuple(fc.option(moment), fc.option(moment)), {
    minLength: 8,
    maxLength: 8,
  }),
  limit: fc.integer({ min: 1, max: 5 }),
});

let merchants = 0;
async function live(moves: readonly Move[], followed: readonly number[]): Promise<string> {
  merchants += 1;
  const { id } = await createMerchant(api.app, { name: 'Book shop' });
  // Enough on each account, before the first moment.
  const begin = START.subtract({ hours: 400 });
  const first = ASSETS.flatMap((assetId) =>
    (['merchant:available', 'merchant:pending'] as const).map((code) => ({
      ...{ merchantId: id, cause: `${merchants} first ${assetId} ${code}`, assetId, code },
      ...{ units: 1_000n, occurredAt: begin },
    })),
  );
  await fundMerchant(api.db, ...first);
  for (const [index, { at, ...one }] of moves.entries()) {
    if (followed.includes(index)) while ((await followLedgerDays(api.app)) === 'busy');
    const fund = { ...one, merchantId: id, cause: `${merchants} ${index}`, occurredAt: at };
    await fundMerchant(api.db, fund as Parameters<typeof fundMerchant>[1]);
  }
  return id;
}

const isBefore = (one: Temporal.Instant, other: Temporal.Instant) =>
  Temporal.Instant.compare(one, other) < 0;

/** From each move by itself. */
function expected(moves: readonly Move[], from: Temporal.Instant | null, to: typeof from) {
  return ASSETS.flatMap((assetId) =>
    ['merchant:available', 'merchant:pending'].map((code) => {
      const own = moves.filter((one) => one.assetId === assetId && one.code === code);
      const past = own.filter(({ at }) => to === null || isBefore(at, to));
      const inside = past.filter(({ at }) => from === null || !isBefore(at, from));
      const sum = (list: readonly Move[]) => list.reduce((total, { units }) => total + units, 0n);
      const base = from === null ? 1_000n : 0n;
      return {
        assetId,
        code,
        closingUnits: 1_000n + sum(past),
        creditedUnits: base + sum(inside.filter(({ units }) => units > 0n)),
        debitedUnits: -sum(inside.filter(({ units }) => units < 0n)),
      };
    }),
  ).toSorted((left, right) =>
    `${left.assetId}${left.code}` < `${right.assetId}${right.code}` ? -1 : 1,
  );
}

test('balances of any period are what the postings say, however far the days are summed', async () => {
  const seen = { whole: 0, cutTwice: 0, withinADay: 0 };
  await fc.assert(
    fc.asyncProperty(story, async ({ moves, followed, periods }) => {
      const merchantId = await live(moves, followed);
      for (const [one, other] of periods) {
        const isTurned = one !== null && other !== null && isBefore(other, one);
        const [from, to] = isTurned ? [other, one] : [one, other];
        count(seen, from, to);
        const request = {
          ...({ merchantId, environment: 'test', limit: 100, cursor: undefined } as const),
          ...{ from: from ?? undefined, to: to ?? undefined },
        };
        assert.deepEqual(
          (await listPeriodBalances(api.db, request)).map((row) => ({ ...row })),
          expected(moves, from, to),
          `${from} to ${to}`,
        );
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
  for (const [what, times] of Object.entries(seen)) assert.ok(times > 0, `${what}: never`);
});

function count(
  seen: { whole: number; cutTwice: number; withinADay: number },
  from: Temporal.Instant | null,
  to: Temporal.Instant | null,
): void {
  const dayOf = (at: Temporal.Instant) => at.toString().slice(0, 10);
  const isCut = (at: Temporal.Instant | null) =>
    at !== null && !at.toString().includes('T00:00:00Z');
  if (!isCut(from) && !isCut(to)) seen.whole += 1;
  if (from === null || to === null || !isCut(from) || !isCut(to)) return;
  if (dayOf(from) === dayOf(to)) seen.withinADay += 1;
  else seen.cutTwice += 1;
}

test('each page of a statement begins with what the one before it ended with', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ moves, followed, limit }) => {
      const merchantId = await live(moves, followed);
      const [assetId] = ASSETS;
      const from = START.add({ hours: 6 });
      const request = {
        ...({ merchantId, environment: 'test', limit, from, to: undefined } as const),
      };
      let [carried] = expected(moves, null, from)
        .filter((row) => row.assetId === assetId && row.code === 'merchant:available')
        .map(({ closingUnits }) => closingUnits);
      for (let cursor: PagePlace | undefined; ; ) {
        const asked = { ...request, cursor };
        const { statement, nextCursor } = await readAccountStatement(api.db, asked, assetId, START);
        assert.equal(statement.openingUnits, carried);
        carried = statement.closingUnits;
        if (nextCursor === null) break;
        cursor = decodeCursor(nextCursor);
      }
      const own = expected(moves, null, null).find(
        (row) => row.assetId === assetId && row.code === 'merchant:available',
      );
      assert.equal(carried, own?.closingUnits);
    }),
    { numRuns: 10, endOnFailure: true },
  );
});
