import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApiKey } from '#access/api-key.ts';
import { newId } from '#base/id.ts';
import { silentLog } from '#base/log.ts';
import { type Db, sql } from '#db/db.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { countMissed, findRequest, forgetRequests, listRequests } from './api-request.ts';
import { createRequestLog, type NotedRequest } from './keep-requests.ts';

const ALL = { hiddenScopes: [], cursor: undefined, limit: 100 };

let world: TestApp;
before(async () => {
  world = await openTestApp();
});
after(() => world.close());

/** A shop of its own, with a log that is empty. */
async function openShop(db: Db = world.app.db) {
  const { app, clock } = world;
  const { id: merchantId } = await createMerchant(app, { name: 'Shop' });
  const owner = { merchantId, environment: 'test' } as const;
  const { key } = await createApiKey(app, owner);
  const log = createRequestLog({ db, clock, log: silentLog });
  const noted = (given: Partial<NotedRequest> = {}): NotedRequest => ({
    ...{ id: newId(app.random), owner, apiKey: key, scope: 'checkout', method: 'POST' },
    ...{ path: '/api/v1/checkout', query: '', status: 200, errorCode: undefined, durationMs: 12 },
    address: '203.0.113.7',
    requestHeaders: new Headers({ 'user-agent': 'Shop/1', 'x-basic': 'ab' }),
    requestBody: new TextEncoder().encode('{"reference":"7","password":"x"}'),
    answerHeaders: { 'x-request-id': 'abc' },
    answerBody: '{"id":"7"}',
    ...given,
  });
  const list = () => listRequests(app, owner, ALL);
  return { app, clock, owner, key, log, noted, list };
}

test('what is noted is written a moment later, whole and without secrets, for its own shop alone', async () => {
  const { app, owner, log, noted, list } = await openShop();
  const { id } = noted();
  log.note(noted({ id, query: 'limit=5&token=abc' }));
  assert.equal((await list()).shown.length, 0, 'nothing waits for it');
  await log.write();
  const kept = await findRequest(app, owner, { id, hiddenScopes: [] });
  assert.equal(kept?.requestBody, '{"reference":"7","password":"(cut)"}');
  assert.equal(kept?.requestHeaders, 'user-agent: Shop/1\nx-basic: (cut)');
  assert.equal(kept?.query, 'limit=5&token=(cut)');
  assert.equal(kept?.answerBody, '{"id":"7"}');
  assert.equal(kept?.requestBytes, 32);
  assert.equal(await log.write(), 'idle');

  const other = await openShop();
  for (const stranger of [other.owner, { ...owner, environment: 'live' } as const]) {
    assert.equal(await findRequest(app, stranger, { id, hiddenScopes: [] }), undefined);
    assert.equal((await listRequests(app, stranger, ALL)).shown.length, 0);
  }
  assert.equal(await findRequest(app, owner, { id, hiddenScopes: ['checkout'] }), undefined);
});

test('of a key that was named and not proven nothing is kept but that it was asked', async () => {
  const { app, owner, key, log, noted } = await openShop();
  const { id } = noted();
  log.note(noted({ id, owner: undefined, status: 401, query: 'a=b' }));
  log.note(noted({ owner: undefined, apiKey: 'nobodyskey12', status: 401 }));
  await log.write();
  const kept = await findRequest(app, owner, { id, hiddenScopes: [] });
  assert.equal(kept?.apiKey, key);
  const { query, requestHeaders, requestBody, answerHeaders, answerBody } = kept!;
  assert.deepEqual(
    { query, requestHeaders, requestBody, answerHeaders, answerBody },
    {
      ...{ query: undefined, requestHeaders: undefined, requestBody: undefined },
      ...{ answerHeaders: undefined, answerBody: undefined },
    },
  );
});

