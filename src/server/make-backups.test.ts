// Backups that the service makes by itself: when they are due, and for whom.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { newIdentity } from '#backup/seal-archive.ts';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { keyringOf } from '#installation/keyring.ts';
import { openTestDatabase } from '#test/support/test-database.ts';
import { readConfig } from './config.ts';
import { backUpWhenDue, backupFinding } from './make-backups.ts';

test('one is due when the last in the place is as old as the setting says', async (t) => {
  const database = await openTestDatabase({ unsafeFast: true });
  const folder = await mkdtemp(join(tmpdir(), 'quittance-backups-'));
  t.after(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });
  const { recipient } = await newIdentity();
  const environment = { BACKUP_TO: folder, BACKUP_RECIPIENTS: recipient, BACKUP_EVERY_HOURS: '24' };
  const config = readConfig({ environment, file: undefined, directory: folder });
  const keyring = keyringOf(new Uint8Array(32), systemRandom);
  const at = (hours: number) => ({
    ...{ config, keyring, log: silentLog, installationId: 'here' },
    clock: { ...systemClock, now: () => systemClock.now().add({ hours }) },
  });
  const due = { everyHours: 24, to: folder };
  assert.deepEqual(await backupFinding(at(0)), {
    ...{ ok: false, what: 'backups', detail: `there is none in ${folder}` },
  });
  const first = await backUpWhenDue(at(0), database, due);
  assert.match(first ?? '', /^quittance-\d{8}T\d{6}Z$/);
  assert.deepEqual((await readdir(folder)).sort(), [`${first}.age`, `${first}.json`]);
  assert.equal(await backUpWhenDue(at(23), database, due), undefined);
  assert.equal((await backupFinding(at(47))).ok, true);
  assert.match((await backupFinding(at(47))).detail, /is 4[67] hours old$/);
  assert.equal((await backupFinding(at(50))).ok, false);
  // What another one made is not taken for its own: it would never be due, and doctor would be content.
  const other = { ...at(0), installationId: 'there' };
  const refused =
    /holds backups of another installation \(quittance-\S+ is of here, this is there\)/;
  await assert.rejects(backUpWhenDue(other, database, due), refused);
  const finding = await backupFinding(other);
  assert.equal(finding.ok, false);
  assert.match(finding.detail, refused);
  // A look comes every five minutes: one that waited for the full day would drift by one a day.
  assert.notEqual(await backUpWhenDue(at(24), database, due), undefined);
});

test('a schedule without a place or a recipient is refused, and an identity is never shown', () => {
  const refusalOf = (environment: Record<string, string>) => {
    try {
      readConfig({ environment, file: undefined, directory: '/' });
    } catch (error) {
      return String(error);
    }
    return 'accepted';
  };
  assert.match(
    refusalOf({ BACKUP_EVERY_HOURS: '24' }),
    /BACKUP_TO: missing.*BACKUP_RECIPIENTS: missing/s,
  );
  const secret = `AGE-SECRET-KEY-1${'Q'.repeat(58)}`;
  const said = refusalOf({ BACKUP_RECIPIENTS: secret });
  assert.match(said, /BACKUP_RECIPIENTS: what is set is no recipient/);
  assert.doesNotMatch(said, /QQQ/);
  assert.match(refusalOf({ BACKUP_EVERY_HOURS: '0' }), /BACKUP_EVERY_HOURS: must be 1 to 744/);
  assert.match(
    refusalOf({ BACKUP_WAL_MINUTES: '15' }),
    /BACKUP_TO: missing, while BACKUP_WAL_MINUTES is set.*BACKUP_RECIPIENTS: missing, while/s,
  );
  assert.match(refusalOf({ BACKUP_WAL_MINUTES: '1441' }), /BACKUP_WAL_MINUTES: must be 1 to 1440/);
  assert.match(refusalOf({ BACKUP_WAL_KEEP: '0' }), /BACKUP_WAL_KEEP: must be how many chains/);
  assert.match(refusalOf({ BACKUP_KEEP: '7' }), /BACKUP_KEEP: must be days,weeks,months/);
  const s3 = { BACKUP_S3_KEY_ID: 'me', BACKUP_S3_ENDPOINT: 'https://s3.example/path' };
  assert.match(refusalOf(s3), /BACKUP_S3_SECRET_FILE: missing.*without a path/s);
});
