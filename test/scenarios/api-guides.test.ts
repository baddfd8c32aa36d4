// The manual at /docs: its guides are carried out as they stand there, its pages exist for every
// operation, and nothing of it comes from elsewhere.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiDocument } from '#api/openapi-document.ts';
import { listOperations } from '#pages/docs/api-reference.ts';
import { GUIDES, type GuideStep } from '#pages/docs/guides.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { signWebhook } from '#webhook/sign-webhook.ts';

let server: ServerProcess;
let shop: Shop;

before(async () => {
  server = await openServerProcess();
  await server.start();
  shop = await openShop(server, 'test');
  await server.command(
    ...['allow-list', 'add', '127.0.0.1', '--for', 'withdrawals', '--environment', 'test'],
  );
});
after(async () => {
  await shop?.close();
  await server?.close();
});

type Memory = Map<string, string>;

function filled(text: string, memory: Memory): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = memory.get(name);
    assert.ok(value !== undefined, `no earlier step remembered ${name}`);
    return value;
  });
}

function parametersOf(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

function valueAt(answer: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], answer);
}

const attempts = 20;

async function carryOut(step: GuideStep, memory: Memory): Promise<void> {
  const { method, path, query = '', body, remember = {}, expect = {} } = step;
  for (let attempt = 1; ; attempt += 1) {
    const answer =
      method === 'GET'
        ? await shop.client.get<object>(path, parametersOf(filled(query, memory)))
        : await shop.client.post<object>(path, JSON.parse(filled(JSON.stringify(body), memory)));
    const isThere = Object.entries(expect).every(
      ([place, value]) => valueAt(answer, place) === filled(value, memory),
    );
    if (!isThere && attempt < attempts) continue;
    assert.ok(isThere, `${step.text} ${JSON.stringify(answer)}`);
    for (const [name, place] of Object.entries(remember)) {
      memory.set(name, String(valueAt(answer, place)));
    }
    return;
  }
}

for (const { title, steps } of GUIDES) {
  if (steps.length === 0) continue;
  test(`the guide works as written: ${title}`, async () => {
    const memory: Memory = new Map();
    for (const step of steps) await carryOut(step, memory);
  });
}

test('the code that verifies a webhook accepts ours and nothing else', async () => {
  const code = GUIDES.find(({ id }) => id === 'verify-a-webhook')?.code ?? '';
  const { verifyWebhook } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const secret = `whsec_${new Uint8Array(32).fill(9).toBase64()}`;
  const at = Temporal.Now.instant();
  const body = '{"a":1}';
  const headers = signWebhook({ id: 'evt', body, at, secrets: { current: secret } });
  const other = `whsec_${new Uint8Array(32).fill(8).toBase64()}`;
  assert.equal(verifyWebhook(secret, headers, body), true);
  assert.equal(verifyWebhook(other, headers, body), false);
  assert.equal(verifyWebhook(secret, headers, `${body} `), false);
  const later = at.epochMilliseconds / 1000 + 301;
  assert.equal(verifyWebhook(secret, headers, body, later), false);
});

test('the code that verifies a webhook accepts one that came, by both of its signatures', async () => {
  const code = GUIDES.find(({ id }) => id === 'verify-a-webhook')?.code ?? '';
  const guide = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const { stdout } = await server.command('webhook', 'secret', '--environment', 'test');
  const secret = stdout.trim();
  const checkoutId = await shop.create({ currency: 'EUR', amount: '10' });
  await shop.client.post('/checkout/cancel', { checkoutId });
  await shop.waitForEvent(checkoutId, 'CHECKOUT_CANCELLED');
  const [webhook] = shop.webhooksOf(checkoutId);
  assert.ok(webhook);
  const { headers, body } = webhook;
  assert.equal(guide.verifyWebhook(secret, headers, body), true);
  assert.equal(guide.verifyWebhook(secret, headers, body.replace('CANCELLED', 'COMPLETED')), false);
  assert.equal(guide.verifyWebhookAuth(shop.key.secret, headers, body), true);
  assert.equal(guide.verifyWebhookAuth(secret, headers, body), false);
  assert.equal(guide.verifyWebhookAuth(shop.key.secret, {}, body), false);
});

test('every operation has a page, every link leads somewhere, and all of it is ours', async () => {
  const document = (await (
    await fetch(`${server.origin}/api/v1/openapi.json`)
  ).json()) as ApiDocument;
  const operations = listOperations(document).map(({ id }) => `/docs/operations/${id}`);
  const guides = GUIDES.map(({ id }) => `/docs/guides/${id}`);
  const all = new Set(['/docs', '/docs/errors', ...operations, ...guides]);
  const linked = new Set(all);
  for (const path of all) {
    const response = await fetch(`${server.origin}${path}`);
    assert.equal(response.status, 200, path);
    const markup = await response.text();
    for (const [, address = ''] of markup.matchAll(/(?:href|src)="([^"]*)"/g)) {
      assert.match(address, /^[/#]/, `${path} leads to ${address}`);
      if (address.startsWith('/')) linked.add(address);
    }
  }
  for (const path of linked) {
    assert.equal((await fetch(`${server.origin}${path}`)).status, 200, path);
  }
  const front = await (await fetch(`${server.origin}/docs`)).text();
  for (const path of operations) assert.ok(front.includes(`href="${path}"`), path);
  assert.equal((await fetch(`${server.origin}/docs/operations/nothing`)).status, 404);
});
