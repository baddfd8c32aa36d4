// Run by ../add-a-network.test.ts in a copy of the program that knows the pigeon post: through HTTP,
// from checkout to COMPLETED, on the live network and on the simulated one.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { openLiveShop } from '#test/nodes/open-live-shop.ts';
import type { ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

const COIN = 'CORN:NATIVE';
const letters: object[] = [];
let last = 'none';
let post: { readonly server: ServerProcess; readonly shop: Shop; close(): Promise<void> };

function write(to: string, grains: string): void {
  const seal = createHash('sha256').update(`${last} ${to} ${grains}`).digest('hex');
  letters.push({ seal, before: last, to, grains, at: '2026-01-01T12:00:00Z' });
  last = seal;
}

before(async () => {
  write('elsewhere/1', '5');
  const book = createServer((_, response) => response.end(JSON.stringify(letters)));
  await new Promise<void>((resolve) => book.listen(0, '127.0.0.1', resolve));
  const { port } = book.address() as AddressInfo;
  post = await openLiveShop(async ({ closeLater, startShop }) => {
    closeLater(async () => void book.close());
    const url = `http://127.0.0.1:${port}/`;
    return startShop({ PIGEON_URL: url, PIGEON_LOFT: 'ours', SANDBOX: 'on' });
  });
});
after(() => post?.close());

test('what is paid on the network completes its checkout, and is credited and told', async () => {
  const { shop } = post;
  const committed = await shop.open({ currency: 'CORN', amount: '1.50' }, 'PIGEON', COIN);
  const { address, paymentUri } = committed.depositInstructions;
  assert.match(address, /^ours\/\d+$/);
  assert.equal(paymentUri, `pigeon:${address}?amount=1.5`);
  write(address, '150');
  await shop.client.waitForState(committed.checkoutId, 'COMPLETED');
  await shop.waitForEvent(committed.checkoutId, 'CHECKOUT_COMPLETED');
  assert.equal(await shop.balance(COIN), 150n);
  await shop.checkBooks();
});

test('the network is simulated, with the same payee', async () => {
  const shop = await openShop(post.server, 'test');
  try {
    const committed = await shop.open({ currency: 'CORN', amount: '2' }, 'PIGEON', COIN);
    assert.match(committed.depositInstructions.address, /^sandbox[a-z]+\/\d+$/);
    const { checkoutId } = committed;
    await shop.client.call('POST', '/sandbox/pay', { body: { checkoutId } });
    await shop.client.waitForState(checkoutId, 'COMPLETED');
  } finally {
    await shop.close();
  }
});
