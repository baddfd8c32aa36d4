import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '#base/id.ts';
import type { Owner } from '#catalog/owner.ts';
import { ConstraintViolation, type Db, sql } from '#db/db.ts';
import { deliverEvents } from '#test/support/deliver-events.ts';
import {
  deliverUntilQuiet,
  newDeliveryApp,
  onlyDelivery,
  tellEvent,
} from '#test/support/event-fixture.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { answer, type Behave, ok, withReceiver } from '#test/support/webhook-receiver.ts';
import { listDeliveries, redeliverEvent } from './delivery.ts';
import { listEvents, listToldCauses } from './event.ts';
import { forgetEvents } from './forget-events.ts';

const DAY_MS = 24 * 3_600_000;
const KEPT = { keptDays: 60, after: undefined };

let database: TestDatabase;
let db: Db;
const random = seededRandom(61);

before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  db = database.db;
});
after(() => database.close());

async function eventIds(owner: Owner): Promise<string[]> {
  const { events } = await listEvents({ db }, { ...owner, limit: 100 });
  return events.map(({ id }) => id);
}

async function rowsLeft(): Promise<Record<string, number>> {
  const [row] = await db.query<Record<string, number>>(sql`
    select (select count(*) from event)::integer as events,
      (select count(*) from webhook_delivery)::integer as deliveries,
      (select count(*) from webhook_attempt)::integer as attempts`);
  return row ?? {};
}

test('what every receiver has got goes after its days, with deliveries and attempts, not before', async () => {
  let isUp = false;
  const behave: Behave = (...call) => (isUp ? ok(...call) : answer(404)(...call));
  await withReceiver(behave, async (receiver) => {
    const { app, owner, clock } = await newDeliveryApp(db, random);
    const url = `${receiver.origin}/hook`;
    const id = await tellEvent(app, random, owner, { url });
    await tellEvent(app, random, owner, {});
    await deliverUntilQuiet(app, clock);
    const { id: deliveryId } = await onlyDelivery(db, owner, id);
    isUp = true;
    await redeliverEvent(app, { ...owner, deliveryId });
    await deliverEvents(app, { most: 50 });
    assert.deepEqual(await rowsLeft(), { events: 2, deliveries: 2, attempts: 15 });

    await clock.advance(59 * DAY_MS);
    // The one that nobody was to be told is older than the last attempt of the other.
    assert.deepEqual(await forgetEvents(app, KEPT), { forgotten: 1, after: undefined });
    assert.deepEqual(await eventIds(owner), [id]);
    await clock.advance(DAY_MS + 1);
    assert.deepEqual(await forgetEvents(app, KEPT), { forgotten: 1, after: undefined });
    assert.deepEqual(await rowsLeft(), { events: 0, deliveries: 0, attempts: 0 });
  });
});

test('what some receiver has not got stays, however old it is', async () => {
  await withReceiver(answer(404), async (receiver) => {
    const { app, owner, clock } = await newDeliveryApp(db, random);
    const parked = await tellEvent(app, random, owner, { url: `${receiver.origin}/parked` });
    await deliverUntilQuiet(app, clock);
    const pending = await tellEvent(app, random, owner, { url: `${receiver.origin}/pending` });
    await clock.advance(500 * DAY_MS);
    assert.equal((await forgetEvents(app, KEPT)).forgotten, 0);
    assert.deepEqual(await eventIds(owner), [pending, parked]);
  });
});

test('a receiver that answered 410 is told nothing again, because that answer is kept', async () => {
  let isGone = true;
  const behave: Behave = (...call) => (isGone ? answer(410)(...call) : ok(...call));
  await withReceiver(behave, async (receiver) => {
    const { app, owner, clock } = await newDeliveryApp(db, random);
    const subjectId = newId(random);
    const url = `${receiver.origin}/hook`;
    const first = await tellEvent(app, random, owner, { url, subjectId, sequence: 1 });
    await deliverEvents(app, { most: 50 });
    const { id: deliveryId, state } = await onlyDelivery(db, owner, first);
    assert.equal(state, 'DISABLED');
    isGone = false;
    const second = await tellEvent(app, random, owner, { url, subjectId, sequence: 2 });
    await redeliverEvent(app, { ...owner, deliveryId });
    await deliverEvents(app, { most: 50 });
    await clock.advance(100 * DAY_MS);
    assert.equal((await forgetEvents(app, KEPT)).forgotten, 0);
    const third = await tellEvent(app, random, owner, { url, subjectId, sequence: 3 });
    assert.equal((await onlyDelivery(db, owner, third)).state, 'DISABLED');
    assert.deepEqual((await eventIds(owner)).toSorted(), [first, second, third].toSorted());
  });
});

