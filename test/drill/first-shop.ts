// From nothing to a live shop behind TLS with alerts and a restored backup, typed from docs/operate.
// Run by npm run test:drill, which names Caddy and Litecoin Core. What the book cannot know is said
// beside its lines: ports, the test chain, and an authority for certificates on this machine.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { setDefaultCACertificates } from 'node:tls';
import { type LitecoinNode, newTestAccount, startLitecoinNode } from '#test/nodes/litecoin-node.ts';
import { findFreePort } from '#test/support/free-port.ts';
import {
  type MerchantClient,
  type MerchantKey,
  openMerchantClient,
  verifyWebhook,
} from '#test/support/merchant-client.ts';
import { ROOT } from '#test/support/read-source.ts';
import { loopbackShopCertificate } from '#test/support/self-signed.ts';
import { waitUntil } from '#test/support/shop.ts';
import { openWebhookReceiver, type WebhookReceiver } from '#test/support/webhook-receiver.ts';
import { blockOfBook, lineOfBook, type Place, type Said, typeLine } from './book.ts';

/** The one name that every machine has of itself. */
const DOMAIN = 'localhost';
const home = mkdtempSync(join(tmpdir(), 'quittance-drill-'));
const certificates = join(home, 'certificates');
const trusted = join(home, 'trusted.pem');
const place: Place = { directory: home, environment: { NODE_EXTRA_CA_CERTS: trusted } };
/** What this machine has nothing of: prices and clocks of others, a name that the world knows. */
const NOT_HERE = new Set(['prices', 'clock', 'domain']);

let node: LitecoinNode;
let origin: string;
let port: number;
let caddy: ChildProcess | undefined;
let service: ChildProcess | undefined;
let phone: Server;
const told: string[] = [];
let shop: WebhookReceiver;
let client: MerchantClient;
let key: MerchantKey;

before(async () => {
  node = await startLitecoinNode();
  shop = await openWebhookReceiver(undefined, { isSecure: true });
  phone = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      told.push(`${String(request.headers.title ?? '')} ${text}`);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => phone.listen(0, '127.0.0.1', resolve));
  port = await findFreePort();
  origin = `https://${DOMAIN}:${await findFreePort()}`;
});
after(async () => {
  await stopService();
  caddy?.kill('SIGTERM');
  phone.close();
  await shop.close();
  await node.stop();
  rmSync(home, { recursive: true, force: true, maxRetries: 20 });
});

const said = ({ exitCode, stdout, stderr }: Said) => `exit code ${exitCode}\n${stdout}${stderr}`;
const lastJson = <T>({ stdout }: Said) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T;

async function startService(): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/start.mjs')], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, ...place.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  service = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await waitUntil('the service to serve', () => {
    assert.equal(child.exitCode, null, output);
    return /^Quittance is serving/m.test(output);
  });
}

