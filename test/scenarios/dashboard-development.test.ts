// The rooms of a shop's developer: receivers of events, what was told to them and how that went,
// and the addresses from which the API may be called.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listAllowedAddresses } from '#access/allow-list.ts';
import { apiSecretForWebhook, createApiKey } from '#access/api-key.ts';
import { inlineReferences } from '#api/inline-references.ts';
import { openApiDocument } from '#api/openapi-document.ts';
import { ROUTES } from '#api/routes.ts';
import { listActs } from '#audit/act.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { sql } from '#db/db.ts';
import { enqueueEvent } from '#event/enqueue-event.ts';
import { EVENT_TYPES, listEvents, listHappened } from '#event/event.ts';
import { createWebhookEndpoint, webhookEndpointSecrets } from '#event/webhook-endpoint.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { webhookSecrets } from '#merchant/merchant-secret.ts';
import { exampleEvent } from '#pages/docs/example-of.ts';
import { findEventFault } from '#test/support/check-event.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { deliverEvents } from '#test/support/deliver-events.ts';
import { deliveryApp } from '#test/support/event-fixture.ts';
import { answer, withReceiver } from '#test/support/webhook-receiver.ts';
import { webhookAuth } from '#webhook/sign-webhook.ts';

let world: DashboardWorld;
let shop: string;
before(async () => {
  world = await openDashboardWorld();
  shop = world.shop;
});
after(() => world.close());

async function deliver(): Promise<void> {
  const { app, clock } = world;
  const secrets = {
    webhookSecrets: () => Promise.reject(new Error('no checkout has a webhook here')),
    apiSecret: (key: string, now: Temporal.Instant) => apiSecretForWebhook(app, key, now),
    endpointSecrets: (id: string, now: Temporal.Instant) => webhookEndpointSecrets(app, id, now),
  };
  const deliveries = { ...deliveryApp(app.db, clock), secrets };
  // Of one subject the next goes when the one before was taken.
  while ((await deliverEvents(deliveries, { most: 50 })).attempted > 0);
}

/** Something that every receiver is told. */
async function cancelOne(): Promise<string> {
  const { app, caller } = world;
  const checkoutId = await world.create();
  await world.clock.advance(1000);
  await cancelCheckout(app, { checkoutId, owner: caller, actor: 'tester' });
  return checkoutId;
}

function madeSecret(markup: string): string {
  return /<dd><code>(whsec_[^<]+)<\/code>/.exec(markup)?.[1] ?? '';
}

test('code of the manual has the newest test key of whoever may see keys, and no other', async () => {
  const { merchantId } = world.caller;
  const { key: live } = await createApiKey(world.app, { merchantId, environment: 'live' });
  const { key } = await createApiKey(world.app, { merchantId, environment: 'test' });
  const developer = await world.comeAs('DEVELOPER', 'rita');
  for (const path of [
    '/docs/quick-start',
    '/docs/operations/get-checkout',
    '/docs/quick-start.md',
  ]) {
    const { markup } = await developer.get(path);
    assert.equal(markup.includes(key), true, path);
    assert.equal(markup.includes(live), false, path);
  }
  for (const reader of [await world.comeAs('VIEWER', 'vera'), world.open()]) {
    assert.match((await reader.get('/docs/quick-start')).markup, /YOUR_TEST_KEY/);
  }
  const revoked = sql`update api_key set revoked_at = ${world.clock.now()} where key = ${key}`;
  await world.app.db.transact(async (tx) => tx.send(revoked));
  assert.equal((await developer.get('/docs/quick-start')).markup.includes(key), false);
});

