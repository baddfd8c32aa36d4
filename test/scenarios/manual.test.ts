// The manual at /docs: its steps are carried out as they stand there, its code accepts what the service
// sends, its pages exist for every operation, and nothing of it comes from elsewhere.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { recordedExamples } from '#api/examples/recorded-examples.ts';
import { inlineReferences } from '#api/inline-references.ts';
import type { ApiDocument } from '#api/openapi-document.ts';
import { listOperations } from '#pages/docs/api-reference.ts';
import { stepTabs } from '#pages/docs/call-code.ts';
import { CODE_LANGUAGES } from '#pages/docs/code-tabs.ts';
import { MANUAL, type ManualStep } from '#pages/docs/read-manual.ts';
import { SNIPPETS } from '#pages/docs/snippets.ts';
import { ROOT } from '#test/support/read-source.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { openWebhookReceiver, type WebhookReceiver } from '#test/support/webhook-receiver.ts';
import { signWebhook } from '#webhook/sign-webhook.ts';

let server: ServerProcess;
let shop: Shop;
/** What the page about webhooks registers. */
let receiver: WebhookReceiver;

before(async () => {
  server = await openServerProcess();
  await server.start();
  shop = await openShop(server, 'test');
  receiver = await openWebhookReceiver();
  await server.command(
    ...['allow-list', 'add', '127.0.0.1', '--for', 'withdrawals', '--environment', 'test'],
  );
});
after(async () => {
  await shop?.close();
  await server?.close();
  await receiver?.close();
});

type Memory = Map<string, string>;

function filled(text: string, memory: Memory): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = memory.get(name);
    assert.ok(value !== undefined, `no earlier step remembered ${name}`);
    return value;
  });
}

function valueAt(answer: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], answer);
}

/** The receiver of the manual is ours. */
function bodyOf({ path, body }: ManualStep, memory: Memory): object {
  const text = filled(JSON.stringify(body), memory);
  const own = text.replaceAll('https://shop.example/quittance', receiver.origin);
  return JSON.parse(path === '/webhook-endpoint' ? own : text) as object;
}

const attempts = 20;

async function carryOut(step: ManualStep, memory: Memory): Promise<void> {
  const { method, path, query, remember, expect } = step;
  for (let attempt = 1; ; attempt += 1) {
    const parameters = Object.fromEntries(new URLSearchParams(filled(query, memory)));
    const answer =
      method === 'GET'
        ? await shop.client.get<object>(path, parameters)
        : await shop.client.post<object>(path, bodyOf(step, memory));
    const isThere = Object.entries(expect).every(
      ([place, value]) => String(valueAt(answer, place)) === filled(value, memory),
    );
    if (!isThere && attempt < attempts && method === 'GET') continue;
    assert.ok(isThere, `${method} ${path} ${JSON.stringify(answer)}`);
    for (const [name, place] of Object.entries(remember)) {
      memory.set(name, String(valueAt(answer, place)));
    }
    return;
  }
}

for (const { title, steps } of MANUAL) {
  if (steps.length === 0) continue;
  test(`the page works as written: ${title}`, async () => {
    const memory: Memory = new Map();
    for (const step of steps) await carryOut(step, memory);
  });
}

test('every step is shown in seven languages, and every operation has a name in the libraries', () => {
  for (const { id, steps } of MANUAL) {
    for (const step of steps) {
      const shown = stepTabs(step).map(({ language }) => language);
      assert.deepEqual(shown, CODE_LANGUAGES.map((one) => one.id).slice(0, 7), id);
    }
  }
});

test('the command that runs the manual fails where a language it was given is not here, or unknown', () => {
  const main = join(ROOT, 'test', 'manual', 'main.ts');
  const runOnBareMachine = (language: string) =>
    spawnSync(process.execPath, [main, language], { env: { PATH: '' }, encoding: 'utf8' });
  const missing = runOnBareMachine('ruby');
  assert.match(missing.stdout, /left out {2}ruby: ruby is not there\n1 failed/);
  assert.equal(missing.status, 1);
  const unknown = runOnBareMachine('cobol');
  assert.match(unknown.stdout, /There is no cobol: curl, node,/);
  assert.equal(unknown.status, 1);
});

/** What a page shows of a language, without its markup. */
function codeOf(name: string, language: string): string {
  return SNIPPETS.get(name)?.find((tab) => tab.language === language)?.code ?? '';
}

