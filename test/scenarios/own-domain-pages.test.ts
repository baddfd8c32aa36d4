// What is served under a merchant's own domain, to whom, and what a Host header can be made to say.
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { createApiKey } from '#access/api-key.ts';
import { type Caller, findApiKey } from '#access/caller.ts';
import { type RunningServer, startServer } from '#api/http/server.ts';
import { silentLog } from '#base/log.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { checkoutView } from '#checkout-settlement/checkout-view.ts';
import { openDb } from '#db/db.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { addDomain, removeDomain } from '#merchant/domain.ts';
import { changeLogo, changePageSettings } from '#merchant/seller.ts';
import { verifyDomain } from '#merchant/verify-domain.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { redrawLogo } from '#pages/branding/redraw-logo.ts';
import { createRefund } from '#refund/create-refund.ts';
import { refundView } from '#refund/refund.ts';
import { createProbes } from '#server/probes.ts';
import { createSite } from '#server/site.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';
import { openTestApp, SIMPLE_CHARGE, type TestApp } from '#test/support/test-app.ts';

const HOST = 'pay.shop.example';
const ORIGIN = `https://${HOST}`;
const OTHER_HOST = 'pay.other.example';

let world: TestApp;
let server: RunningServer;
let own: Merchant;
let other: Merchant;

type Merchant = {
  readonly caller: Caller;
  readonly checkout: string;
  readonly url: string;
  /** Paths of everything a customer of this merchant can look at. */
  readonly paths: readonly string[];
};

before(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
  const { app } = world;
  server = await serve(createSite(app, [], createProbes(app, [])));
  own = await openMerchant(world.caller.apiKey, HOST, '#aa0000');
  const { id: merchantId } = await createMerchant(app, { name: 'Other shop' });
  const { key } = await createApiKey(app, { merchantId, environment: 'test' });
  other = await openMerchant(key, OTHER_HOST, '#0000aa');
});
after(async () => {
  await server?.close();
  await world?.close();
});

function serve(site: ReturnType<typeof createSite>): Promise<RunningServer> {
  const { random } = world.app;
  return startServer({ ...site, port: 0, host: '127.0.0.1', random, log: silentLog });
}

async function verify(merchantId: string, host: string): Promise<void> {
  const { proofToken } = await addDomain(world.app, merchantId, host);
  await verifyDomain(world.app, async () => [proofToken], merchantId, host);
}

async function callerOf(key: string): Promise<Caller> {
  const record = await findApiKey(world.app, key);
  assert(record !== undefined);
  return { ...record.caller, method: 'digest' };
}

async function create(caller: Caller) {
  const parsed = parseExactJson(JSON.stringify({ charge: SIMPLE_CHARGE, checkoutLanguage: 'en' }));
  assert(parsed.ok);
  const options = { type: 'HOSTED', origin: 'API' } as const;
  return createCheckout(world.app, caller, parseCheckoutRequest(parsed.value), options);
}

/** With a domain, a logo, a paid checkout and a refund that waits to be claimed. */
async function openMerchant(key: string, host: string, color: string): Promise<Merchant> {
  const { app } = world;
  const { merchantId } = await callerOf(key);
  await verify(merchantId, host);
  const caller = await callerOf(key);
  const picture = { width: 40, height: 40, channels: 4 as const, background: color };
  const drawings = await redrawLogo(await sharp({ create: picture }).png().toBuffer());
  await changeLogo(app, merchantId, drawings);
  const { id: checkout, url } = await create(caller);
  await payCheckout({ ...world, caller }, checkout);
  await payCheckout({ ...world, caller }, (await create(caller)).id);
  const wishes = { amount: undefined, address: undefined, network: undefined, asset: undefined };
  const wish = { checkoutId: checkout, kind: 'full', ...wishes } as const;
  const refund = await createRefund(app, caller, wish);
  const claimUrl = refundView(app, refund).claimUrl ?? '';
  assert.ok(url.startsWith(`https://${host}/`), url);
  assert.ok(claimUrl.startsWith(`https://${host}/en/refund/`), claimUrl);
  const { pathname: path } = new URL(url);
  const token = path.split('/').at(-1);
  return {
    ...{ caller, checkout, url },
    paths: [
      ...[path, `${path}/state`, `${path}/receipt`, `${path}/receipt.pdf`, `${path}/invoice`],
      ...[`/en/invoice/${token}`, `/de/checkout/${token}`, new URL(claimUrl).pathname],
      ...drawings.map(({ hash }) => `/brand/${hash}.webp`),
    ],
  };
}

