import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Db, sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { deliverEvents } from '#test/support/deliver-events.ts';
import {
  deliverUntilQuiet,
  newDeliveryApp,
  newMerchant,
  onlyDelivery,
  statesOf,
  tellEvent,
} from '#test/support/event-fixture.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { waitUntil } from '#test/support/shop.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import {
  answer,
  type Behave,
  blackHole,
  closeSocket,
  ok,
  withReceiver,
} from '#test/support/webhook-receiver.ts';
import { claimDue, recordAttempts } from './deliver-events.ts';

let database: TestDatabase;
let db: Db;
const random = seededRandom(23);

before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  db = database.db;
});
after(() => database.close());

test('a delivered event is done: one attempt, its status, nothing sent again', async () => {
  await withReceiver(ok, async (receiver) => {
    const { app, owner } = await newDeliveryApp(db, random);
    const id = await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    assert.deepEqual(await deliverEvents(app, { most: 50 }), { attempted: 1, recorded: 1 });
    assert.deepEqual(await deliverEvents(app, { most: 50 }), { attempted: 0, recorded: 0 });
    const delivery = await onlyDelivery(db, owner, id);
    assert.equal(delivery.state, 'DELIVERED');
    assert.equal(String(delivery.finishedAt), String(app.clock.now()));
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
    const { app, owner, clock } = await newDeliveryApp(db, random);
    await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    await deliverUntilQuiet(app, clock);
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
    const { app, owner, clock } = await newDeliveryApp(db, random);
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
    await deliverUntilQuiet(app, clock);
    const after = receiver.received.slice(duringOutage).map(({ id }) => id);
    assert.deepEqual(new Set(after), told);
    assert.equal(after.length, told.size);
    assert.deepEqual(await statesOf(db, owner.merchantId), { DELIVERED: told.size });
  });
});

test('Retry-After holds the whole lane until then, and no other lane', async () => {
  const busy: Behave = (...call) =>
    call[1].path === '/hook' && call[2] === 1
      ? answer(429, { 'Retry-After': '600' })(...call)
      : ok(...call);
  await withReceiver(busy, async (receiver) => {
    const { app, owner, clock } = await newDeliveryApp(db, random);
    await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    await deliverEvents(app, { most: 1 });
    await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    await tellEvent(app, random, owner, { url: `http://localhost:${receiver.port}/other` });
    assert.equal((await deliverEvents(app, { most: 50 })).attempted, 1);
    await clock.advance(599_000);
    assert.equal((await deliverEvents(app, { most: 50 })).attempted, 0);
    await clock.advance(1_000);
    assert.equal((await deliverEvents(app, { most: 50 })).attempted, 2);
    assert.deepEqual(await statesOf(db, owner.merchantId), { DELIVERED: 3 });
  });
});

test('a redirect to the metadata address is a failure and is not followed', async () => {
  const moved = answer(302, { Location: 'http://169.254.169.254/latest/meta-data/' });
  await withReceiver(moved, async (receiver) => {
    const { app, owner } = await newDeliveryApp(db, random);
    const id = await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    await deliverEvents(app, { most: 50 });
    const { state, attempts } = await onlyDelivery(db, owner, id);
    assert.equal(state, 'PENDING');
    assert.equal(attempts[0]?.status, 302);
  });
});

test('a target that is not allowed is an attempt with its reason, without a connection', async () => {
  const { app, owner } = await newDeliveryApp(db, random);
  const id = await tellEvent(app, random, owner, { url: 'http://10.0.0.1/hook' });
  await deliverEvents(app, { most: 50 });
  const { state, attempts } = await onlyDelivery(db, owner, id);
  assert.equal(state, 'PENDING');
  assert.equal(attempts[0]?.error, 'refused: the host is not a public address');
});

test('nothing is sent unsigned: without a secret the attempt fails and the lane is not blamed', async () => {
  await withReceiver(ok, async (receiver) => {
    const { app, owner, clock } = await newDeliveryApp(db, random);
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
    const { app, owner, clock } = await newDeliveryApp(db, random);
    const id = await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    const all = { most: 50, troubledMost: 50, merchantMost: 50, cursor: '' };
    const { claimed: slept } = await claimDue(app, all);
    assert.equal(slept.length, 1);
    assert.equal((await claimDue(app, all)).claimed.length, 0, 'leased');
    await clock.advance(60_000);
    assert.deepEqual(await deliverEvents(app, { most: 50 }), { attempted: 1, recorded: 1 });
    const outcome = failureOf(slept[0], clock.now());
    assert.equal(await recordAttempts(app, [outcome]), 0);
    const delivery = await onlyDelivery(db, owner, id);
    assert.equal(delivery.state, 'DELIVERED');
    assert.equal(delivery.attempts.length, 1);
    assert.deepEqual(await db.query(sql`select 1 from webhook_lane`), []);
  });
});

