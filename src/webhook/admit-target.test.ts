import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { targetRules } from '#server/webhook-targets.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { createTargetAdmission, type TargetAdmissionParts } from './admit-target.ts';
import { type ResolveAddresses, STRICT_TARGET_RULES } from './target-guard.ts';

const clock = manualClock('2026-11-22T00:00:00Z');
const publicAddress: ResolveAddresses = async () => ['93.184.215.14'];

type Reach = NonNullable<TargetAdmissionParts['reach']>;

/** Everything answers unless `reach` says why not. */
function admission(
  resolve: ResolveAddresses,
  rules = STRICT_TARGET_RULES,
  reach: Reach = async () => undefined,
) {
  return createTargetAdmission({ clock, rules, resolve, reach });
}

function fails(code: string): ResolveAddresses {
  return async () => {
    throw Object.assign(new Error('of the name server'), { code });
  };
}

test('loopback is for test keys of an installation that only this machine reaches', () => {
  const rules = (host: string, publicUrl: string) =>
    targetRules({ host, publicUrl, webhookAllowedTargets: [] }).loopbackForTest;
  assert.equal(rules('127.0.0.1', 'http://localhost:8080'), true);
  assert.equal(rules('::1', 'http://[::1]:8080'), true);
  assert.equal(rules('127.0.0.1', 'https://pay.example'), false);
  assert.equal(rules('0.0.0.0', 'http://localhost:8080'), false);
  assert.equal(rules('127.0.0.1', 'https://127.evil.example'), false);
});

test('what can never be called is refused with its reason, and no name server is asked', async () => {
  const admit = admission(() => assert.fail('no name server is needed'));
  const cases = [
    ['http://127.0.0.1:9000/hook', 'test', 'the host is not a public address'],
    ['http://localhost/hook', 'test', 'the host is not a public address'],
    ['https://169.254.169.254/', 'live', 'the host is not a public address'],
    ['http://93.184.215.14/', 'live', 'the URL must be https'],
    ['https://93.184.215.14:22/', 'live', 'port 22 is not allowed'],
  ] as const;
  for (const [url, environment, reason] of cases) {
    assert.equal(await admit.findFault(url, environment), reason, url);
  }
});

test('a range that the operator lists is open again', async () => {
  const settings = {
    host: '127.0.0.1',
    publicUrl: 'https://pay.example',
    webhookAllowedTargets: ['127.0.0.0/8'],
  };
  const admit = admission(publicAddress, targetRules(settings));
  assert.equal(await admit.findFault('http://127.0.0.1/hook', 'test'), undefined);
});

test('a name is refused where the name server is certain, and not held against it elsewhere', async () => {
  const find = (resolve: ResolveAddresses) =>
    admission(resolve).findFault('https://shop.example/hook', 'live');
  assert.equal(await find(publicAddress), undefined);
  assert.equal(await find(fails('ENOTFOUND')), 'the host name does not resolve');
  assert.equal(await find(fails('ENODATA')), 'the host name does not resolve');
  assert.equal(await find(async () => ['10.0.0.7']), 'the host is not a public address');
  assert.equal(await find(fails('ESERVFAIL')), undefined);
  assert.equal(await find(() => new Promise(() => {})), undefined);
});

test('a name is asked for once a minute', async () => {
  let asked = 0;
  const admit = admission(async () => {
    asked += 1;
    return ['93.184.215.14'];
  });
  for (const path of ['a', 'b', 'c']) await admit.findFault(`https://shop.example/${path}`, 'live');
  assert.equal(asked, 1);
  await clock.advance(60_000);
  await admit.findFault('https://shop.example/a', 'live');
  assert.equal(asked, 2);
});

test('where nothing answers is said once for all paths, and looked at again after ten seconds', async () => {
  let tried = 0;
  let isUp = false;
  const admit = admission(publicAddress, STRICT_TARGET_RULES, async ({ port }) => {
    tried += 1;
    return isUp ? undefined : `nothing answers at port ${port}`;
  });
  const find = (path: string) => admit.findFault(`https://shop.example/${path}`, 'live');
  assert.equal(await find('a'), 'nothing answers at port 443');
  isUp = true;
  assert.equal(await find('b'), 'nothing answers at port 443');
  assert.equal(tried, 1);
  await clock.advance(10_000);
  assert.equal(await find('c'), undefined);
  await clock.advance(59_999);
  assert.equal(await find('d'), undefined);
  assert.equal(tried, 2);
  await clock.advance(1);
  await find('e');
  assert.equal(tried, 3);
});

test('a hundred checkouts at once wait for one connection, and another origin waits for none of it', async () => {
  let tried = 0;
  const slow = Promise.withResolvers<string | undefined>();
  const admit = admission(publicAddress, STRICT_TARGET_RULES, ({ hostname }) => {
    tried += 1;
    return hostname === 'slow.example' ? slow.promise : Promise.resolve(undefined);
  });
  const all = Array.from({ length: 100 }, (_, index) =>
    admit.findFault(`https://slow.example/${index}`, 'live'),
  );
  assert.equal(await admit.findFault('https://quick.example/', 'live'), undefined);
  slow.resolve('nothing answers at port 443 (no answer in time)');
  const answers = await Promise.all(all);
  assert.deepEqual([...new Set(answers)], ['nothing answers at port 443 (no answer in time)']);
  assert.equal(tried, 2);
});

const loopback = { ...STRICT_TARGET_RULES, loopbackForTest: true };

/** The connection that is really made. */
function findAt(url: string): Promise<string | undefined> {
  return createTargetAdmission({ clock, rules: loopback, resolve: publicAddress }).findFault(
    url,
    'test',
  );
}

async function listening(): Promise<{ port: number; close(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a port at which nobody listens is told', async () => {
  const server = await listening();
  const url = `http://127.0.0.1:${server.port}/`;
  assert.equal(await findAt(url), undefined);
  await server.close();
  assert.equal(await findAt(url), `nothing answers at port ${server.port} (ECONNREFUSED)`);
});

test('a target that accepts and never speaks is given up after a few seconds', async (t) => {
  const server = await listening();
  t.after(server.close);
  const fault = await findAt(`https://127.0.0.1:${server.port}/`);
  assert.equal(fault, `nothing answers at port ${server.port} (no answer in time)`);
});
