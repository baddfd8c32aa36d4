import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { apiSecretForWebhook, type NewApiKey } from '#access/api-key.ts';
import { sql } from '#db/db.ts';
import { webhookEndpointSecrets } from '#event/webhook-endpoint.ts';
import { webhookSecrets } from '#merchant/merchant-secret.ts';
import { deliverEvents } from '#test/support/deliver-events.ts';
import { deliveryApp } from '#test/support/event-fixture.ts';
import { waitUntil } from '#test/support/shop.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { answer, withReceiver } from '#test/support/webhook-receiver.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi();
});
after(() => api.close());

const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '10.00' }] };

type ShownDelivery = {
  readonly url: string;
  readonly webhookEndpointId: string | null;
  readonly state: string;
  readonly attempts: number;
  readonly lastStatus: number | null;
};
type ShownEndpoint = { readonly id: string; readonly timestamp: string };
type ShownEvent = {
  readonly id: string;
  readonly eventType: string;
  readonly data: { readonly checkout: { readonly id: string } };
  readonly deliveries: readonly ShownDelivery[];
};

/** A checkout that is cancelled at once: one event. */
async function tell(key: NewApiKey, webhook?: string): Promise<string> {
  const created = await api.call('POST', '/checkout', { key, body: { charge, webhook } });
  const checkoutId = String(created.json.id);
  const cancelled = await api.call('POST', '/checkout/cancel', { key, body: { checkoutId } });
  assert.equal(cancelled.status, 200, cancelled.text);
  await api.clock.advance(1000);
  return checkoutId;
}

async function list(key: NewApiKey, query = '') {
  const { status, text, json } = await api.call('GET', '/events', { key, query });
  assert.equal(status, 200, text);
  const events = json.events as unknown as ShownEvent[];
  return { events, next: json.nextCursor as unknown as string | null };
}

async function register(key: NewApiKey, body: object) {
  const made = await api.call('POST', '/webhook-endpoint', { key, body });
  assert.equal(made.status, 200, made.text);
  const endpoint = made.json.webhookEndpoint as unknown as ShownEndpoint;
  return { endpoint, secret: String(made.json.secret) };
}

function redeliver(key: NewApiKey, id: string) {
  return api.call('POST', `/events/${id}/redeliver`, { key, body: '{}' });
}

/** One attempt at everything due, with the secrets that the delivery loop uses. */
async function deliver(): Promise<void> {
  const { app, clock } = api;
  const secrets = {
    webhookSecrets: (merchantId: string, environment: 'test' | 'live', now: Temporal.Instant) =>
      webhookSecrets(app, merchantId, environment, now),
    apiSecret: (apiKey: string, now: Temporal.Instant) => apiSecretForWebhook(app, apiKey, now),
    endpointSecrets: (id: string, now: Temporal.Instant) => webhookEndpointSecrets(app, id, now),
  };
  await deliverEvents({ ...deliveryApp(api.db, clock), secrets }, { most: 50 });
}

test('every event of the account is listed as it was sent, with its deliveries', async () => {
  const key = await api.otherMerchant();
  const webhook = 'https://shop.example/hook';
  const first = await tell(key, webhook);
  const second = await tell(key);
  const { events, next } = await list(key);
  assert.equal(next, null);
  assert.deepEqual(
    events.map(({ eventType, data }) => [eventType, data.checkout.id]),
    [
      ['CHECKOUT_CANCELLED', second],
      ['CHECKOUT_CANCELLED', first],
    ],
  );
  const [later, earlier] = events;
  assert.deepEqual(later?.deliveries, []);
  assert.deepEqual(Object.keys(earlier ?? {}), [
    'eventType',
    'data',
    'id',
    'created',
    'sequence',
    'apiVersion',
    'deliveries',
  ]);
  assert.deepEqual(earlier?.deliveries, [
    {
      url: webhook,
      webhookEndpointId: null,
      state: 'PENDING',
      attempts: 0,
      lastStatus: null,
      lastError: null,
      nextAttempt: '2026-11-21T10:00:00+00:00',
      finishedTime: null,
      reason: null,
    },
  ]);
});

test('events come in pages and by type', async () => {
  const key = await api.otherMerchant();
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.unshift(await tell(key));
  const idsOf = (events: readonly ShownEvent[]) => events.map(({ data }) => data.checkout.id);
  const one = await list(key, '?limit=2');
  const two = await list(key, `?limit=2&cursor=${one.next}`);
  assert.deepEqual([...idsOf(one.events), ...idsOf(two.events)], ids);
  assert.equal(two.next, null);
  assert.equal((await list(key, '?type=CHECKOUT_CANCELLED')).events.length, 3);
  assert.equal((await list(key, '?type=CHECKOUT_COMPLETED')).events.length, 0);
  assert.deepEqual(await list(await api.otherMerchant()), { events: [], next: null });
  for (const query of ['?type=PAID', '?cursor=abc', '?limit=0']) {
    assert.equal((await api.call('GET', '/events', { key, query })).status, 400, query);
  }
});

