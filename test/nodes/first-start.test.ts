// A server that is started for the first time while its real node is away: no customer is given an
// address, and what is given out once the node is back is credited.
// In a long run alone: test/fakes/first-start.test.ts tells it of every family of networks.

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { findFreePort } from '#test/support/free-port.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import {
  type Charge,
  openShop,
  type Shop,
  waitForLiveChains,
  waitForOffer,
} from '#test/support/shop.ts';
import { startAnvil } from './anvil-node.ts';
import { ETH, FINAL_BLOCKS, newExtendedPublicKey } from './evm-shop.ts';
import { newTestAccount, startLitecoinNode } from './litecoin-node.ts';
import { LTC, settingsFor } from './litecoin-shop.ts';

type Started = { readonly server: ServerProcess; readonly shop: Shop };

/** As somebody who wrote the wrong port into the settings. */
async function startUnheard(t: TestContext, settings: Record<string, string>): Promise<Started> {
  const server = await openServerProcess({
    settings: { WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8', ...settings },
  });
  t.after(() => server.close());
  await server.start();
  const shop = await openShop(server, 'live', { waits: false });
  t.after(() => shop.close());
  return { server, shop };
}

async function assertNotOffered({ shop }: Started, charge: Charge): Promise<void> {
  await assert.rejects(shop.create(charge), /the network has not been heard yet/);
}

async function startAgain(
  { server, shop }: Started,
  settings: Record<string, string>,
): Promise<void> {
  await server.stop();
  await server.start(settings);
  await waitForLiveChains(server);
  await waitForOffer(shop.client);
}

describe('a first start without the node', () => {
  test('of Litecoin Core offers nothing, and credits all that is paid afterwards', async (t) => {
    const node = await startLitecoinNode();
    t.after(() => node.stop());
    const settings = settingsFor(node, newTestAccount().descriptor);
    const wrong = `http://user:password@127.0.0.1:${await findFreePort()}`;
    const started = await startUnheard(t, { ...settings, LITECOIN_RPC_URL: wrong });
    const charge = { currency: 'LTC', amount: '0.5' };
    await assertNotOffered(started, charge);
    await node.mine(3);
    await startAgain(started, settings);
    const { shop } = started;
    const { checkoutId: id, depositInstructions } = await shop.open(charge, 'LITECOIN');
    await node.send(depositInstructions.address, '0.5');
    await node.mine(2);
    await shop.client.waitForState(id, 'COMPLETED');
    assert.equal(await shop.balance(LTC), 50_000_000n);
    await shop.checkBooks();
  });

  test('of anvil offers nothing, and credits all that is paid afterwards', async (t) => {
    const node = await startAnvil();
    t.after(() => node.stop());
    const settings = {
      ETHEREUM_RPC_URLS: node.url,
      ETHEREUM_CHAIN: 'dev',
      ETHEREUM_XPUB: newExtendedPublicKey(),
    };
    const wrong = `http://127.0.0.1:${await findFreePort()}`;
    const started = await startUnheard(t, { ...settings, ETHEREUM_RPC_URLS: wrong });
    const charge = { currency: 'ETH', amount: '1' };
    await assertNotOffered(started, charge);
    await node.mine(1 + FINAL_BLOCKS);
    await startAgain(started, settings);
    const { shop } = started;
    const { checkoutId: id, depositInstructions } = await shop.open(charge, 'ETHEREUM', ETH);
    await node.send({ to: depositInstructions.address, value: 10n ** 18n });
    await node.mine(1 + FINAL_BLOCKS);
    await shop.client.waitForState(id, 'COMPLETED');
    await shop.checkBooks();
  });
});
