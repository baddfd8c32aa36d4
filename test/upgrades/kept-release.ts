// The data of a released version over this schema: restored, found whole, and gone on with.
import assert from 'node:assert/strict';
import { chmod, copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { balancesOf } from '#ledger/account.ts';
import { holdBlocks } from '#test/support/hold-blocks.ts';
import { openMerchantClient } from '#test/support/merchant-client.ts';
import type { ServerProcess } from '#test/support/server-process.ts';
import { endWindowIn, openShop, type Shop } from '#test/support/shop.ts';
import { IDENTITY_FILE, KEY_FILE, type KeptRelease } from './list-releases.ts';

const OPEN_SECONDS = 3_600;

/** Into the emptied database of a server that is not started, by this program or by that of the server. */
export async function restoreRelease(
  server: ServerProcess,
  { folder, facts }: KeptRelease,
  by: 'this program' | 'its program' = 'this program',
): Promise<void> {
  await server.wipe();
  await mkdir(dirname(server.keyFile), { recursive: true, mode: 0o700 });
  await copyFile(join(folder, KEY_FILE), server.keyFile);
  // A checkout of the repository keeps no modes.
  await chmod(server.keyFile, 0o600);
  const words = ['restore', '--from', folder, '--identity', join(folder, IDENTITY_FILE), '--json'];
  const run = by === 'this program' ? server.command : server.commandProcess;
  const { exitCode, stderr, json } = await run(...words);
  assert.equal(exitCode, 0, `${stderr} ${JSON.stringify(json)}`);
  const owner = { merchantId: facts.merchantId, environment: 'test' } as const;
  const balances = await balancesOf(server.db, owner);
  for (const [asset, units] of Object.entries(facts.balances)) {
    const found = balances.find(
      ({ code, assetId }) => code === 'merchant:available' && assetId === asset,
    );
    assert.equal(`${found?.units}`, units, asset);
  }
  // The data are as old as the release: what was open then is open now, and blocks come when told.
  await endWindowIn(server, facts.open, OPEN_SECONDS);
  await holdBlocks(server.db);
}

/** Nothing is lost, and what was under way goes on. The server was started over the data. */
export async function goOn(server: ServerProcess, { facts }: KeptRelease): Promise<void> {
  const client = openMerchantClient(server.origin, facts.key);
  const shop = await openShop(server, 'test');
  try {
    for (const id of facts.endedByHand) shop.noteExpired(id);
    for (const [id, state] of Object.entries(facts.ended)) {
      assert.equal((await client.findCheckout(id)).state, state, id);
    }
    await client.get('/refund', { id: facts.unclaimed });
    await client.get('/customer', { id: facts.customer });
    await client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 4 });
    await client.waitForState(facts.pending, 'COMPLETED');
    await sell(shop, facts.open);
    await sell(shop, (await shop.open({ currency: 'EUR', amount: '23' }, 'LITECOIN')).checkoutId);
    await shop.checkBooks();
  } finally {
    await shop.close();
  }
}

/** Paid on Litecoin until it is completed. */
export async function sell({ client }: Pick<Shop, 'client'>, checkoutId: string): Promise<void> {
  await client.post('/sandbox/pay', { checkoutId });
  await client.waitFor(checkoutId, ({ blockchainTransactions: seen }) => seen.length > 0);
  await client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 4 });
  await client.waitForState(checkoutId, 'COMPLETED');
}
