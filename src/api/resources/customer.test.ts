import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApiKey, type NewApiKey } from '#access/api-key.ts';
import { sql } from '#db/db.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi();
});
after(() => api.close());

const NOTHING = {
  firstname: null,
  lastname: null,
  company: null,
  adr1: null,
  adr2: null,
  zip: null,
  city: null,
  countrycode: null,
  phonenumber: null,
  taxid: null,
  note: null,
  meta: null,
};

const FULL = {
  email: 'ada@example.com',
  firstname: 'Ada',
  lastname: 'Lovelace',
  company: 'Engines & Co',
  adr1: 'St James’s Square 12',
  adr2: '2nd floor',
  zip: 'SW1Y 4LB',
  city: 'London',
  countrycode: 'GB',
  phonenumber: '+44 20 7946 0000',
  taxid: 'GB123456789',
  note: 'pays late 🙂',
};

async function create(customer: object, key: NewApiKey = api.key): Promise<string> {
  const created = await api.call('POST', '/customer', { key, body: { customer } });
  assert.equal(created.status, 200, created.text);
  return String(created.json.customerId);
}

async function show(id: string, key: NewApiKey = api.key) {
  return api.call('GET', '/customer', { key, query: `?id=${id}` });
}

test('only the e-mail address is required', async () => {
  const created = await api.call('POST', '/customer', {
    body: { customer: { email: 'a@example.com' } },
  });
  assert.equal(created.status, 200, created.text);
  const id = String(created.json.customerId);
  assert.match(id, /^[a-z0-9]{12}$/);
  assert.deepEqual(created.json, { customerId: id });
  const shown = await show(id);
  const timestamp = '2026-11-21T10:00:00+00:00';
  assert.deepEqual(shown.json, { customer: { id, email: 'a@example.com', ...NOTHING, timestamp } });
});

test('every field comes back as it was given, meta with the text of its numbers', async () => {
  const meta = '{"vip":true,"score":1.50,"big":12345678901234567890,"list":[null,"é"],"2":1}';
  const fields = JSON.stringify(FULL).slice(1, -1);
  const body = `{"customer":{${fields},"meta":${meta}}}`;
  const created = await api.call('POST', '/customer', { body });
  const id = String(created.json.customerId);
  const shown = await show(id);
  const expected = `{"customer":{"id":"${id}",${fields},"meta":`;
  assert.ok(shown.text.startsWith(expected), shown.text);
  assert.ok(shown.text.includes('"score":1.50,"big":12345678901234567890'), shown.text);
  assert.deepEqual(shown.json.customer?.meta, JSON.parse(meta));
});

test('a change is partial, and null clears', async () => {
  const id = await create({ ...FULL, meta: { a: 1 } });
  const put = (fields: object) =>
    api.call('PUT', '/customer', { body: { customer: { id, ...fields } } });
  const changed = await put({ city: 'Paris', countrycode: 'fr', note: null });
  const timestamp = '2026-11-21T10:00:00+00:00';
  const expected = {
    ...{ id, ...FULL, meta: { a: 1 }, timestamp },
    ...{ city: 'Paris', countrycode: 'FR', note: null },
  };
  assert.deepEqual(changed.json, { customer: expected });
  assert.deepEqual((await show(id)).json, changed.json);
  const cleared = await put({ meta: null, countrycode: '' });
  const afterwards = { ...expected, meta: null, countrycode: null };
  assert.deepEqual(cleared.json, { customer: afterwards });
  assert.deepEqual((await put({})).json, cleared.json);
  assert.deepEqual((await put({ meta: {} })).json, { customer: { ...afterwards, meta: {} } });
  const moved = await put({ email: 'new@example.com' });
  assert.equal(moved.json.customer?.email, 'new@example.com');
});

