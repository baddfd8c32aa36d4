// The server with the database it brings itself: a second start, after an orderly end and after a
// kill, finds the same merchant, keys and checkouts.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMerchantClient } from '#test/support/merchant-client.ts';
import { byLength, runLength } from '#test/support/run-length.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { waitUntil } from '#test/support/shop.ts';

const LOOK_MS = 500;
let server: ServerProcess;

before(async () => {
  server = await openServerProcess({ isEmbedded: true });
  await server.start();
});
after(() => server?.close());

test('a second start finds the same keys and checkouts', async () => {
  const printed = server.said();
  const key = /test key {3}([a-z0-9]{12})/.exec(printed)?.[1] ?? '';
  const file = join(server.dataDirectory, 'first-key.json');
  const kept = JSON.parse(readFileSync(file, 'utf8')) as { key: string; secret: string };
  assert.equal(kept.key, key);
  const { secret } = kept;
  assert.match(secret, /^[a-z0-9-]{29}$/);
  if (platform() !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
  // What is printed is kept by whatever keeps logs.
  assert.ok(printed.includes(file) && !server.output().includes(secret));
  assert.doesNotMatch(server.output(), /X-Basic|shown this once/);
  const client = openMerchantClient(server.origin, { key, secret });
  const { id } = await client.createCheckout({
    charge: { billingCurrency: 'EUR', lineItems: [{ description: 'A book', netAmount: '19.90' }] },
  });
  const committed = await client.commit(id, 'LITECOIN');
  const found = await client.findCheckout(id);

  assert.equal(await server.stop(), 0);
  await server.start();
  const again = server.said();
  assert.match(again, new RegExp(`test key {3}${key}`));
  assert.doesNotMatch(again, /shown this once/);
  assert.deepEqual(await client.findCheckout(id), found);

  await server.kill9();
  await server.start();
  assert.deepEqual(await client.findCheckout(id), found);
  assert.deepEqual(await client.commit(id, 'LITECOIN'), committed);
  await client.post('/sandbox/pay', { checkoutId: id });
  // Blocks come by themselves too: it may be complete before anybody sees it wait.
  await client.waitFor(id, ({ blockchainTransactions }) => blockchainTransactions.length > 0);
  await client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 4 });
  await client.waitForState(id, 'COMPLETED');
});

test('the command line works beside it, and alone when it is down', async () => {
  const verify = () => server.commandProcess('ledger', 'verify', '--json');
  // Beside a server a short run asks it in this process, as other tests do: alone it starts PostgreSQL.
  const verifyBeside = byLength({
    short: () => server.command('ledger', 'verify', '--json'),
    long: verify,
  });
  // What is not sealed yet would be by the time it is asked again.
  await waitUntil('what happened to be sealed', async () => {
    await sleep(LOOK_MS);
    const { json } = await server.command('ledger', 'verify', '--json');
    return typeof json.head === 'object' && json.head !== null;
  });
  const beside = await verifyBeside();
  assert.equal(beside.json.ok, true);
  assert.notEqual(beside.json.entries, '0');
  assert.equal(await server.stop(), 0);
  const alone = await verify();
  assert.deepEqual(alone.json, beside.json);
  if (runLength === 'short') return;
  await server.start();
  assert.equal((await server.health()).body.status, 'ok');
});