test('the code that verifies a webhook accepts ours and nothing else', async () => {
  const code = codeOf('verify-webhook', 'node');
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
  const code = codeOf('verify-webhook', 'node');
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

async function readPage(path: string): Promise<string> {
  const response = await fetch(`${server.origin}${path}`);
  assert.equal(response.status, 200, path);
  return response.text();
}

test('every operation has a page, every link leads somewhere, and all of it is ours', async () => {
  const document = JSON.parse(await readPage('/api/v1/openapi.json')) as ApiDocument;
  const operations = listOperations(inlineReferences(document)).map(
    ({ id }) => `/docs/operations/${id}`,
  );
  const pages = MANUAL.map(({ id }) => `/docs/${id}`);
  const made = ['/docs', '/docs/errors', '/docs/events', '/docs/reference', '/docs/search?q=memo'];
  const all = new Set([...made, ...operations, ...pages]);
  const linked = new Map<string, string>();
  const anchors = new Map<string, Set<string>>();
  for (const path of all) {
    const markup = await readPage(path);
    anchors.set(path, new Set([...markup.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)));
    for (const [, address = ''] of markup.matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (address === 'https://www.standardwebhooks.com') continue;
      assert.match(address, /^[/#]/, `${path} leads to ${address}`);
      linked.set(address.startsWith('#') ? `${path}${address}` : address, path);
    }
  }
  for (const [address, from] of linked) {
    const [path = '', anchor] = address.split('#');
    if (!all.has(path)) await readPage(path);
    const known = anchors.get(path);
    if (anchor !== undefined && known !== undefined) {
      assert.ok(known.has(anchor), `${from} leads to ${address}: no such heading`);
    }
  }
  const list = await readPage('/docs/reference');
  for (const path of operations) assert.ok(list.includes(`href="${path}"`), path);
  assert.equal((await fetch(`${server.origin}/docs/operations/nothing`)).status, 404);
  assert.equal((await fetch(`${server.origin}/docs/nothing`)).status, 404);
});

test('every event of the contract has a body in the catalogue of events', async () => {
  const document = JSON.parse(await readPage('/api/v1/openapi.json')) as ApiDocument;
  const page = await readPage('/docs/events');
  for (const type of Object.keys(document.webhooks)) {
    assert.ok(page.includes(`id="${type}"`), type);
    assert.ok(page.includes(`&quot;eventType&quot;: &quot;${type}&quot;`), type);
  }
});

test('the search finds pages, operations and error codes, without JavaScript', async () => {
  const find = (words: string) => readPage(`/docs/search?q=${encodeURIComponent(words)}`);
  assert.match(await find('idempotency key'), /href="\/docs\/repeating"/);
  assert.match(await find('POST /refund'), /href="\/docs\/operations\/post-refund"/);
  assert.match(await find('balance_too_low'), /href="\/docs\/errors#balance_too_low"/);
  assert.match(await find('<script>alert(1)</script>'), /Nothing has these words/);
  assert.ok(!(await find('"><b>')).includes('"><b>'));
});

test('what developers type leads to the page that answers it', async () => {
  const wanted = {
    'webhook secret': '/docs/webhooks',
    'webhook signature verification': '/docs/webhooks',
    'how to refund': '/docs/refunds',
    'partial refunds': '/docs/refunds',
    ...{ underpaid: '/docs/not-as-asked', overpayment: '/docs/not-as-asked' },
    ...{ idempotency: '/docs/repeating', digest: '/docs/authentication' },
    ...{ '401': '/docs/authentication', 'api key': '/docs/authentication' },
    ...{ '429': '/docs/rate-limits', pagination: '/docs/paging', iframe: '/docs/embed' },
    ...{ testnet: '/docs/testing', 'QR code': '/docs/self-hosted', CLI: '/docs/local-work' },
  };
  for (const [typed, href] of Object.entries(wanted)) {
    const page = await readPage(`/docs/search?q=${encodeURIComponent(typed)}`);
    const [, first] = /<ul class="plain"><li><a href="([^"]*)"/.exec(page) ?? [];
    assert.equal(first, href, typed);
  }
});

test('each page is there as Markdown, and llms.txt leads to all of them', async () => {
  const list = await readPage('/llms.txt');
  for (const { id, title } of MANUAL) {
    assert.ok(list.includes(`(/docs/${id}.md)`), id);
    const text = await readPage(`/docs/${id}.md`);
    assert.ok(text.startsWith(`# ${title}\n`), id);
    assert.doesNotMatch(text, /\{\{|```file|```http \w/, id);
  }
});

test('links of before lead to the pages of today', async () => {
  for (const [before, now] of [
    ['embed', 'embed'],
    ['verify-a-webhook', 'webhooks'],
    ['money-not-as-asked', 'not-as-asked'],
    ['refund', 'refunds'],
  ] as const) {
    const { status, headers } = await fetch(`${server.origin}/docs/guides/${before}`, {
      redirect: 'manual',
    });
    assert.equal(status, 303, before);
    assert.equal(headers.get('location'), `/docs/${now}`);
  }
  assert.equal((await fetch(`${server.origin}/docs/guides/nothing`)).status, 404);
});

test('the manual, and the document beside it, show what was recorded of an operation and an event', async () => {
  const { operations, events } = recordedExamples();
  const { request = '' } = operations.getCustomer ?? {};
  assert.match(request, /\?id=\w{12}$/);
  assert.ok((await readPage('/docs/operations/get-customer')).includes(request));
  const document = JSON.parse(await readPage('/docs/openapi.json')) as ApiDocument;
  const { requestBody } = document.webhooks.SWAP_FAILED?.post ?? {};
  assert.deepEqual(requestBody?.content['application/json'].examples, {
    recorded: { value: events.SWAP_FAILED },
  });
  const { id } = events.SWAP_FAILED as { readonly id: string };
  assert.ok((await readPage('/docs/events')).includes(id));
});