test('too many in a minute are missed and counted; whoever guesses takes no place of the shop', async () => {
  const { app, owner, clock, log, noted, list } = await openShop();
  for (let n = 0; n < 100; n += 1) log.note(noted({ owner: undefined, status: 401 }));
  for (let n = 0; n < 700; n += 1) log.note(noted({ path: '/api/v1/wallets' }));
  while ((await log.write()) === 'busy');
  const { shown, nextCursor } = await list();
  assert.equal(shown.length, 100);
  assert.ok(nextCursor !== null);
  const [row] = await app.db.query<{ proven: number; guessed: number }>(sql`
    select count(*) filter (where status = 200)::integer as proven,
      count(*) filter (where status = 401)::integer as guessed
    from api_request where merchant_id = ${owner.merchantId}`);
  assert.deepEqual(row, { proven: 600, guessed: 60 });
  assert.equal(await countMissed(app, owner), 100n);
  await clock.advance(60_000);
  log.note(noted({ path: '/api/v1/time' }));
  await log.write();
  assert.equal((await list()).shown[0]?.path, '/api/v1/time');
});

test('what cannot be written is missed, and counted when the database is back', async () => {
  let isUp = false;
  const { db } = world.app;
  const breaking: Db = {
    ...db,
    query: (statement) => db.query(statement),
    transact: (act) => (isUp ? db.transact(act) : Promise.reject(new Error('away'))),
  };
  const { app, owner, log, noted, list } = await openShop(breaking);
  log.note(noted());
  log.note(noted());
  await assert.rejects(log.write(), /away/);
  await assert.rejects(log.write(), /away/, 'the count alone waits now');
  isUp = true;
  assert.equal(await log.write(), 'idle');
  assert.equal(await countMissed(app, owner), 2n);
  assert.equal((await list()).shown.length, 0);
});

test('what waits is bounded in number and in bytes', async () => {
  const { app, owner, log, noted } = await openShop();
  const keys = Array.from({ length: 10 }, (_, n) => `key${n}`);
  for (const apiKey of keys) for (let n = 0; n < 300; n += 1) log.note(noted({ apiKey }));
  while ((await log.write()) === 'busy');
  assert.equal(await countMissed(app, owner), 1_000n);
  const large = await openShop();
  const answerBody = JSON.stringify({ text: 'x'.repeat(60_000) });
  for (let n = 0; n < 300; n += 1) large.log.note(large.noted({ answerBody }));
  while ((await large.log.write()) === 'busy');
  const missed = await countMissed(app, large.owner);
  assert.ok(missed > 150n && missed < 170n, `${missed}: 16 MiB are about 137 of them`);
});

test('filters find by status, path and key, and go on where nothing was found', async () => {
  const { app, owner, key, log, noted } = await openShop();
  log.note(noted({ status: 404, path: '/api/v1/transfer', errorCode: 'route_missing' }));
  log.note(noted({ status: 500, path: '/api/v1/checkout/commit' }));
  log.note(noted({ apiKey: 'another' }));
  await log.write();
  const pathsOf = async (filter: object) => {
    const { shown } = await listRequests(app, owner, { ...ALL, ...filter });
    return shown.map(({ status, path }) => `${status} ${path}`);
  };
  assert.deepEqual(await pathsOf({ status: [400, 499] }), ['404 /api/v1/transfer']);
  assert.deepEqual(await pathsOf({ path: '/api/v1/checkout/' }), ['500 /api/v1/checkout/commit']);
  assert.deepEqual(await pathsOf({ path: '%' }), [], 'a path is no pattern');
  assert.equal((await pathsOf({ apiKey: key })).length, 2);
  assert.deepEqual(await pathsOf({ hiddenScopes: ['checkout'] }), []);
});

test('after seven days they are not shown, and when their day is a week over they are gone', async () => {
  const { app, clock, owner, log, noted, list } = await openShop();
  const forgetAll = async () => {
    // Also what other tests left.
    while ((await forgetRequests(app)).hasMore);
  };
  log.note(noted());
  await log.write();
  await clock.advance(7 * 24 * 3_600_000 - 1000);
  await forgetAll();
  assert.equal((await list()).shown.length, 1);
  await clock.advance(2000);
  assert.equal((await list()).shown.length, 0);
  await clock.advance(24 * 3_600_000);
  await forgetAll();
  const rows = await app.db.query(sql`
    select 1 from api_request where merchant_id = ${owner.merchantId}`);
  assert.equal(rows.length, 0);
});
