// A backup through a pipe, as `backup --to - | ssh vault 'cat > backup.age'` sends it, with the key file
// in it, and back into a place that has nothing: no database, no key file, no folder of backups.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process, { env } from 'node:process';
import { after, before, test } from 'node:test';
import { compiledOnce } from '#test/support/compiled-once.ts';
import { byLength } from '#test/support/run-length.ts';
import {
  openServerProcess,
  QUICK_IMPORTS,
  type ServerProcess,
} from '#test/support/server-process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { sell } from '#test/upgrades/kept-release.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

let server: ServerProcess;
let shop: Shop;
let identity: string;
let recipient: string;
let sold: string;
before(async () => {
  server = await openServerProcess();
  await server.start();
  shop = await openShop(server, 'test');
  identity = join(server.dataDirectory, 'identity');
  const { json, stderr } = await server.command('backup', 'key', identity, '--json');
  recipient = String(json.recipient);
  assert.match(recipient, /^age1/, stderr);
  sold = (await shop.open({ currency: 'EUR', amount: '23' }, 'LITECOIN')).checkoutId;
  await sell(shop, sold);
});
after(async () => {
  await shop?.close();
  await server?.close();
});

/** `$QUITTANCE` stands for the command. */
async function shell(line: string) {
  const child = spawn('bash', ['-o', 'pipefail', '-c', line], {
    cwd: server.dataDirectory,
    env: {
      ...compiledOnce(),
      PATH: env.PATH,
      HOME: env.HOME,
      QUITTANCE: `${process.execPath} --import ${QUICK_IMPORTS} ${PROGRAM}`,
      DATABASE_URL: server.databaseUrl,
      DATA_DIR: server.dataDirectory,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await once(child, 'close');
  return { exitCode: child.exitCode, stdout, stderr };
}

test('through a pipe, with the key file, into a place that has nothing', async () => {
  const piped = `$QUITTANCE backup --to - --recipients ${recipient} --with-key | cat > piped.age`;
  const made = await shell(piped);
  assert.equal(made.exitCode, 0, made.stderr);
  assert.equal(made.stdout, '', 'the sealed file alone goes out there');
  assert.match(made.stderr, /rows/);

  await server.stop();
  await server.wipe();
  rmSync(join(server.dataDirectory, 'keys'), { recursive: true });
  const back = await shell('cat piped.age | $QUITTANCE restore --from - --identity identity');
  assert.equal(back.exitCode, 0, back.stderr);
  assert.equal(statSync(server.keyFile).mode & 0o777, 0o600);
  assert.doesNotMatch(`${back.stdout}${back.stderr}`, /AGE-SECRET-KEY/);

  await server.start();
  assert.equal((await shop.client.findCheckout(sold)).state, 'COMPLETED');
  await sell(shop, (await shop.open({ currency: 'EUR', amount: '23' }, 'LITECOIN')).checkoutId);
  await shop.checkBooks();
});

test('without the key file in it, a place that has none takes nothing', async () => {
  const made = await shell(`$QUITTANCE backup --to - --recipients ${recipient} > apart.age`);
  assert.equal(made.exitCode, 0, made.stderr);
  const elsewhere = `DATA_DIR=${join(server.dataDirectory, 'elsewhere')}`;
  await server.stop();
  await server.wipe();
  const refused = await shell(
    `${elsewhere} $QUITTANCE restore --from apart.age --identity identity`,
  );
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /the key file .* is missing/);
  // Each makes a whole database: a short run has made one above.
  for (const words of byLength({ short: [], long: ['backup verify', 'restore'] })) {
    const whole = await shell(`$QUITTANCE ${words} --from - --identity identity < apart.age`);
    assert.equal(whole.exitCode, 0, whole.stderr);
  }
});

test('a pipe that ends early, or whose disk is full, is a failure that is named', async () => {
  const backup = `$QUITTANCE backup --to - --recipients ${recipient}`;
  const ended = await shell(`${backup} | true`);
  assert.notEqual(ended.exitCode, 0);
  assert.match(ended.stderr, /the pipe was closed/);
  if (!existsSync('/dev/full')) return;
  const full = await shell(`${backup} > /dev/full`);
  assert.notEqual(full.exitCode, 0);
  assert.match(full.stderr, /no space left|ENOSPC/);
});

test('what was cut off on its way restores nothing', async () => {
  const back = await shell(
    'head -c -1 piped.age | $QUITTANCE backup verify --from - --identity identity',
  );
  assert.equal(back.exitCode, 1);
  assert.match(back.stderr, /damaged/);
});
