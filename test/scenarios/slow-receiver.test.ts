// A shop whose receiver takes its time: many of its events are on their way at once, those of each
// checkout in their order, and another shop does not wait for it.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { type Db, sql } from '#db/db.ts';
import { NEW_LANE_MOST } from '#event/deliver-events.ts';
import { startDelivery } from '#event/start-delivery.ts';
import { createWake } from '#runtime/loop.ts';
import { deliveryApp, newMerchant, tellEvent } from '#test/support/event-fixture.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { waitUntil } from '#test/support/shop.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { openWebhookReceiver } from '#test/support/webhook-receiver.ts';

/** For ten times as much in a second, with what passes until a place is filled again. */
const AT_ONCE = 16 * NEW_LANE_MOST;
const CHECKOUTS = 66;
/** Nothing is given up, and tried again, before the test is over. */
const limits = { connectMs: 180_000, totalMs: 180_000, answerBytesMost: 16_384 };
const EVENTS_EACH = 2;

let database: TestDatabase;
let db: Db;
before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  db = database.db;
});
after(() => database.close());

type Held = { readonly response: ServerResponse; readonly subject: string; readonly turn: number };

/** Answers when the test says so. */
async function openHoldingReceiver() {
  const held: Held[] = [];
  const receiver = await openWebhookReceiver((response, { body }) => {
    const { sequence, data } = JSON.parse(body) as {
      readonly sequence: number;
      readonly data: { readonly checkout: { readonly id: string } };
    };
    held.push({ response, subject: data.checkout.id, turn: sequence });
  });
  return { receiver, held };
}

test('sixteen times as many as of a new one are under way to a slow receiver, each checkout in its order', async () => {
  const random = seededRandom(71);
  const { receiver, held } = await openHoldingReceiver();
  const quick = await openWebhookReceiver();
  const wake = createWake();
  const loop = startDelivery({ ...deliveryApp(db), limits }, { wake });
  const came = new Map<string, number[]>();
  try {
    const slow = await newMerchant(db, random);
    for (let count = 0; count < CHECKOUTS * EVENTS_EACH; count += 1) {
      const subjectId = `checkout${String(count % CHECKOUTS).padStart(4, '0')}`;
      const sequence = 1 + Math.floor(count / CHECKOUTS);
      await tellEvent(deliveryApp(db), random, slow, {
        url: `${receiver.origin}/`,
        subjectId,
        sequence,
      });
    }
    wake.wake();
    await waitUntil('a first one', () => held.length > 0);
    // Nobody knows yet whether it answers.
    assert.ok(receiver.mostAtOnce() <= NEW_LANE_MOST);
    let [answered, isTold] = [0, false];
    while (answered < CHECKOUTS * EVENTS_EACH) {
      // Full before the next one is answered: as long as there is enough that may go.
      const free = Math.min(AT_ONCE, NEW_LANE_MOST + answered, CHECKOUTS - answered);
      await waitUntil('a delivery', () => held.length >= Math.max(1, free));
      const subjects = held.map(({ subject }) => subject);
      assert.equal(new Set(subjects).size, subjects.length, 'one of a checkout at a time');
      if (held.length === AT_ONCE && !isTold) {
        isTold = true;
        const other = await newMerchant(db, random);
        await tellEvent(deliveryApp(db), random, other, { url: `${quick.origin}/` });
        wake.wake();
        await waitUntil('the other shop to hear', () => quick.received.length === 1);
      }
      const next = held.shift();
      assert.ok(next !== undefined);
      came.set(next.subject, [...(came.get(next.subject) ?? []), next.turn]);
      next.response.end('OK');
      answered += 1;
    }
    assert.equal(receiver.mostAtOnce(), AT_ONCE);
    assert.ok(isTold);
    const turns = Array.from({ length: EVENTS_EACH }, (_, at) => at + 1);
    for (const [subject, order] of came) assert.deepEqual(order, turns, subject);
    await waitUntil('all to be written down', async () => {
      const left = await db.query(sql`select 1 from webhook_delivery where state <> 'DELIVERED'`);
      return left.length === 0;
    });
  } finally {
    for (const { response } of held) response.destroy();
    await loop.stop();
    await receiver.close();
    await quick.close();
  }
});

test('a shop whose receivers answer nothing keeps two places each, and no other shop waits', async () => {
  const random = seededRandom(72);
  const { receiver: hole, held } = await openHoldingReceiver();
  const quick = await openWebhookReceiver();
  const wake = createWake();
  const loop = startDelivery({ ...deliveryApp(db), limits }, { wake, graceMs: 0 });
  try {
    const owner = await newMerchant(db, random);
    for (let count = 0; count < 30; count += 1) {
      await tellEvent(deliveryApp(db), random, owner, {
        url: `http://hole${count % 3}.test:${hole.port}/`,
      });
    }
    wake.wake();
    await waitUntil('the holes to be tried', () => held.length === 3 * NEW_LANE_MOST);
    const other = await newMerchant(db, random);
    for (let count = 0; count < 5; count += 1) {
      await tellEvent(deliveryApp(db), random, other, { url: `${quick.origin}/` });
    }
    wake.wake();
    await waitUntil('the other shop to hear all', () => quick.received.length === 5);
    assert.equal(held.length, 3 * NEW_LANE_MOST);
  } finally {
    for (const { response } of held) response.destroy();
    await loop.stop();
    await hole.close();
    await quick.close();
  }
});
