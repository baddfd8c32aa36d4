// service.md, Authentication: the preferred method is configured in the API settings of the account.
// What a key may be sent as follows it at once.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApiKey, type NewApiKey } from '#access/api-key.ts';
import { listActs } from '#audit/act.ts';
import { openDashboardWorld } from '#test/support/dashboard-world.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi();
});
after(() => api.close());

async function basicStatus(key: NewApiKey): Promise<number> {
  return (await api.call('GET', '/auth-test', { key, auth: 'basic' })).status;
}

const settings = (body?: object) =>
  body === undefined
    ? api.call('GET', '/account-settings')
    : api.call('PUT', '/account-settings', { body });

test('a test account takes X-Basic until it prefers digest: every key, those of now and later', async () => {
  const { merchantId, app } = api;
  const owner = { merchantId, environment: 'test' as const };
  const early = await createApiKey(app, owner);
  assert.equal((await settings()).json.accountSettings?.preferredAuthentication, 'BASIC');
  assert.equal(await basicStatus(early), 200);

  const { status, json } = await settings({ preferredAuthentication: 'DIGEST' });
  assert.equal(status, 200);
  assert.equal(json.accountSettings?.preferredAuthentication, 'DIGEST');
  const late = await createApiKey(app, owner);
  assert.deepEqual([await basicStatus(early), await basicStatus(late)], [403, 403]);
  assert.equal((await settings()).status, 200, 'digest is always taken');
  const [act] = await listActs(app.db, { verb: 'merchant-set' }, 1);
  assert.equal(JSON.parse(act?.details ?? '').preferredAuthentication, 'DIGEST');

  await settings({ preferredAuthentication: 'BASIC' });
  assert.deepEqual([await basicStatus(early), await basicStatus(late)], [200, 200]);
  const wrong = await settings({ preferredAuthentication: 'NONE' });
  assert.equal(wrong.status, 400);
});

test('test and live are apart, and live keys are signed unless somebody prefers otherwise', async () => {
  const { merchantId, app } = api;
  const live = await createApiKey(app, { merchantId, environment: 'live' });
  await settings({ preferredAuthentication: 'BASIC' });
  assert.equal(await basicStatus(live), 403);
});

test('the room of keys shows the method and changes it, after a proof and with who in the trail', async () => {
  const world = await openDashboardWorld();
  const developer = await world.comeAs('DEVELOPER');
  const path = `${world.shop}/keys`;
  assert.match((await developer.get(path)).markup, /<option value="BASIC" selected>/);
  const done = await developer.submit(path, { act: 'prefer', method: 'DIGEST' });
  assert.equal(done.status, 303);
  assert.match((await developer.get(path)).markup, /<option value="DIGEST" selected>/);
  const [act] = await listActs(world.app.db, { verb: 'key-prefer' }, 1);
  assert.match(act?.actor ?? '', /^person /);
  await world.clock.advance(Temporal.Duration.from({ minutes: 11 }));
  await developer.get(path);
  const later = await developer.submit(path, { act: 'prefer', method: 'BASIC' });
  assert.match(later.location ?? '', /^\/dashboard\/proof/);
  await world.close();
});