test('an account-wide endpoint gets what it asked for, signed with its own secret', async () => {
  const key = await api.otherMerchant();
  await withReceiver(answer(200), async (receiver) => {
    const all = await register(key, { url: `${receiver.origin}/all` });
    const completed = { url: `${receiver.origin}/some`, eventTypes: ['CHECKOUT_COMPLETED'] };
    await register(key, completed);
    await tell(key);
    await deliver();
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ['/all'],
    );
    const [webhook] = receiver.received;
    assert.ok(webhook);
    const { id, headers, body } = webhook;
    const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
    const own = Buffer.from(all.secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', own).update(signed).digest('base64');
    assert.equal(headers['webhook-signature'], `v1,${signature}`);
    const auth = createHash('sha256').update(`${key.secret}${body}`).digest('hex');
    assert.equal(headers['x-webhook-auth'], auth);
    const [event] = (await list(key)).events;
    assert.deepEqual(
      event?.deliveries.map(({ webhookEndpointId, state, attempts, lastStatus }) => [
        webhookEndpointId,
        state,
        attempts,
        lastStatus,
      ]),
      [[all.endpoint.id, 'DELIVERED', 1, 200]],
    );
  });
});

test('a delivered event is sent again with the same id and body', async () => {
  const key = await api.otherMerchant();
  await withReceiver(answer(200), async (receiver) => {
    await tell(key, `${receiver.origin}/hook`);
    const [event] = (await list(key)).events;
    assert.ok(event);
    const early = await redeliver(key, event.id);
    assert.deepEqual(
      [early.status, early.json],
      [409, { errors: ['Conflict. The event is already being delivered to this receiver.'] }],
    );
    await deliver();
    const again = await redeliver(key, event.id);
    assert.equal(again.status, 200, again.text);
    const shown = again.json.event as unknown as ShownEvent;
    assert.deepEqual(
      shown.deliveries.map(({ state }) => state),
      ['DELIVERED', 'PENDING'],
    );
    await deliver();
    const [one, two] = receiver.received;
    assert.equal(one?.id, event.id);
    assert.deepEqual([two?.id, two?.body], [one?.id, one?.body]);
  });
});

test('what cannot be sent again is refused; the path is exact and signed as it stands', async () => {
  const key = await api.otherMerchant();
  await tell(key);
  const [event] = (await list(key)).events;
  assert.ok(event);
  const nobody = await redeliver(key, event.id);
  assert.equal(nobody.headers.get('x-error-code'), 'event_without_receiver');
  assert.equal((await redeliver(await api.otherMerchant(), event.id)).status, 404);
  assert.deepEqual((await redeliver(key, 'aaaaaaaaaaaa')).json, {
    errors: ['Not found. no such event'],
  });
  const paths = [
    '/events/{id}/redeliver',
    `/events/${event.id.toUpperCase()}x/redeliver`,
    `/events/${event.id}/redeliver/`,
    `/events/${event.id}`,
    '/events//redeliver',
    '/events/redeliver',
  ];
  for (const path of paths) {
    const called = await api.call('POST', path, { key, body: '{}' });
    assert.equal(called.headers.get('x-error-code'), 'route_missing', path);
  }
  const method = await api.call('GET', `/events/${event.id}/redeliver`, { key });
  assert.deepEqual([method.status, method.headers.get('allow')], [405, 'POST']);
  const body = { id: 'aaaaaaaaaaaa' };
  const named = await api.call('POST', `/events/${event.id}/redeliver`, { key, body });
  assert.equal(named.headers.get('x-error-code'), 'event_without_receiver');
});

test('endpoints are listed without their secret, and deleted for good', async () => {
  const key = await api.otherMerchant();
  const { endpoint, secret } = await register(key, {
    url: 'https://SHOP.example:443/hook',
    eventTypes: ['DEPOSIT_COMPLETED'],
  });
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const shown = {
    id: endpoint.id,
    url: 'https://shop.example/hook',
    eventTypes: ['DEPOSIT_COMPLETED'],
    format: 'QUITTANCE',
    apiVersion: '2026-11-25',
    timestamp: endpoint.timestamp,
    disabledTime: null,
  };
  assert.deepEqual(endpoint, shown);
  const listed = async () => (await api.call('GET', '/webhook-endpoints', { key })).json;
  assert.deepEqual(await listed(), { webhookEndpoints: [shown], nextCursor: null });
  const body = { id: endpoint.id };
  const other = await api.otherMerchant();
  const remove = (by: NewApiKey, given: object) =>
    api.call('DELETE', '/webhook-endpoint', { key: by, body: given });
  assert.equal((await remove(other, body)).status, 404);
  assert.equal((await remove(key, {})).status, 400);
  for (let times = 0; times < 2; times += 1) {
    assert.deepEqual((await remove(key, body)).json, { webhookEndpointId: endpoint.id });
  }
  const after = (await listed()).webhookEndpoints as unknown as { disabledTime: string | null }[];
  assert.notEqual(after[0]?.disabledTime, null);
});

