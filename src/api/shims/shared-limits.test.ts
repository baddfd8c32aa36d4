// A key and an address have one share of requests, in whichever words they ask.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { basicValue } from '#access/api-key.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { createShims } from './create-shims.ts';

const PER_KEY = 4;
const PER_ADDRESS = 20;

let api: TestApi;
let ask: (credential: string) => Promise<number>;
before(async () => {
  api = await openTestApi({ rateLimits: { perKey: PER_KEY, perAddress: PER_ADDRESS } });
  const shims = createShims(api.app, api.api.limits);
  ask = async (credential) => {
    const path = '/commerce/charges';
    const headers = { 'x-cc-api-key': credential };
    const answer = await shims(new Request(`http://pay.example${path}`, { headers }), path, {});
    assert(answer !== undefined);
    return answer.status;
  };
});
after(() => api.close());

test('what a key asks in our words is counted when it asks in others', async () => {
  const { key, secret } = api.key;
  for (let at = 1; at < PER_KEY; at += 1) {
    assert.equal((await api.call('GET', '/checkouts')).status, 200);
  }
  assert.equal(await ask(basicValue(key, secret)), 200);
  assert.equal(await ask(basicValue(key, secret)), 429);
  assert.equal((await api.call('GET', '/checkouts')).status, 429);
});

test('whoever guesses a key has no guesses left in other words', async () => {
  const guess = () => api.call('GET', '/checkouts', { headers: { 'x-digest-signature': 'a' } });
  const wrong = basicValue('aaaaaaaaaaaa', 'bbbb-bbbb-bbbb-bbbb-bbbb-bbbb');
  assert.deepEqual([(await guess()).status, (await guess()).status], [401, 401]);
  assert.equal(await ask(wrong), 429);
});
