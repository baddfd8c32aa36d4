import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Db, sql } from '#db/db.ts';
import { createWake } from '#runtime/loop.ts';
import { deliveryApp, newMerchant, onlyDelivery, tellEvent } from '#test/support/event-fixture.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import {
  answer,
  type Behave,
  blackHole,
  closeSocket,
  hugeBody,
  ok,
  openWebhookReceiver,
  slowDrip,
} from '#test/support/webhook-receiver.ts';
import { startDelivery } from './start-delivery.ts';

let database: TestDatabase;
let db: Db;
const random = seededRandom(31);

before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  db = database.db;
});
after(() => database.close());

test('a woken loop makes the first attempt at once', async () => {
  const receiver = await openWebhookReceiver();
  const wake = createWake();
  // Whose time stands still: it would never look by itself.
  const app = deliveryApp(db, manualClock('2026-03-01T00:00:00Z'));
  const loop = startDelivery(app, { wake });
  try {
    const owner = await newMerchant(db, random);
    await until(() => loop.health().steps > 0);
    const id = await tellEvent(app, random, owner, { url: `${receiver.origin}/` });
    wake.wake();
    await until(() => receiver.received.some((webhook) => webhook.id === id));
  } finally {
    await loop.stop();
    await receiver.close();
  }
  assert.equal(loop.health().underWay, 0);
});

test('black holes at a third of the receivers do not delay the others', async () => {
  const good = await openWebhookReceiver();
  const bad = await openWebhookReceiver(blackHole);
  const wake = createWake();
  // No black hole is given up before the test is over.
  const limits = { connectMs: 60_000, totalMs: 60_000, answerBytesMost: 16_384 };
  const app = { ...deliveryApp(db), limits };
  const loop = startDelivery(app, { wake, concurrency: 100, graceMs: 0 });
  try {
    const told = [];
    for (let shop = 0; shop < 40; shop += 1) {
      const owner = await newMerchant(db, random);
      const { port } = shop % 10 < 3 ? bad : good;
      for (let count = 0; count < 5; count += 1) {
        // A host name of its own makes a lane of its own.
        await tellEvent(app, random, owner, { url: `http://shop${shop}.test:${port}/${count}` });
        told.push(shop % 10 >= 3);
      }
    }
    wake.wake();
    const expected = told.filter(Boolean).length;
    await until(() => good.received.length === expected);
    // The black holes were tried.
    await until(() => bad.received.length >= 12);
  } finally {
    await loop.stop();
    await good.close();
    await bad.close();
  }
});

test('whatever receivers do, all events arrive at least once in the end', async () => {
  const tricks = [answer(500), closeSocket, answer(302, { Location: 'http://169.254.169.254/' })];
  const late: Behave[] = [slowDrip, hugeBody, answer(429, { 'Retry-After': '1' }), blackHole];
  const all = [...tricks, ...late];
  const behave: Behave = (...call) => {
    const [, { path }, count] = call;
    const trick = all[Number(path.slice(1)) % all.length] ?? ok;
    return count === 1 ? trick(...call) : ok(...call);
  };
  const receiver = await openWebhookReceiver(behave);
  const limits = { connectMs: 1_500, totalMs: 1_500, answerBytesMost: 16_384 };
  const app = { ...deliveryApp(db), limits };
  const loop = startDelivery(app, { graceMs: 0 });
  try {
    const told: string[] = [];
    for (let shop = 0; shop < 14; shop += 1) {
      const owner = await newMerchant(db, random);
      const url = `http://tricks${shop}.test:${receiver.port}/${shop}`;
      told.push(await tellEvent(app, random, owner, { url }));
    }
    await until(async () => {
      const rows = await db.query(sql`select 1 from webhook_delivery
        where event_id = any(${told}) and state <> 'DELIVERED'`);
      return rows.length === 0;
    }, 90_000);
    // What tests before left behind may come too, where the port was theirs.
    const received = new Set(receiver.received.map(({ id }) => id));
    assert.deepEqual(
      told.filter((id) => !received.has(id)),
      [],
    );
  } finally {
    await loop.stop();
    await receiver.close();
  }
});

test('what is under way at a stop is given back, and due at once for whoever runs next', async () => {
  const holes = await openWebhookReceiver(blackHole);
  const app = deliveryApp(db);
  const owner = await newMerchant(db, random);
  const id = await tellEvent(app, random, owner, { url: `${holes.origin}/` });
  const loop = startDelivery(app, { graceMs: 50 });
  await until(() => holes.received.length === 1);
  await loop.stop();
  const delivery = await onlyDelivery(db, owner, id);
  assert.equal(delivery.state, 'PENDING');
  assert.equal(delivery.attemptCount, 0);
  const [row] = await db.query<{ lease_until: unknown }>(
    sql`select lease_until from webhook_delivery where id = ${delivery.id}`,
  );
  assert.equal(row?.lease_until, null);
  await holes.close();
});

async function until(isSo: () => boolean | Promise<boolean>, ms = 120_000): Promise<void> {
  const endMs = performance.now() + ms;
  while (!(await isSo())) {
    assert.ok(performance.now() < endMs, `not so within ${ms} ms`);
    await wait(5);
  }
}
