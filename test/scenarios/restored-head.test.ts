// After a backup was restored the ledger is older than the head that was written outside it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { restored } from '#cli/installation.ts';
import { sql } from '#db/db.ts';
import { checkHeads, recordHead } from '#ledger/head-record.ts';
import { sealEntries } from '#ledger/seal-entries.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

let world: TestApp;

before(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
});
after(() => world.close());

test('`quittance restored` accepts the older head of the ledger, and says so', async () => {
  const { app } = world;
  const places = app.config.ledgerHead;
  for (let seal = 0; seal < 2; seal += 1) {
    await payCheckout(world, await world.create());
    await sealEntries(app, { limit: 100 });
  }
  await recordHead(app, places);
  await app.db.transact(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`);
    await tx.query(sql`delete from ledger_seal where number = 2`);
  });
  assert.equal((await checkHeads(app.db, places)).length, 1);
  const context = {
    openApp: async () => app,
    openDatabase: async () => ({}) as never,
    environment: {},
    onProgress: () => undefined,
    directory: '.',
    terminal: undefined,
  };
  const { text } = await restored.run(context, { positionals: [], values: {} });
  assert.match(text, /ledger: its head is accepted and written down: seal 1, head [0-9a-f]{64}$/);
  assert.deepEqual(await checkHeads(app.db, places), []);
});
