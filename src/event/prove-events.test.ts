// What somebody who owns the database may do to what was told: each of it is found and named. The
// triggers and foreign keys are off while it is done.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { silentLog } from '#base/log.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, openDb, type Statement, sql, type Tx } from '#db/db.ts';
import { dbWithin } from '#db/db-within.ts';
import { findSettledTop } from '#db/settled-top.ts';
import { sealEntries } from '#ledger/seal-entries.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { prepareRuntimeRole, runtimePassword } from '#postgres/runtime-role.ts';
import { deliverEvents } from '#test/support/deliver-events.ts';
import { newDeliveryApp, newEndpoint, tellEvent } from '#test/support/event-fixture.ts';
import { explain } from '#test/support/explain.ts';
import type { ManualClock } from '#test/support/manual-clock.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { ok, withReceiver } from '#test/support/webhook-receiver.ts';
import type { DeliveryApp } from './deliver-events.ts';
import { listDeliveries, redeliverEvent } from './delivery.ts';
import { forgetEvents } from './forget-events.ts';
import { deliveriesWithoutReason, digestEvents, verifyEvents } from './prove-events.ts';

const DAY_MS = 24 * 3_600_000;
const random = seededRandom(17);

let database: TestDatabase;
let db: Db;
let app: DeliveryApp;
let clock: ManualClock;
let owner: Owner;
/** Delivered, and sent again; delivered to nobody; of which two are on their way. */
let [again, quiet, waiting] = ['', '', ''];

before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  db = database.db;
  ({ app, clock, owner } = await newDeliveryApp(db, random));
  await withReceiver(ok, async (receiver) => {
    await newEndpoint(db, random, owner, `${receiver.origin}/all`, ['CHECKOUT_COMPLETED']);
    again = await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
    quiet = await tellEvent(app, random, owner, { type: 'CHECKOUT_PENDING' });
    await deliverEvents(app, { most: 50 });
    const [first] = await listDeliveries({ db }, { ...owner, eventId: again });
    await redeliverEvent(app, { ...owner, deliveryId: first?.id ?? 0n });
    await deliverEvents(app, { most: 50 });
    waiting = await tellEvent(app, random, owner, { url: `${receiver.origin}/hook` });
  });
  await seal();
});
after(() => database.close());

async function seal(): Promise<void> {
  await digestEvents(app, { limit: 1_000 });
  await sealEntries(app, { limit: 1_000 });
}

async function faultsOf(within: Db): Promise<string[]> {
  const { faults } = await verifyEvents({ db: within, clock });
  return [...(await verifyLedger(within)).faults, ...faults];
}

class Undo extends Error {}

