import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { type Db, sql } from '#db/db.ts';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { newEndpoint, newMerchant, onlyDelivery, tellEvent } from '#test/support/event-fixture.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { listDeliveries } from './delivery.ts';
import { enqueueEvent, eventBody } from './enqueue-event.ts';
import { listEvents } from './event.ts';

let database: TestDatabase;
let db: Db;
const random = seededRandom(11);
const clock = systemClock;

before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

test('an event is written with a delivery to the URL of its subject', async () => {
  const owner = await newMerchant(db, random);
  const id = await tellEvent({ db, clock }, random, owner, { url: 'https://Shop.test/hook?a=1' });
  const delivery = await onlyDelivery(db, owner, id);
  assert.equal(delivery.url, 'https://shop.test/hook?a=1');
  assert.equal(delivery.state, 'PENDING');
  assert.equal(delivery.attemptCount, 0);
  const [row] = await db.query<{ lane: string }>(
    sql`select lane from webhook_delivery where id = ${delivery.id}`,
  );
  assert.equal(row?.lane, `${owner.merchantId} test https://shop.test`);
});

test('an event without any receiver is still told in the list', async () => {
  const owner = await newMerchant(db, random);
  const id = await tellEvent({ db, clock }, random, owner, {});
  assert.deepEqual(await listDeliveries({ db }, { ...owner, eventId: id }), []);
  const page = await listEvents({ db }, { ...owner, limit: 10 });
  assert.deepEqual(
    page.events.map((event) => event.id),
    [id],
  );
});

test('account-wide endpoints get what they subscribed to, of their own merchant only', async () => {
  const owner = await newMerchant(db, random);
  const other = await newMerchant(db, random);
  const all = await newEndpoint(db, random, owner, 'https://all.test/');
  await newEndpoint(db, random, owner, 'https://pending.test/', ['CHECKOUT_PENDING']);
  const completed = await newEndpoint(db, random, owner, 'https://c.test/', ['CHECKOUT_COMPLETED']);
  const disabled = await newEndpoint(db, random, owner, 'https://off.test/');
  await newEndpoint(db, random, other, 'https://other.test/');
  await newEndpoint(db, random, { ...owner, environment: 'live' }, 'https://live.test/');
  await db.single((tx) =>
    tx.query(sql`update webhook_endpoint set disabled_at = now() where id = ${disabled}`),
  );
  const id = await tellEvent({ db, clock }, random, owner, { url: 'https://shop.test/' });
  const deliveries = await listDeliveries({ db }, { ...owner, eventId: id });
  assert.deepEqual(
    new Set(deliveries.map(({ endpointId }) => endpointId)),
    new Set([undefined, all, completed]),
  );
  assert.deepEqual(await listDeliveries({ db }, { ...other, eventId: id }), []);
});

test('the same cause is told once: the second time fails the whole transaction', async () => {
  const owner = await newMerchant(db, random);
  const event = {
    ...owner,
    type: 'CHECKOUT_COMPLETED',
    subject: 'checkout',
    causeKey: `settled:${newId(random)}`,
    sequence: 1,
    data: '{}',
    createdAt: clock.now(),
    webhookUrl: 'https://shop.test/',
  } as const;
  const tell = (merchantName: string) =>
    db.transact(async (tx) => {
      tx.send(sql`update merchant set name = ${merchantName} where id = ${owner.merchantId}`);
      enqueueEvent(tx, { ...event, id: newId(random), subjectId: newId(random) });
    });
  await tell('first');
  await assert.rejects(tell('second'), {
    name: 'ConstraintViolation',
    constraint: 'event_cause_key_key',
  });
  const rows = await db.query(sql`select name from merchant where id = ${owner.merchantId}`);
  assert.deepEqual(rows, [{ name: 'first' }]);
});

test('a sequence is used once a subject', async () => {
  const owner = await newMerchant(db, random);
  const subjectId = newId(random);
  await tellEvent({ db, clock }, random, owner, { subjectId, sequence: 1 });
  await tellEvent({ db, clock }, random, owner, { subjectId, sequence: 2 });
  await assert.rejects(tellEvent({ db, clock }, random, owner, { subjectId, sequence: 2 }), {
    name: 'ConstraintViolation',
  });
});

test('pages go from the newest to the oldest without gaps, also while events come in', async () => {
  const owner = await newMerchant(db, random);
  const told: string[] = [];
  for (let count = 0; count < 7; count += 1) {
    told.push(await tellEvent({ db, clock }, random, owner, {}));
  }
  const seen: string[] = [];
  let next: string | null = null;
  do {
    const cursor: PagePlace | undefined = next === null ? undefined : decodeCursor(next);
    const page = await listEvents({ db }, { ...owner, limit: 3, cursor });
    seen.push(...page.events.map(({ id }) => id));
    next = page.nextCursor;
    await tellEvent({ db, clock }, random, owner, {});
  } while (next !== null);
  assert.deepEqual(new Set(seen), new Set(told));
  assert.equal(seen.length, told.length);
});

const parts = {
  id: 'abcdefghijkl',
  type: 'CHECKOUT_COMPLETED',
  createdAt: Temporal.Instant.from('2026-01-02T03:04:05.678Z'),
  sequence: 3,
} as const;

test('the body has the shape of the specification and the additive fields at the top level', () => {
  const body = eventBody({ ...parts, data: '{"checkout":{"id":"mnopqrstuvwx"}}' });
  assert.deepEqual(JSON.parse(body), {
    eventType: 'CHECKOUT_COMPLETED',
    data: { checkout: { id: 'mnopqrstuvwx' } },
    id: 'abcdefghijkl',
    created: '2026-01-02T03:04:05.678+00:00',
    sequence: 3,
    apiVersion: '2026-11-25',
  });
});

test('numbers inside data keep their text', () => {
  const data = '{"checkout":{"payload":{"charge":{"price":1.10,"big":12345678901234567890.10}}}}';
  assert.ok(eventBody({ ...parts, data }).includes(data));
});

test('data that is no object is a bug', () => {
  assert.throws(() => eventBody({ ...parts, data: '[]' }), { name: 'AssertionFailure' });
});
