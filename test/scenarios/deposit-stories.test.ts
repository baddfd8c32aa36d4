// What a shop meets that hands out deposit addresses and hears of the whole account at one endpoint:
// the real server in a process of its own with all its loops, seen through HTTP only.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { holdBlocks } from '#test/support/hold-blocks.ts';
import { verifyWebhook } from '#test/support/merchant-client.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';

let server: ServerProcess;
let shop: Shop;
let endpoint: { readonly secret: string; readonly webhookEndpoint: { readonly id: string } };

before(async () => {
  server = await openServerProcess();
  await server.start();
  await holdBlocks(server.db);
  shop = await openShop(server, 'test');
  endpoint = await shop.client.post('/webhook-endpoint', {
    url: `${shop.receiver.origin}/account`,
  });
});
after(async () => {
  await shop?.close();
  await server?.close();
});

type Opened = { readonly depositAddress: { readonly id: string; readonly address: string } };
type Told = {
  readonly eventType: string;
  readonly data: { readonly deposit: { readonly depositAddressId: string; readonly tx: string } };
};

/** What came to the account-wide endpoint about the address, both signatures checked. */
function toldOf(depositAddressId: string): Told[] {
  const keys = { apiSecret: shop.key.secret, webhookSecret: endpoint.secret };
  return shop.receiver.received
    .filter(({ path }) => path === '/account')
    .map((webhook) => verifyWebhook(webhook, keys) as unknown as Told)
    .filter(({ data }) => data.deposit?.depositAddressId === depositAddressId);
}

test('each payment to an address is told, credited once, and can be looked up later', async () => {
  const { depositAddress } = await shop.client.post<Opened>('/deposit-address', {
    network: 'LITECOIN',
    label: 'Customer 7',
    meta: { customer: 7 },
  });
  const { id } = depositAddress;
  const had = await shop.balance('LTC:NATIVE');
  const typesOf = () => toldOf(id).map(({ eventType }) => eventType);
  for (const [payment, amount] of ['0.5', '0.25'].entries()) {
    await shop.client.post('/sandbox/pay', { depositAddressId: id, amount });
    await waitUntil('the payment to be told', () => typesOf().length === 2 * payment + 1);
    await shop.client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 6 });
    await waitUntil('the credit to be told', () => typesOf().length === 2 * payment + 2);
  }
  assert.deepEqual(typesOf(), [
    'DEPOSIT_PENDING',
    'DEPOSIT_COMPLETED',
    'DEPOSIT_PENDING',
    'DEPOSIT_COMPLETED',
  ]);
  assert.equal(await shop.balance('LTC:NATIVE'), had + 75_000_000n);
  const { events } = await shop.client.get<{ events: readonly Told[] }>('/events', {
    type: 'DEPOSIT_COMPLETED',
  });
  const listed = events.filter(({ data }) => data.deposit.depositAddressId === id);
  assert.equal(new Set(listed.map(({ data }) => data.deposit.tx)).size, 2);

  await shop.client.post('/sandbox/reorg', { network: 'LITECOIN', depth: 6 });
  await shop.client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 6 });
  await waitUntil('the loss to be told', () => typesOf().length === 5);
  assert.equal(typesOf().at(-1), 'DEPOSIT_REVERSED');
  assert.equal(toldOf(id).at(-1)?.data.deposit.tx, toldOf(id).at(-2)?.data.deposit.tx);
  assert.equal(await shop.balance('LTC:NATIVE'), had + 50_000_000n);
  await shop.checkBooks();
});

test('a wallet asks a Lightning address for an invoice; any web page may read only that', async () => {
  const made = await shop.client.post<{ depositAddress: Record<string, string> }>(
    '/deposit-address',
    { network: 'LIGHTNING' },
  );
  const { id = '', lightningAddress = '' } = made.depositAddress;
  const url = `${server.origin}/.well-known/lnurlp/${id}`;
  const asked = await fetch(url);
  assert.equal(asked.headers.get('access-control-allow-origin'), '*');
  const request = (await asked.json()) as Record<string, string>;
  assert.equal(request.tag, 'payRequest');
  assert.ok(lightningAddress.startsWith(`${id}@`));
  assert.ok(request.metadata?.includes(lightningAddress));
  const answered = await fetch(`${url}/callback?amount=21000`);
  assert.equal(answered.status, 200);
  assert.match(((await answered.json()) as { pr: string }).pr, /^lntbs210n1/);
  const missing = await fetch(`${server.origin}/.well-known/lnurlp/aaaaaaaaaaaa`);
  assert.equal(missing.status, 404);
  assert.equal(((await missing.json()) as { status: string }).status, 'ERROR');
  for (const path of ['/', '/health', '/api/v1/time', '/.well-known/other']) {
    const { headers } = await fetch(`${server.origin}${path}`);
    assert.equal(headers.get('access-control-allow-origin'), null, path);
  }
  const had = await shop.balance('BTC:NATIVE');
  for (const amount of ['5', '7']) {
    await shop.client.post('/sandbox/pay', { depositAddressId: id, amount });
  }
  await waitUntil('both credits to be told', () => {
    return toldOf(id).filter(({ eventType }) => eventType === 'DEPOSIT_COMPLETED').length === 2;
  });
  assert.equal(await shop.balance('BTC:NATIVE'), had + 12n);
  await shop.checkBooks();
});
