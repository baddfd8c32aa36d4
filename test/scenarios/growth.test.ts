// What a paid checkout adds to the database for ever is what docs/operate/what-is-kept.md says of a year,
// with room for a column or an index. Rows and entries are counted, not pages: the same everywhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestEvents } from '#event/prove-events.ts';
import { sealEntries } from '#ledger/seal-entries.ts';
import { growthOf, readSizes, sumOf } from '#test/growth/table-growth.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

const CHECKOUTS = 20;
/** A quarter above what was counted when the figure in the book was measured. */
const MOST = { rowBytes: 4_700, rows: 18, entries: 73 };

async function sell(world: TestApp, count: number): Promise<void> {
  for (let sold = 0; sold < count; sold += 1) await payCheckout(world, await world.create());
  await digestEvents(world.app, { limit: 1_000 });
  await sealEntries(world.app, { limit: 1_000 });
}

test('a paid checkout leaves no more for ever than the book says', async () => {
  const world = await openTestApp();
  try {
    await sell(world, 2);
    const before = await readSizes(world.app.db);
    assert.deepEqual(
      [...before.keys()].filter((name) => name.startsWith('api_request')),
      ['api_request', 'api_request_missed'],
      'what partitions hold is of their table',
    );
    await sell(world, CHECKOUTS);
    const growth = growthOf(before, await readSizes(world.app.db), CHECKOUTS);
    const stays = sumOf(growth, 'stays');
    for (const [name, most] of Object.entries(MOST)) {
      const found = stays[name as keyof typeof MOST];
      assert.ok(found <= most, `${name}: ${found} of ${most}`);
      // A bound far above what is so would hold nothing.
      assert.ok(found > most / 2, `${name}: ${found} of ${most}: the bound is too wide`);
    }
  } finally {
    await world.close();
  }
});
