// What `docker compose up` brings, brought up: compose.yaml as it stands, with a domain and a mail
// address and nothing else said. The domain is localhost, for which Caddy is its own authority: that
// the public one gives a certificate is not seen here. Ports 80 and 443 of this machine are used.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { type MerchantKey, openMerchantClient } from '#test/support/merchant-client.ts';

const COMPOSE = env.QUITTANCE_TEST_COMPOSE ?? '';
const ROOT = join(import.meta.dirname, '..', '..');
const PROJECT = 'quittance-test';
const ORIGIN = 'https://localhost';
const WITHIN_MS = 300_000;
const AUTHORITY = '/data/caddy/pki/authorities/local/root.crt';

let directory: string;

/** Output of a command; what it complains of is in the error. */
async function compose(...words: readonly string[]): Promise<string> {
  const settings = ['--project-name', PROJECT, '--env-file', join(directory, 'settings.env')];
  const { stdout } = await promisify(execFile)(COMPOSE, [...settings, ...words], {
    cwd: ROOT,
    maxBuffer: 1 << 26,
  });
  return stdout;
}

const inside = (service: string, ...words: readonly string[]) =>
  compose('exec', '-T', service, ...words);

async function logs(): Promise<string> {
  const told = await Promise.all(
    ['quittance', 'database', 'caddy'].map((service) =>
      compose('logs', service).catch((error: unknown) => String(error)),
    ),
  );
  return told.map((text) => text.slice(-4_000)).join('\n');
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + WITHIN_MS;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > endsAt) assert.fail(`${what}: ${await logs()}`);
    await sleep(500);
  }
}

const isReady = async () => (await fetch(`${ORIGIN}/ready`)).status === 200;

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quittance-compose-'));
  const said = 'QUITTANCE_DOMAIN=localhost\nQUITTANCE_MAIL=you@shop.example\n';
  writeFileSync(join(directory, 'settings.env'), said);
  await compose('down', '--volumes').catch(() => undefined);
  await compose('up', '--detach', '--no-build');
});
after(async () => {
  await compose('down', '--volumes');
  rmSync(directory, { recursive: true, force: true });
});

test('it serves behind TLS, whose certificate the proxy got by itself', async () => {
  await until('the proxy has its authority', async () => {
    const authority = await inside('caddy', 'cat', AUTHORITY);
    setDefaultCACertificates([...getCACertificates(), authority]);
    return authority.includes('BEGIN CERTIFICATE');
  });
  await until('it is ready', isReady);
  const { headers } = await fetch(`${ORIGIN}/live`);
  assert.equal(headers.get('strict-transport-security'), 'max-age=31536000');
});

test('whoever comes without TLS is sent where it is', async () => {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; to: string }>();
  get('http://localhost/demo', (answer) => {
    const { statusCode: status = 0, headers } = answer.resume();
    resolve({ status, to: headers.location ?? '' });
  }).once('error', reject);
  assert.deepEqual(await promise, { status: 308, to: 'https://localhost/demo' });
});

type Finding = { readonly what: string; readonly ok: boolean; readonly detail: string };

test('doctor finds the proxy known, and a database that cannot be changed behind the ledger', async () => {
  // The proxy is noted by the first request through it.
  await fetch(`${ORIGIN}/demo`);
  const text = await inside('quittance', 'quittance', 'doctor', '--json').catch(
    (error: { stdout?: string }) => error.stdout ?? '',
  );
  const { findings } = JSON.parse(text.trim().split('\n').at(-1) ?? '') as { findings: Finding[] };
  const found = (name: string) => findings.find(({ what }) => what === name);
  assert.match(found('database role')?.detail ?? '', /cannot change what it wrote to the ledger/);
  for (const { what, ok, detail } of findings) {
    // From inside of its container localhost is not the proxy.
    if (/^(?:TLS|public address|domain)$/.test(what)) continue;
    assert.ok(ok, `${what}: ${detail}`);
  }
});

test('the first key is shown to whoever runs it, and a checkout is paid through the proxy', async () => {
  const read = ['node', '--print', 'fs.readFileSync("first-key.json", "utf8")'];
  const key = JSON.parse(await inside('quittance', ...read)) as MerchantKey & { dashboard: string };
  assert.ok(key.dashboard.startsWith(`${ORIGIN}/dashboard/invitation/`));
  await pay(key);
});

async function pay(key: MerchantKey): Promise<void> {
  const client = openMerchantClient(ORIGIN, key);
  const { id } = await client.createCheckout({
    charge: { billingCurrency: 'EUR', lineItems: [{ description: 'Ink', netAmount: '19.90' }] },
  });
  await client.commit(id, 'LITECOIN');
  await client.post('/sandbox/pay', { checkoutId: id });
  await client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 6 });
  const { hostedCheckoutUrl } = await client.waitForState(id, 'COMPLETED');
  assert.ok(hostedCheckoutUrl.startsWith(`${ORIGIN}/`));
  assert.equal((await fetch(hostedCheckoutUrl)).status, 200);
}

test('metrics are for the network of those who watch, and not for the proxy', async () => {
  const ask = (place: string) =>
    `fetch('http://${place}:9464/metrics').then(({ status }) => console.log(status))`;
  const told = await inside('quittance', 'node', '--eval', ask('127.0.0.1'));
  assert.equal(told.trim(), '200');
  assert.equal((await fetch(`${ORIGIN}/metrics`)).status, 404);
});

test('the database is reached by nobody over a network', async () => {
  const statement = "select current_setting('listen_addresses')";
  const words = ['psql', '-U', 'owner', '-d', 'quittance', '-Atc', statement];
  assert.equal((await inside('database', ...words)).trim(), '');
});

test('all of it stays when it is taken down and brought up again', async () => {
  const made = await inside(
    'quittance',
    'quittance',
    'key',
    'create',
    '--environment',
    'test',
    '--json',
  );
  const key = JSON.parse(made.trim().split('\n').at(-1) ?? '') as MerchantKey;
  await compose('down');
  await compose('up', '--detach', '--no-build');
  await until('it is ready again', isReady);
  await pay(key);
  const verified = await inside('quittance', 'quittance', 'ledger', 'verify', '--json');
  assert.equal((JSON.parse(verified.trim().split('\n').at(-1) ?? '') as { ok: boolean }).ok, true);
});
