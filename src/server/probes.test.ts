import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Outage } from '#base/refusal.ts';
import { type Db, sql } from '#db/db.ts';
import type { Loop, LoopHealth } from '#runtime/loop.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import type { App } from './app.ts';
import { createProbes, isOperatorRequest, type PROBE_PATHS } from './probes.ts';

let world: TestApp;
before(async () => {
  world = await openTestApp();
});
after(() => world.close());

type Told = { readonly status: number; readonly body: Record<string, unknown> };

async function ask(
  path: (typeof PROBE_PATHS)[number],
  { app = world.app, isOperator = true, running = [] as readonly Loop[] } = {},
): Promise<Told> {
  const answer = await createProbes(app, running).answer(path, isOperator);
  assert.ok(answer !== undefined);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

function withDb(query: Db['query']): App {
  return { ...world.app, db: { ...world.app.db, query, read: (act) => act({ query }) } };
}

const away = () =>
  withDb(() => Promise.reject(new Outage('database', { cause: new Error('refused') })));

function job(health: Partial<LoopHealth>): Loop {
  const whole = { name: 'watch test:LITECOIN', consecutiveFailures: 0, steps: 1, ...health };
  return { health: () => whole, stop: async () => undefined };
}

test('while all is well it is live, ready and well', async () => {
  assert.deepEqual(await ask('/live'), { status: 200, body: { status: 'ok' } });
  assert.deepEqual(await ask('/ready'), { status: 200, body: { status: 'ready' } });
  const { status, body } = await ask('/health');
  assert.deepEqual([status, body.status, body.database, body.failing], [200, 'ok', 'ok', []]);
  assert.equal((body.chains as unknown[]).length, world.app.networks.size);
});

test('a dead chain is told and takes nothing away', async () => {
  const running = [job({ consecutiveFailures: 7, lastError: 'nobody answers' })];
  assert.equal((await ask('/ready', { running })).status, 200);
  const { status, body } = await ask('/health', { running });
  assert.deepEqual([status, body.status, body.failing], [200, 'failing', ['watch test:LITECOIN']]);
});

test('without its database it lives, and is not ready', async () => {
  assert.equal((await ask('/live', { app: away() })).status, 200);
  assert.deepEqual(await ask('/ready', { app: away() }), {
    status: 503,
    body: { status: 'not ready', fault: 'database away' },
  });
  const { status, body } = await ask('/health', { app: away() });
  assert.deepEqual([status, body.status, body.database], [503, 'failing', 'away']);
});

test('a database that answers nothing is away after three seconds', async () => {
  const frozen = withDb(() => new Promise(() => undefined));
  for (const path of ['/ready', '/health'] as const) {
    const answer = ask(path, { app: frozen });
    await new Promise((resolve) => setImmediate(resolve));
    await world.clock.advance(3_000);
    assert.equal((await answer).status, 503, path);
  }
});

test('a database of an older program is not served from', async () => {
  const older = withDb(async <Row>() => [{ name: '0001-first' }] as Row[]);
  assert.equal((await ask('/ready', { app: older })).body.fault, 'database not migrated');
});

test('a process that ends is not ready any more, and lives', async () => {
  const probes = createProbes(world.app, []);
  probes.end();
  assert.equal((await probes.answer('/ready', true))?.status, 503);
  assert.equal((await probes.answer('/live', true))?.status, 200);
});

test('a stranger learns whether all is well, and nothing else', async () => {
  const running = [job({ consecutiveFailures: 7 })];
  const told = [
    await ask('/health', { isOperator: false }),
    await ask('/health', { isOperator: false, running }),
    await ask('/health', { isOperator: false, app: away() }),
    await ask('/ready', { isOperator: false, app: away() }),
  ];
  assert.deepEqual(told, [
    { status: 200, body: { status: 'ok' } },
    { status: 200, body: { status: 'failing' } },
    { status: 503, body: { status: 'failing' } },
    { status: 503, body: { status: 'not ready' } },
  ]);
  assert.equal(createProbes(world.app, []).answer('/healthy', true), undefined);
});

test('the operator is whoever brings the token; without one, whoever is alone with the machine', () => {
  const { config } = world.app;
  const asked = (authorization?: string) =>
    new Request('http://127.0.0.1/health', {
      headers: authorization === undefined ? {} : { authorization },
    });
  const known = (settings: Partial<App['config']>, authorization?: string) =>
    isOperatorRequest({ ...config, ...settings }, asked(authorization));
  const watchToken = 'a-token-of-the-operator';
  assert.equal(known({ watchToken }), false);
  assert.equal(known({ watchToken }, `Bearer ${watchToken}`), true);
  assert.equal(known({ watchToken }, `bearer ${watchToken}`), true);
  for (const wrong of [`Bearer ${watchToken}x`, `Basic ${watchToken}`, 'Bearer', watchToken]) {
    assert.equal(known({ watchToken }, wrong), false, wrong);
  }
  assert.equal(known({}), true);
  // Behind a proxy of the same machine every stranger comes from loopback.
  assert.equal(known({ publicUrl: 'https://pay.example' }), false);
  assert.equal(known({ host: '0.0.0.0' }), false);
});

test('many who ask at once cost the database one look a second', async () => {
  let looks = 0;
  const { db } = world.app;
  const app = withDb(<Row>(statement: Parameters<Db['query']>[0]) => {
    if (statement.text.includes('schema_migration')) looks += 1;
    return db.query<Row>(statement);
  });
  const probes = createProbes(app, []);
  const askMany = () =>
    Promise.all(Array.from({ length: 50 }, () => probes.answer('/ready', true)));
  await askMany();
  assert.equal(looks, 1);
  await world.clock.advance(1_000);
  await askMany();
  assert.equal(looks, 2);
});

test('GET /health says how many wait for a person, by kind, and nothing else of them', async () => {
  const { app, clock } = world;
  assert.deepEqual((await ask('/health')).body.parked, {});
  for (const id of [await world.create(), await world.create()]) {
    await app.db.single((tx) =>
      tx.query(sql`update checkout set parked_reason = 'a bug', settle_at = ${clock.now()}
        where id = ${id}`),
    );
  }
  assert.deepEqual((await ask('/health')).body.parked, { checkout: 2 });
});
