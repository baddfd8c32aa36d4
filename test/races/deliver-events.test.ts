// Four workers over one queue. When nothing fails, at least once is exactly once.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { openDb, sql } from '#db/db.ts';
import { claimDue } from '#event/deliver-events.ts';
import { startDelivery } from '#event/start-delivery.ts';
import { deliveryApp, newMerchant, tellEvent } from '#test/support/event-fixture.ts';
import { byLength } from '#test/support/run-length.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { openWebhookReceiver } from '#test/support/webhook-receiver.ts';

const deliveries = byLength({ short: 200, long: 500 });
const lanes = 25;
/** A lane that answers gets no more places than this. */
const laneMost = 20;

let database: TestDatabase;
before(async () => {
  database = await openTestDatabase();
});
after(() => database.close());

test(`four workers deliver ${deliveries} events exactly once each, few of a lane at a time`, async (t) => {
  const underWay = new Map<string, number>();
  let mostOfLane = 0;
  const receiver = await openWebhookReceiver(async (response, { headers }) => {
    const host = String(headers.host);
    const now = (underWay.get(host) ?? 0) + 1;
    underWay.set(host, now);
    mostOfLane = Math.max(mostOfLane, now);
    await wait(2);
    underWay.set(host, (underWay.get(host) ?? 0) - 1);
    response.end();
  });
  const random = seededRandom(5);
  const owner = await newMerchant(database.db, random);
  const told: string[] = [];
  for (let count = 0; count < deliveries; count += 1) {
    const url = `http://lane${count % lanes}.test:${receiver.port}/`;
    told.push(await tellEvent({ db: database.db, clock: systemClock }, random, owner, { url }));
  }
  const pools = [1, 2, 3, 4].map(() => openDb({ ...database.connection, log: silentLog }));
  const startedMs = performance.now();
  const loops = pools.map((db, seed) => startDelivery(deliveryApp(db, systemClock, seed)));
  try {
    while (receiver.received.length < deliveries) {
      assert.ok(performance.now() - startedMs < 180_000, 'in time');
      await wait(10);
    }
    t.diagnostic(`${Math.round(performance.now() - startedMs)} ms for ${deliveries} deliveries`);
    await Promise.all(loops.map((loop) => loop.stop()));
    assert.equal(receiver.received.length, deliveries);
    assert.deepEqual(new Set(receiver.received.map(({ id }) => id)), new Set(told));
    assert.ok(mostOfLane <= laneMost, `${mostOfLane} of a lane at once`);
    const rows = await database.db.query(sql`
      select state, attempt_count, lease_epoch, count(*)::integer as count
      from webhook_delivery group by state, attempt_count, lease_epoch`);
    const once = { state: 'DELIVERED', attempt_count: 1, lease_epoch: 1n, count: deliveries };
    assert.deepEqual(rows, [once]);
    const attempts = await database.db.query(sql`select delivery_id from webhook_attempt`);
    assert.equal(attempts.length, deliveries);
  } finally {
    await Promise.all(loops.map((loop) => loop.stop()));
    await Promise.all(pools.map((db) => db.close()));
    await receiver.close();
  }
});

test('claims at the same moment do not give a lane more than two, nor a delivery to two', async () => {
  const random = seededRandom(6);
  const pools = [1, 2, 3, 4].map(() => openDb({ ...database.connection, log: silentLog }));
  try {
    for (let round = 0; round < 20; round += 1) {
      const owner = await newMerchant(database.db, random);
      for (let count = 0; count < 40; count += 1) {
        const url = `http://round${round}-${count % 4}.test/`;
        await tellEvent({ db: database.db, clock: systemClock }, random, owner, { url });
      }
      const all = { most: 50, troubledMost: 50, merchantMost: 50, cursor: '' };
      const claims = await Promise.all(pools.map((db) => claimDue(deliveryApp(db), all)));
      const claimed = claims.flatMap((claim) => claim.claimed);
      assert.equal(new Set(claimed.map(({ id }) => id)).size, claimed.length);
      const lanesClaimed = Map.groupBy(claimed, ({ lane }) => lane);
      const counts = Array.from(lanesClaimed.values(), (list) => list.length);
      assert.deepEqual(counts, [2, 2, 2, 2], `round ${round}`);
      await database.db.single((tx) =>
        tx.query(sql`delete from webhook_delivery where merchant_id = ${owner.merchantId}`),
      );
    }
  } finally {
    await Promise.all(pools.map((db) => db.close()));
  }
});
