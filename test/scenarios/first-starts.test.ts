// Two programs that start at once over a database in which there is nothing: one of them makes what
// a fresh installation needs, the other finds it, and both serve.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { openDb, sql } from '#db/db.ts';
import { readConfig } from '#server/config.ts';
import { startService } from '#server/start.ts';
import { findFreePort } from '#test/support/free-port.ts';
import { openMerchantClient } from '#test/support/merchant-client.ts';
import { closeFirst, type DatabaseUrl, newDatabaseUrl } from '#test/support/test-database.ts';

const directory = mkdtempSync(join(tmpdir(), 'quittance-first-starts-'));
const stops: (() => Promise<void>)[] = [];
let database: DatabaseUrl;

before(async () => {
  database = await newDatabaseUrl();
  let isClosed = false;
  // Asked for at the end of each file that this process runs.
  closeFirst(async () => {
    if (isClosed) return;
    isClosed = true;
    await Promise.all(stops.map((stop) => stop()));
    await database.close();
  });
  await database.wipe();
});
after(() => rmSync(directory, { recursive: true }));

type Started = { readonly origin: string; readonly said: string };

async function start(): Promise<Started> {
  const PORT = String(await findFreePort());
  const environment = { ...database.settings, DATA_DIR: directory, PORT, PRICE_SOURCES: 'off' };
  const config = readConfig({ environment, file: undefined, directory });
  const said: string[] = [];
  const told = { say: (line: string) => void said.push(line), isSeen: false };
  stops.push(await startService(config, silentLog, told));
  return { origin: `http://127.0.0.1:${PORT}`, said: said.join('\n') };
}

test('two first starts at once make one installation, whose one key opens both', async () => {
  const started = await Promise.all([start(), start()]);
  const db = openDb({ connectionString: database.url, poolSize: 1, log: silentLog });
  const [made] = await db
    .query(sql`
      select (select count(*)::int from installation) as installations,
        (select count(*)::int from merchant) as merchants,
        (select count(*)::int from api_key) as keys,
        (select count(*)::int from invitation) as invitations`)
    .finally(() => db.close());
  assert.deepEqual(made, { installations: 1, merchants: 1, keys: 1, invitations: 1 });
  const kept = JSON.parse(readFileSync(join(directory, 'first-key.json'), 'utf8'));
  for (const { origin, said } of started) {
    assert.match(said, new RegExp(`test key {3}${kept.key}`));
    await openMerchantClient(origin, kept).get('/checkouts');
  }
});
