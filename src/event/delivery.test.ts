import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '#base/id.ts';
import { type Db, sql } from '#db/db.ts';
import { deliverEvents } from '#test/support/deliver-events.ts';
import {
  deliverUntilQuiet,
  newDeliveryApp,
  newEndpoint,
  newMerchant,
  onlyDelivery,
  statesOf,
  tellEvent,
} from '#test/support/event-fixture.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { answer, type Behave, ok, withReceiver } from '#test/support/webhook-receiver.ts';
import { bringAttemptsNearer, listDeliveries, redeliverEvent } from './delivery.ts';

let database: TestDatabase;
let db: Db;
const random = seededRandom(29);

before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  db = database.db;
});
after(() => database.close());

test('after the whole schedule a delivery is parked with a reason, and can be replayed', async () => {
  let isUp = false;
  const behave: Behave = (...call) => (isUp ? ok(...call) : answer(404)(...call));
  await withReceiver(behave, async (receiver) => {
    const { app, owner, clock } = await newDeliveryApp(db, random);
    const id = await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    const told = clock.now();
    await deliverUntilQuiet(app, clock);
    const parked = await onlyDelivery(db, owner, id);
    assert.equal(parked.state, 'PARKED');
    assert.equal(parked.attempts.length, 14);
    assert.equal(parked.reason, '14 attempts failed, the last with: status 404');
    const hours = told.until(clock.now()).total('hours');
    assert.ok(hours > 76 * 0.8 && hours < 76 * 1.2, `${hours} hours`);

    isUp = true;
    const replay = await redeliverEvent(app, { ...owner, deliveryId: parked.id });
    await deliverEvents(app, { most: 50 });
    const [first, second] = await listDeliveries(app, { ...owner, eventId: id });
    assert.equal(first?.state, 'PARKED');
    assert.equal(second?.state, 'DELIVERED');
    assert.equal(second?.id, replay.deliveryId);
    assert.equal(second?.redeliveryOf, parked.id);
    assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
  });
});

test('a replay is refused for others, while pending, after 60 days and for a closed endpoint', async () => {
  await withReceiver(ok, async (receiver) => {
    const { app, owner, clock } = await newDeliveryApp(db, random);
    const other = await newMerchant(db, random);
    const id = await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    const { id: deliveryId } = await onlyDelivery(db, owner, id);
    const code = async (act: Promise<unknown>) =>
      act.then(
        () => 'none',
        (error: { code: string }) => error.code,
      );
    assert.equal(await code(redeliverEvent(app, { ...owner, deliveryId })), 'delivery_pending');
    await deliverEvents(app, { most: 50 });
    assert.equal(await code(redeliverEvent(app, { ...other, deliveryId })), 'delivery_unknown');
    const live = { ...owner, environment: 'live' } as const;
    assert.equal(await code(redeliverEvent(app, { ...live, deliveryId })), 'delivery_unknown');
    const twice = [1, 2].map(() => code(redeliverEvent(app, { ...owner, deliveryId })));
    assert.deepEqual((await Promise.all(twice)).sort(), ['delivery_pending', 'none']);
    await deliverEvents(app, { most: 50 });

    const endpoint = await newEndpoint(db, random, owner, `${receiver.origin}/all`);
    const told = await tellEvent(app, random, owner, {});
    await deliverEvents(app, { most: 50 });
    await db.single((tx) =>
      tx.query(sql`update webhook_endpoint set disabled_at = now() where id = ${endpoint}`),
    );
    const { id: closed } = await onlyDelivery(db, owner, told);
    const toClosed = redeliverEvent(app, { ...owner, deliveryId: closed });
    assert.equal(await code(toClosed), 'endpoint_disabled');

    await clock.advance(Temporal.Duration.from({ hours: 24 * 60, seconds: 1 }));
    assert.equal(await code(redeliverEvent(app, { ...owner, deliveryId })), 'event_too_old');
  });
});

test('time that passes brings test attempts of one account nearer, and no live ones', async () => {
  await withReceiver(answer(500), async (receiver) => {
    const { app, owner, clock } = await newDeliveryApp(db, random);
    const other = await newMerchant(db, random);
    const live = { ...owner, environment: 'live' } as const;
    const url = `${receiver.origin}/hook`;
    const told = await Promise.all(
      [owner, other, live].map(async (whose) => ({
        whose,
        id: await tellEvent(app, random, whose, { url }),
      })),
    );
    await deliverEvents(app, { most: 50 });
    const waits = () =>
      Promise.all(
        told.map(async ({ whose, id }) => {
          const { nextAttemptAt } = await onlyDelivery(db, whose, id);
          return nextAttemptAt?.since(clock.now()).total('milliseconds') ?? -1;
        }),
      );
    const [, others, lives] = await waits();
    const { merchantId } = owner;
    assert.equal(await bringAttemptsNearer(app, { merchantId, minutes: 60 }), 1);
    assert.deepEqual(await waits(), [0, others, lives]);
  });
});

test('410 stops what else waits for that checkout, and nothing of other checkouts', async () => {
  let isGone = true;
  const behave: Behave = (...call) => (isGone ? answer(410)(...call) : ok(...call));
  await withReceiver(behave, async (receiver) => {
    const { app, owner } = await newDeliveryApp(db, random);
    const url = `${receiver.origin}/hook`;
    const subjectId = newId(random);
    const first = await tellEvent(app, random, owner, { url, subjectId, sequence: 1 });
    const second = await tellEvent(app, random, owner, { url, subjectId, sequence: 2 });
    const third = await tellEvent(app, random, owner, { url, subjectId, sequence: 3 });
    await deliverEvents(app, { most: 1 });
    isGone = false;
    const later = await tellEvent(app, random, owner, { url, subjectId, sequence: 4 });
    const other = await tellEvent(app, random, owner, { url });
    await deliverEvents(app, { most: 50 });
    const states = [];
    for (const id of [first, second, third, later, other]) {
      const { state, reason } = await onlyDelivery(db, owner, id);
      states.push(state);
      if (state === 'DISABLED') assert.match(reason ?? '', /410/);
    }
    const disabled = 'DISABLED';
    assert.deepEqual(states, [disabled, disabled, disabled, disabled, 'DELIVERED']);
    assert.equal(receiver.received.length, 2);

    // Asked for by the merchant, it is sent; and once it arrives, the next events are too.
    const { id: deliveryId } = await onlyDelivery(db, owner, later);
    await redeliverEvent(app, { ...owner, deliveryId });
    await deliverEvents(app, { most: 50 });
    const next = await tellEvent(app, random, owner, { url, subjectId, sequence: 5 });
    await deliverEvents(app, { most: 50 });
    assert.equal((await onlyDelivery(db, owner, next)).state, 'DELIVERED');
  });
});

test('410 from an account-wide endpoint disables the endpoint', async () => {
  await withReceiver(answer(410), async (receiver) => {
    const { app, owner } = await newDeliveryApp(db, random);
    const endpoint = await newEndpoint(db, random, owner, `${receiver.origin}/all`);
    await tellEvent(app, random, owner, {});
    await tellEvent(app, random, owner, {});
    await deliverEvents(app, { most: 1 });
    assert.deepEqual(await statesOf(db, owner.merchantId), { DISABLED: 2 });
    const rows = await db.query<{ disabled_at: Temporal.Instant | null }>(
      sql`select disabled_at from webhook_endpoint where id = ${endpoint}`,
    );
    assert.equal(String(rows[0]?.disabled_at), String(app.clock.now()));
    const later = await tellEvent(app, random, owner, {});
    assert.deepEqual(await listDeliveries({ db }, { ...owner, eventId: later }), []);
  });
});
