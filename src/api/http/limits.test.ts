import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { openTestApi } from '#test/support/test-api.ts';
import { createRateLimits } from './limits.ts';

const start = '2026-11-21T10:00:00Z';

test('a minute of calls may be made at once, then as many as time brings', async () => {
  const clock = manualClock(start);
  const limits = createRateLimits(clock, { perKey: 60, perAddress: 0 });
  for (let n = 0; n < 60; n += 1) limits.takeKey('one');
  assert.throws(() => limits.takeKey('one'), {
    kind: 'too-many',
    code: 'rate_limited',
    retryAfterSeconds: 1,
  });
  limits.takeKey('another');
  await clock.advance(1000);
  limits.takeKey('one');
  assert.throws(() => limits.takeKey('one'));
});

test('waiting as long as told is enough', async () => {
  const clock = manualClock(start);
  const limits = createRateLimits(clock, { perKey: 2, perAddress: 0 });
  limits.takeKey('one');
  limits.takeKey('one');
  assert.throws(() => limits.takeKey('one'), { retryAfterSeconds: 30 });
  await clock.advance(30_000);
  limits.takeKey('one');
});

test('an IPv6 client is its /64', () => {
  const limits = createRateLimits(manualClock(start), { perKey: 0, perAddress: 1 });
  limits.takeAddress('2001:db8:1:2::1');
  assert.throws(() => limits.takeAddress('2001:db8:1:2:ffff::9'));
  limits.takeAddress('2001:db8:1:3::1');
});

test('somebody who guesses runs dry himself and never locks the key he names', async () => {
  const api = await openTestApi({ rateLimits: { perKey: 100, perAddress: 100 } });
  try {
    api.app.config.trustedProxies.push('127.0.0.1');
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    const guess = { ...from('192.0.2.66'), skew: -100 };
    const statuses: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const { status, headers } = await api.call('GET', '/auth-test', guess);
      statuses.push(status);
      if (status === 429) assert.match(headers.get('retry-after') ?? '', /^[1-9]/);
    }
    assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429]);
    const honest = await api.call('GET', '/auth-test', from('198.51.100.1'));
    assert.equal(honest.status, 200);
  } finally {
    await api.close();
  }
});

test('failures and floods of strangers refuse no right key, where all have one address', async () => {
  const api = await openTestApi({ rateLimits: { perKey: 100, perAddress: 100 } });
  try {
    const statuses = async (times: number, options: object, path = '/auth-test') => {
      const seen: number[] = [];
      for (let n = 0; n < times; n += 1) seen.push((await api.call('GET', path, options)).status);
      return seen;
    };
    assert.deepEqual((await statuses(15, { skew: -100 })).slice(9), [401, ...Array(5).fill(429)]);
    assert.deepEqual((await statuses(101, { auth: 'none' }, '/time')).slice(99), [200, 429]);
    assert.equal((await statuses(1, { auth: 'none' }, '/nothing'))[0], 429);
    assert.deepEqual(await statuses(20, {}), Array(20).fill(200));
  } finally {
    await api.close();
  }
});

test('a key over its limit is told when to come back, and another key is served', async () => {
  const api = await openTestApi({ rateLimits: { perKey: 3, perAddress: 100 } });
  try {
    for (let n = 0; n < 3; n += 1) await api.call('GET', '/auth-test');
    const refused = await api.call('GET', '/auth-test');
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('x-error-code'), 'rate_limited');
    assert.equal(refused.headers.get('retry-after'), '20');
    assert.equal((await api.call('GET', '/auth-test', { key: api.liveKey })).status, 200);
    await api.clock.advance(20_000);
    assert.equal((await api.call('GET', '/auth-test')).status, 200);
  } finally {
    await api.close();
  }
});

test('an answer says which limits there are, what is left of each, and when it is one more', async () => {
  const api = await openTestApi({ rateLimits: { perKey: 3, perAddress: 120 } });
  try {
    const ask = async (path = '/auth-test', options = {}) => {
      const { status, headers } = await api.call('GET', path, options);
      const [policy, limit] = [headers.get('ratelimit-policy'), headers.get('ratelimit')];
      return { status, policy, limit, retryAfter: headers.get('retry-after') };
    };
    const policy = '"address";q=120;w=60, "key";q=3;w=60';
    const said = (limit: string) => ({ status: 200, policy, limit, retryAfter: null });
    assert.deepEqual(await ask(), said('"address";r=119;t=1, "key";r=2;t=20'));
    await api.clock.advance(5_000);
    assert.deepEqual(await ask(), said('"address";r=119;t=1, "key";r=1;t=15'));
    const missing = { ...said('"address";r=118;t=1, "key";r=0;t=15'), status: 404 };
    assert.deepEqual(await ask('/checkout', { query: '?id=aaaaaaaaaaaa' }), missing);
    assert.deepEqual(await ask(), {
      ...{ status: 429, policy, retryAfter: '15' },
      limit: '"address";r=117;t=1, "key";r=0;t=15',
    });
    assert.deepEqual(await ask('/time', { auth: 'none' }), {
      ...{ status: 200, policy: '"unsigned";q=120;w=60', retryAfter: null },
      limit: '"unsigned";r=119;t=1',
    });
  } finally {
    await api.close();
  }
});

test('who fails to prove a key is told of a limit only when he is above it', async () => {
  const api = await openTestApi({ rateLimits: { perKey: 100, perAddress: 10 } });
  try {
    const guess = async () => (await api.call('GET', '/auth-test', { skew: -100 })).headers;
    assert.equal((await guess()).get('ratelimit'), null);
    const above = await guess();
    assert.equal(above.get('ratelimit'), `"failures";r=0;t=${above.get('retry-after')}`);
    assert.equal(above.get('ratelimit-policy'), '"failures";q=10;w=60');
  } finally {
    await api.close();
  }
});

test('where nothing is limited nothing is said of limits', async () => {
  const api = await openTestApi({ rateLimits: { perKey: 0, perAddress: 0 } });
  try {
    const { headers } = await api.call('GET', '/auth-test');
    assert.equal(headers.get('ratelimit') ?? headers.get('ratelimit-policy'), null);
  } finally {
    await api.close();
  }
});

test('whoever repeats a money-moving request of somebody uses up nothing of the key', async () => {
  const api = await openTestApi({ rateLimits: { perKey: 2, perAddress: 0 } });
  try {
    const owner = { merchantId: api.merchantId, environment: 'test' } as const;
    await allowAddress(api.app, owner, { use: 'withdrawals', address: '127.0.0.1' });
    const swap = () => api.call('POST', '/swap', { body: {} });
    assert.equal((await swap()).headers.get('x-error-code'), 'validation_failed');
    for (let times = 0; times < 3; times += 1) {
      assert.equal((await swap()).headers.get('x-error-code'), 'signature_used');
    }
    assert.equal((await api.call('GET', '/auth-test')).status, 200);
    assert.equal((await api.call('GET', '/auth-test')).status, 429);
  } finally {
    await api.close();
  }
});