test('a developer adds a receiver, sees what was told to it, sends it again, and removes it', async () => {
  const { key } = await createApiKey(world.app, {
    merchantId: world.caller.merchantId,
    environment: 'test',
    label: 'Shop "plugin"',
  });
  const developer = await world.comeAs('DEVELOPER', 'dan');
  const path = `${shop}/webhooks`;
  const empty = await developer.get(path);
  assert.match(empty.markup, /Nobody is told yet/);
  assert.match(empty.markup, /Shop &quot;plugin&quot;|Shop "plugin"/);
  await withReceiver(
    (response) => void response.writeHead(500).end('<b>broken</b>'),
    async (receiver) => {
      const made = await developer.submit(path, { act: 'create', url: receiver.origin, key });
      assert.equal(made.status, 200, made.markup);
      const secret = madeSecret(made.markup);
      assert.notEqual(secret, '');
      assert.doesNotMatch((await developer.get(path)).markup, /whsec_/, 'it is shown once');

      const checkoutId = await cancelOne();
      await deliver();
      const log = await developer.get(`${shop}/events`);
      const [, one = ''] = new RegExp(`href="(${shop}/events/[^"]+)"[^>]*>.*?CANCELLED`).exec(
        log.markup,
      ) ?? [''];
      assert.match(log.markup, new RegExp(checkoutId));
      const shown = await developer.get(one);
      assert.match(shown.markup, /HTTP 500/);
      assert.match(shown.markup, /&lt;b&gt;broken&lt;\/b&gt;/);
      assert.match(
        shown.markup,
        /&quot;eventType&quot;: ?&quot;CHECKOUT_CANCELLED|"eventType":"CHECKOUT_CANCELLED/,
      );
      assert.match(shown.markup, new RegExp(`href="${shop}/checkouts/${checkoutId}"`));
      const early = await developer.submit(`${one}/again`, {});
      assert.equal(early.status, 409);
      assert.match(early.markup, /on its way already/);
    },
  );
  await withReceiver(answer(200), async (receiver) => {
    const made = await developer.get(path);
    assert.equal(made.status, 200);
    const added = await developer.submit(path, { act: 'create', url: receiver.origin, key });
    const secret = madeSecret(added.markup);
    await cancelOne();
    await deliver();
    const [first] = receiver.received;
    assert.ok(first !== undefined);
    const apiSecret = await apiSecretForWebhook(world.app, key, world.clock.now());
    assert.equal(first.headers['x-webhook-auth'], webhookAuth(apiSecret, first.body));
    const id = String(first.headers['webhook-id']);
    await developer.get(`${shop}/events/${id}`);
    const again = await developer.submit(`${shop}/events/${id}/again`, {});
    assert.equal(again.location, `${shop}/events/${id}?done=1`);
    await deliver();
    const same = receiver.received.filter(({ headers }) => headers['webhook-id'] === id);
    assert.equal(same.length, 2);
    assert.equal(same[0]?.body, same[1]?.body);

    const list = await developer.get(path);
    const endpoint = /name="endpoint" value="([^"]+)"/.exec(list.markup)?.[1] ?? '';
    const renewed = await developer.submit(path, { act: 'rotate', endpoint });
    assert.notEqual(madeSecret(renewed.markup), secret);
    await developer.get(path);
    assert.match(renewed.markup, /Version of the API: 2026-11-25/);
    const told = await developer.submit(path, { act: '2026-11-24', endpoint });
    assert.equal(told.location, `${path}?done=1`);
    const changed = (await developer.get(path)).markup;
    assert.match(changed, /Version of the API: 2026-11-24/);
    assert.match(changed, /value="2026-11-25">Tell events in 2026-11-25</);
    const removed = await developer.submit(path, { act: 'delete', endpoint });
    assert.equal(removed.location, `${path}?done=1`);
    assert.match((await developer.get(path)).markup, /Switched off/);
    const acts = await listActs(world.app.db, { about: `webhook-endpoint:${endpoint}` }, 9);
    const wanted = ['create', 'rotate', 'version', 'delete'].map(
      (act) => `webhook-endpoint-${act}`,
    );
    assert.deepEqual(
      acts.map(({ verb }) => verb),
      wanted,
    );
  });
});