async function stopService(): Promise<void> {
  const child = service;
  service = undefined;
  if (child === undefined || child.exitCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGTERM');
  await ended;
}

let hasFailed = false;
/** Each stands on those before it. */
function step(name: string, act: () => Promise<void>): void {
  test(name, async () => {
    assert.ok(!hasFailed, 'a step before it failed');
    hasFailed = true;
    await act();
    hasFailed = false;
  });
}

step('install: the settings are written by one line', async () => {
  const { descriptor } = newTestAccount();
  const line = lineOfBook('install.md', 'npx quittance setup --yes --domain');
  const { port: phonePort } = phone.address() as AddressInfo;
  const own = {
    '--domain pay.shop.example': `--set PUBLIC_URL=${origin}`,
    // The embedded database, and a node with user and password.
    '--set DATABASE_URL=postgres://quittance:…@127.0.0.1/quittance': `--set PORT=${port}`,
    'http://127.0.0.1:9332': node.rpcOptions.url,
    '--set LITECOIN_RPC_COOKIE_FILE=/var/lib/litecoin/.cookie': '--set LITECOIN_CHAIN=regtest',
    'zpub…': descriptor,
  };
  writeFileSync(trusted, loopbackShopCertificate);
  const settings = [
    'TRUSTED_PROXIES=127.0.0.1/32,::1/128',
    'LITECOIN_CONFIRMATIONS=2/2/2',
    `WEBHOOK_ALLOWED_TARGETS=127.0.0.0/8`,
    `ALERT_NTFY_URL=http://127.0.0.1:${phonePort}/quittance`,
  ];
  const more = settings.flatMap((setting) => ['--set', setting]);
  const ran = await typeLine(place, line, own, more);
  assert.equal(lastJson<{ written: boolean }>(ran).written, true, said(ran));
});

step('the proxy of the book serves it by TLS', async () => {
  const { port: securePort } = new URL(origin);
  const site = blockOfBook('install.md', 'reverse_proxy')
    .replace('pay.shop.example {', `${DOMAIN}:${securePort} {\n  tls internal`)
    .replace('127.0.0.1:8080', `127.0.0.1:${port}`);
  const own = [
    ...['admin off', 'skip_install_trust', 'auto_https disable_redirects'],
    // A port that is free for TCP need not be free for QUIC.
    'servers {\n    protocols h1 h2\n  }',
    ...[`http_port ${await findFreePort()}`, `storage file_system ${certificates}`],
  ];
  const file = join(home, 'Caddyfile');
  writeFileSync(file, `{\n  ${own.join('\n  ')}\n}\n${site}`);
  await startService();
  caddy = spawn(process.env.QUITTANCE_TEST_CADDY ?? 'caddy', ['run', '--config', file], {
    env: { PATH: process.env.PATH ?? '', HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  caddy.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const authority = join(certificates, 'pki/authorities/local/root.crt');
  await waitUntil('Caddy to make its authority', () => {
    assert.equal(caddy?.exitCode, null, complaints);
    try {
      return readFileSync(authority, 'utf8').includes('END CERTIFICATE');
    } catch {
      return false;
    }
  });
  const root = readFileSync(authority, 'utf8');
  writeFileSync(trusted, `${loopbackShopCertificate}\n${root}`);
  setDefaultCACertificates([loopbackShopCertificate, root]);
  await waitUntil('it to be ready behind TLS', async () => {
    assert.equal(caddy?.exitCode, null, complaints);
    const answer = await fetch(`${origin}/ready`).catch(() => undefined);
    return answer?.status === 200;
  });
  // What was trusted at its start is what it trusts.
  await stopService();
  await startService();
});

step('doctor finds nothing wrong that this machine could have', async () => {
  type Finding = { readonly what: string; readonly ok: boolean | 'warning'; detail: string };
  const ran = await typeLine(place, 'npx quittance doctor', {}, ['--json']);
  const { findings } = lastJson<{ findings: readonly Finding[] }>(ran);
  const wrong = findings.filter(({ ok, what }) => ok === false && !NOT_HERE.has(what));
  assert.deepEqual(wrong, [], said(ran));
  for (const what of ['key file', 'proxy', 'live:LITECOIN']) {
    assert.equal(findings.find((one) => one.what === what)?.ok, true, `${what}\n${said(ran)}`);
  }
});

async function sell(amount: string): Promise<{ id: string; address: string }> {
  const { id } = await client.createCheckout({
    charge: { billingCurrency: 'LTC', lineItems: [{ description: 'Tea', netAmount: amount }] },
    webhook: `${shop.origin}/hook`,
  });
  const { depositInstructions } = await client.commit(id, 'LITECOIN');
  return { id, address: depositInstructions.address };
}

async function sellAndPay(amount: string): Promise<{ id: string; address: string }> {
  const sold = await sell(amount);
  await node.send(sold.address, amount);
  await client.waitForState(sold.id, 'PENDING');
  await node.mine(2);
  await client.waitForState(sold.id, 'COMPLETED');
  return sold;
}

const given = new Set<string>();

step('a live checkout is paid, and the shop verifies its webhook', async () => {
  const line = lineOfBook('emergency-leaked-key.md', 'npx quittance key create');
  const made = await typeLine(place, line, {}, ['--json']);
  key = lastJson<MerchantKey>(made);
  client = openMerchantClient(origin, key);
  const asked = await typeLine(place, 'npx quittance webhook secret --environment live', {}, [
    '--json',
  ]);
  const webhookSecret = lastJson<{ current?: string; secret?: string }>(asked);
  const { id, address } = await sellAndPay('0.5');
  given.add(address);
  await waitUntil('the shop to hear of it', () =>
    shop.received.some(({ body }) => body.includes('CHECKOUT_COMPLETED') && body.includes(id)),
  );
  const heard = shop.received.find(({ body }) => body.includes('CHECKOUT_COMPLETED'));
  assert(heard !== undefined);
  verifyWebhook(heard, {
    apiSecret: key.secret,
    webhookSecret: webhookSecret.current ?? webhookSecret.secret ?? '',
  });
});

step('an alert reaches the telephone', async () => {
  const line = lineOfBook('watch.md', 'npx quittance alert test');
  const ran = await typeLine(place, line, { YOU: 'anna' });
  assert.equal(ran.exitCode, 0, said(ran));
  assert.ok(told.length > 0, 'the telephone rang');
});

const recipients: string[] = [];
const increments = {
  from: join(home, 'increments'),
  recipient: () => recipients.at(-1) ?? '',
};

step('a backup is made beside it and proven', async () => {
  const identity = await typeLine(place, lineOfBook('backup.md', 'npx quittance backup key'));
  const recipient = /age1[a-z0-9]+/.exec(identity.stdout)?.[0];
  assert.ok(recipient !== undefined, said(identity));
  recipients.push(recipient);
  const own = { '/mnt/backups': join(home, 'backups'), 'age1…': recipient };
  const made = await typeLine(
    place,
    lineOfBook('backup.md', 'npx quittance backup --to /mnt'),
    own,
  );
  assert.equal(made.exitCode, 0, said(made));
  const from = { '/mnt/backups': join(home, 'backups') };
  const line = lineOfBook('backup.md', 'npx quittance backup verify');
  const proven = await typeLine(place, line, from);
  assert.equal(proven.exitCode, 0, said(proven));
});

step('increments of the log are made beside it, listed and proven', async () => {
  const { recipient, from } = increments;
  const own = { '/mnt/backups': from, 'age1…': recipient() };
  for (const number of [1, 2]) {
    const line = lineOfBook('backup.md', 'npx quittance backup wal');
    const made = await typeLine(place, line, own, ['--json']);
    assert.equal(made.exitCode, 0, said(made));
    const { links } = lastJson<{ links: { number: number }[] }>(made);
    assert.equal(links.at(-1)?.number, number, said(made));
  }
  const listed = await typeLine(place, lineOfBook('backup.md', 'npx quittance backup list'), {
    '/mnt/backups': from,
  });
  assert.match(listed.stdout, /^quittance-wal-\S+ {2}3 increments, .* whole$/m, said(listed));
  const line = lineOfBook('backup.md', 'npx quittance backup verify --wal');
  const proven = await typeLine(place, line, { '/mnt/backups': from });
  assert.equal(proven.exitCode, 0, said(proven));
});

step('the database is lost, and all that was sold comes back from the increments', async () => {
  const { id, address } = await sellAndPay('0.2');
  given.add(address);
  const { recipient, from } = increments;
  const again = lineOfBook('backup.md', 'npx quittance backup wal');
  const made = await typeLine(place, again, { '/mnt/backups': from, 'age1…': recipient() });
  assert.equal(made.exitCode, 0, said(made));
  await stopService();
  renameSync(join(home, 'data/postgres'), join(home, 'postgres.first'));
  const line = lineOfBook('backup.md', 'npx quittance restore --wal');
  const ran = await typeLine(place, line, { '/mnt/backups': from });
  assert.equal(ran.exitCode, 0, said(ran));
  await startService();
  await client.waitForState(id, 'COMPLETED');
});

step('the database is lost, and the shop comes back from the backup', async () => {
  type Listed = { readonly checkouts: readonly { readonly id: string }[] };
  // The first one, which the backup has; the newest is of after it.
  const known = (await client.get<Listed>('/checkouts')).checkouts.at(-1);
  const late = await sellAndPay('0.25');
  given.add(late.address);
  await stopService();
  renameSync(join(home, 'data/postgres'), join(home, 'postgres.lost'));
  const line = lineOfBook('emergency-database.md', 'npx quittance restore');
  const ran = await typeLine(place, line, { '/mnt/backups': join(home, 'backups') });
  assert.equal(ran.exitCode, 0, said(ran));
  await startService();
  await client.waitForState(known?.id ?? '', 'COMPLETED');
  type Held = { readonly suspense: readonly { readonly detail: string | null }[] };
  const suspense = lineOfBook('emergency-database.md', 'npx quittance suspense list');
  await waitUntil('what was paid after the backup to lie in suspense', async () => {
    const listed = await typeLine(place, suspense, {}, ['--json']);
    const { suspense: items } = lastJson<Held>(listed);
    return items.some(({ detail }) => detail === 'address given out before a restore');
  });
  const verified = await typeLine(
    place,
    lineOfBook('emergency-database.md', 'npx quittance ledger verify'),
  );
  assert.equal(verified.exitCode, 0, said(verified));
  await waitUntil('it to be offered again', () => sell('0.1').then(Boolean, () => false));
  const next = await sellAndPay('0.125');
  assert.ok(!given.has(next.address), 'no address is given out twice');
});
