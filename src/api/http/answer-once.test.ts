import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Outage } from '#base/refusal.ts';
import { type Db, sql } from '#db/db.ts';
import { type CallOptions, openTestApi, type TestApi } from '#test/support/test-api.ts';
import { answerOnce } from './answer-once.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi();
});
after(() => api.close());

const charge = {
  billingCurrency: 'EUR',
  lineItems: [{ description: 'Book', netAmount: 10 }],
};
const checkout = { charge };

const create = (key: string, options: CallOptions & { path?: string } = {}) =>
  api.call('POST', options.path ?? '/checkout', {
    body: checkout,
    ...options,
    headers: { 'idempotency-key': key },
  });

async function countCheckouts(): Promise<number> {
  const [row] = await api.db.query<{ n: bigint }>(sql`select count(*) as n from checkout`);
  return Number(row?.n);
}

for (const path of ['/checkout', '/checkout/hosted']) {
  test(`50 POST ${path} at once with the same key make one checkout`, async () => {
    const count = await countCheckouts();
    const all = await Promise.all(
      Array.from({ length: 50 }, () => create(`at once ${path}`, { path })),
    );
    assert.equal(await countCheckouts(), count + 1);
    const right = all.filter(({ status }) => status === 200);
    assert.equal(new Set(right.map(({ text }) => text)).size, 1);
    assert.equal(right.filter(({ headers }) => !headers.has('idempotent-replayed')).length, 1);
    for (const { headers, status } of all.filter((answer) => answer.status !== 200)) {
      const shown = [status, headers.get('x-error-code'), headers.get('retry-after')];
      assert.deepEqual(shown, [409, 'idempotency_key_running', '1']);
    }
    const later = await create(`at once ${path}`, { path });
    assert.equal(later.text, right[0]?.text);
    assert.equal(later.headers.get('idempotent-replayed'), 'true');
  });
}

test('the same key with another body, or on another route, is refused with 422', async () => {
  await create('reused');
  const { charge } = checkout;
  const answers = [
    await create('reused', { body: { ...checkout, charge: { ...charge, note: 1 } } }),
    await create('reused', { body: `${JSON.stringify(checkout)} ` }),
    await create('reused', { path: '/checkout/hosted' }),
  ];
  for (const { status, headers } of answers) {
    assert.deepEqual([status, headers.get('x-error-code')], [422, 'idempotency_key_reused']);
  }
});

test('a key belongs to one merchant and one environment', async () => {
  const key = await api.otherMerchant();
  const [mine, other] = [await create('shared'), await create('shared', { key })];
  assert.deepEqual([mine.status, other.status], [200, 200]);
  assert.notEqual(mine.json.id, other.json.id);
  assert.equal(other.headers.get('idempotent-replayed'), null);
});

test('what was refused is not stored: the corrected request goes through', async () => {
  assert.equal((await create('corrected', { body: {} })).status, 400);
  assert.equal((await create('corrected', { body: 'nonsense' })).status, 400);
  assert.equal((await create('corrected')).status, 200);
});

test('answers are kept for 7 days', async () => {
  const first = await create('old');
  await api.clock.advance(7 * 24 * 3_600_000 - 1000);
  assert.equal((await create('old')).text, first.text);
  await api.clock.advance(2000);
  const again = await create('old');
  assert.equal(again.headers.get('idempotent-replayed'), null);
  assert.notEqual(again.json.id, first.json.id);
});

for (const key of ['', 'a'.repeat(256), 'ä']) {
  test(`the key ${JSON.stringify(key).slice(0, 20)} is refused`, async () => {
    const { status, headers } = await create(key);
    assert.deepEqual([status, headers.get('x-error-code')], [400, 'idempotency_key_malformed']);
  });
}

test('replays do not count as repeats of the signature, new keys do', async () => {
  await api.clock.advance(60_000);
  for (let n = 0; n < 30; n += 1) assert.equal((await create('often')).status, 200);
  const statuses: number[] = [];
  for (let n = 0; n < 20; n += 1) statuses.push((await create(`other ${n}`)).status);
  assert.deepEqual(statuses.slice(18), [200, 429]);
});

const request = (key: string) => ({
  caller: { merchantId: api.merchantId, environment: 'test' as const },
  endpoint: { method: 'POST', path: '/made-up', auth: 'create' } as const,
  key,
  body: new Uint8Array(0),
});

/** An effect to be counted. */
async function effect(db: Db): Promise<{ done: boolean }> {
  await db.single((tx) => tx.query(sql`insert into effect values (1)`));
  return { done: true };
}

/** The server of the database needs a moment to notice; the sender is told to repeat. */
async function onceFree<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      const isRunning = (error as { code?: string }).code === 'idempotency_key_running';
      if (!isRunning || attempt === 1_500) throw error;
      await wait(20);
    }
  }
}

test('a connection that dies between the effect and its answer leaves neither', async () => {
  await api.db.single((tx) => tx.query(sql`create table effect (n integer)`));
  const count = async () => (await api.db.query(sql`select n from effect`)).length;
  const died = answerOnce(api.app, request('dies'), async (db) => {
    const answer = await effect(db);
    await db.query(sql`select pg_terminate_backend(pg_backend_pid())`);
    return answer;
  });
  await assert.rejects(died, Outage);
  assert.equal(await count(), 0);
  const { isReplayed } = await onceFree(() => answerOnce(api.app, request('dies'), effect));
  assert.deepEqual([isReplayed, await count()], [false, 1]);
  const replayed = await answerOnce(api.app, request('dies'), effect);
  assert.deepEqual([replayed.isReplayed, replayed.text, await count()], [true, '{"done":true}', 1]);
});

test('a failure that shows only when the act is done reaches the act itself', async () => {
  await api.db.single((tx) =>
    tx.query(sql`create table one (n integer unique deferrable initially deferred)`),
  );
  let caught: unknown;
  const act = async (db: Db) => {
    const insertTwo = db.transact(async (tx) => {
      tx.send(sql`insert into one values (1)`);
      tx.send(sql`insert into one values (1)`);
    });
    await insertTwo.catch((error: unknown) => {
      caught = error;
      throw error;
    });
    return {};
  };
  await assert.rejects(answerOnce(api.app, request('deferred'), act), { code: '23505' });
  assert.equal((caught as { constraint?: string }).constraint, 'one_n_key');
});

test('a stored answer is sealed: a copy of the database opens no page and no claim', async () => {
  const { text } = await create('sealed', { path: '/checkout/hosted' });
  const { url } = JSON.parse(text) as { url: string };
  const token = url.slice(url.lastIndexOf('/') + 1);
  const rows = await api.db.query<{ row: string }>(
    sql`select encode(sealed_answer, 'escape') as row from idempotency_key where key = 'sealed'`,
  );
  assert.equal(rows.length, 1);
  assert.ok(!rows[0]?.row.includes(token));
  const again = await create('sealed', { path: '/checkout/hosted' });
  assert.equal(again.text, text);
});
