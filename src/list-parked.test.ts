import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { countParked, listParked, retryParked } from './list-parked.ts';

let world: TestApp;
before(async () => {
  world = await openTestApp();
});
after(() => world.close());

test('a parked checkout is shown with its reason, and retrying unparks it', async () => {
  const { app, clock } = world;
  const id = await world.create();
  await app.db.single((tx) =>
    tx.query(sql`update checkout set parked_reason = 'a bug', settle_failures = 5,
      settle_at = ${clock.now()} where id = ${id}`),
  );
  const [parked] = await listParked(app, clock.now(), 10);
  assert.deepEqual([parked?.id, parked?.reason], [`checkout:${id}`, 'a bug']);
  assert.deepEqual(await countParked(app, clock.now()), { checkout: 1 });
  await retryParked(app, `checkout:${id}`, clock.now());
  await world.settle();
  assert.deepEqual(await countParked(app, clock.now()), {});
  assert.deepEqual(await listParked(app, clock.now(), 10), []);
  await assert.rejects(retryParked(app, `checkout:${id}`, clock.now()), /nothing that is parked/);
  await assert.rejects(retryParked(app, 'payment:1', clock.now()), /cannot be retried/);
  await assert.rejects(retryParked(app, 'delivery:1', clock.now()), /nothing that is parked/);
});