test('a deleted customer is gone, and nothing personal is left of it', async () => {
  for (const bodyOf of [(id: string) => ({ id }), (id: string) => ({ customer: { id } })]) {
    const id = await create({ ...FULL, meta: { secret: 1 } });
    const deleted = await api.call('DELETE', '/customer', { body: bodyOf(id) });
    assert.deepEqual([deleted.status, deleted.json], [200, { customerId: id }]);
    assert.equal((await show(id)).status, 404);
    const [row] = await api.db.query(sql`
      select email, firstname, lastname, company, adr1, adr2, zip, city, countrycode, phonenumber,
        taxid, note, meta from customer where id = ${id}`);
    assert.deepEqual(row, { email: '', ...NOTHING });
    const again = await api.call('DELETE', '/customer', { body: bodyOf(id) });
    assert.equal(again.status, 404);
    const put = { customer: { id, email: 'back@example.com' } };
    assert.equal((await api.call('PUT', '/customer', { body: put })).status, 404);
  }
});

test('what is wrong is named, all of it at once', async () => {
  const id = await create({ email: 'a@example.com' });
  const long = (length: number) => '😀'.repeat(length);
  const cases: [string, unknown, string[]][] = [
    ['POST', {}, ['Invalid request. customer: is required']],
    ['POST', { customer: [] }, ['Invalid request. customer: must be an object']],
    ['POST', { customer: { email: null } }, ['Invalid request. customer.email: is required']],
    [
      'POST',
      { customer: { email: 'nobody', firstname: 5, countrycode: 'UK', meta: [1] } },
      [
        'Invalid request. customer.email: must be an e-mail address',
        'customer.firstname: must be text',
        'customer.countrycode: must be a country code of ISO 3166-1 (DE, BR)',
        'customer.meta: must be an object',
      ],
    ],
    [
      'POST',
      { customer: { email: 'a@b.de', firstname: long(201), zip: long(21), note: long(2001) } },
      [
        'Invalid request. customer.firstname: must have at most 200 characters',
        'customer.zip: must have at most 20 characters',
        'customer.note: must have at most 2000 characters',
      ],
    ],
    [
      'POST',
      { customer: { email: 'a@b.de', meta: { a: 'x'.repeat(16_400) } } },
      ['Invalid request. customer.meta: must have at most 16384 bytes'],
    ],
    [
      'POST',
      { customer: { email: 'a@b.de', firstName: 'Ada' } },
      ['Invalid request. customer.firstName: is unknown, firstname is probably meant'],
    ],
    ['PUT', { customer: { email: 'a@b.de' } }, ['Invalid request. customer.id: is required']],
    ['PUT', { customer: { id, email: null } }, ['Invalid request. customer.email: is required']],
    ['DELETE', {}, ['Invalid request. id: is required']],
    ['DELETE', { customer: {} }, ['Invalid request. id: is required']],
    [
      'DELETE',
      { id, customer: { id: 'aaaaaaaaaaaa' } },
      ['Invalid request. customer.id: differs from id'],
    ],
  ];
  for (const [method, body, errors] of cases) {
    const refused = await api.call(method, '/customer', { body: body as object });
    assert.deepEqual([refused.status, refused.json], [400, { errors }], JSON.stringify(body));
    assert.equal(refused.headers.get('x-error-code'), 'validation_failed');
  }
  const kept = await show(id);
  assert.equal(kept.json.customer?.email, 'a@example.com');
});

test('lengths count code points: 200 emoji are 200 characters', async () => {
  const firstname = '😀'.repeat(200);
  const id = await create({ email: 'a@example.com', firstname });
  assert.equal((await show(id)).json.customer?.firstname, firstname);
});

test('a customer of another merchant, or of the other environment, does not exist', async () => {
  const id = await create(FULL);
  const other = await api.otherMerchant();
  const missing = { errors: ['Not found. no such customer'] };
  for (const key of [other, api.liveKey]) {
    const put = { customer: { id, note: 'mine' } };
    for (const answer of [
      await show(id, key),
      await api.call('PUT', '/customer', { key, body: put }),
      await api.call('DELETE', '/customer', { key, body: { id } }),
    ]) {
      assert.deepEqual([answer.status, answer.json], [404, missing]);
      assert.equal(answer.headers.get('x-error-code'), 'customer_missing');
    }
    const listed = await api.call('GET', '/customers', { key });
    assert.deepEqual(listed.json, { customers: [], nextCursor: null });
  }
  assert.equal((await show(id)).json.customer?.note, FULL.note);
});