type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

function ask(
  path: string,
  headers: Record<string, string>,
  { method = 'GET', body = '', port = server.port } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const all = method === 'GET' ? headers : { ...form, ...headers };
    const options = { host: '127.0.0.1', port, path, method, headers: all, agent: false };
    const sent = httpRequest(options, async (answer) => {
      const { statusCode: status = 0, headers: got } = answer;
      resolve({ status, headers: got, body: await textOf(answer) });
    });
    sent.on('error', reject);
    sent.end(method === 'GET' ? undefined : body);
  });
}

/** Bytes as they are; the status of the answer, and all of it. */
async function raw(lines: readonly string[]): Promise<{ status: number; answer: string }> {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(Buffer.from(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`, 'utf8'));
  const answer = await textOf(socket);
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]), answer };
}

function assertMissing({ status, headers, body }: Answer, what: string): void {
  assert.equal(status, 404, what);
  assert.match(String(headers['content-type']), /^(?:text\/html|application\/json)/, what);
  if (String(headers['content-type']).startsWith('text/html')) {
    assert.match(body, /<main id="main" data-state="message">/, what);
    assert.match(String(headers['content-security-policy']), /default-src 'none'/, what);
  } else {
    assert.equal(body, '{"error":"missing"}', what);
  }
}

const FILES = ['/images/favicon.svg', '/embed.js'];

test('under its domain the pages of a merchant are served, with all they need', async () => {
  const { body } = await ask(own.paths[0] ?? '', { host: HOST });
  const assets = [...body.matchAll(/(?:href|src)="(\/(?:assets|images|brand)\/[^"]+)"/g)];
  assert.ok(assets.length >= 3, body);
  for (const path of [...own.paths, ...FILES, ...assets.map(([, name]) => name ?? '')]) {
    assert.equal((await ask(path, { host: HOST })).status, 200, path);
  }
});

test('everything else there is an address that never was, in the shape of the pages', async () => {
  const elsewhere = [
    ...['/', '/api', '/api/', '/api/v1/time', '/api/v1/openapi.json', '/api/v1/checkout'],
    ...['/docs', '/docs/', '/docs/embed', '/demo', '/demo/', '/demo/states', '/health'],
    ...['/demo/webhook', '/demo/orders', '/assets/none.js', '/brand/none.webp', '/en', '//health'],
    ...['/en/checkout/none', '/en/refund/none', '/%61pi/v1/time', '/x/../api/v1/time', '/./health'],
  ];
  for (const path of [...elsewhere, ...other.paths]) {
    assertMissing(await ask(path, { host: HOST }), path);
    const posted = await ask(path, { host: HOST }, { method: 'POST' });
    assert.equal(posted.status, 404, `POST ${path}`);
  }
  const [checkout] = other.paths;
  const form = { method: 'POST', body: 'method=LITECOIN&act=pay' };
  for (const act of ['choose', 'find', 'cancel', 'sandbox']) {
    assertMissing(await ask(`${checkout}/${act}`, { host: HOST }, form), act);
  }
  assertMissing(await ask(`${checkout}/events`, { host: HOST }), 'events');
  for (const path of own.paths) assertMissing(await ask(path, { host: OTHER_HOST }), path);
});

test('other hosts are served as before', async () => {
  const hosts = ['localhost', '127.0.0.1', 'unknown.example', `x.${HOST}`, 'shop.example'];
  const health = (await ask('/health', { host: `127.0.0.1:${server.port}` })).status;
  assert.notEqual(health, 404);
  for (const host of hosts) {
    for (const path of ['/', '/docs', '/api/v1/time', ...own.paths, ...other.paths]) {
      assert.equal((await ask(path, { host })).status, 200, `${host}${path}`);
    }
    assert.equal((await ask('/health', { host })).status, health);
  }
});

test('however the host is written, it is the one the browser shows', async () => {
  const [ownPath = ''] = own.paths;
  const [otherPath = ''] = other.paths;
  const same = [
    ...['pay.shop.example:443', 'pay.shop.example:8080', 'PAY.SHOP.EXAMPLE', 'Pay.Shop.Example:1'],
    ...['pay.shop.example.', 'pay.shop.example.:443'],
  ];
  for (const host of same) {
    assert.equal((await ask(ownPath, { host })).status, 200, host);
    assertMissing(await ask(otherPath, { host }), host);
    assertMissing(await ask('/api/v1/time', { host }), host);
    assertMissing(await ask('/health', { host }), host);
  }
});

test('a host that is none, or two of them, is refused; a look-alike is another host', async () => {
  const [otherPath = ''] = other.paths;
  const refused = [
    [`GET ${otherPath} HTTP/1.1`, `Host: ${HOST}`, 'Host: 127.0.0.1'],
    [`GET ${otherPath} HTTP/1.1`, 'Host: 127.0.0.1', `Host: ${HOST}`],
    [`GET ${otherPath} HTTP/1.1`, `Host: ${HOST}`, `hOsT: ${HOST}`],
    [`GET http://127.0.0.1${otherPath} HTTP/1.1`, `Host: ${HOST}`],
    [`GET http://${HOST}${otherPath} HTTP/1.1`, 'Host: 127.0.0.1'],
    [`GET ${otherPath} HTTP/1.1`, `Host: 127.0.0.1@${HOST}`],
    [`GET ${otherPath} HTTP/1.1`, `Host: ${HOST}@127.0.0.1`],
    [`GET ${otherPath} HTTP/1.1`, `Host: user:${HOST}@127.0.0.1`],
    [`GET ${otherPath} HTTP/1.1`, `Host: ${HOST}/x`],
    [`GET ${otherPath} HTTP/1.1`, `Host: ${HOST}?x`],
    [`GET ${otherPath} HTTP/1.1`, `Host: ${HOST}#x`],
    [`GET ${otherPath} HTTP/1.1`, `Host: ${HOST}\\x`],
    [`GET ${otherPath} HTTP/1.1`, `Host: ${HOST},127.0.0.1`],
    [`GET ${otherPath} HTTP/1.1`, `Host: ${HOST} 127.0.0.1`],
    [`GET ${otherPath} HTTP/1.1`, `Host: ${HOST}:x`],
    [`GET ${otherPath} HTTP/1.1`, 'Host:'],
    [`GET ${otherPath} HTTP/1.1`],
  ];
  for (const lines of refused) {
    const { status, answer } = await raw(lines);
    assert.equal(status, 400, `${lines.join(' | ')}\n${answer}`);
  }
  // As bytes of UTF-8: no browser sends them. Cyrillic a; a soft hyphen; a fullwidth letter.
  for (const host of ['p\u0430y.shop.example', 'p\u00aday.shop.example', '\uff50ay.shop.example']) {
    const { status, answer } = await raw([`GET ${otherPath} HTTP/1.1`, `Host: ${host}`]);
    assert.equal(status, 400, `${host}: ${answer.slice(0, 200)}`);
  }
  // As browsers do.
  const alike = new URL('https://p\u0430y.shop.example').host;
  assert.equal((await ask(otherPath, { host: alike })).status, 200, alike);
});