test('an outcome under an old lease is not taken for that of the newest one', async () => {
  const { app, owner, clock } = await newDeliveryApp(db, random);
  const id = await tellEvent(app, random, owner, { url: 'http://shop.test/' });
  const all = { most: 50, troubledMost: 50, merchantMost: 50, cursor: '' };
  const slept = await claimDue(app, all);
  await clock.advance(60_000);
  const taken = await claimDue(app, all);
  const old = failureOf(slept.claimed[0], clock.now());
  const newest = failureOf(taken.claimed[0], clock.now());
  assert.equal(old.id, newest.id);
  assert.equal(await recordAttempts(app, [old]), 0);
  assert.equal((await onlyDelivery(db, owner, id)).attemptCount, 0);
  assert.equal(await recordAttempts(app, [newest]), 1);
  assert.equal(await recordAttempts(app, [newest]), 0, 'nor twice under one lease');
  assert.equal((await onlyDelivery(db, owner, id)).attempts.length, 1);
});

test('two of a lane at a time; one after the first five failures, and then a pause', async () => {
  await withReceiver(blackHole, async (receiver) => {
    const { app: patient, owner, clock } = await newDeliveryApp(db, random);
    const app = { ...patient, limits: { connectMs: 500, totalMs: 600, answerBytesMost: 16_384 } };
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

const laneOf = async ({ merchantId }: { readonly merchantId: string }) => {
  const [lane] = await db.query<{ failures: number; heldUntil: Temporal.Instant }>(sql`
    select consecutive_failures as failures, held_until as "heldUntil" from webhook_lane
    where starts_with(lane, ${`${merchantId} `})`);
  return lane;
};

test('failures that were under way together open the breaker once: seconds later one probe goes', async () => {
  const { app, owner, clock } = await newDeliveryApp(db, random);
  for (let count = 0; count < 40; count += 1) {
    await tellEvent(app, random, owner, { url: 'http://shop.test/' });
  }
  const all = { most: 50, troubledMost: 50, merchantMost: 50, cursor: '' };
  const [first] = (await claimDue(app, { ...all, most: 1 })).claimed;
  assert.ok(first !== undefined);
  const wide = [{ lane: first.lane, most: 32 }];
  const others = (await claimDue(app, { ...all, wide })).claimed;
  assert.equal(others.length, 31);
  const sentAt = clock.now();
  const failed = [first, ...others].map((one) => failureOf(one, sentAt));
  await clock.advance(9_000);
  for (const from of [0, 3, 7, 12, 20]) {
    await recordAttempts(app, failed.slice(from, from === 20 ? 32 : undefined).slice(0, 8));
    const lane = await laneOf(owner);
    assert.ok((lane?.failures ?? 0) <= 5, `${lane?.failures} in a row`);
    await clock.advance(100);
  }
  assert.equal((await claimDue(app, { ...all, wide })).claimed.length, 0);
  await clock.advance(6_000);
  // What was sent before the pause says nothing of the receiver after it.
  await recordAttempts(app, failed.slice(28));
  assert.equal((await laneOf(owner))?.failures, 5);
  const [probe, more] = (await claimDue(app, { ...all, wide })).claimed;
  assert.ok(probe !== undefined && more === undefined, 'one probe');
  const probedAt = clock.now();
  assert.equal(await recordAttempts(app, [failureOf(probe, probedAt)]), 1);
  const lane = await laneOf(owner);
  assert.equal(lane?.failures, 6);
  const pauseSeconds = lane?.heldUntil.since(probedAt).total('seconds') ?? 0;
  assert.ok(pauseSeconds >= 24 && pauseSeconds <= 36, `${pauseSeconds} s`);
});

const idsOf = (receiver: { readonly received: readonly { readonly id: string }[] }) =>
  receiver.received.map(({ id }) => id);

test('events of one subject go one after another, those of another one beside them', async () => {
  await withReceiver(ok, async (receiver) => {
    const { app, owner } = await newDeliveryApp(db, random);
    const url = `${receiver.origin}/hook`;
    const told = [];
    for (const sequence of [1, 2, 3]) {
      told.push(await tellEvent(app, random, owner, { url, subjectId: 'checkout0001', sequence }));
    }
    const other = await tellEvent(app, random, owner, { url, subjectId: 'checkout0002' });
    assert.equal((await deliverEvents(app, { most: 50 })).attempted, 2);
    assert.deepEqual(new Set(idsOf(receiver)), new Set([told[0], other]));
    await deliverEvents(app, { most: 50 });
    await deliverEvents(app, { most: 50 });
    assert.deepEqual(
      idsOf(receiver).filter((id) => id !== other),
      told,
    );
  });
});

test('an event that fails holds up the next of its subject, and after three attempts no more', async () => {
  const first = 'checkout0001';
  const behave: Behave = (response, webhook, count) =>
    (webhook.path === '/first' ? answer(500) : ok)(response, webhook, count);
  await withReceiver(behave, async (receiver) => {
    const { app, owner, clock } = await newDeliveryApp(db, random);
    const url = `${receiver.origin}/first`;
    const failing = await tellEvent(app, random, owner, { url, subjectId: first });
    const held = await tellEvent(app, random, owner, { url, subjectId: first, sequence: 2 });
    // Another receiver has nothing to do with it.
    const elsewhere = `${receiver.origin}/elsewhere`;
    await tellEvent(app, random, owner, { url: elsewhere, subjectId: first, sequence: 3 });
    for (const pauseMs of [0, 6_000, 36_000]) {
      await clock.advance(pauseMs);
      assert.equal((await onlyDelivery(db, owner, held)).attemptCount, 0);
      await deliverEvents(app, { most: 50 });
    }
    assert.equal((await onlyDelivery(db, owner, failing)).attemptCount, 3);
    await deliverEvents(app, { most: 50 });
    assert.equal((await onlyDelivery(db, owner, held)).attemptCount, 1);
    assert.equal(receiver.received.filter(({ path }) => path === '/elsewhere').length, 1);
  });
});

test('what waits behind a dead receiver is parked when the schedule would be over', async () => {
  await withReceiver(closeSocket, async (receiver) => {
    const { app, owner, clock } = await newDeliveryApp(db, random);
    for (let count = 0; count < 40; count += 1) {
      await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    }
    for (let hours = 0; hours < 100; hours += 1) {
      await deliverEvents(app, { most: 50 });
      await clock.advance(3_600_000);
    }
    await deliverEvents(app, { most: 50 });
    assert.deepEqual(await statesOf(db, owner.merchantId), { PARKED: 40 });
  });
});

test('a lane with ten thousand due deliveries does not come before a lane with one', async () => {
  await withReceiver(ok, async (receiver) => {
    const { app, owner } = await newDeliveryApp(db, random);
    const id = await tellEvent(app, random, owner, { url: `${receiver.origin}/crowd` });
    await db.single((tx) =>
      tx.query(sql`insert into webhook_delivery (event_id, merchant_id, environment, url, lane,
        state, next_attempt_at, created_at)
        select event_id, merchant_id, environment, url || n, lane, state, next_attempt_at,
          created_at
        from webhook_delivery, generate_series(1, 10000) n where event_id = ${id}`),
    );
    const quiet = await newMerchant(db, random);
    await app.clock.sleep(0);
    const alone = await tellEvent(app, random, quiet, { url: `${receiver.origin}/alone` });
    assert.equal((await deliverEvents(app, { most: 50 })).attempted, 3);
    assert.equal((await onlyDelivery(db, quiet, alone)).state, 'DELIVERED');
  });
});

test('a lane behind thousands of lanes that wait for their time is reached in the same step', async () => {
  await withReceiver(ok, async (receiver) => {
    const { app, owner } = await newDeliveryApp(db, random);
    await planWhileFewWait(app);
    const id = await tellEvent(app, random, owner, { url: `${receiver.origin}/` });
    await db.transact(async (tx) => {
      tx.send(sql`insert into webhook_delivery (event_id, merchant_id, environment, url, lane,
        state, next_attempt_at, created_at)
        select event_id, merchant_id, environment, url || n, ' ' || n, state,
          next_attempt_at + interval '1 day', created_at
        from webhook_delivery, generate_series(1, 3000) n where event_id = ${id}`);
      // So that what this read is not counted later.
      await tx.query(sql`select pg_stat_force_next_flush()`);
    });
    const before = await readsOfDeliveries();
    assert.deepEqual(await deliverEvents(app, { most: 50 }), { attempted: 1, recorded: 1 });
    let after = before;
    await waitUntil('PostgreSQL to count what was read', async () => {
      await deliverEvents(app, { most: 50 });
      after = await readsOfDeliveries();
      return after.byIndex > before.byIndex + 3_000n;
    });
    const whole = after.whole - before.whole;
    assert.ok(whole < 100n, `the table was read ${whole} times from its begin to its end`);
  });
});

async function readsOfDeliveries(): Promise<{ readonly whole: bigint; readonly byIndex: bigint }> {
  const [counted] = await db.query<{ whole: bigint; byIndex: bigint }>(sql`
    select seq_scan as whole, idx_scan as "byIndex" from pg_stat_user_tables
    where relname = 'webhook_delivery'`);
  assert.ok(counted);
  return counted;
}

/** Connections keep the plan that they make now, until somebody counts the rows again. */
async function planWhileFewWait(app: Parameters<typeof deliverEvents>[0]): Promise<void> {
  await db.single((tx) => tx.query(sql`delete from webhook_attempt`));
  await db.single((tx) =>
    tx.query(sql`delete from webhook_delivery where id < (select max(id) from webhook_delivery)`),
  );
  await db.single((tx) => tx.query(rawStatement('vacuum analyze webhook_delivery')));
  await deliverEvents(app, { most: 50 });
}

function failureOf(
  delivery: { readonly id: bigint; readonly epoch: bigint } | undefined,
  now: Temporal.Instant,
) {
  assert.ok(delivery);
  return {
    id: delivery.id,
    epoch: delivery.epoch,
    state: 'PENDING',
    nextAttemptAt: now,
    reason: undefined,
    attemptedAt: now,
    durationMs: 1,
    status: 500,
    error: undefined,
    answerExcerpt: undefined,
    laneEffect: 'failed',
    holdUntil: undefined,
  } as const;
}
