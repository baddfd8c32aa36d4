// Increments of a running server, back into another database: nothing between them is lost, and what
// is missing or was changed is said before anything is made.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findBackup, openPlace } from '#backup/find-backup.ts';
import type { BackupSource } from '#backup/make-backup.ts';
import { restoreBackup } from '#backup/restore-backup.ts';
import { newIdentity } from '#backup/seal-archive.ts';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { type Db, openDb, sql } from '#db/db.ts';
import { listChains } from '#increment/chain.ts';
import { makeIncrement } from '#increment/make-increment.ts';
import { recoverChain } from '#increment/recover-chain.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#postgres/embedded-database.ts';
import { migrate, readMigrations } from '#postgres/migrate.ts';
import { openServerProcess } from '#test/support/server-process.ts';
import { openShop } from '#test/support/shop.ts';
import { newEmptyDatabase } from '#test/support/test-database.ts';
import { sell } from '#test/upgrades/kept-release.ts';

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations');

let directory: string;
let server: EmbeddedDatabase;
let db: Db;
let keys: Awaited<ReturnType<typeof newIdentity>>;
const place = () => openPlace({ clock: systemClock, s3: undefined }, join(directory, 'backups'));

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quittance-increments-'));
  await chmod(directory, 0o711);
  keys = await newIdentity();
  server = await startEmbeddedDatabase({
    ...{ directory: join(directory, 'postgres'), log: silentLog },
  });
  db = openDb({ ...server.connection, poolSize: 2, log: silentLog });
  await migrate(db, MIGRATIONS, { log: silentLog });
});
after(async () => {
  await db?.close();
  await server?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** As many rows of one kind, told apart by a word. */
async function write(word: string, count: number): Promise<void> {
  await db.single(async (tx) =>
    tx.send(sql`
      insert into rate (environment, code, usd_price, spread_parts_per_million, evidence, observed_at)
      select 'test', ${word} || n, 1.5, 0, '{}', now() from generate_series(1, ${count}::int) n`),
  );
}

function source(): BackupSource {
  return {
    connection: server.connection,
    ...{
      version: '0.1.0',
      installationId: 'i1',
      settings: 'PUBLIC_URL=https://pay.shop.example\n',
    },
    keyFile: { path: '/keys/quittance.key', check: 'ab' },
    key: undefined,
  };
}

const increment = (base = false, keep = 2) =>
  makeIncrement(source(), place(), {
    ...{
      recipients: [keys.recipient],
      base: base ? 'it was asked for' : undefined,
      keep,
      onProgress: () => undefined,
    },
    now: () => systemClock.now(),
  });

const recover = (name?: string) =>
  recoverChain(place(), name, {
    ...{ clock: systemClock, identities: [keys.identity], onProgress: () => undefined },
    scratch: join(directory, 'scratch'),
    programs: undefined,
  });

/** How many rows of each word came back, and the settings that lay beside. */
async function restored(name?: string): Promise<Record<string, number>> {
  const empty = await newEmptyDatabase();
  const back = openDb({ ...empty.connection, poolSize: 1, log: silentLog });
  try {
    const recovered = await recover(name);
    const loaded = await restoreBackup(recovered.source, {
      connection: empty.connection,
      migrations: await readMigrations(MIGRATIONS),
      ...{ onProgress: () => undefined, onManifest: () => undefined },
    });
    assert.equal(loaded.manifest.keyFile.check, 'ab');
    const settings = Buffer.from(loaded.files.get('quittance.conf') ?? []).toString();
    assert.equal(settings, 'PUBLIC_URL=https://pay.shop.example\n');
    const rows = await back.query<{ word: string; count: number }>(sql`
      select rtrim(code, '0123456789') as word, count(*)::int from rate group by 1 order by 1`);
    return Object.fromEntries(rows.map(({ word, count }) => [word, count]));
  } finally {
    await back.close();
    await empty.close();
  }
}

test('the first one takes all files, later ones the log since; all of it comes back', async () => {
  await write('BEFORE', 300);
  const first = await increment();
  assert.equal(first.begun, 'there is none yet');
  assert.deepEqual(
    first.links.map(({ number }) => number),
    [0, 1],
  );
  await write('SINCE', 40_000);
  const second = await increment();
  await write('LAST', 7);
  const third = await increment();
  assert.deepEqual([second.begun, third.begun], [undefined, undefined]);
  const [, base] = [first.links[1], first.links[0]];
  assert.ok((third.links[0]?.bytes ?? 0) < (base?.bytes ?? 0) / 10, 'an increment is small');
  assert.deepEqual(await restored(), { BEFORE: 300, LAST: 7, SINCE: 40_000 });
  assert.deepEqual(readdirSync(join(directory, 'scratch')), [], 'nothing of it is left');
  // Beside it the backups of all rows are listed as if it were not there.
  await assert.rejects(
    findBackup(place(), undefined),
    (error: Refusal) => error.kind === 'missing',
  );
});

test('a place is of one installation: another one begins no chain there, and removes none', async () => {
  const files = readdirSync(join(directory, 'backups'));
  const wanted = {
    ...{ recipients: [keys.recipient], base: 'it was asked for', keep: 1 },
    ...{ onProgress: () => undefined, now: () => systemClock.now() },
  };
  await assert.rejects(
    makeIncrement({ ...source(), installationId: 'i2' }, place(), wanted),
    /holds backups of another installation \(quittance-wal-\S+\.json is of i1, this is i2\)/,
  );
  assert.deepEqual(readdirSync(join(directory, 'backups')), files);
});

test('nothing written since is no increment, and the server keeps no log for it', async () => {
  await increment();
  await db.query(sql`select pg_sleep(0)`);
  const [chain] = [...(await listChains(place())).values()];
  const [slot] = await db.query<{ kept: bigint }>(sql`
    select (pg_current_wal_lsn() - restart_lsn)::bigint as kept from pg_replication_slots`);
  assert.ok(slot !== undefined && slot.kept < 1_000_000n, `${slot?.kept}`);
  assert.ok(chain !== undefined && chain.length >= 4);
});

test('what is missing, changed or exchanged is named, and nothing is made', async () => {
  const [chain] = [...(await listChains(place())).keys()];
  const path = (file: string) => join(directory, 'backups', `${chain}.${file}`);
  const refusal = async (): Promise<string> => {
    const failed = await recover().then(
      () => assert.fail('it was restored'),
      (error: unknown) => error,
    );
    assert.ok(failed instanceof Refusal, String(failed));
    assert.deepEqual(readdirSync(join(directory, 'scratch')), []);
    return failed.message;
  };
  for (const end of ['age', 'json']) {
    await rename(path(`00002.${end}`), path(`hidden`));
    assert.match(await refusal(), /increment 2 is missing, and number 3 needs it/);
    await rename(path('hidden'), path(`00002.${end}`));
  }
  const whole = await readFile(path('00002.age'));
  const changed = Buffer.from(whole);
  changed.writeUInt8((changed.at(-100) ?? 0) ^ 1, changed.length - 100);
  await writeFile(path('00002.age'), changed);
  assert.match(await refusal(), /00002\.age is not what was written there; those before number 2/);
  await writeFile(path('00002.age'), whole.subarray(0, -50));
  assert.match(await refusal(), /00002\.age is not what was written there/);
  await writeFile(path('00002.age'), whole);
  const said = await readFile(path('00003.json'), 'utf8');
  await writeFile(path('00003.json'), said.replace(/"previous": "\w{4}/, '"previous": "0000'));
  assert.match(await refusal(), /increment 3 does not follow number 2/);
  await writeFile(path('00003.json'), said);
  const base = await readFile(path('00000.json'), 'utf8');
  await writeFile(path('00000.json'), base.replace(/"postgres": \d+/, '"postgres": 14'));
  assert.match(await refusal(), /these are files of PostgreSQL 14, .* --postgres FOLDER/);
  await writeFile(path('00000.json'), base);
  await rename(path('00000.json'), path('hidden'));
  assert.match(await refusal(), /increment 0, which all others rest on, is missing/);
  await rename(path('hidden'), path('00000.json'));
  assert.equal((await restored()).LAST, 7);
});

test('a chain begins where the last one cannot go on, and old ones go whole', async () => {
  const [old] = [...(await listChains(place())).keys()];
  await db.query(sql`select pg_drop_replication_slot('quittance_backup')`);
  await write('NEXT', 5);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const next = await increment();
  assert.equal(next.begun, 'the server has not kept its log since the last one');
  assert.deepEqual(next.removed, []);
  assert.equal((await restored()).NEXT, 5);
  assert.equal((await restored(old)).NEXT, undefined, 'the one before is as it was');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const asked = await increment(true, 1);
  assert.equal(asked.removed.length, 2);
  assert.equal((await listChains(place())).size, 1);
  const left = readdirSync(join(directory, 'backups')).filter((file) => file.startsWith(old ?? ''));
  assert.deepEqual(left, []);
  await rm(join(directory, 'backups'), { recursive: true });
});

test('by the commands of the book: what was sold a moment before is there again', async (t) => {
  const shop = await openServerProcess();
  t.after(() => shop.close());
  await shop.start();
  const seller = await openShop(shop, 'test');
  t.after(() => seller.close());
  const identity = join(shop.dataDirectory, 'identity');
  const { json } = await shop.command('backup', 'key', identity, '--json');
  const there = ['--to', join(shop.dataDirectory, 'increments')];
  const back = ['--from', join(shop.dataDirectory, 'increments'), '--identity', identity];
  const sold: string[] = [];
  for (let sale = 1; sale <= 3; sale += 1) {
    const { checkoutId } = await seller.open({ currency: 'EUR', amount: '23' }, 'LITECOIN');
    await sell(seller, checkoutId);
    sold.push(checkoutId);
    const made = await shop.command('backup', 'wal', ...there, '--recipients', `${json.recipient}`);
    assert.equal(made.exitCode, 0, made.stderr);
  }
  const listed = await shop.command('backup', 'list', ...back.slice(0, 2), '--json');
  assert.deepEqual(
    (listed.json.chains as { increments: number; gap: null }[]).map((one) => [
      one.increments,
      one.gap,
    ]),
    [[4, null]],
  );
  const proven = await shop.command('backup', 'verify', '--wal', ...back);
  assert.equal(proven.exitCode, 0, proven.stderr);
  await shop.stop();
  await shop.wipe();
  const restoredHere = await shop.command('restore', '--wal', ...back);
  assert.equal(restoredHere.exitCode, 0, restoredHere.stderr);
  await shop.start();
  for (const id of sold) assert.equal((await seller.client.findCheckout(id)).state, 'COMPLETED');
  await seller.checkBooks();
});