test('no other header says where a request came in', async () => {
  const [otherPath = ''] = other.paths;
  const lies = (host: string) => ({
    'x-forwarded-host': host,
    'x-original-host': host,
    'x-host': host,
    forwarded: `host=${host};proto=https`,
  });
  assertMissing(await ask(otherPath, { host: HOST, ...lies('127.0.0.1') }), 'out of the domain');
  assertMissing(await ask('/health', { host: HOST, ...lies('127.0.0.1') }), 'out of the domain');
  assert.equal((await ask(otherPath, { host: '127.0.0.1', ...lies(HOST) })).status, 200);
});

test('what a customer follows stays under the domain', async () => {
  const { app } = world;
  const view = checkoutView(app, await world.read(own.checkout));
  assert.equal(view.hostedCheckoutUrl, own.url);
  for (const path of own.paths.filter((one) => !/state$|pdf$|webp$/.test(one))) {
    const { body, headers } = await ask(path, { host: HOST });
    assert.ok(!body.includes(app.publicUrl), path);
    const policy = String(headers['content-security-policy']);
    for (const part of ["connect-src 'self'", "form-action 'self'", "img-src 'self'"]) {
      assert.ok(policy.includes(part), policy);
    }
    for (const [, target = ''] of body.matchAll(/(?:href|src|action)="([^"]+)"/g)) {
      const { origin } = new URL(target, `${ORIGIN}${path}`);
      assert.ok([ORIGIN, 'null'].includes(origin) || origin.includes('litecoin'), target);
    }
  }
  const unpaid = (await create(own.caller)).url;
  const invoice = await ask(`${new URL(unpaid).pathname}/invoice`, { host: HOST });
  assert.ok(invoice.body.includes(unpaid), 'an invoice says where to pay');
});

