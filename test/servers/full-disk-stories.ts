// A disk that is full, a real one: a small file system of its own, on which database, key file and
// backups lie. What is answered then is clear, what was acknowledged before is there, the backup that
// was made stays, and all goes on when there is room again. Run by `npm run test:backups`; needs Linux
// and root, for the file system.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process, { getuid, platform } from 'node:process';
import { test } from 'node:test';
import { type MerchantClient, openMerchantClient } from '#test/support/merchant-client.ts';
import { openServerProcess } from '#test/support/server-process.ts';
import { waitUntil } from '#test/support/shop.ts';

const SIZE = '512m';
const ANSWERS_MOST = 3_000;

/** Until nothing more fits. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  let bytes = 4_000_000;
  while (bytes > 0) {
    try {
      writeSync(file, Buffer.alloc(bytes));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      bytes = Math.floor(bytes / 10);
    }
  }
  closeSync(file);
}

let orders = 0;
function create({ call }: MerchantClient) {
  orders += 1;
  const lineItems = [{ description: `Order ${orders}`, netAmount: '19.90' }];
  return call('POST', '/checkout', { body: { charge: { billingCurrency: 'EUR', lineItems } } });
}

test('a full disk is said, loses nothing, and is over when there is room', async (t) => {
  if (platform !== 'linux' || getuid?.() !== 0) return t.diagnostic('needs Linux and root');
  const disk = mkdtempSync(join(tmpdir(), 'quittance-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=1777`, 'none', disk]);
  if (mounted.status !== 0) return t.diagnostic(`no file system can be made: ${mounted.stderr}`);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = disk;
  const server = await openServerProcess({
    isEmbedded: true,
    settings: { RATE_LIMIT_PER_KEY: '0', RATE_LIMIT_PER_IP: '0' },
  });
  try {
    await server.start();
    const key = readFileSync(join(server.dataDirectory, 'first-key.json'), 'utf8');
    const client = openMerchantClient(server.origin, JSON.parse(key));
    const acknowledged: string[] = [];
    const identity = join(server.dataDirectory, 'identity');
    const { json } = await server.commandProcess('backup', 'key', identity, '--json');
    const folder = join(disk, 'backups');
    const words = ['backup', '--to', folder, '--recipients', String(json.recipient)];
    assert.equal((await create(client)).status, 200);
    const made = await server.commandProcess(...words);
    assert.equal(made.exitCode, 0, made.stderr);
    const kept = readdirSync(folder);
    assert.equal(kept.length, 2);

    fill(join(disk, 'filler'));
    let refused: Awaited<ReturnType<typeof create>> | undefined;
    for (let asked = 0; asked < ANSWERS_MOST && refused === undefined; asked += 1) {
      const answer = await create(client);
      if (answer.status === 200) acknowledged.push((answer.json as { id: string }).id);
      else refused = answer;
    }
    assert.ok(refused !== undefined, 'at some time there is no room');
    assert.equal(refused.status, 503, refused.text);
    const failed = await server.commandProcess(...words);
    assert.notEqual(failed.exitCode, 0);
    assert.doesNotMatch(failed.stderr, /^\s+at /m, 'no trace of our own');
    assert.deepEqual(readdirSync(folder), kept, 'the backup of before, and nothing else');
    assert.ok(server.isRunning(), 'the service waits');

    rmSync(join(disk, 'filler'));
    await waitUntil('it to sell again', async () => (await create(client)).status === 200);
    for (const id of acknowledged) await client.findCheckout(id);
    const { exitCode, stderr } = await server.commandProcess('ledger', 'verify');
    assert.equal(exitCode, 0, stderr);
    const again = await server.commandProcess(...words);
    assert.equal(again.exitCode, 0, again.stderr);
    assert.equal(readdirSync(folder).length, 4);
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    await server.stop();
    await server.close();
    spawnSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
});
