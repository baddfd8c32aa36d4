// api-contract.md 7: account-wide receivers, the rotation of their secrets, and their end.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { allowAddress } from '#access/allow-list.ts';
import { createApiKey, type NewApiKey, type Scope } from '#access/api-key.ts';
import { sql } from '#db/db.ts';
import { enqueueEvent } from '#event/enqueue-event.ts';
import { EVENT_TYPES } from '#event/event.ts';
import { createWebhookEndpoint, webhookEndpointSecrets } from '#event/webhook-endpoint.ts';
import { deliverEvents } from '#test/support/deliver-events.ts';
import { deliveryApp } from '#test/support/event-fixture.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { answer, type ReceivedWebhook, withReceiver } from '#test/support/webhook-receiver.ts';

const NOTHING_ANSWERS = 'nothing answers at port 443 (ECONNREFUSED)';

let api: TestApi;
before(async () => {
  const reach = async ({ hostname }: { readonly hostname: string }) =>
    hostname === 'down.example' ? NOTHING_ANSWERS : undefined;
  api = await openTestApi({ simulated: true, reach });
  await allowAddress(
    api.app,
    { merchantId: api.merchantId, environment: 'test' },
    { use: 'withdrawals', address: '127.0.0.1' },
  );
});
after(() => api.close());

const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '10.00' }] };

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const { status, text, json } = await api.call('POST', path, { body });
  assert.equal(status, 200, text);
  return json;
}

async function register(url: string, eventTypes?: readonly string[]) {
  const { webhookEndpoint, secret } = await post('/webhook-endpoint', { url, eventTypes });
  return { id: (webhookEndpoint as { id: string }).id, secret: String(secret) };
}

async function pin(webhookEndpointId: string, apiVersion: string) {
  const body = { webhookEndpointId, apiVersion };
  const { status, text, json } = await api.call('PUT', '/webhook-endpoint', { body });
  assert.equal(status, 200, text);
  return json.webhookEndpoint as unknown as { readonly id: string; readonly apiVersion: string };
}

/** One event of the account, without a receiver of its own. */
async function tell(): Promise<void> {
  const { id } = await post('/checkout', { charge });
  await api.clock.advance(1000);
  await post('/checkout/cancel', { checkoutId: id });
}

async function deliver(): Promise<void> {
  const { app, clock } = api;
  const secrets = {
    webhookSecrets: () => Promise.reject(new Error('no checkout has a webhook here')),
    apiSecret: async () => undefined,
    endpointSecrets: (id: string, now: Temporal.Instant) => webhookEndpointSecrets(app, id, now),
  };
  await deliverEvents({ ...deliveryApp(api.db, clock), secrets }, { most: 50 });
}

async function lastDeliveries() {
  const { json } = await api.call('GET', '/events', { query: '?limit=1' });
  const [event] = json.events as unknown as { deliveries: Delivery[] }[];
  return event?.deliveries ?? [];
}
type Delivery = { readonly state: string; readonly attempts: number; readonly reason: unknown };

function verifies(secret: string, { headers, body }: ReceivedWebhook): boolean {
  // The reference verifier looks at the clock of the machine: ours stands elsewhere.
  const signed = String(headers['webhook-signature']).split(' ');
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  return signed.includes(new Webhook(secret).sign(String(headers['webhook-id']), at, body));
}

