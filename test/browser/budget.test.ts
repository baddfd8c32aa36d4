// What the first look at a page costs and may do: few bytes, one script, no other host, and a policy
// that lets nothing else in. Counted by Chromium itself, on every state.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { LANGUAGES } from '#catalog/language.ts';
import { byLength } from '#test/support/run-length.ts';
import { openSampleSite, type SampleSite } from '#test/support/sample-site.ts';
import { waitUntil } from '#test/support/shop.ts';
import { openBrowserPage } from './browser.ts';

let site: SampleSite;
before(async () => {
  site = await openSampleSite();
});
after(() => site.close());

const bytesMax = 50_000;
/** A short run weighs each third state. */
const EVERY = byLength({ short: 3, long: 1 });

type Transfer = {
  /** Of the navigation it belongs to: what an earlier page asked for may be answered late. */
  readonly loader: string;
  readonly url: string;
  readonly type: string;
  readonly coding: string | undefined;
  bytes: number;
  /** How it ended; undefined while it travels. */
  end: 'finished' | 'failed' | undefined;
};

type Transfers = {
  clear(): void;
  /** Those of the page that is shown now. */
  ofPage(): Transfer[];
};

/** Every request of the page with what travelled for it, headers included. */
async function watchTransfers(page: Page): Promise<Transfers> {
  const session = await page.context().newCDPSession(page);
  const transfers = new Map<string, Transfer>();
  session.on('Network.responseReceived', ({ requestId, loaderId, type, response }) => {
    const names = Object.entries(response.headers);
    const coding = names.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
    const { url } = response;
    transfers.set(requestId, { loader: loaderId, url, type, coding, bytes: 0, end: undefined });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const transfer = transfers.get(requestId);
    if (transfer !== undefined)
      Object.assign(transfer, { bytes: encodedDataLength, end: 'finished' });
  });
  session.on('Network.loadingFailed', ({ requestId }) => {
    const transfer = transfers.get(requestId);
    if (transfer !== undefined) transfer.end = 'failed';
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  return {
    clear: () => transfers.clear(),
    ofPage: () => {
      const all = [...transfers.values()];
      const loader = all.findLast(({ type }) => type === 'Document')?.loader;
      return all.filter((one) => one.loader === loader);
    },
  };
}

test('every state: at most 50 kB and one script, all of it ours and compressed', async () => {
  const { page, context, faults } = await openBrowserPage({ width: 390 });
  const transfers = await watchTransfers(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  let most = 0;
  for (const [index, state] of site.states.entries()) {
    if (index % EVERY !== 0) continue;
    transfers.clear();
    // All languages in turn.
    const { languageCode } = LANGUAGES[index % LANGUAGES.length]!;
    await page.goto(site.urlOf(state, languageCode), { waitUntil: 'load' });
    // A stream of events does not end.
    const awaited = () => transfers.ofPage().filter(({ type }) => type !== 'EventSource');
    await waitUntil(`${state}: everything to be counted`, () =>
      awaited().every(({ end }) => end !== undefined),
    );
    const broken = awaited().filter(({ end }) => end === 'failed');
    assert.deepEqual(broken, [], `${state}: what failed to load`);
    const all = transfers.ofPage();
    const bytes = all.reduce((sum, transfer) => sum + transfer.bytes, 0);
    most = Math.max(most, bytes);
    assert.ok(bytes > 1_000 && bytes <= bytesMax, `${state}: ${bytes} bytes`);
    assert.ok(all.filter(({ type }) => type === 'Script').length <= 1, state);
    for (const { type, coding, url } of all) {
      const isText = ['Document', 'Script', 'Stylesheet'].includes(type);
      if (isText) assert.equal(coding, 'br', `${state}: ${url}`);
    }
    const scripts = await page.locator('script').count();
    assert.ok(scripts <= 1, `${state}: ${scripts} scripts`);
  }
  assert.deepEqual(
    asked.filter((url) => !url.startsWith(`${site.origin}/`)),
    [],
  );
  assert.deepEqual(faults, []);
  await context.close();
  process.stdout.write(`# the largest state is ${most} bytes of ${bytesMax}\n`);
});

test('every state: a policy that names what it needs, by nonce, and nothing else', async () => {
  const nonces = new Set<string>();
  for (const state of site.states) {
    const { headers } = await fetch(site.urlOf(state));
    const policy = headers.get('content-security-policy') ?? '';
    const directives = new Map(
      policy.split('; ').map((directive): [string, string] => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources.join(' ')];
      }),
    );
    const nonce = /^'nonce-([A-Za-z0-9+/=]{24,})'$/.exec(directives.get('script-src') ?? '')?.[1];
    assert.ok(nonce !== undefined, `${state}: ${policy}`);
    nonces.add(nonce);
    assert.deepEqual(
      Object.fromEntries(directives),
      {
        'default-src': "'none'",
        'script-src': `'nonce-${nonce}'`,
        'style-src': `'nonce-${nonce}'`,
        'img-src': "'self'",
        'connect-src': "'self'",
        'form-action': "'self'",
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
      },
      state,
    );
  }
  assert.equal(nonces.size, site.states.length);
});

test('what the policy forbids does not happen', async () => {
  const { page, context, faults } = await openBrowserPage();
  const refused: string[] = [];
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText === 'csp') refused.push(request.url());
  });
  await page.goto(site.urlOf('pay'));
  await page.evaluate(`(async () => {
    const failed = (image) => new Promise((resolve) => image.addEventListener('error', resolve));
    const script = document.createElement('script');
    script.text = 'window.ran = true';
    document.body.append(script);
    const image = new Image();
    image.src = 'https://elsewhere.example/x.png';
    document.body.append(image);
    document.body.insertAdjacentHTML('beforeend', '<p id="styled" style="color: red">x</p><img src="/x" onerror="ran = true">');
    fetch('https://elsewhere.example/').catch(() => undefined);
    await Promise.all([failed(image), failed(document.querySelector('[src="/x"]'))]);
  })()`);
  const isPolicy = (fault: string) => /Content Security Policy/.test(fault);
  await waitUntil('the refusals to be told', () => refused.length > 0 && faults.some(isPolicy));
  assert.equal(await page.evaluate<unknown>('window.ran'), undefined);
  const color = `getComputedStyle(document.getElementById('styled')).color`;
  assert.notEqual(await page.evaluate<string>(color), 'rgb(255, 0, 0)');
  assert.deepEqual(refused, ['https://elsewhere.example/x.png']);
  await context.close();
});