test('a list shows the newest first, page by page, each customer once', async () => {
  const key = await api.otherMerchant();
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    ids.unshift(await create({ email: `c${index}@example.com` }, key));
    // Two share a moment: the id decides between them.
    if (index !== 2) await api.clock.advance(1000);
  }
  await api.call('DELETE', '/customer', { key, body: { id: ids[0] } });
  const seen: string[] = [];
  let query = '?limit=2';
  for (let page = 0; page < 3; page += 1) {
    const { json, status, text } = await api.call('GET', '/customers', { key, query });
    assert.equal(status, 200, text);
    const customers = json.customers as unknown as { id: string }[];
    seen.push(...customers.map(({ id }) => id));
    if (json.nextCursor === null) break;
    query = `?limit=2&cursor=${json.nextCursor}`;
  }
  const [, second = '', ...older] = ids;
  const tied = [second, older[0] ?? ''].toSorted().reverse();
  assert.deepEqual(seen.slice(2), older.slice(1));
  assert.deepEqual(new Set(seen.slice(0, 2)), new Set(tied));
  assert.equal((await api.call('GET', '/customers', { key, query: '?limit=0' })).status, 400);
});

test('a checkout can name a customer of its merchant, and no other', async () => {
  const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '10' }] };
  const customerId = await create(FULL);
  const foreign = await create(FULL, await api.otherMerchant());
  const live = await create(FULL, api.liveKey);
  const deleted = await create(FULL);
  await api.call('DELETE', '/customer', { body: { id: deleted } });
  for (const path of ['/checkout', '/checkout/hosted']) {
    const post = (id: string) =>
      api.call('POST', path, { body: { charge: { ...charge, customerId: id } } });
    const created = await post(customerId);
    assert.equal(created.status, 200, created.text);
    const query = `?id=${created.json.id}`;
    const shown = await api.call('GET', '/checkout', { query });
    assert.equal(shown.json.checkout?.payload?.charge?.customerId, customerId);
    for (const unknown of ['aaaaaaaaaaaa', foreign, live, deleted]) {
      const refused = await post(unknown);
      assert.equal(refused.status, 400);
      assert.deepEqual(refused.json, {
        errors: ['Invalid request. charge.customerId: is no customer of this account'],
      });
    }
  }
});

test('bodies are read as older clients send them, and signed as they are', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const escaped = '{"customer":{"email":"a@example.com","company":"A\\/B \\u00e9","note":null}}';
  const created = await api.call('POST', '/customer', { body: escaped, headers });
  const id = String(created.json.customerId);
  assert.equal((await show(id)).json.customer?.company, 'A/B é');
  const change = `{"customer":{"id":"${id}","city":"S\\u00e3o Paulo","zip":"1\\/2"}}`;
  const changed = await api.call('PUT', '/customer', { body: change, headers });
  assert.equal(changed.json.customer?.city, 'São Paulo');
  const forged = await api.call('DELETE', '/customer', { body: { id }, signedBody: '' });
  assert.equal(forged.status, 401);
  const other = await api.call('DELETE', '/customer', {
    body: { id },
    signedBody: '{"id":"aaaaaaaaaaaa"}',
  });
  assert.equal(other.status, 401);
  const body = `{ "customer" : { "id" : "${id}" } }`;
  assert.equal((await api.call('DELETE', '/customer', { body, headers })).status, 200);
});

test('a key needs the scope of customers to change them, and to read them that of reading', async () => {
  const id = await create({ email: 'a@example.com' });
  const made = { merchantId: api.merchantId, environment: 'test' } as const;
  const reader = await createApiKey(api.app, { ...made, scopes: ['read'] });
  const writer = await createApiKey(api.app, { ...made, scopes: ['customer'] });
  const put = { customer: { id, note: 'x' } };
  assert.equal((await show(id, reader)).status, 200);
  assert.equal((await show(id, writer)).status, 403);
  assert.equal((await api.call('PUT', '/customer', { key: reader, body: put })).status, 403);
  assert.equal((await api.call('PUT', '/customer', { key: writer, body: put })).status, 200);
});