test('what waits for a deleted endpoint is not sent, and cannot be sent again', async () => {
  const key = await api.otherMerchant();
  await withReceiver(answer(200), async (receiver) => {
    const { endpoint } = await register(key, { url: receiver.origin });
    await tell(key);
    await api.call('DELETE', '/webhook-endpoint', { key, body: { id: endpoint.id } });
    await tell(key);
    await deliver();
    assert.deepEqual(receiver.received, []);
    const { events } = await list(key);
    assert.deepEqual(
      events.map(({ deliveries }) => deliveries.map(({ state }) => state)),
      [[], ['DISABLED']],
    );
    const refused = await redeliver(key, events[1]?.id ?? '');
    assert.equal(refused.headers.get('x-error-code'), 'endpoint_disabled');
  });
});

test('an endpoint that cannot be is refused, every fault named', async () => {
  const key = await api.otherMerchant();
  const body = { url: 'ftp://shop.example', eventTypes: ['PAID'] };
  const refused = await api.call('POST', '/webhook-endpoint', { key, body });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /url: must be an http or https URL/);
  assert.match(refused.text, /eventTypes\[0\]: must be one of CHECKOUT_COMPLETED/);
  for (let count = 0; count < 20; count += 1) await register(key, { url: 'https://shop.example' });
  const more = await api.call('POST', '/webhook-endpoint', {
    key,
    body: { url: 'https://shop.example/more' },
  });
  assert.equal(more.headers.get('x-error-code'), 'webhook_endpoints_too_many');
});

type Followed = { readonly id: string; readonly eventType: string; readonly body: string };

async function follow(key: NewApiKey, query = '') {
  const { status, text, json } = await api.call('GET', '/events/follow', { key, query });
  assert.equal(status, 200, text);
  return { events: json.events as unknown as Followed[], after: String(json.after) };
}

test('a program that follows events gets each once, in order, with the text of its webhook', async () => {
  const key = await api.otherMerchant();
  const begun = await follow(key);
  assert.deepEqual(begun, { events: [], after: 'start' });
  for (let count = 0; count < 3; count += 1) await tell(key);
  const first = await follow(key, `?after=${begun.after}&limit=2`);
  const second = await follow(key, `?after=${first.after}&limit=2`);
  const all = [...first.events, ...second.events].map(({ id }) => id);
  const { events } = await list(key);
  assert.deepEqual(all, events.map(({ id }) => id).reverse());
  assert.deepEqual(await follow(key, `?after=${second.after}`), { ...second, events: [] });
  assert.equal((await follow(key)).after, all.at(-1), 'without after it begins now');
  const one = await api.call('GET', '/event', { key, query: `?id=${all[0]}` });
  assert.equal(one.json.event?.body, first.events[0]?.body);
  assert.equal(JSON.parse(String(first.events[0]?.body)).id, all[0]);
});

test('an event is followed only when none before it can appear any more', async () => {
  const key = await api.otherMerchant();
  const slow = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const told = api.db.transact(async (tx) => {
    await tx.query(sql`insert into event (id, merchant_id, environment, type, subject, subject_id,
      sequence, cause_key, body, created_at)
      select 'slowevent001', merchant_id, 'test', 'CHECKOUT_CANCELLED', 'checkout', 'nocheckout01',
        1, 'slow', '{}', ${api.clock.now()} from api_key where key = ${key.key}`);
    begun.resolve();
    await slow.promise;
  });
  await begun.promise;
  await tell(key);
  const early = follow(key, '?after=start');
  // It looks at the writers before it waits for them.
  await waitUntil('it to wait', () => api.clock.sleepers() > 0);
  slow.resolve();
  await told;
  await api.clock.advance(1000);
  const { events } = await early;
  assert.deepEqual(
    events.map(({ id }) => id === 'slowevent001'),
    [true, false],
  );
});

test('an answer is held until there is an event', async () => {
  const key = await api.otherMerchant();
  const held = follow(key, '?after=start&wait=30');
  await waitUntil('it to wait', () => api.clock.sleepers() > 0);
  await tell(key);
  await api.clock.advance(1000);
  assert.equal((await held).events.length, 1);
});

test('nobody follows the events of another account, or goes on after what is not there', async () => {
  const [key, other] = [await api.otherMerchant(), await api.otherMerchant()];
  await tell(key);
  const { after } = await follow(key, '?after=start');
  assert.deepEqual(await follow(other, '?after=start'), { events: [], after: 'start' });
  const refused = await api.call('GET', '/events/follow', { key: other, query: `?after=${after}` });
  assert.equal(refused.headers.get('x-error-code'), 'event_missing');
});
