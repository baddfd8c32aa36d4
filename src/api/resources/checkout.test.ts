import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ROUTES } from '#api/routes.ts';
import { sql } from '#db/db.ts';
import { type Called, openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi();
});
after(() => api.close());

const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '10.00' }] };

/** The answer has what its schema says, and nothing beside it. */
function assertAsDocumented(method: string, path: string, called: Called): void {
  assert.equal(called.status, 200, called.text);
  const endpoint = ROUTES.find((route) => route.method === method && route.path === path);
  assert.ok(endpoint);
  const parsed = endpoint.response.safeParse(called.json);
  assert.ok(parsed.success, String(parsed.error));
  assert.deepEqual(parsed.data, called.json);
}

async function create(path = '/checkout', body: object = { charge }): Promise<Called> {
  const created = await api.call('POST', path, { body });
  assert.equal(created.status, 200, created.text);
  return created;
}

test('the catalogue answers with every field of the specification', async () => {
  for (const path of ['/networks', '/assets', '/currencies', '/languages', '/auth-test', '/time']) {
    assertAsDocumented('GET', path, await api.call('GET', path));
  }
});

test('a network takes deposits where this environment has an adapter for it', async () => {
  const deposits = async (key = api.key) => {
    const { json } = await api.call('GET', '/networks', { key });
    const networks = json.networks as unknown as { id: string; deposits: boolean }[];
    return networks.filter((network) => network.deposits).map(({ id }) => id);
  };
  assert.deepEqual(await deposits(), ['BITCOIN', 'LITECOIN']);
  assert.deepEqual(await deposits(api.liveKey), []);
});

test('a created checkout names every way to pay, with settlement = net + fee', async () => {
  const created = await create();
  assertAsDocumented('POST', '/checkout', created);
  const { paymentMethods } = created.json as unknown as {
    paymentMethods: { network: string; relatedAssetId: string }[];
  };
  assert.deepEqual(
    paymentMethods.map(({ network, relatedAssetId }) => [network, relatedAssetId]),
    [
      ['BITCOIN', 'BTC:NATIVE'],
      ['LITECOIN', 'LTC:NATIVE'],
    ],
  );
});

test('a hosted checkout answers its address and its id twice', async () => {
  const created = await create('/checkout/hosted', { charge, checkoutLanguage: 'de' });
  assertAsDocumented('POST', '/checkout/hosted', created);
  assert.equal(created.json.id, created.json.checkoutId);
  assert.match(String(created.json.url), /^http:\/\/pay\.example\/de\/checkout\/[\w-]{22,}$/);
});

test('two identical requests in one second make two checkouts', async () => {
  const [first, second] = await Promise.all([create(), create()]);
  assert.notEqual(first?.json.id, second?.json.id);
});

test('a second commit returns the same instructions', async () => {
  const { json } = await create();
  const body = { checkoutId: json.id, network: 'LITECOIN' };
  const first = await api.call('POST', '/checkout/commit', { body });
  assertAsDocumented('POST', '/checkout/commit', first);
  assert.equal(first.json.depositInstructions?.network, 'LITECOIN');
  assert.equal(first.json.expirationTime, '2026-11-21T11:00:00+00:00');
  const again = await api.call('POST', '/checkout/commit', { body });
  assert.equal(again.text, first.text);
});

test('older clients commit with an asset code alone', async () => {
  const { json } = await create();
  const commit = (fields: object) =>
    api.call('POST', '/checkout/commit', { body: { checkoutId: json.id, ...fields } });
  const older = await commit({ assetCode: 'LTC' });
  assert.equal(older.json.depositInstructions?.network, 'LITECOIN');
  const both = await commit({ assetCode: 'LTC', network: 'LITECOIN', asset: null });
  assert.equal(both.text, older.text);
});

test('depositNetwork and relatedAssetId are other names of network and asset', async () => {
  const { json } = await create();
  const commit = (fields: object) =>
    api.call('POST', '/checkout/commit', { body: { checkoutId: json.id, ...fields } });
  const named = await commit({ network: 'LITECOIN', asset: 'LTC:NATIVE' });
  assert.equal(named.status, 200, named.text);
  const aliased = await commit({ depositNetwork: 'LITECOIN', relatedAssetId: 'LTC:NATIVE' });
  assert.equal(aliased.text, named.text);
  const other = await commit({ network: 'LITECOIN', relatedAssetId: 'BTC:NATIVE' });
  assert.equal(other.status, 400, 'the asset that is named is not put aside');
  const both = await commit({ network: 'LITECOIN', depositNetwork: 'BITCOIN' });
  assert.match(both.text, /depositNetwork: differs from network/);
  const slip = await commit({ network: 'LITECOIN', relatedAssetid: 'LTC:NATIVE' });
  assert.match(slip.text, /relatedAssetid: is unknown, relatedAssetId is probably meant/);
});

