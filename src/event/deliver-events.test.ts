import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ManualClock, manualClock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { seededRandom } from '#base/random.ts';
import { type Db, sql } from '#db/db.ts';
import {
  deliveryApp,
  newEndpoint,
  newMerchant,
  onlyDelivery,
  tellEvent,
} from '#test/support/event-fixture.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import {
  answer,
  type Behave,
  blackHole,
  closeSocket,
  ok,
  openWebhookReceiver,
  type WebhookReceiver,
} from '#test/support/webhook-receiver.ts';
import { claimDue, type DeliveryApp, deliverEvents, recordAttempts } from './deliver-events.ts';
import { listDeliveries } from './list-deliveries.ts';
import { redeliverEvent } from './redeliver-event.ts';

let database: TestDatabase;
let db: Db;
const random = seededRandom(23);
const start = '2026-03-01T00:00:00Z';

before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  db = database.db;
});
after(() => database.close());

test('a delivered event is done: one attempt, its status, nothing sent again', async () => {
  await withReceiver(ok, async (receiver) => {
    const { app, owner } = await newApp();
    const id = await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    assert.deepEqual(await deliverEvents(app, { most: 50 }), { attempted: 1, recorded: 1 });
    assert.deepEqual(await deliverEvents(app, { most: 50 }), { attempted: 0, recorded: 0 });
    const delivery = await onlyDelivery(db, owner, id);
    assert.equal(delivery.state, 'DELIVERED');
    assert.deepEqual(delivery.finishedAt, app.clock.now());
    assert.equal(delivery.attempts.length, 1);
    assert.equal(delivery.attempts[0]?.status, 200);
    assert.equal(delivery.attempts[0]?.answerExcerpt, 'OK');
    assert.equal(receiver.received[0]?.id, id);
  });
});

test('id and body bytes are the same over all attempts, only time and signature change', async () => {
  const behave: Behave = (response, webhook, count) =>
    count < 4 ? answer(500)(response, webhook, count) : ok(response, webhook, count);
  await withReceiver(behave, async (receiver) => {
    const { app, owner, clock } = await newApp();
    await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    await deliverUntilQuiet(app, clock, 1);
    assert.equal(receiver.received.length, 4);
    const distinct = (pick: (webhook: (typeof receiver.received)[number]) => unknown) =>
      new Set(receiver.received.map(pick)).size;
    assert.equal(
      distinct(({ id, body }) => `${id} ${body}`),
      1,
    );
    assert.equal(
      distinct(({ headers }) => headers['webhook-timestamp']),
      4,
    );
    assert.equal(
      distinct(({ headers }) => headers['webhook-signature']),
      4,
    );
  });
});

