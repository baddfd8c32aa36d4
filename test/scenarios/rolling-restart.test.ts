// Two processes over one database, restarted one after the other under load, behind a proxy that asks
// /ready as HAProxy and Caddy do: no request fails.
// In a long run alone: upgrade.test.ts restarts a program, live.test.ts looks at what ends in order.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openReadyProxy, type ReadyProxy } from '#test/support/ready-proxy.ts';
import { byLength } from '#test/support/run-length.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { type SteadyLoad, startLoad } from '#test/support/steady-load.ts';

const ROUNDS = byLength({ short: 1, long: 6 });
const BETWEEN = byLength({ short: 8, long: 200 });
/** Docs say: more than twice the time between two questions of the proxy, here a tenth of a second. */
const SETTINGS = {
  DRAIN_SECONDS: byLength({ short: '1', long: '5' }),
  RATE_LIMIT_PER_KEY: '0',
  RATE_LIMIT_PER_IP: '0',
};

let servers: readonly ServerProcess[] = [];
let shop: Shop;
let proxy: ReadyProxy;

before(async () => {
  const first = await openServerProcess({ settings: SETTINGS });
  servers = [first];
  await first.start();
  const shared = { DATABASE_URL: first.databaseUrl, KEY_FILE: first.keyFile };
  const second = await openServerProcess({ settings: { ...SETTINGS, ...shared } });
  servers = [first, second];
  await second.start();
  shop = await openShop(first, 'test');
  proxy = await openReadyProxy(servers.map(({ origin }) => origin));
});
after(async () => {
  await proxy?.close();
  await shop?.close();
  for (const server of servers) await server.close();
});

async function restartAll(load: SteadyLoad): Promise<void> {
  await load.pass(BETWEEN);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const server of servers) {
      assert.equal(await server.stop(), 0);
      await load.pass(BETWEEN);
      const before = proxy.served(server.origin);
      await server.start();
      await proxy.waitUntilReady(server.origin);
      await load.pass(BETWEEN);
      assert.ok(proxy.served(server.origin) > before, 'it is asked again');
    }
  }
}

test('no request fails while one process after the other is restarted', async () => {
  for (const { origin } of servers) await proxy.waitUntilReady(origin);
  const load = startLoad(proxy.origin, shop.key);
  await restartAll(load).finally(load.end);
  const { failures, requests, committed } = await load.end();
  assert.deepEqual(failures, []);
  assert.ok(requests >= ROUNDS * 4 * BETWEEN);

  // What was sold meanwhile is sold.
  const sold = committed.at(-1);
  assert.ok(sold !== undefined);
  await shop.client.post('/sandbox/pay', { checkoutId: sold });
  // Blocks come by themselves too: it may be complete before anybody sees it wait.
  await shop.client.waitFor(
    sold,
    ({ blockchainTransactions }) => blockchainTransactions.length > 0,
  );
  await shop.client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 4 });
  await shop.client.waitForState(sold, 'COMPLETED');
  await shop.checkBooks();
  assert.deepEqual(servers[1]?.errors(), []);
});
