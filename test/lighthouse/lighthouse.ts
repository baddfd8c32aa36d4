// npm run test:lighthouse: 99 of 100 or more in all four categories, on a phone and on a desktop. That
// no page is for search engines costs nothing: browsers are not told (pages/finish-answer.ts).
import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import lighthouse, { desktopConfig, type Flags } from 'lighthouse';
import type { Browser } from 'playwright-core';
import { launchChromium } from '#test/browser/chromium.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop, waitUntil } from '#test/support/shop.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const PRESETS = { mobile: undefined, desktop: desktopConfig } as const;
const scoreMin = 99;
/** Where the first look falls short, the middle one of so many counts: machines have other work. */
const looks = 3;

type Scores = Readonly<Record<(typeof CATEGORIES)[number], number>>;
type Look = { readonly scores: Scores; readonly faults: readonly string[] };

const charge = { currency: 'EUR', amount: '19.90' };

let server: ServerProcess;
let shop: Shop;
let browser: Browser;
let port: number;
let pages: Record<string, string>;
before(async () => {
  server = await openServerProcess();
  await server.start({ PUBLIC_URL: server.origin });
  shop = await openShop(server, 'test');
  pages = await preparePages();
  port = await freePort();
  browser = await launchChromium([`--remote-debugging-port=${port}`]);
});
after(async () => {
  await browser.close();
  await shop.close();
  await server.close();
});

for (const name of ['choose', 'pay', 'paid'] as const) {
  for (const preset of ['mobile', 'desktop'] as const) {
    test(`${name} on ${preset}: ${scoreMin} and more`, async (context) => {
      const { scores, faults } = await measure(pages[name]!, preset);
      context.diagnostic(CATEGORIES.map((one) => `${one} ${scores[one]}`).join(', '));
      for (const one of CATEGORIES) assert.ok(scores[one] >= scoreMin, `${one}: ${faults.join()}`);
    });
  }
}

/** Pages of real checkouts: open, asked for an amount, and paid. */
async function preparePages(): Promise<Record<string, string>> {
  const choose = await shop.create(charge);
  const { checkoutId: pay } = await shop.open(charge, 'LITECOIN');
  const { checkoutId: paid } = await shop.open(charge, 'LITECOIN');
  await shop.client.post('/sandbox/pay', { checkoutId: paid, network: 'LITECOIN' });
  await waitUntil('the payment is seen', async () => (await stateOf(paid)) === 'PENDING');
  await shop.client.post('/sandbox/mine', { network: 'LITECOIN', blocks: 12 });
  await waitUntil('it is paid', async () => (await stateOf(paid)) === 'COMPLETED');
  const urlOf = async (id: string) => (await shop.client.findCheckout(id)).hostedCheckoutUrl;
  return { choose: await urlOf(choose), pay: await urlOf(pay), paid: await urlOf(paid) };
}

async function stateOf(id: string): Promise<string> {
  return (await shop.client.findCheckout(id)).state;
}

async function measure(url: string, preset: keyof typeof PRESETS): Promise<Look> {
  const first = await look(url, preset);
  if (CATEGORIES.every((name) => first.scores[name] >= scoreMin)) return first;
  const all = [first];
  while (all.length < looks) all.push(await look(url, preset));
  const sumOf = ({ scores }: Look) => CATEGORIES.reduce((sum, name) => sum + scores[name], 0);
  all.sort((one, other) => sumOf(one) - sumOf(other));
  return all[Math.floor(looks / 2)]!;
}

async function look(url: string, preset: keyof typeof PRESETS): Promise<Look> {
  const flags: Flags = { port, logLevel: 'error', onlyCategories: [...CATEGORIES] };
  const result = await lighthouse(url, flags, PRESETS[preset]);
  if (result === undefined) throw new Error(`Lighthouse has no result for ${url}`);
  const { categories, audits, runtimeError } = result.lhr;
  if (runtimeError !== undefined) throw new Error(`Lighthouse: ${runtimeError.message}`);
  const scores = Object.fromEntries(
    CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]),
  ) as Scores;
  const counted = CATEGORIES.flatMap((name) => categories[name]?.auditRefs ?? []);
  const faults = counted.flatMap(({ id, weight }) => {
    const score = audits[id]?.score ?? 1;
    return weight > 0 && score < 0.99 ? [`${id} ${score}`] : [];
  });
  return { scores, faults };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