test('a receiver that is down for 24 hours gets everything after that', async () => {
  let isUp = false;
  const behave: Behave = (...call) => (isUp ? ok(...call) : closeSocket(...call));
  await withReceiver(behave, async (receiver) => {
    const { app, owner, clock } = await newApp();
    const told = new Set<string>();
    for (let hour = 0; hour < 24; hour += 1) {
      told.add(await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` }));
      for (let half = 0; half < 2; half += 1) {
        await deliverEvents(app, { most: 50 });
        await clock.advance(1_800_000);
      }
    }
    const duringOutage = receiver.received.length;
    isUp = true;
    await deliverUntilQuiet(app, clock, told.size);
    const after = receiver.received.slice(duringOutage).map(({ id }) => id);
    assert.deepEqual(new Set(after), told);
    assert.equal(after.length, told.size);
    assert.deepEqual(await statesOf(owner.merchantId), { DELIVERED: told.size });
  });
});

test('after the whole schedule a delivery is parked with a reason, and can be replayed', async () => {
  let isUp = false;
  const behave: Behave = (...call) => (isUp ? ok(...call) : answer(404)(...call));
  await withReceiver(behave, async (receiver) => {
    const { app, owner, clock } = await newApp();
    const id = await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    const told = clock.now();
    await deliverUntilQuiet(app, clock, 1);
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
    const { app, owner, clock } = await newApp();
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
    await clock.advance(Temporal.Duration.from({ hours: 24 * 60, seconds: 1 }));
    assert.equal(await code(redeliverEvent(app, { ...owner, deliveryId })), 'event_too_old');
  });
});

test('410 stops what else waits for that checkout, and nothing of other checkouts', async () => {
  let isGone = true;
  const behave: Behave = (...call) => (isGone ? answer(410)(...call) : ok(...call));
  await withReceiver(behave, async (receiver) => {
    const { app, owner } = await newApp();
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
    const { app, owner } = await newApp();
    const endpoint = await newEndpoint(db, random, owner, `${receiver.origin}/all`);
    await tellEvent(app, random, owner, {});
    await tellEvent(app, random, owner, {});
    await deliverEvents(app, { most: 1 });
    assert.deepEqual(await statesOf(owner.merchantId), { DISABLED: 2 });
    const rows = await db.query<{ disabled_at: Temporal.Instant | null }>(
      sql`select disabled_at from webhook_endpoint where id = ${endpoint}`,
    );
    assert.deepEqual(rows[0]?.disabled_at, app.clock.now());
    const later = await tellEvent(app, random, owner, {});
    assert.deepEqual(await listDeliveries({ db }, { ...owner, eventId: later }), []);
  });
});

test('Retry-After holds the whole lane until then, and no other lane', async () => {
  const busy: Behave = (...call) =>
    call[1].path === '/hook' && call[2] === 1
      ? answer(429, { 'Retry-After': '600' })(...call)
      : ok(...call);
  await withReceiver(busy, async (receiver) => {
    const { app, owner, clock } = await newApp();
    await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    await deliverEvents(app, { most: 1 });
    await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    await tellEvent(app, random, owner, { url: `http://localhost:${receiver.port}/other` });
    assert.equal((await deliverEvents(app, { most: 50 })).attempted, 1);
    await clock.advance(599_000);
    assert.equal((await deliverEvents(app, { most: 50 })).attempted, 0);
    await clock.advance(1_000);
    assert.equal((await deliverEvents(app, { most: 50 })).attempted, 2);
    assert.deepEqual(await statesOf(owner.merchantId), { DELIVERED: 3 });
  });
});

test('a redirect to the metadata address is a failure and is not followed', async () => {
  const moved = answer(302, { Location: 'http://169.254.169.254/latest/meta-data/' });
  await withReceiver(moved, async (receiver) => {
    const { app, owner } = await newApp();
    const id = await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    await deliverEvents(app, { most: 50 });
    const { state, attempts } = await onlyDelivery(db, owner, id);
    assert.equal(state, 'PENDING');
    assert.equal(attempts[0]?.status, 302);
  });
});

test('a target that is not allowed is an attempt with its reason, without a connection', async () => {
  const { app, owner } = await newApp();
  const id = await tellEvent(app, random, owner, { url: 'http://10.0.0.1/hook' });
  await deliverEvents(app, { most: 50 });
  const { state, attempts } = await onlyDelivery(db, owner, id);
  assert.equal(state, 'PENDING');
  assert.equal(attempts[0]?.error, 'refused: the host is not a public address');
});

test('nothing is sent unsigned: without a secret the attempt fails and the lane is not blamed', async () => {
  await withReceiver(ok, async (receiver) => {
    const { app, owner, clock } = await newApp();
    const empty = { ...app.secrets, webhookSecrets: async () => ({ current: '' }) };
    const id = await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    await deliverEvents({ ...app, secrets: empty }, { most: 50 });
    assert.equal(receiver.received.length, 0);
    const { attempts } = await onlyDelivery(db, owner, id);
    assert.equal(attempts[0]?.error, 'not sent: could not be signed');
    assert.deepEqual(await db.query(sql`select 1 from webhook_lane`), []);
    await clock.advance(6_000);
    await deliverEvents(app, { most: 50 });
    assert.equal((await onlyDelivery(db, owner, id)).state, 'DELIVERED');
  });
});

test('a paused worker whose lease was taken over cannot record a second outcome', async () => {
  await withReceiver(ok, async (receiver) => {
    const { app, owner, clock } = await newApp();
    const id = await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    const all = { most: 50, troubledMost: 50, merchantMost: 50, cursor: '' };
    const { claimed: slept } = await claimDue(app, all);
    assert.equal(slept.length, 1);
    assert.equal((await claimDue(app, all)).claimed.length, 0, 'leased');
    await clock.advance(60_000);
    assert.deepEqual(await deliverEvents(app, { most: 50 }), { attempted: 1, recorded: 1 });
    const [held] = slept;
    assert.ok(held);
    const outcome = {
      id: held.id,
      epoch: held.epoch,
      state: 'PENDING',
      nextAttemptAt: clock.now(),
      reason: undefined,
      attemptedAt: clock.now(),
      durationMs: 1,
      status: 500,
      error: undefined,
      answerExcerpt: undefined,
      laneEffect: 'failed',
      holdUntil: undefined,
    } as const;
    assert.equal(await recordAttempts(app, [outcome]), 0);
    const delivery = await onlyDelivery(db, owner, id);
    assert.equal(delivery.state, 'DELIVERED');
    assert.equal(delivery.attempts.length, 1);
    assert.deepEqual(await db.query(sql`select 1 from webhook_lane`), []);
  });
});

test('two of a lane at a time; one after the first five failures, and then a pause', async () => {
  await withReceiver(blackHole, async (receiver) => {
    const { app, owner, clock } = await newApp();
    for (let count = 0; count < 20; count += 1) {
      await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    }
    const attempted = [];
    for (let round = 0; round < 5; round += 1) {
      attempted.push((await deliverEvents(app, { most: 50 })).attempted);
    }
    assert.deepEqual(attempted, [2, 2, 2, 0, 0]);
    await clock.advance(40_000);
    assert.equal((await deliverEvents(app, { most: 50 })).attempted, 1, 'one probe');
    assert.equal((await deliverEvents(app, { most: 50 })).attempted, 0);
    assert.equal(receiver.mostAtOnce(), 2);
  });
});

test('what waits behind a dead receiver is parked when the schedule would be over', async () => {
  await withReceiver(closeSocket, async (receiver) => {
    const { app, owner, clock } = await newApp();
    for (let count = 0; count < 40; count += 1) {
      await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    }
    for (let hours = 0; hours < 100; hours += 1) {
      await deliverEvents(app, { most: 50 });
      await clock.advance(3_600_000);
    }
    await deliverEvents(app, { most: 50 });
    assert.deepEqual(await statesOf(owner.merchantId), { PARKED: 40 });
  });
});

test('a lane with ten thousand due deliveries does not come before a lane with one', async () => {
  await withReceiver(ok, async (receiver) => {
    const { app, owner } = await newApp();
    const id = await tellEvent(app, random, owner, { url: `${receiver.origin}/crowd` });
    await db.single((tx) =>
      tx.query(sql`insert into webhook_delivery (event_id, merchant_id, environment, url, lane, state,
        next_attempt_at, created_at)
        select event_id, merchant_id, environment, url || n, lane, state, next_attempt_at, created_at
        from webhook_delivery, generate_series(1, 10000) n where event_id = ${id}`),
    );
    const quiet = await newMerchant(db, random);
    await app.clock.sleep(0);
    const alone = await tellEvent(app, random, quiet, { url: `${receiver.origin}/alone` });
    const startedMs = performance.now();
    assert.equal((await deliverEvents(app, { most: 50 })).attempted, 3);
    assert.ok(performance.now() - startedMs < 500);
    assert.equal((await onlyDelivery(db, quiet, alone)).state, 'DELIVERED');
  });
});

async function newApp(): Promise<{
  app: DeliveryApp;
  clock: ManualClock;
  owner: Awaited<ReturnType<typeof newMerchant>>;
}> {
  await db.single((tx) =>
    tx.query(
      sql`truncate event, webhook_delivery, webhook_attempt, webhook_lane, webhook_endpoint`,
    ),
  );
  const clock = manualClock(start);
  return { app: deliveryApp(db, clock), clock, owner: await newMerchant(db, random) };
}

async function withReceiver(
  behave: Behave,
  act: (receiver: WebhookReceiver) => Promise<void>,
): Promise<void> {
  const receiver = await openWebhookReceiver(behave);
  try {
    await act(receiver);
  } finally {
    await receiver.close();
  }
}

/** Goes from one due delivery to the next until all are finished. */
async function deliverUntilQuiet(app: DeliveryApp, clock: ManualClock, most: number) {
  for (let rounds = 0; rounds < 100 * most; rounds += 1) {
    const { attempted } = await deliverEvents(app, { most: 50 });
    if (attempted > 0) continue;
    const [next] = await db.query<{ at: Temporal.Instant | null }>(sql`
      select min(greatest(next_attempt_at, held_until)) as at
      from webhook_delivery left join webhook_lane using (lane) where state = 'PENDING'`);
    if (next === undefined || next.at === null) return;
    const ms = clock.now().until(next.at).total('milliseconds');
    await clock.advance(Math.max(1, Math.ceil(ms)));
  }
  assert.fail('never quiet');
}

async function statesOf(merchantId: string): Promise<Record<string, number>> {
  const rows = await db.query<{ state: string; count: number }>(sql`
    select state, count(*)::integer as count from webhook_delivery
    where merchant_id = ${merchantId} group by state`);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