test('a cause whose event was forgotten stays told, and is refused by the database', async () => {
  await withReceiver(ok, async (receiver) => {
    const { app, owner, clock } = await newDeliveryApp(db, random);
    const url = `${receiver.origin}/hook`;
    const subjectId = newId(random);
    await tellEvent(app, random, owner, { url, subjectId });
    await deliverEvents(app, { most: 50 });
    await clock.advance(61 * DAY_MS);
    assert.equal((await forgetEvents(app, KEPT)).forgotten, 1);
    const cause = `test:${subjectId}:1`;
    assert.deepEqual(await listToldCauses(db, [cause, 'other']), new Set([cause]));
    await assert.rejects(
      tellEvent(app, random, owner, { url, subjectId }),
      (error: unknown) =>
        error instanceof ConstraintViolation && error.constraint === 'event_cause_key_key',
    );
    assert.deepEqual(await eventIds(owner), []);
  });
});

test('one step looks at a bounded number of events, and the next goes on after them', async () => {
  const { app, owner, clock } = await newDeliveryApp(db, random);
  for (let number = 0; number < 5; number += 1) await tellEvent(app, random, owner, {});
  await db.single((tx) =>
    tx.query(sql`insert into event (id, merchant_id, environment, type, subject, subject_id, sequence,
        cause_key, body, created_at)
      select 'b' || lpad(n::text, 11, '0'), ${owner.merchantId}, 'test', 'CHECKOUT_PENDING', 'checkout',
        'c' || n, 1, 'bulk:' || n, '{}', ${clock.now()}
      from generate_series(1, 300) n`),
  );
  await clock.advance(61 * DAY_MS);
  const first = await forgetEvents(app, KEPT);
  assert.equal(first.forgotten, 200);
  const second = await forgetEvents(app, { ...KEPT, after: first.after });
  assert.deepEqual(second, { forgotten: 105, after: undefined });
});

test('a delivery that is being sent again while its event is forgotten keeps it', async () => {
  await withReceiver(ok, async (receiver) => {
    const { app, owner, clock } = await newDeliveryApp(db, random);
    const id = await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    await deliverEvents(app, { most: 50 });
    const { id: deliveryId } = await onlyDelivery(db, owner, id);
    await clock.advance(15 * DAY_MS);
    const forgetting = { keptDays: 10, after: undefined };
    await db.transact(async (tx) => {
      await tx.query(sql`select from webhook_delivery where id = ${deliveryId} for no key update`);
      assert.equal((await forgetEvents(app, forgetting)).forgotten, 0);
    });
    const told = [id];
    for (let count = 1; count < 12; count += 1) {
      told.push(await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` }));
    }
    await deliverUntilQuiet(app, clock);
    const deliveries = await Promise.all(told.map((one) => onlyDelivery(db, owner, one)));
    await clock.advance(15 * DAY_MS);
    const forgets = Promise.all([1, 2, 3].map(() => forgetEvents(app, forgetting)));
    const replays = await Promise.allSettled(
      deliveries.map((one) => redeliverEvent(app, { ...owner, deliveryId: one.id })),
    );
    await forgets;
    const left = new Set(await eventIds(owner));
    for (const [index, replay] of replays.entries()) {
      const eventId = told[index] ?? '';
      const states = (await listDeliveries({ db }, { ...owner, eventId })).map((one) => one.state);
      const isSent = replay.status === 'fulfilled';
      assert.equal(left.has(eventId), isSent);
      assert.deepEqual(states, isSent ? ['DELIVERED', 'PENDING'] : []);
      if (!isSent) assert.equal(replay.reason.code, 'delivery_unknown');
    }
  });
});