/** What is said after `act`, which never happened afterwards. */
async function faultsAfter(act: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  let faults: string[] = [];
  await db
    .transact(async (tx) => {
      await tx.query(sql`set local session_replication_role = replica`);
      await act(tx);
      faults = await faultsOf(dbWithin(tx));
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  return faults;
}

test('what was told, delivered and sent again has no fault', async () => {
  assert.deepEqual(await faultsOf(db), []);
  const { sealed, kept } = await verifyEvents({ db, clock });
  assert.deepEqual({ sealed, kept }, { sealed: 3n, kept: 3n });
  assert.deepEqual((await verifyLedger(db)).eventsSince, clock.now());
});

const isAgain = () => sql`id = ${again}`;
const digestOfAgain = () => sql`event_id = ${again}`;
const changedAgain = () => [`W5: event ${again} is not what was sealed of it`];
const changes: readonly [name: string, acts: () => readonly Statement[], says: () => unknown][] = [
  ['its body', () => [sql`update event set body = body || ' ' where ${isAgain()}`], changedAgain],
  ['its type', () => [sql`update event set type = 'X' where ${isAgain()}`], changedAgain],
  [
    'what it is about',
    () => [sql`update event set subject = 'swap' where ${isAgain()}`],
    changedAgain,
  ],
  ['whose it is', () => [sql`update event set merchant_id = 'x' where ${isAgain()}`], changedAgain],
  [
    'when it happened',
    () => [sql`update event set created_at = created_at + interval '1 s' where ${isAgain()}`],
    changedAgain,
  ],
  [
    'the key it is signed with',
    () => [sql`update event set api_key = 'x' where ${isAgain()}`],
    changedAgain,
  ],
  [
    'where it was sent',
    () => [
      sql`update webhook_delivery set url = url || 'x' where event_id = ${again} and redelivery_of is null`,
    ],
    () => [
      /^W5: delivery \d+ of event \w+ goes elsewhere than the one it repeats$/,
      ...changedAgain(),
    ],
  ],
  [
    'where it is sent again',
    () => [sql`update webhook_delivery set url = url || 'x' where redelivery_of is not null`],
    () => [/^W5: delivery \d+ of event \w+ goes elsewhere than the one it repeats$/],
  ],
  [
    'to which endpoint it is sent',
    () => [sql`update webhook_delivery set endpoint_id = null where event_id = ${waiting}`],
    () => [`W5: event ${waiting} is not what was sealed of it`],
  ],
  [
    'a delivery that is on its way, which goes',
    () => [sql`delete from webhook_delivery where event_id = ${waiting}`],
    () => [`W5: event ${waiting} is not what was sealed of it`],
  ],
  [
    'a delivery that nobody made, said to be done',
    () => [
      sql`update webhook_delivery set state = 'DELIVERED', finished_at = created_at
        where event_id = ${waiting}`,
    ],
    () => [
      new RegExp(`^W1: delivery \\d+ of event ${waiting} was delivered by no attempt$`),
      new RegExp(`^W1: delivery \\d+ of event ${waiting} was delivered by no attempt$`),
    ],
  ],
  [
    'one that is gone',
    () => [sql`delete from event where ${isAgain()}`],
    () => [`W5: event ${again}, told at 2026-03-01T00:00:00Z, went before its time`],
  ],
  [
    'its digest',
    () => [sql`update event_digest set digest = sha256('x') where ${digestOfAgain()}`],
    () => [
      ...changedAgain(),
      /^W5: the digest of an event up to number \d+ was changed after seal 1 was made$/,
    ],
  ],
  [
    'its digest, which is gone',
    () => [sql`delete from event_digest where ${digestOfAgain()}`],
    () => [
      `W5: event ${again} was put among sealed ones by hand`,
      'W5: seal 1 covers the digests of 3 events, 2 are there',
    ],
  ],
  [
    'both, so that they agree on when it was told, and it seems to have gone in its time',
    () => [
      sql`update event_digest set told_at = told_at - interval '61 days' where ${digestOfAgain()}`,
      sql`delete from event where ${isAgain()}`,
    ],
    () => [/^W5: the digest of an event up to number \d+ was changed after seal 1 was made$/],
  ],
  [
    'the hash of events in a seal',
    () => [sql`update ledger_seal set events_hash = sha256('x')`],
    () => [
      /^L11: an entry up to 0 was changed after seal 1 was made$/,
      /^W5: the digest of an event up to number \d+ was changed after seal 1 was made$/,
    ],
  ],
];

for (const [name, acts, says] of changes) {
  test(`found: a change of ${name}`, async () => {
    const faults = await faultsAfter(async (tx) => {
      for (const act of acts()) await tx.query(act);
    });
    const wanted = says() as (string | RegExp)[];
    assert.equal(faults.length, wanted.length, faults.join('\n') || 'nothing was found');
    for (const one of wanted) {
      const isSaid = (fault: string) => (typeof one === 'string' ? fault === one : one.test(fault));
      assert.ok(faults.some(isSaid), `${one} in ${faults.join('\n')}`);
    }
  });
}

test('found: an event that is put among sealed ones', async () => {
  const number = await openGap();
  const id = newId(random);
  const faults = await faultsAfter((tx) => tx.query(handMade(id, number)));
  assert.deepEqual(faults, [`W5: event ${id} was put among sealed ones by hand`]);
  const withDigest = await faultsAfter(async (tx) => {
    await tx.query(handMade(id, number));
    await tx.query(
      sql`insert into event_digest values (${number}, ${id}, ${clock.now()}, sha256('x'))`,
    );
  });
  assert.deepEqual(withDigest.toSorted(), [
    `W5: event ${id} is not what was sealed of it`,
    'W5: seal 2 covers the digests of 1 events, more are there',
  ]);
});

/** A number that was drawn for nothing, below a sealed event. */
async function openGap(): Promise<bigint> {
  const [row] = await db.query<{ number: bigint }>(sql`
    select nextval(pg_get_serial_sequence('event', 'number')) as number`);
  await tellEvent(app, random, owner, {});
  await seal();
  return row?.number ?? 0n;
}

function handMade(id: string, number: bigint): Statement {
  return sql`
    insert into event (id, number, merchant_id, environment, type, subject, subject_id, sequence,
      cause_key, body, created_at)
    overriding system value
    select ${id}, ${number}, merchant_id, environment, type, subject, ${id}, 1, ${id}, body,
      created_at
    from event where id = ${quiet}`;
}

test('what went after its time is no fault, and its digest is still proved', async () => {
  await clock.advance(61 * DAY_MS);
  const kept = { keptDays: 60, after: undefined };
  assert.equal((await forgetEvents(app, kept)).forgotten, 2);
  assert.deepEqual(await faultsOf(db), []);
  const proof = await verifyEvents({ db, clock });
  assert.deepEqual([proof.sealed, proof.kept], [4n, 2n]);
  const faults = await faultsAfter((tx) =>
    tx.query(sql`update event_digest set event_id = 'x' where ${digestOfAgain()}`),
  );
  assert.match(faults.join('\n'), /^W5: the digest of an event up to number \d+ was changed/);
});

test('events are sealed without entries, by many at once, each once', async () => {
  const told = await Promise.all(
    Array.from({ length: 40 }, () => tellEvent(app, random, owner, {})),
  );
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      await digestEvents({ db, clock: systemClock }, { limit: 15 });
      await sealEntries({ db, clock: systemClock }, { limit: 10 });
    }),
  );
  for (let round = 0; round < 5; round += 1) await seal();
  const rows = await db.query<{ id: string }>(sql`
    select event_id as id from event_digest where event_id = any(${told}::text[])`);
  assert.equal(rows.length, told.length);
  const [row] = await db.query<{ sealed: bigint; digests: bigint }>(sql`
    select (select sum(event_count) from ledger_seal) as sealed,
      (select count(*) from event_digest) as digests`);
  assert.equal(row?.sealed, row?.digests);
  assert.deepEqual(await faultsOf(db), []);
});