test('a commit that cannot be is refused with the reason', async () => {
  const { json } = await create();
  const cases: [object, number, string | RegExp][] = [
    [{}, 400, 'Invalid request. checkoutId: is required'],
    [{ checkoutId: json.id }, 400, 'Invalid request. network: is required'],
    [{ checkoutId: json.id, network: 5 }, 400, 'Invalid request. network: must be text'],
    [{ checkoutId: 'nope', network: 'LITECOIN' }, 400, /checkoutId: must be 12 characters/],
    [{ checkoutId: 'aaaaaaaaaaaa', network: 'LITECOIN' }, 404, /no such checkout/],
    [{ checkoutId: json.id, network: 'STELLAR' }, 400, /network: not a payment method/],
    [{ checkoutId: json.id, network: 'LITECOIN', asset: 'BTC:NATIVE' }, 400, /payment method/],
  ];
  for (const [body, status, message] of cases) {
    const refused = await api.call('POST', '/checkout/commit', { body });
    assert.equal(refused.status, status, refused.text);
    const first = String((refused.json.errors as unknown as string[])[0]);
    if (typeof message === 'string') assert.equal(first, message);
    else assert.match(first, message);
  }
});

test('a checkout shows its request, numbers with their text, and its meta', async () => {
  const text =
    '{"charge":{"billingCurrency":"EUR","lineItems":[{"description":"Caf\\u00e9","netAmount":10.10}]}';
  const body = `${text},"meta":{"order":1.50,"big":12345678901234567890}}`;
  const created = await api.call('POST', '/checkout', { body });
  assert.ok(created.text.includes('"meta":{"order":1.50,"big":12345678901234567890}'));
  const hosted = await api.call('POST', '/checkout/hosted', { body });
  assert.ok(hosted.text.includes('"meta":{"order":1.50,"big":12345678901234567890}'));
  const shown = await api.call('GET', '/checkout', { query: `?id=${created.json.id}` });
  assert.equal(shown.status, 200, shown.text);
  assert.ok(shown.text.includes('"netAmount":10.10'));
  assert.ok(shown.text.includes('"meta":{"order":1.50,"big":12345678901234567890}'));
});

test('GET /checkout has every field, before and after the commit', async () => {
  const { json } = await create('/checkout/hosted', { charge, settlementAsset: 'BTC:NATIVE' });
  const query = `?id=${json.id}`;
  const before = await api.call('GET', '/checkout', { query });
  assertAsDocumented('GET', '/checkout', before);
  assert.equal(before.json.checkout?.state, 'NEW');
  const body = { checkoutId: json.id, network: 'BITCOIN' };
  await api.call('POST', '/checkout/commit', { body });
  const after = await api.call('GET', '/checkout', { query });
  assertAsDocumented('GET', '/checkout', after);
  assert.equal(after.json.checkout?.state, 'AWAITING_PAYMENT');
  assert.equal(after.json.checkout?.sourceNetwork, 'BITCOIN');
});

test('a checkout of another merchant, or of the other environment, does not exist', async () => {
  const { json } = await create();
  const other = await api.otherMerchant();
  for (const key of [other, api.liveKey]) {
    const shown = await api.call('GET', '/checkout', { key, query: `?id=${json.id}` });
    assert.equal(shown.status, 404);
    const body = { checkoutId: json.id, network: 'LITECOIN' };
    const commit = await api.call('POST', '/checkout/commit', { key, body });
    assert.equal(commit.status, 404);
  }
  for (const query of ['?id=aaaaaaaaaaaa', '?id=nope', '?id=AAAAAAAAAAAA', '?id=']) {
    assert.equal((await api.call('GET', '/checkout', { query })).status, 404, query);
  }
  for (const query of ['', '?id=a&id=b', '?id=%00', `?id=${json.id}&wait=-1`, '?id=a&wait=61']) {
    assert.equal((await api.call('GET', '/checkout', { query })).status, 400, query);
  }
});

test('NUL is refused in the names and values of a query and in a body, never an error of ours', async () => {
  for (const query of ['?meta.a%00=1', '?meta.a=%00', '?meta.%00=', '?customerId=%00', '?%00']) {
    const { status, text } = await api.call('GET', '/checkouts', { query });
    assert.equal(status, 400, `${query}: ${text}`);
    assert.match(text, /must be well-formed/);
  }
  const odd = ['\\u0000', '\\ud83d', '\\udc00 \\ud83d'];
  const texts = [`{"description":"TEXT"}`, `{"reference":"TEXT"}`, `{"TEXT":"a"}`];
  for (const meta of odd.flatMap((text) => texts.map((one) => one.replace('TEXT', text)))) {
    const body = `{"charge":${JSON.stringify(charge)},"meta":${meta}}`;
    assert.equal((await api.call('POST', '/checkout', { body })).status, 400, meta);
  }
});