test('what cannot be called, and what is no address, is said, and what was typed stays', async () => {
  const { key } = await createApiKey(world.app, {
    merchantId: world.caller.merchantId,
    environment: 'test',
  });
  const developer = await world.comeAs('DEVELOPER', 'sita');
  const path = `${shop}/webhooks`;
  await developer.get(path);
  for (const [url, sentence] of [
    ['not an address', /Write an address that begins with https/],
    ['ftp://shop.example/"><script>', /Write an address that begins with https/],
    ['', /Write an address that begins with https/],
    ['http://127.0.0.1:1/hook', /This cannot be called: nothing answers at port 1/],
  ] as const) {
    const { status, markup } = await developer.submit(path, { act: 'create', url, key });
    assert.equal(status, 400, url);
    assert.match(markup, sentence);
    assert.doesNotMatch(markup, /"><script>/);
    assert.equal(
      markup.includes(`value="${url.replaceAll('"', '&quot;')}`),
      !url.includes('<'),
      url,
    );
  }
  const noKey = await developer.submit(path, { act: 'create', url: 'https://a.example', key: 'x' });
  assert.equal(noKey.status, 404);
});

test('whoever may not see money is not told of it, in lists, by receivers, or by their secrets', async () => {
  const { app, caller } = world;
  const { merchantId } = caller;
  const live = { merchantId, environment: 'live' } as const;
  const whole = await createApiKey(app, { ...live });
  const reading = await createApiKey(app, { ...live, scopes: ['read'] });
  const { endpoint } = await createWebhookEndpoint(
    app,
    { ...live, apiKey: whole.key },
    { url: 'https://a.example', eventTypes: undefined },
  );
  await app.db.transact(async (tx) => {
    for (const [type, subject] of [
      ['TRANSFER_COMPLETED', 'transfer'],
      ['CHECKOUT_CANCELLED', 'checkout'],
    ] as const) {
      const told = { ...live, type, subject, subjectId: `of${type}`, sequence: 1, causeKey: type };
      enqueueEvent(tx, { id: `${subject}done`, ...told, data: '{}', createdAt: world.clock.now() });
    }
  });
  const { events } = await listEvents(app, { ...live, limit: 9 });
  const idOf = (type: string) => events.find((one) => one.type === type)?.id ?? '';
  const rooms = shop.replace(/test$/, 'live');
  const developer = await world.comeAs('DEVELOPER', 'dirk');
  const owner = await world.comeAs('OWNER', 'olive');
  const list = await developer.get(`${rooms}/events`);
  assert.match(list.markup, /CHECKOUT_CANCELLED/);
  assert.doesNotMatch(list.markup, /TRANSFER_COMPLETED/);
  assert.equal((await developer.get(`${rooms}/events/${idOf('TRANSFER_COMPLETED')}`)).status, 404);
  assert.equal((await owner.get(`${rooms}/events/${idOf('TRANSFER_COMPLETED')}`)).status, 200);

  const path = `${rooms}/webhooks`;
  const room = await developer.get(path);
  assert.match(room.markup, new RegExp(`<option value="${reading.key}"`));
  assert.doesNotMatch(room.markup, new RegExp(`<option value="${whole.key}"`));
  const borrowed = { act: 'create', url: 'https://b.example', key: whole.key };
  assert.equal((await developer.submit(path, borrowed)).status, 404);
  await developer.get(path);
  const secret = await developer.submit(path, { act: 'rotate', endpoint: endpoint.id });
  assert.equal(secret.status, 403);
  assert.doesNotMatch(secret.markup, /whsec_/);
  const unheard = { ...borrowed, key: reading.key, type: 'TRANSFER_COMPLETED' };
  const refused = await developer.submit(path, unheard);
  assert.match(refused.markup, /may not read one of these events/);
});

test('a developer sees the secret that signs webhooks of checkouts, and makes a new one, noted with who', async () => {
  const { app, caller, clock } = world;
  const { merchantId, environment } = caller;
  const secrets = () => webhookSecrets(app, merchantId, environment, clock.now());
  const path = `${shop}/webhooks`;
  const developer = await world.comeAs('DEVELOPER', 'delia');
  const room = (await developer.get(path)).markup;
  assert.match(room, /Secret of checkouts/);
  assert.doesNotMatch(room, /whsec_/, 'it is shown to whoever presses for it');
  const shown = madeSecret((await developer.submit(path, { act: 'checkout-secret' })).markup);
  assert.equal(shown, (await secrets()).current);
  await developer.get(path);
  const made = await developer.submit(path, { act: 'checkout-secret-rotate' });
  assert.deepEqual(await secrets(), { current: madeSecret(made.markup), previous: shown });
  const acts = await listActs(app.db, { about: `merchant:${merchantId}` }, 9);
  const ofSecret = acts.filter(({ verb }) => verb.startsWith('webhook-secret'));
  const told = ofSecret.map(({ verb, actor }) => `${verb} ${actor.split(' ')[0]}`);
  assert.deepEqual(told, ['webhook-secret-show person', 'webhook-secret-rotate person']);

  const viewer = await world.comeAs('VIEWER', 'viola');
  const { markup } = await viewer.get(path);
  assert.doesNotMatch(markup, /Secret of checkouts|whsec_/);
});

test('a receiver of another shop is not there', async () => {
  const { app } = world;
  const other = await createMerchant(app, { name: 'Other shop' });
  const owner = { merchantId: other.id, environment: 'test' } as const;
  const { key } = await createApiKey(app, owner);
  const { endpoint } = await createWebhookEndpoint(
    app,
    { ...owner, apiKey: key },
    { url: 'https://a.example', eventTypes: undefined },
  );
  const browser = await world.comeAs('OWNER', 'otto');
  await browser.get(`${shop}/webhooks`);
  for (const act of ['rotate', 'delete']) {
    const given = { act, endpoint: endpoint.id };
    assert.equal((await browser.submit(`${shop}/webhooks`, given)).status, 404);
  }
  const foreign = { act: 'create', url: 'https://a.example', key };
  assert.equal((await browser.submit(`${shop}/webhooks`, foreign)).status, 404);
});

test('who may call and from where money leaves are two lists, and the second is the owner’s', async () => {
  const { app, caller } = world;
  const live = { merchantId: caller.merchantId, environment: 'live' } as const;
  const path = `${shop.replace(/test$/, 'live')}/addresses`;
  const developer = await world.comeAs('DEVELOPER', 'dina');
  assert.match((await developer.get(path)).markup, /Any address may call/);
  const wrong = await developer.submit(path, { act: 'add', use: 'calls', address: '1.2.3' });
  assert.equal(wrong.status, 400);
  assert.match(wrong.markup, /This is no address/);
  await developer.submit(path, { act: 'add', use: 'calls', address: '203.0.113.0/24' });
  assert.deepEqual((await listAllowedAddresses(app.db, live)).calls, ['203.0.113.0/24']);
  await developer.get(path);
  const money = { act: 'add', use: 'withdrawals', address: '203.0.113.7' };
  const refused = await developer.submit(path, money);
  assert.equal(refused.status, 403);
  assert.match(refused.markup, /Only an owner changes this list/);
  assert.deepEqual((await listAllowedAddresses(app.db, live)).withdrawals, []);

  const owner = await world.comeAs('OWNER', 'oda');
  await owner.get(path);
  await owner.submit(path, money);
  assert.deepEqual((await listAllowedAddresses(app.db, live)).withdrawals, ['203.0.113.7/32']);
  await owner.get(path);
  await owner.submit(path, { act: 'remove', use: 'calls', address: '203.0.113.0/24' });
  const closed = await owner.get(path);
  assert.match(closed.markup, /No address may call/);
  await owner.submit(path, { act: 'any' });
  assert.equal((await listAllowedAddresses(app.db, live)).calls, undefined);
  const acts = await listActs(app.db, { about: `merchant:${caller.merchantId}` }, 9);
  assert.deepEqual(
    acts.map(({ verb }) => verb).filter((verb) => verb.startsWith('allow-list')),
    ['allow-list-add', 'allow-list-add', 'allow-list-remove', 'allow-list-any'],
  );
});

test('a test event is signed, delivered and kept like every other, and says that it is none', async () => {
  const { app, caller } = world;
  const { key } = await createApiKey(app, { merchantId: caller.merchantId, environment: 'test' });
  const developer = await world.comeAs('DEVELOPER', 'doris');
  const path = `${shop}/webhooks`;
  await withReceiver(answer(200), async (receiver) => {
    await developer.get(path);
    const made = await developer.submit(path, { act: 'create', url: receiver.origin, key });
    const secret = madeSecret(made.markup);
    const list = await developer.get(path);
    const chosen = new RegExp(`<option value="([^"]+)">${receiver.origin}`).exec(list.markup);
    const endpoint = chosen?.[1] ?? '';
    // What is told of money follows nothing here: no transfer, refund or swap has this id.
    for (const type of ['CHECKOUT_COMPLETED', 'TRANSFER_FAILED']) {
      await developer.get(path);
      const sent = await developer.submit(path, { act: 'test', endpoint, kind: type });
      assert.equal(sent.status, 303, sent.markup);
      const shown = await developer.get(sent.location ?? '');
      assert.match(shown.markup, /Test event: nothing of it happened/);
    }
    await deliver();
    const tests = receiver.received.map(({ body }) => JSON.parse(body));
    assert.deepEqual(
      tests.map(({ eventType, sequence, test }) => [eventType, sequence, test]),
      [
        ['CHECKOUT_COMPLETED', 1, true],
        ['TRANSFER_FAILED', 2, true],
      ],
    );
    const [first] = receiver.received;
    assert.ok(first !== undefined);
    const apiSecret = await apiSecretForWebhook(app, key, world.clock.now());
    assert.equal(first.headers['x-webhook-auth'], webhookAuth(apiSecret, first.body));
    assert.notEqual(secret, '');
    const acts = await listActs(app.db, { about: `webhook-endpoint:${endpoint}` }, 9);
    const verbs = acts.map(({ verb }) => verb).filter((verb) => verb.endsWith('-test'));
    assert.equal(verbs.length, 2);
    const number = await app.db.query<{ number: bigint }>(
      sql`select max(number) as number from event`,
    );
    const upTo = number[0]?.number ?? 0n;
    const told = { types: EVENT_TYPES, after: 0n, upTo, limit: 500 };
    const since = world.clock.now().subtract({ hours: 24 });
    const happened = await listHappened(app.db, { ...told, since });
    assert.deepEqual(
      happened.filter(({ subjectId }) => subjectId === endpoint),
      [],
    );

    const removed = { act: 'delete', endpoint };
    await developer.get(path);
    await developer.submit(path, removed);
    for (const [given, status] of [
      [{ endpoint, kind: 'CHECKOUT_COMPLETED' }, 409],
      [{ endpoint: 'nobody', kind: 'CHECKOUT_COMPLETED' }, 404],
      [{ endpoint, kind: 'NO_SUCH' }, 404],
    ] as const) {
      await developer.get(path);
      assert.equal((await developer.submit(path, { act: 'test', ...given })).status, status);
    }
  });
});

test('every kind of event is shown with an example that is of its documented shape', async () => {
  const reference = inlineReferences(openApiDocument(ROUTES, 'http://pay.example'));
  for (const type of EVENT_TYPES) {
    const body = { ...exampleEvent(reference, type)?.body };
    assert.equal(findEventFault(JSON.stringify(body)), undefined);
  }
  const live = shop.replace(/test$/, 'live');
  const developer = await world.comeAs('DEVELOPER', 'dave');
  const kinds = await developer.get(`${shop}/webhooks/kinds?type=TRANSFER_FAILED`);
  assert.equal(
    kinds.markup.match(/<section class="card" id="[A-Z_]+"/g)?.length,
    EVENT_TYPES.length,
  );
  assert.match(kinds.markup, /<details open>/);
  const ofLive = await developer.get(`${live}/webhooks/kinds`);
  assert.doesNotMatch(ofLive.markup, /TRANSFER_/, 'he is not told of live money');
});

test('a developer plays the payer of a test checkout: half, the rest, a block, and the end of its time', async () => {
  await world.observe('LITECOIN');
  const developer = await world.comeAs('DEVELOPER', 'dana');
  const id = await world.create();
  const path = `${shop}/checkouts/${id}`;
  const act = async (name: string) => {
    const { markup } = await developer.get(path);
    assert.match(markup, new RegExp(`name="act" value="${name}"`));
    assert.equal((await developer.submit(`${path}/sandbox`, { act: name })).status, 303);
    await world.clock.advance(1000);
    await world.observe('LITECOIN');
    await world.settle();
    return (await world.read(id)).state;
  };
  assert.equal((await developer.get(path)).status, 200);
  const way = { checkoutId: id, owner: world.caller, network: 'LITECOIN', asset: 'LTC:NATIVE' };
  await commitCheckout(world.app, way);
  await act('under');
  for (let block = 0; block < 12; block += 1) await act('mine');
  assert.equal((await world.read(id)).state, 'UNDERPAID');
  await act('rest');
  assert.doesNotMatch((await developer.get(path)).markup, /value="(?:rest|exact)"/);
  for (let block = 0; block < 12; block += 1) await act('mine');
  assert.equal((await world.read(id)).state, 'COMPLETED');

  const other = await world.create();
  const ended = `${shop}/checkouts/${other}`;
  await developer.get(ended);
  assert.equal((await developer.submit(`${ended}/sandbox`, { act: 'expire' })).status, 303);
  assert.equal((await world.read(other)).state, 'EXPIRED');
  await developer.get(path);
  assert.equal((await developer.submit(`${path}/sandbox`, { act: 'print' })).status, 404);
  const cashier = await world.comeAs('CASHIER', 'cleo');
  assert.doesNotMatch((await cashier.get(path)).markup, /id="sandbox"/);
  const live = `${shop.replace(/test$/, 'live')}/checkouts/${id}/sandbox`;
  const form = /name="form" value="([^"]+)"/.exec((await developer.get(path)).markup)?.[1] ?? '';
  assert.equal((await developer.post(live, { form, act: 'mine' })).status, 404);
});

test('where no real money moves every page is coloured, and one step leads to the other', async () => {
  const developer = await world.comeAs('DEVELOPER', 'della');
  const test = await developer.get(`${shop}/webhooks`);
  assert.match(test.markup, /<div class="dashboard test">/);
  const live = shop.replace(/test$/, 'live');
  assert.ok(test.markup.includes(`href="${live}/webhooks"`));
  assert.doesNotMatch((await developer.get(`${live}/webhooks`)).markup, /class="dashboard test"/);
});

test('every kind of event is told in the language of the page', async () => {
  const developer = await world.comeAs('DEVELOPER', 'damian');
  developer.setCookie('quittance-language', 'pl');
  const polish = await developer.get(`${shop}/webhooks/kinds`);
  assert.match(polish.markup, /Checkout opłacono w całości; saldo jest zaktualizowane/);
  assert.doesNotMatch(polish.markup, /<p lang="en">/);
});
