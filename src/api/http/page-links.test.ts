import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hasPages } from '#api/endpoint-errors.ts';
import { ROUTES } from '#api/routes.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi();
});
after(() => api.close());

/** Targets by their relation, below the version. */
function readLinks(header: string | null): Readonly<Record<string, string>> {
  const links = (header ?? '').matchAll(/<\/api\/v1([^>]*)>; rel="(\w+)"/g);
  return Object.fromEntries(Array.from(links, ([, target = '', name = '']) => [name, target]));
}

async function list(target: string) {
  const [path = '', query] = target.split('?');
  const called = await api.call('GET', path, query === undefined ? {} : { query: `?${query}` });
  assert.equal(called.status, 200, called.text);
  return { ...called, links: readLinks(called.headers.get('link')) };
}

test('links lead through a list to its end, with the filters of the first request', async () => {
  const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '1' }] };
  for (const order of ['a&b', 'a&b', 'other', 'a&b']) {
    await api.call('POST', '/checkout', { body: { charge, meta: { order } } });
    await api.clock.advance(1000);
  }
  const begin = '/checkouts?limit=1&meta.order=a%26b';
  const seen: unknown[] = [];
  let page = await list(begin);
  for (;;) {
    const checkouts = page.json.checkouts as unknown as { id: string; meta: object }[];
    for (const { meta } of checkouts) assert.deepEqual(meta, { order: 'a&b' });
    seen.push(...checkouts.map(({ id }) => id));
    assert.equal(page.links.first, begin);
    assert.equal(page.links.next === undefined, page.json.nextCursor === null);
    if (page.links.next === undefined) break;
    assert.equal(page.links.next, `${begin}&cursor=${page.json.nextCursor}`);
    page = await list(page.links.next);
  }
  assert.equal(new Set(seen).size, 3);
});

test('nothing of a query stands in a link as it came', async () => {
  const { headers } = await list('/checkouts?meta.x=%3E%0D%0A%22%3Bé');
  assert.equal(
    headers.get('link'),
    '</api/v1/checkouts?meta.x=%3E%0D%0A%22%3B%C3%A9>; rel="first"',
  );
});

test('each list that has pages has links, and no other answer has', async () => {
  for (const { method, path, response, request } of ROUTES) {
    if (method !== 'GET' || path.includes('{id}')) continue;
    const { status, headers } = await api.call('GET', path);
    if (status !== 200) {
      assert.ok(request !== undefined, path);
      continue;
    }
    assert.equal(headers.get('link') !== null, hasPages(response), path);
  }
});

test('a query too long to be said again is answered without links', async () => {
  const { headers } = await list(`/customers?none=${'x'.repeat(2048)}`);
  assert.equal(headers.get('link'), null);
});