test('a form is taken from the domain itself and from nowhere else', async () => {
  const { url } = await create(own.caller);
  const { pathname: path } = new URL(url);
  const body = 'method=LITECOIN%20LTC%3ANATIVE';
  const post = (headers: Record<string, string>) =>
    ask(`${path}/choose`, { host: HOST, ...headers }, { method: 'POST', body });
  const { publicUrl } = world.app;
  const foreign = [publicUrl, `http://${OTHER_HOST}`, `https://x.${HOST}`, `${ORIGIN}:8443`];
  for (const origin of foreign) assert.equal((await post({ origin })).status, 403, origin);
  for (const site of ['cross-site', 'same-site']) {
    assert.equal((await post({ 'sec-fetch-site': site, origin: ORIGIN })).status, 403, site);
  }
  // Behind a proxy that ends TLS the request itself is plain http.
  for (const origin of [ORIGIN, 'null']) {
    const answer = await post({ origin });
    assert.equal(answer.status, 303, `${origin} ${answer.body}`);
    assert.ok(String(answer.headers.location).startsWith(path), 'a path, whatever the host');
  }
  // Under the service's own address the domain is a stranger.
  const strange = { host: '127.0.0.1', origin: ORIGIN };
  const answer = await ask(`${path}/choose`, strange, { method: 'POST', body });
  assert.equal(answer.status, 403);
});

test('frames are allowed where the merchant says, also under its domain', async () => {
  const { app } = world;
  const { merchantId } = own.caller;
  await changePageSettings(app, merchantId, { embedOrigins: ['https://shop.example'] });
  const { url } = await create(own.caller);
  const { headers } = await ask(new URL(url).pathname, { host: HOST });
  assert.match(String(headers['content-security-policy']), /frame-ancestors https:\/\/shop\.ex/);
  await changePageSettings(app, merchantId, { embedOrigins: null });
});

test('an open page hears of changes there, and only of its own merchant', async () => {
  const { url } = await create(own.caller);
  const path = `${new URL(url).pathname}/events`;
  const open = (host: string) =>
    new Promise<{ status: number; type: string; first: string }>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: server.port, path, agent: false };
      const sent = httpRequest({ ...options, headers: { host } }, (answer) => {
        const { statusCode: status = 0, headers } = answer;
        answer.once('data', (chunk) => {
          resolve({ status, type: headers['content-type'] ?? '', first: String(chunk) });
          sent.destroy();
        });
        answer.on('error', () => undefined);
      });
      sent.on('error', reject);
      sent.end();
    });
  const stream = await open(HOST);
  assert.deepEqual([stream.status, stream.type], [200, 'text/event-stream; charset=utf-8']);
  assert.equal((await open(OTHER_HOST)).status, 404);
});

test('while nobody knows whose a host is, nothing is guessed', async () => {
  const db = openDb({ host: '127.0.0.1', port: 9, database: 'none', log: silentLog });
  const blindApp = { ...world.app, db };
  const blind = await serve(createSite(blindApp, [], createProbes(blindApp, [])));
  try {
    for (const path of ['/', '/api/v1/time', '/health', '/images/favicon.svg']) {
      const answer = await ask(path, { host: HOST }, { port: blind.port });
      assert.deepEqual([answer.status, answer.headers['retry-after']], [503, '5'], path);
    }
    const file = await ask('/images/favicon.svg', { host: 'localhost' }, { port: blind.port });
    assert.equal(file.status, 200);
  } finally {
    await blind.close();
    await db.close();
  }
});

test('when a domain is taken back its host is like any other, and its links still open', async () => {
  const { app } = world;
  const { merchantId, apiKey } = other.caller;
  await removeDomain(app, merchantId, OTHER_HOST);
  for (const path of [...other.paths, '/', '/api/v1/time']) {
    assert.equal((await ask(path, { host: OTHER_HOST })).status, 200, path);
  }
  assert.equal(checkoutView(app, await world.read(other.checkout)).hostedCheckoutUrl, other.url);
  const { url } = await create(await callerOf(apiKey));
  assert.ok(url.startsWith(`${app.publicUrl}/`), 'new ones are at the public URL again');
});
