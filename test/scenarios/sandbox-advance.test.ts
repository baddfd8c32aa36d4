// Time that passes for the test data of one account: what comes nearer, and what is not touched.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { type MerchantKey, openMerchantClient } from '#test/support/merchant-client.ts';
import { openRemoteTerminal, type RemoteTerminal } from '#test/support/remote-terminal.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';
import { answer } from '#test/support/webhook-receiver.ts';

const EUROS = { currency: 'EUR', amount: '23' };
const RULE = {
  ...{ asset: 'LTC:NATIVE', threshold: '0.01', convertTo: 'BTC:NATIVE' },
  schedule: { every: 'WEEK', day: 1, hour: '8', zone: 'Europe/Berlin' },
};

let server: ServerProcess;
let shop: Shop;
let terminal: RemoteTerminal;

before(async () => {
  server = await openServerProcess();
  await server.start({ PUBLIC_URL: server.origin });
  const calls = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'test'];
  await server.command('allow-list', 'add', ...calls);
  shop = await openShop(server, 'test');
  terminal = openRemoteTerminal({
    QUITTANCE_URL: server.origin,
    QUITTANCE_KEY: shop.key.key,
    QUITTANCE_SECRET: shop.key.secret,
  });
});
after(async () => {
  terminal?.close();
  await shop?.close();
  await server?.close();
});

async function advance(...words: string[]) {
  const ended = await terminal.run('sandbox', 'advance', ...words, '--json');
  assert.equal(ended.exitCode, 0, ended.stderr);
  return ended.json;
}

test('windows come nearer and end; what has happened keeps its time', async () => {
  const { checkoutId: id } = await shop.open(EUROS, 'LITECOIN');
  shop.noteExpired(id);
  const before = await shop.client.findCheckout(id);
  await advance('--minutes', '20');
  const nearer = await shop.client.findCheckout(id);
  const movedMs = Date.parse(before.expirationTime ?? '') - Date.parse(nearer.expirationTime ?? '');
  assert.deepEqual([nearer.state, movedMs], ['AWAITING_PAYMENT', 20 * 60_000]);
  const told = await advance('--hours', '1');
  assert.deepEqual([told.minutes, told.checkouts], [60, 1]);
  const over = await shop.client.findCheckout(id);
  assert.equal(over.state, 'EXPIRED');
  assert.deepEqual(over.stateHistory.slice(0, 2), before.stateHistory);
});

test('a payment gets the blocks of that time', async () => {
  const { checkoutId: id } = await shop.open(EUROS, 'BITCOIN');
  await shop.client.post('/sandbox/pay', { checkoutId: id });
  await advance('--hours', '2');
  await shop.client.waitForState(id, 'COMPLETED');
});

test('a webhook that failed is tried again, and a settlement rule is looked at', async () => {
  shop.behave(answer(500));
  const { checkoutId: id } = await shop.open(EUROS, 'LIGHTNING');
  await shop.client.post('/sandbox/pay', { checkoutId: id });
  await waitUntil('a second failure', () => shop.webhooksOf(id).length > 1);
  shop.behave(answer(200));
  await advance('--days', '1');
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
  await shop.client.post('/settlement-rule', RULE);
  assert.equal((await advance('--days', '30')).settlementRules, 1);
});

test('neither live data nor another account are touched', async () => {
  shop.behave(answer(500));
  const merchant = await server.command('merchant', 'create', '--name', 'Other', '--json');
  const at = ['--merchant', String(merchant.json.id), '--environment', 'test'];
  await server.command('allow-list', 'add', '127.0.0.1', '--for', 'withdrawals', ...at);
  const made = await server.command('key', 'create', ...at, '--json');
  const other = openMerchantClient(server.origin, made.json as MerchantKey);
  const charge = {
    billingCurrency: 'EUR',
    lineItems: [{ description: 'A book', netAmount: '23' }],
  };
  const webhook = `${shop.receiver.origin}/other`;
  const { id: othersId } = await other.createCheckout({ charge, webhook });
  await other.commit(othersId, 'LITECOIN');
  await other.post('/settlement-rule', RULE);
  const { id: paidId } = await other.createCheckout({ charge, webhook });
  await other.commit(paidId, 'LIGHTNING');
  await other.post('/sandbox/pay', { checkoutId: paidId });

  const { checkoutId: liveId } = await shop.open(EUROS, 'LITECOIN');
  await waitUntil('the other shop to be told in vain', hasFailedAtOther);
  await server.db.single((tx) =>
    tx.query(sql`update checkout set environment = 'live' where id = ${liveId}`),
  );
  const held = await snapshot(liveId);
  assert.ok(held.length >= 6, JSON.stringify(held));
  await advance('--hours', '1');
  assert.deepEqual(await snapshot(liveId), held);
});

async function hasFailedAtOther(): Promise<boolean> {
  const rows = await server.db.query(sql`
    select d.id from webhook_delivery d join event e on e.id = d.event_id
    where e.merchant_id <> ${shop.merchantId} and d.next_attempt_at > now() + interval '20 seconds'`);
  return rows.length > 0;
}

/** Of the checkout that is live now, and of the other shop. */
function snapshot(liveId: string) {
  return server.db.query(sql`
    select 'window' as what, id, expires_at as at from checkout
      where id = ${liveId} or merchant_id <> ${shop.merchantId}
    union all select 'price', id, quoted_until from checkout
      where id = ${liveId} or merchant_id <> ${shop.merchantId}
    union all select 'commitment', checkout_id, expires_at from commitment m
      where exists (select 1 from checkout c where c.id = m.checkout_id
        and (c.id = ${liveId} or c.merchant_id <> ${shop.merchantId}))
    union all select 'rule', id, next_at from settlement_rule
      where merchant_id <> ${shop.merchantId}
    union all select 'attempt', d.id::text, d.next_attempt_at from webhook_delivery d
      join event e on e.id = d.event_id where e.merchant_id <> ${shop.merchantId}
    order by what, id`);
}

test('how long is asked within bounds, and a live key lets no time pass', async () => {
  const refuse = async (body: object) =>
    shop.client.post('/sandbox/advance', body).then(
      () => 'answered',
      (error: Error) => error.message,
    );
  for (const minutes of [0, -1, 43_201, 1.5, 'long', null]) {
    assert.match(await refuse({ minutes }), /minutes/, String(minutes));
  }
  const made = await server.command('key', 'create', '--environment', 'live', '--json');
  const live = openMerchantClient(server.origin, made.json as MerchantKey);
  await assert.rejects(live.post('/sandbox/advance', { minutes: 1 }), /test keys only/);
});