test('while the secret of an endpoint rotates both the old and the new one verify', async () => {
  await withReceiver(answer(200), async (receiver) => {
    const { id, secret } = await register(receiver.origin);
    const rotated = await post('/webhook-endpoint/rotate-secret', {
      webhookEndpointId: id,
      overlapHours: 2,
    });
    const next = String(rotated.secret);
    assert.deepEqual(Object.keys(rotated), ['webhookEndpoint', 'secret']);
    assert.match(next, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(next, secret);
    await tell();
    await deliver();
    await api.clock.advance(2 * 3_600_000);
    await tell();
    await deliver();
    const [during, later] = receiver.received;
    assert.ok(during !== undefined && later !== undefined);
    assert.deepEqual([verifies(secret, during), verifies(next, during)], [true, true]);
    assert.deepEqual([verifies(secret, later), verifies(next, later)], [false, true]);
    await api.call('DELETE', '/webhook-endpoint', { body: { id } });
  });
});

test('a rotation without overlap ends the old secret at once; without a word it takes a day', async () => {
  await withReceiver(answer(200), async (receiver) => {
    const { id, secret } = await register(receiver.origin);
    await post('/webhook-endpoint/rotate-secret', { webhookEndpointId: id, overlapHours: '0' });
    const { previous } = await webhookEndpointSecrets(api.app, id, api.clock.now());
    assert.equal(previous, undefined);
    await post('/webhook-endpoint/rotate-secret', { webhookEndpointId: id });
    const now = api.clock.now();
    const before = await webhookEndpointSecrets(api.app, id, now.add({ hours: 23, minutes: 59 }));
    assert.ok(before.previous !== undefined && before.previous !== secret);
    const after = await webhookEndpointSecrets(api.app, id, now.add({ hours: 24 }));
    assert.deepEqual(Object.keys(after), ['current']);
    await api.call('DELETE', '/webhook-endpoint', { body: { id } });
  });
});

test('a rotation that cannot be is refused', async () => {
  const { id } = await register('https://shop.example/hook');
  const rotate = (body: object, key = api.key) =>
    api.call('POST', '/webhook-endpoint/rotate-secret', { body, key });
  assert.deepEqual((await rotate({ webhookEndpointId: 'x', overlapHours: 25 })).json, {
    errors: [
      'Invalid request. webhookEndpointId: must be 12 characters from a to z and 0 to 9',
      'overlapHours: must be a whole number from 0 to 24',
    ],
  });
  const missing = { errors: ['Not found. id: no such webhook endpoint'] };
  assert.deepEqual((await rotate({ webhookEndpointId: 'aaaaaaaaaaaa' })).json, missing);
  assert.deepEqual(
    (await rotate({ webhookEndpointId: id }, await api.otherMerchant())).json,
    missing,
  );
  assert.deepEqual((await rotate({ webhookEndpointId: id }, api.liveKey)).json, missing);
  await api.call('DELETE', '/webhook-endpoint', { body: { id } });
  const deleted = await rotate({ webhookEndpointId: id });
  assert.deepEqual(
    [deleted.status, deleted.headers.get('x-error-code'), deleted.json],
    [409, 'endpoint_disabled', { errors: ['Conflict. The endpoint is disabled.'] }],
  );
});

test('a receiver is told in another version of what happens from then on, not of what had happened', async () => {
  await withReceiver(answer(200), async (receiver) => {
    const { id } = await register(receiver.origin, ['CHECKOUT_CANCELLED']);
    const told = async () => {
      await deliver();
      const last = receiver.received.at(-1);
      assert.ok(last !== undefined);
      const { apiVersion } = JSON.parse(last.body) as { apiVersion: string };
      return [last.headers['quittance-version'], apiVersion];
    };
    const [newest, oldest] = [
      ['2026-11-25', '2026-11-25'],
      ['2026-11-24', '1'],
    ];
    await tell();
    const changed = await pin(id, '2026-11-24');
    assert.deepEqual([changed.id, changed.apiVersion], [id, '2026-11-24']);
    assert.deepEqual(await told(), newest, 'it had happened before');
    const eventId = receiver.received.at(-1)?.headers['webhook-id'];
    await tell();
    assert.deepEqual(await told(), oldest);
    await post(`/events/${eventId}/redeliver`, {});
    assert.deepEqual(await told(), newest, 'sent again as it was');
    await pin(id, '2026-11-25');
    await tell();
    assert.deepEqual(await told(), newest, 'and back');
    await api.call('DELETE', '/webhook-endpoint', { body: { id } });
  });
});

test('a change of the version that cannot be is refused', async () => {
  const { id } = await register('https://shop.example/hook');
  const refused = async (body: object, key = api.key) => {
    const { status, headers } = await api.call('PUT', '/webhook-endpoint', { body, key });
    return [status, headers.get('x-error-code')];
  };
  const right = { webhookEndpointId: id, apiVersion: '2026-11-24' };
  const missing = [404, 'webhook_endpoint_missing'];
  assert.deepEqual(await refused({ webhookEndpointId: id }), [400, 'validation_failed']);
  for (const apiVersion of ['2020-01-01', '1', 7]) {
    assert.deepEqual(await refused({ ...right, apiVersion }), [400, 'validation_failed']);
  }
  assert.deepEqual(await refused({ ...right, webhookEndpointId: 'aaaaaaaaaaaa' }), missing);
  assert.deepEqual(await refused(right, await api.otherMerchant()), missing);
  assert.deepEqual(await refused(right, api.liveKey), missing);
  await api.call('DELETE', '/webhook-endpoint', { body: { id } });
  assert.deepEqual(await refused(right), [409, 'endpoint_disabled']);
});

test('an attempt that fails after its endpoint was deleted is not repeated', async () => {
  const endpoint = { id: '' };
  const behave = async (response: Parameters<ReturnType<typeof answer>>[0]) => {
    await api.call('DELETE', '/webhook-endpoint', { body: { id: endpoint.id } });
    response.writeHead(500).end();
  };
  await withReceiver(behave, async (receiver) => {
    endpoint.id = (await register(receiver.origin)).id;
    await tell();
    await deliver();
    const deliveries = await lastDeliveries();
    const shown = deliveries.map(({ state, attempts, reason }) => ({ state, attempts, reason }));
    const reason = 'the endpoint is switched off';
    assert.deepEqual(shown, [{ state: 'DISABLED', attempts: 1, reason }]);
    await api.clock.advance(86_400_000);
    await deliver();
    assert.equal(receiver.received.length, 1);
  });
});

test('what a dead process had leased for an endpoint that was deleted is not sent', async () => {
  await withReceiver(answer(200), async (receiver) => {
    const { id } = await register(receiver.origin);
    await tell();
    const until = api.clock.now().add({ seconds: 60 });
    await api.db.single((tx) =>
      tx.query(sql`update webhook_delivery set lease_until = ${until}, lease_epoch = 1
        where endpoint_id = ${id}`),
    );
    await api.call('DELETE', '/webhook-endpoint', { body: { id } });
    await api.clock.advance(61_000);
    await deliver();
    assert.equal(receiver.received.length, 0);
    const deliveries = await lastDeliveries();
    assert.deepEqual(
      deliveries.map(({ state }) => state),
      ['DISABLED'],
    );
  });
});

test('what has no webhook of its own is told to account-wide endpoints: a swap', async () => {
  await fundMerchant(api.db, {
    merchantId: api.merchantId,
    cause: 'swaps',
    assetId: 'BTC:NATIVE',
    units: 100_000_000n,
    occurredAt: api.clock.now(),
  });
  await withReceiver(answer(200), async (receiver) => {
    const { id, secret } = await register(receiver.origin, ['SWAP_COMPLETED', 'SWAP_FAILED']);
    const amounts = { sourceAsset: 'BTC:NATIVE', targetAsset: 'LTC:NATIVE' };
    const quote = async (sourceAmount: string) => {
      const { swap } = await post('/swap', { ...amounts, sourceAmount });
      return (swap as { id: string }).id;
    };
    const [done, failed] = [await quote('0.5'), await quote('0.9')];
    await post('/swap/commit', { swapId: done });
    const refused = await api.call('POST', '/swap/commit', { body: { swapId: failed } });
    assert.equal(refused.headers.get('x-error-code'), 'balance_too_low');
    await deliver();
    const told = receiver.received.map((webhook) => {
      assert.ok(verifies(secret, webhook));
      const { eventType, data } = JSON.parse(webhook.body);
      return [eventType, data.swap.id];
    });
    assert.deepEqual(told.sort(), [
      ['SWAP_COMPLETED', done],
      ['SWAP_FAILED', failed],
    ]);
    await api.call('DELETE', '/webhook-endpoint', { body: { id } });
  });
});

test('an endpoint may ask for any type there is', async () => {
  const { id } = await register('https://shop.example/all', EVENT_TYPES);
  await api.call('DELETE', '/webhook-endpoint', { body: { id } });
});

const limitedKey = (...scopes: Scope[]) =>
  createApiKey(api.app, { merchantId: api.merchantId, environment: 'test', scopes });

test('transfers are told only to receivers of keys that may move money', async () => {
  const url = 'https://shop.example/hook';
  const ask = async (key: NewApiKey, eventTypes?: readonly string[]) => {
    const answer = await api.call('POST', '/webhook-endpoint', { body: { url, eventTypes }, key });
    if (answer.status === 200) {
      const { id } = answer.json.webhookEndpoint as unknown as { id: string };
      await post('/webhook-endpoint/rotate-secret', { webhookEndpointId: id });
      await api.call('DELETE', '/webhook-endpoint', { body: { id } });
    }
    return [answer.status, answer.headers.get('x-error-code')];
  };
  const reader = await limitedKey('read', 'checkout', 'settings');
  assert.deepEqual(await ask(reader, ['TRANSFER_COMPLETED']), [403, 'scope_missing']);
  assert.deepEqual(await ask(reader), [403, 'scope_missing']);
  assert.deepEqual(await ask(reader, ['CHECKOUT_COMPLETED']), [200, null]);
  assert.deepEqual(await ask(await limitedKey('settings', 'money', 'read')), [200, null]);
  const plain = await limitedKey('read', 'checkout');
  assert.deepEqual(await ask(plain, ['CHECKOUT_COMPLETED']), [403, 'scope_missing']);
});

test('a receiver registered before that rule is told no transfer either', async () => {
  const key = await limitedKey('read', 'checkout');
  const owner = { merchantId: api.merchantId, environment: 'test' } as const;
  const made = { ...owner, apiKey: key.key };
  const url = 'https://shop.example/before';
  const { endpoint } = await createWebhookEndpoint(api.app, made, { url, eventTypes: undefined });
  await tell();
  const deliveries = async () => {
    const rows = await api.db.query<{ type: string }>(sql`
      select e.type from webhook_delivery d join event e on e.id = d.event_id
      where d.endpoint_id = ${endpoint.id} order by d.id`);
    return rows.map(({ type }) => type);
  };
  await api.db.transact(async (tx) =>
    enqueueEvent(tx, {
      ...owner,
      id: 'transfereven',
      type: 'TRANSFER_COMPLETED',
      subject: 'transfer',
      subjectId: 'aaaaaaaaaaaa',
      sequence: 1,
      causeKey: 'a transfer of the test',
      data: '{}',
      apiKey: undefined,
      createdAt: api.clock.now(),
      webhookUrl: undefined,
    }),
  );
  assert.deepEqual(await deliveries(), ['CHECKOUT_CANCELLED']);
  const seen = async (asking: NewApiKey) => {
    const { json } = await api.call('GET', '/events', { key: asking });
    return (json.events as unknown as { eventType: string }[]).map(({ eventType }) => eventType);
  };
  assert.ok((await seen(api.key)).includes('TRANSFER_COMPLETED'));
  const told = await seen(key);
  assert.ok(told.includes('CHECKOUT_CANCELLED') && !told.includes('TRANSFER_COMPLETED'));
  const again = await api.call('POST', '/events/transfereven/redeliver', { body: {}, key });
  assert.equal(again.headers.get('x-error-code'), 'event_missing');
  await api.call('DELETE', '/webhook-endpoint', { body: { id: endpoint.id } });
});

test('a receiver that cannot be called is refused when it is named, with the reason', async () => {
  for (const [url, reason] of [
    ['http://192.168.1.10/hook', 'cannot be called: the host is not a public address'],
    ['https://down.example/hook', `cannot be called: ${NOTHING_ANSWERS}`],
  ] as const) {
    for (const [path, body, name] of [
      ['/webhook-endpoint', { url }, 'url'],
      ['/checkout', { charge, webhook: url }, 'webhook'],
      ['/checkout/hosted', { charge, webhook: url }, 'webhook'],
      ['/deposit-address', { network: 'BITCOIN', webhook: url }, 'webhook'],
    ] as const) {
      const inTransaction: Record<string, string> = { 'idempotency-key': `refused ${path} ${url}` };
      for (const headers of [{}, inTransaction]) {
        const { status, json } = await api.call('POST', path, { body, headers });
        assert.deepEqual(
          [status, json],
          [400, { errors: [`Invalid request. ${name}: ${reason}`] }],
        );
      }
    }
  }
});
