import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { sql } from '#db/db.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { type Listener, openListener } from './open-listener.ts';

let database: TestDatabase;
let listener: Listener;
let notices = 0;
let losses = 0;

before(async () => {
  database = await openTestDatabase();
  listener = openListener({
    connection: database.connection,
    channel: 'key_change',
    clock: systemClock,
    log: silentLog,
    onNotice: () => {
      notices += 1;
    },
    onLost: () => {
      losses += 1;
    },
  });
  await until(() => listener.isHearing());
});

after(async () => {
  await listener.close();
  await database.close();
});

async function until(isSo: () => boolean): Promise<void> {
  const endsAt = performance.now() + 120_000;
  while (!isSo()) {
    assert.ok(performance.now() < endsAt, 'it did not happen within two minutes');
    await sleep(5);
  }
}

test('a change of a key is heard, whoever commits it, and not before it is committed', async () => {
  const before = notices;
  await database.db.transact(async (tx) => {
    await tx.query(sql`update api_key set revoked_at = revoked_at`);
    await sleep(50);
    assert.equal(notices, before);
  });
  await until(() => notices > before);
});

test('a connection that was cut hears nothing, says so, and is opened again', async () => {
  const before = losses;
  await database.db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'quittance key_change' and datname = current_database()`);
  await until(() => losses > before);
  assert.equal(listener.isHearing(), false);
  await until(() => listener.isHearing());
  const heard = notices;
  await database.db.query(sql`select pg_notify('key_change', ${systemRandom.bytes(4).toHex()})`);
  await until(() => notices > heard);
});