test('wait holds the answer until the state changes', async () => {
  const { json } = await create();
  const waiting = api.call('GET', '/checkout', { query: `?id=${json.id}&wait=25` });
  while (api.clock.sleepers() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await api.db.single((tx) =>
    tx.query(sql`update checkout set state = 'PENDING' where id = ${String(json.id)}`),
  );
  await api.clock.advance(500);
  assert.equal((await waiting).json.checkout?.state, 'PENDING');
});

test('wait ends when the seconds have passed', async () => {
  const { json } = await create();
  const waiting = api.call('GET', '/checkout', { query: `?id=${json.id}&wait=1` });
  for (let step = 0; step < 2; step += 1) {
    while (api.clock.sleepers() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await api.clock.advance(500);
  }
  assert.equal((await waiting).json.checkout?.state, 'NEW');
});

test('a signature creates at most 20 checkouts', async () => {
  const body = JSON.stringify({ charge, meta: { repeat: true } });
  const statuses: number[] = [];
  for (let use = 0; use < 22; use += 1) {
    statuses.push((await api.call('POST', '/checkout', { body })).status);
  }
  assert.deepEqual(statuses.slice(0, 20), Array(20).fill(200));
  assert.deepEqual(statuses.slice(20), [429, 429]);
});

test('a live key on an installation without real networks is told so', async () => {
  for (const path of ['/checkout', '/checkout/hosted']) {
    const answer = await api.call('POST', path, { key: api.liveKey, body: { charge } });
    assert.equal(answer.status, 503);
    assert.match(String(answer.headers.get('retry-after')), /^\d+$/);
    assert.match(answer.text, /its operator sets BITCOIN_RPC_URL and BITCOIN_DESCRIPTOR/);
  }
});

test('a bad request creates nothing', async () => {
  const count = async () =>
    (await api.db.query<{ n: bigint }>(sql`select count(*) as n from checkout`))[0]?.n;
  const before = await count();
  const bad = [
    '',
    '{}',
    '[]',
    'null',
    '5',
    '{"charge":[]}',
    '{"charge":{"lineItems":[]}}',
    '{"a":',
  ];
  for (const path of ['/checkout', '/checkout/hosted', '/checkout/validate-checkout-charge']) {
    for (const body of bad) {
      const refused = await api.call('POST', path, { body });
      assert.equal(refused.status, 400, `${path} ${body}`);
    }
  }
  assert.equal(await count(), before);
});

test('a charge is validated with all its totals, tolerating the rest of a request', async () => {
  const taxed = {
    ...charge,
    discountItems: [{ description: 'Friend', netAmount: 1 }],
    shippingCostItems: [{ description: 'Post', netAmount: '4.90', taxable: true }],
    taxItems: [{ name: 'VAT', percent: '0.0825' }],
  };
  const body = { charge: taxed, settlementAsset: 'whatever', webhook: 7 };
  const answer = await api.call('POST', '/checkout/validate-checkout-charge', { body });
  assertAsDocumented('POST', '/checkout/validate-checkout-charge', answer);
  assert.deepEqual(answer.json, {
    total: '15.05',
    decimals: 2,
    netTotal: '13.90',
    taxTotal: '1.14675',
    discountTotal: '1.00',
    shippingTotal: '4.90',
  });
});

test('who wants the seller shown and has stored nothing to show is told so', async () => {
  const wish = { charge, pageSettings: { displaySellerInfo: true } };
  const created = await create('/checkout/hosted', wish);
  assertAsDocumented('POST', '/checkout/hosted', created);
  const { warnings } = created.json as { warnings?: string[] };
  assert.match(
    warnings?.join() ?? '',
    /^pageSettings\.displaySellerInfo: there is nothing to show/,
  );
  const without = await create('/checkout/hosted', { charge });
  assert.equal('warnings' in (without.json as object), false);
});

test('the older layout settles in every money that GET /fiat-currencies lists', async () => {
  const listed = await api.call('GET', '/fiat-currencies');
  const codes = (listed.json.fiatCurrencies as unknown as { assetCode: string }[]).map(
    ({ assetCode }) => assetCode,
  );
  assert.ok(codes.length >= 45);
  const lineItems = [{ description: 'Book', netAmount: '1000' }];
  for (const code of codes) {
    const body = { charge: { currency: 'EUR', lineItems }, settlementCurrency: code };
    const made = await api.call('POST', '/checkout', { body });
    assert.equal(made.status, 200, `${code}: ${made.text}`);
    const [method] = made.json.paymentMethods as unknown as { settlement: { assetId: string } }[];
    assert.equal(method?.settlement.assetId, `${code}:FIAT`);
    await api.clock.advance(1_000);
  }
});

test('what is not accepted is answered with what would be', async () => {
  const lineItems = [{ description: 'Book', netAmount: '10' }];
  const refused = await api.call('POST', '/checkout', {
    body: {
      charge: { billingCurrency: 'EURO', lineItems },
      settlementAsset: 'JPY',
      settlementCurrency: 'USDX',
      checkoutLanguage: 'xx',
    },
  });
  assert.equal(refused.status, 400);
  const errors = (refused.json.errors as unknown as string[]).join('\n');
  assert.match(
    errors,
    /charge\.billingCurrency: .*nearest are: EUR, .*all are in GET \/currencies/,
  );
  assert.match(errors, /settlementAsset: .*nearest are: JPY:FIAT, .*all are in GET \/assets/);
  assert.match(errors, /settlementCurrency: .*nearest are: .*USD/);
  assert.match(errors, /checkoutLanguage: must be one of auto, en, de/);
});
