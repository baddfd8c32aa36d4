import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  checkClock,
  checkPermissions,
  checkRoom,
  decideClock,
  decideRoom,
  decideVersions,
} from './check-machine.ts';

const GIBIBYTE = 1024 ** 3;

test('room is bad below a gigabyte, low below five, and files count as well', () => {
  const of = (gibibytes: number, files?: number) =>
    decideRoom('/data', { bytes: gibibytes * GIBIBYTE, files });
  assert.deepEqual([of(0.9).ok, of(1).ok, of(5).ok, of(50, 9_999).ok], [false, true, true, false]);
  assert.match(of(1).detail, /^warning: 1\.0 GB free/);
  assert.doesNotMatch(of(5).detail, /warning/);
});

test('room is that of the nearest directory there is', async () => {
  const { ok, detail } = await checkRoom(join(tmpdir(), 'not', 'made', 'yet'));
  assert.equal(ok, true, detail);
});

test('a secret that others may read is told with what to do', () => {
  if (platform() === 'win32') return;
  const directory = mkdtempSync(join(tmpdir(), 'quittance-modes-'));
  try {
    const file = join(directory, 'quittance.conf');
    writeFileSync(file, '', { mode: 0o600 });
    assert.equal(checkPermissions([file, join(directory, 'none')]).ok, true);
    chmodSync(file, 0o640);
    const told = checkPermissions([file]);
    assert.deepEqual([told.ok, told.detail.endsWith(`chmod 600 ${file}`)], [false, true]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('of several clocks the middle one counts, and ten seconds are too many', () => {
  assert.equal(decideClock([10_000, -90_000, 0], 'others').ok, true, 'one lies');
  assert.match(decideClock([10_001], 'others').detail, /10 s ahead of others: .*set-ntp/);
  assert.match(decideClock([-61_000], 'others').detail, /61 s behind others/);
  assert.match(decideClock([], 'others').detail, /^warning: it could be compared with nothing/);
});

test('the time is that of the header, also where an answer is a refusal', async () => {
  const server = createServer((_, response) => {
    response.writeHead(403, { date: 'Sun, 01 Nov 2026 12:00:00 GMT' }).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const at = (time: string) =>
    checkClock({ clock: { now: () => Temporal.Instant.from(time) } }, [
      address,
      'http://127.0.0.1:1',
    ]);
  try {
    assert.equal((await at('2026-11-01T12:00:08Z')).ok, true);
    assert.equal((await at('2026-11-01T12:01:00Z')).ok, false);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a PostgreSQL that gets no more fixes is to be upgraded', () => {
  const on = (date: string) => decideVersions(15, '15.9', Temporal.PlainDate.from(date));
  assert.equal(on('2027-11-30').ok, true);
  assert.match(on('2027-12-01').detail, /PostgreSQL 15 gets no more fixes since 2027: upgrade/);
});