test('an event that commits late, below one already visible, is sealed in its order', async () => {
  const isTold = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const id = newId(random);
  const slow = db.transact(async (tx) => {
    await tx.query(sql`
      insert into event (id, merchant_id, environment, type, subject, subject_id, sequence,
        cause_key, body, created_at)
      values (${id}, ${owner.merchantId}, 'test', 'CHECKOUT_PENDING', 'checkout', ${id}, 1, ${id},
        '{}', ${clock.now()})`);
    isTold.resolve();
    await mayCommit.promise;
  });
  await isTold.promise;
  const fast = await tellEvent(app, random, owner, {});
  const impatient = { db, clock: { ...systemClock, sleep: async () => {} } };
  await digestEvents(impatient, { limit: 9 });
  assert.deepEqual(await digestsOf([id, fast]), []);
  const digesting = digestEvents({ db, clock: systemClock }, { limit: 9 });
  mayCommit.resolve();
  await slow;
  await digesting;
  assert.deepEqual(await digestsOf([id, fast]), [id, fast]);
  await seal();
  assert.deepEqual(await faultsOf(db), []);
});

async function digestsOf(ids: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select event_id as id from event_digest where event_id = any(${ids}::text[]) order by number`);
  return rows.map(({ id }) => id);
}

test('the role that owns nothing seals what was told, proves it, and changes no digest', async () => {
  const [role, password] = ['seals what was told', runtimePassword('seals')];
  await prepareRuntimeRole(db, { role, password });
  const runtime = openDb({ ...database.connection, user: role, password, log: silentLog });
  try {
    const id = await tellEvent({ db: runtime, clock }, random, owner, {});
    await digestEvents({ db: runtime, clock }, { limit: 10 });
    assert.equal((await sealEntries({ db: runtime, clock }, { limit: 10 })).sealed, 1);
    assert.deepEqual(await digestsOf([id]), [id]);
    assert.deepEqual(await faultsOf(runtime), []);
    for (const act of [
      sql`update event_digest set told_at = now()`,
      sql`delete from event_digest`,
      sql`truncate event_digest`,
      sql`update ledger_seal set events_hash = null`,
    ]) {
      await assert.rejects(
        runtime.single((tx) => tx.query(act)),
        { code: '42501' },
      );
    }
  } finally {
    await runtime.close();
  }
});

test('however many events there are, a statement reads those of its range by indexes', async () => {
  const rows = 5_000;
  await db.transact(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`);
    await tx.query(sql`
      insert into event (id, merchant_id, environment, type, subject, subject_id, sequence,
        cause_key, body, created_at)
      select lpad(n::text, 12, '0'), ${owner.merchantId}, 'test', 'CHECKOUT_PENDING', 'checkout',
        'c' || n, 1, 'bulk:' || n, '{}', ${clock.now()} from generate_series(1, ${rows}::int) n`);
    await tx.query(sql`
      insert into webhook_delivery (event_id, merchant_id, environment, url, lane, state,
        next_attempt_at, created_at, finished_at)
      select id, merchant_id, environment, 'https://shop.test/', 'lane', 'DELIVERED', created_at,
        created_at, created_at
      from event where cause_key like 'bulk:%'`);
    await tx.query(sql`
      insert into webhook_attempt (delivery_id, number, attempted_at, duration_ms, status)
      select id, 1, created_at, 1, 200 from webhook_delivery where lane = 'lane'`);
    await tx.query(sql`analyze event, webhook_delivery, webhook_attempt`);
  });
  const upTo =
    (await findSettledTop(app, { name: 'event', top: sql`select max(number) from event` }, 0n)) ??
    0n;
  const read = await explain(db, deliveriesWithoutReason({ after: upTo - 100n, upTo }));
  assert.deepEqual(
    read.filter((one) => one.rows > 500),
    [],
  );
});
