// What increments of the log cost: bytes and seconds after so many checkouts, made, committed and paid
// through the service as it is, and how long all of them take to come back. Run by
// scripts/measure-growth.mjs --increments.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { argv, stdout } from 'node:process';
import { test } from 'node:test';
import { openServerProcess } from '#test/support/server-process.ts';
import { openShop } from '#test/support/shop.ts';
import { sellBatch } from './sell-batch.ts';

const MOST = Number(argv.at(-1));
const BATCH = 200;

test('what increments cost', async () => {
  assert.ok(MOST >= BATCH, 'how many, 200 or more');
  const server = await openServerProcess({
    settings: { RATE_LIMIT_PER_KEY: '0', RATE_LIMIT_PER_IP: '0', LOG_LEVEL: 'warn' },
  });
  await server.start();
  const shop = await openShop(server, 'test');
  const folder = join(server.dataDirectory, 'increments');
  const identity = join(server.dataDirectory, 'identity');
  const timed = async (...words: readonly string[]) => {
    const startedMs = performance.now();
    const ran = await server.command(...words);
    assert.equal(ran.exitCode, 0, ran.stderr);
    return { ...ran, seconds: ((performance.now() - startedMs) / 1_000).toFixed(1) };
  };
  type Made = { readonly chain: string; readonly number: number; readonly bytes: number };
  const increment = async (after: string) => {
    const { json, seconds } = await timed(
      ...['backup', 'wal', '--to', folder, '--recipients', recipient, '--json'],
    );
    for (const { number, bytes } of json.links as (Made & { from: string; to: string })[]) {
      stdout.write(`${after}: number ${number}, ${bytes} bytes sealed, in ${seconds} s\n`);
    }
  };
  const { json } = await server.command('backup', 'key', identity, '--json');
  const recipient = String(json.recipient);
  try {
    await sellBatch(shop, BATCH);
    await increment(`a chain, after ${BATCH} checkouts`);
    await increment('nothing sold since');
    let sold = 0;
    for (let batch = BATCH; sold + batch <= MOST; batch *= 2) {
      for (let done = 0; done < batch; done += BATCH) await sellBatch(shop, BATCH);
      sold += batch;
      await increment(`${batch} checkouts since`);
    }
    const whole = join(server.dataDirectory, 'whole');
    const all = await timed('backup', '--to', whole, '--recipients', recipient, '--json');
    const file = join(whole, `${String(all.json.name)}.age`);
    stdout.write(`a backup of all rows: ${statSync(file).size} bytes, in ${all.seconds} s\n`);
    const sealed = ['--identity', identity];
    const rows = await timed('backup', 'verify', '--from', whole, ...sealed);
    const log = await timed('backup', 'verify', '--wal', '--from', folder, ...sealed);
    stdout.write(`restored and proven: of all rows ${rows.seconds} s, a chain ${log.seconds} s\n`);
  } finally {
    await shop.close();
    await server.close();
  }
});
