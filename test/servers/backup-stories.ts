// Backups in storage that checks every signature, and opened by the programs that people have. Run by
// `npm run test:backups`, which starts the storage.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { after, before, test } from 'node:test';
import { findBackup, listBackups, openPlace } from '#backup/find-backup.ts';
import { makeBackup } from '#backup/make-backup.ts';
import { restoreBackup } from '#backup/restore-backup.ts';
import { newIdentity } from '#backup/seal-archive.ts';
import { systemClock } from '#base/clock.ts';
import { readMigrations } from '#postgres/migrate.ts';
import { newEmptyDatabase, openTestDatabase } from '#test/support/test-database.ts';

const GIVEN = JSON.parse(env.QUITTANCE_TEST_S3 ?? '{}') as {
  readonly endpoint: string;
  readonly keyId: string;
  readonly secret: string;
};
/** Three parts. */
const LARGE = Buffer.alloc(40_000_001, 'x');

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-s3-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function placeOf(name: string, secret = GIVEN.secret) {
  const secretFile = join(folder, `secret-${createHash('md5').update(secret).digest('hex')}`);
  await writeFile(secretFile, `${secret}\n`, { mode: 0o600 });
  const { endpoint, keyId } = GIVEN;
  const s3 = { endpoint, region: 'us-east-1', keyId, secretFile };
  return openPlace({ clock: systemClock, s3 }, name);
}

async function* only(bytes: Uint8Array, failure?: Error): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  if (failure !== undefined) throw failure;
}

test('what is written in parts is read as it was, and what fails leaves nothing', async () => {
  const place = await placeOf("s3://shop-backups/a b/it's (ours)+1");
  await place.write('large.age', only(LARGE));
  await place.write('small & <one>.json', only(Buffer.from('{}')));
  await assert.rejects(place.write('broken.age', only(LARGE, new Error('it broke'))), /it broke/);
  assert.deepEqual((await place.list()).sort(), ['large.age', 'small & <one>.json']);
  const digest = createHash('sha256');
  for await (const chunk of await place.read('large.age')) digest.update(chunk);
  assert.equal(digest.digest('hex'), createHash('sha256').update(LARGE).digest('hex'));
  await place.remove('large.age');
  assert.deepEqual(await place.list(), ['small & <one>.json']);
});

test('a list of more than one page is read to its end', async () => {
  const place = await placeOf('s3://shop-backups/many');
  for (let number = 0; number < 1_005; number += 1)
    await place.write(`n${number}`, only(new Uint8Array(1)));
  assert.equal((await place.list()).length, 1_005);
});

test('who may not is told so', async () => {
  const place = await placeOf('s3://shop-backups/x', 'another secret');
  await assert.rejects(place.list(), /403 SignatureDoesNotMatch/);
  const nowhere = await placeOf('s3://no-such-bucket/x');
  await assert.rejects(nowhere.list(), /404 NoSuchBucket/);
});

test('a backup there is restored, and opens with age, zstd and tar', async (t) => {
  const database = await openTestDatabase({ unsafeFast: true });
  const empty = await newEmptyDatabase();
  t.after(() => Promise.all([database.close(), empty.close()]));
  const place = await placeOf('s3://shop-backups/quittance');
  const { identity, recipient } = await newIdentity();
  const onProgress = () => undefined;
  const source = {
    ...{ connection: database.connection, version: '1', installationId: 'here', key: undefined },
    keyFile: { path: '/keys/quittance.key', check: '00' },
    settings: 'PORT=1\n',
  };
  const made = await makeBackup(source, place, { recipients: [recipient], onProgress });
  const files = (await place.list()).sort();
  await assert.rejects(
    makeBackup({ ...source, installationId: 'there' }, place, {
      ...{ recipients: [recipient], onProgress },
    }),
    /holds backups of another installation \(\S+ is of here, this is there\)/,
  );
  assert.deepEqual((await place.list()).sort(), files);
  assert.deepEqual((await listBackups(place)).backups, [made]);
  const { sha256 } = await findBackup(place, made.name);
  const sealed = await place.read(`${made.name}.age`);
  const { rows } = await restoreBackup(
    { sealed, sha256, identities: [identity] },
    {
      ...{ connection: empty.connection, onProgress, onManifest: () => undefined },
      migrations: await readMigrations(join(import.meta.dirname, '..', '..', 'migrations')),
    },
  );
  assert.equal(`${rows}`, made.rows);
  for (const program of ['age', 'zstd', 'tar']) {
    const { error } = spawnSync(program, ['--version']);
    if (error) return t.diagnostic(`${program} is missing: apt-get install ${program}`);
  }
  const parts: Uint8Array[] = [];
  for await (const part of await place.read(`${made.name}.age`)) parts.push(part);
  await writeFile(join(folder, 'backup.age'), Buffer.concat(parts));
  await writeFile(join(folder, 'identity'), identity);
  const script = 'age -d -i identity backup.age | zstd -d | tar x && ls';
  const { stdout, stderr } = spawnSync('sh', ['-ec', script], { cwd: folder, encoding: 'utf8' });
  for (const name of ['manifest.json', 'quittance.conf', 'data', 'end.json']) {
    assert.ok(stdout.split('\n').includes(name), stderr);
  }
});
