// The log of requests: a developer sees what his programs asked of the API and what was answered,
// never a secret, and nothing of what a key that he may not hold would read.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApiKey, type NewApiKey } from '#access/api-key.ts';
import { createApi } from '#api/http/create-api.ts';
import type { Environment } from '#catalog/chain.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { digestSignature } from '#test/support/digest-signature.ts';
import { SIMPLE_CHARGE } from '#test/support/test-app.ts';

let world: DashboardWorld;
let api: ReturnType<typeof createApi>;
before(async () => {
  world = await openDashboardWorld();
  api = createApi(world.app);
});
after(() => world.close());

type Asked = { readonly body?: string; readonly headers?: Record<string, string> };

/** As a program of the shop would; answers the id of the request. */
async function ask(
  { key, secret }: NewApiKey,
  [method, path]: readonly [method: string, path: string],
  { body = '', headers = {} }: Asked = {},
): Promise<string> {
  const timestampText = String(Math.floor(world.clock.now().epochMilliseconds / 1000));
  const bytes = new TextEncoder().encode(body);
  const signed = { path, timestampText, method, body: bytes };
  const answer = await api.fetch(
    new Request(`http://pay.example/api/v1${path}`, {
      method,
      ...(body !== '' && { body }),
      headers: {
        'x-digest-key': key,
        'x-digest-timestamp': timestampText,
        'x-digest-signature': digestSignature(signed, secret),
        ...headers,
      },
    }),
    {},
  );
  await answer.text();
  while ((await world.app.requestLog.write()) === 'busy');
  return answer.headers.get('x-request-id') ?? '';
}

function newKey(environment: Environment, merchantId = world.caller.merchantId) {
  return createApiKey(world.app, { merchantId, environment });
}

test('each request is there with what was asked and answered, hostile texts and secrets included', async () => {
  const key = await newKey('test');
  const hostile = '</pre><script>alert(1)</script>\u202e';
  const body = JSON.stringify({
    charge: SIMPLE_CHARGE,
    meta: { order: hostile, apiToken: 'hidden-7' },
  });
  const id = await ask(key, ['POST', '/checkout'], {
    body,
    headers: {
      authorization: 'Bearer hidden-8',
      cookie: 'a=hidden-9',
      'user-agent': hostile.slice(0, -1),
    },
  });
  const developer = await world.comeAs('DEVELOPER', 'dan');
  const list = await developer.get(`${world.shop}/requests`);
  assert.match(list.markup, /POST <bdi>\/api\/v1\/checkout<\/bdi>/);
  const { status, markup } = await developer.get(`${world.shop}/requests/${id}`);
  assert.equal(status, 200);
  assert.match(markup, /&lt;script&gt;alert/);
  assert.doesNotMatch(markup, /<script>alert|hidden-|\u202e/);
  assert.match(markup, /authorization: \(cut\)/);
  assert.match(markup, /x-digest-signature: \(cut\)/);
  assert.match(markup, new RegExp(`<code>${id}</code>`));
  assert.match(markup, /&quot;paymentMethods&quot;:\[/, 'the answer is there too');
});

test('a developer filters by answer, path and key, and sees why a signature was refused', async () => {
  const key = await newKey('test');
  const wrong = await ask({ ...key, secret: 'not mine' }, ['GET', '/wallets'], {
    headers: { 'user-agent': 'hidden-10' },
  });
  await ask(key, ['GET', '/wallets']);
  await ask(key, ['GET', '/no-such-route']);
  const developer = await world.comeAs('DEVELOPER', 'dora');
  const path = `${world.shop}/requests`;
  const of = async (query: string) => (await developer.get(`${path}?${query}`)).markup;
  const refused = await of(`status=4xx&key=${key.key}`);
  assert.match(refused, new RegExp(`requests/${wrong}"`));
  assert.match(refused, /data-status="401">401 <code>authentication_failed/);
  assert.doesNotMatch(refused, /data-status="200"|no-such-route/);
  assert.doesNotMatch(await of(`status=401&path=/api/v1/transfer&key=${key.key}`), /data-status/);
  assert.match(await of(`path=/api/v1/wall&key=${key.key}`), /data-status="200"/);
  assert.equal((await developer.get(`${path}?status=%3Cb%3E&after=nonsense`)).status, 200);
  const one = await developer.get(`${path}/${wrong}`);
  assert.match(one.markup, /did not prove the key/);
  assert.doesNotMatch(one.markup, /hidden-10|id="asked".*<pre/s);
});

test('what moves live money is not shown to whoever may not hold such a key', async () => {
  const key = await newKey('live');
  const id = await ask(key, ['POST', '/transfer'], { body: '{"amount":"hidden-11"}' });
  const read = await ask(key, ['GET', '/checkouts.json']);
  const live = `${world.shop.replace(/test$/, 'live')}/requests`;
  const developer = await world.comeAs('DEVELOPER', 'dirk');
  assert.equal((await developer.get(`${live}/${id}`)).status, 404);
  assert.doesNotMatch((await developer.get(live)).markup, /v1\/transfer/);
  const owner = await world.comeAs('OWNER', 'olive');
  assert.equal((await owner.get(`${live}/${id}`)).status, 200);
  assert.match((await owner.get(live)).markup, /v1\/transfer/);
  assert.equal((await owner.get(`${world.shop}/requests/${id}`)).status, 404, 'test is apart');
  assert.notEqual(read, '');
});

test('a request of another shop is not there', async () => {
  const other = await createMerchant(world.app, { name: 'Other shop' });
  const id = await ask(await newKey('test', other.id), ['GET', '/wallets']);
  const owner = await world.comeAs('OWNER', 'otto');
  assert.equal((await owner.get(`${world.shop}/requests/${id}`)).status, 404);
  assert.doesNotMatch((await owner.get(`${world.shop}/requests`)).markup, new RegExp(id));
});
