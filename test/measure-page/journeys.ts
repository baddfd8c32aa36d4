// Five journeys of somebody who pays, from the page as it opens to the point where he has all he
// needs: how often he presses, how often he has to scroll, how long it takes. Presses and scrolls
// are facts of the page; seconds are those of this machine, and compare pages measured on it alone.
import process from 'node:process';
import type { Page } from 'playwright-core';
import { launchChromium } from '#test/browser/chromium.ts';
import { holdBlocks } from '#test/support/hold-blocks.ts';
import { openServerProcess } from '#test/support/server-process.ts';
import { openShop } from '#test/support/shop.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
/** As Lighthouse slows a phone down: 1.6 Mbit/s, 150 ms a way, a fourth of the processor. */
const SLOW = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 90_000,
};
const PROCESSOR_RATE = 4;
const RUNS = Number(process.env.QUITTANCE_MEASURE_RUNS ?? '5');

type Journey = {
  readonly name: string;
  readonly screen: typeof PHONE;
  /** The value of the way to pay, and the coin under which it is found where there are groups. */
  readonly way: string;
  readonly coins: readonly string[];
  /** What must be in view, then what is pressed. */
  readonly needs: readonly string[];
  readonly presses: readonly string[];
};

const JOURNEYS: readonly Journey[] = [
  {
    name: 'phone: Litecoin by its wallet',
    screen: PHONE,
    way: 'LITECOIN LTC:NATIVE',
    coins: ['LTC'],
    needs: ['#amount', '#wallet'],
    presses: [],
  },
  {
    name: 'phone: Lightning by its wallet',
    screen: PHONE,
    way: 'LIGHTNING BTC:NATIVE',
    coins: ['BTC', 'LIGHTNING'],
    needs: ['#amount', '#wallet'],
    presses: [],
  },
  {
    name: 'phone: Lumen with a memo, copied',
    screen: PHONE,
    way: 'STELLAR XLM:NATIVE',
    coins: ['XLM'],
    needs: ['#amount', '#address'],
    presses: ['amount', 'address', 'memo'],
  },
  {
    name: 'desktop: Bitcoin by its code',
    screen: DESKTOP,
    way: 'BITCOIN BTC:NATIVE',
    coins: ['BTC'],
    needs: ['#amount', 'svg.qr'],
    presses: [],
  },
  {
    name: 'desktop: XRP with a tag, copied',
    screen: DESKTOP,
    way: 'XRP_LEDGER XRP:NATIVE',
    coins: ['XRP'],
    needs: ['#amount', '#address'],
    presses: ['amount', 'address', 'tag'],
  },
];

type Walked = { readonly presses: number; readonly scrolls: number; readonly seconds: number };

/** Presses what leads to the way: the way itself, or first its coin. */
async function choose(page: Page, { way, coins }: Journey): Promise<number> {
  const row = page.locator(`button[value="${way}"]`);
  let presses = 0;
  if (!(await row.isVisible())) {
    const groups = coins.map((coin) => `a[href*="group=${coin}"]`).join(', ');
    await page.locator(groups).first().click();
    presses += 1;
    await row.waitFor();
  }
  await row.click();
  return presses + 1;
}

async function walk(page: Page, url: string, journey: Journey): Promise<Walked> {
  const startedAt = performance.now();
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  let presses = await choose(page, journey);
  await page.waitForSelector('#main[data-state="pay"]');
  let scrolls = 0;
  for (const selector of journey.needs) {
    const need = page.locator(selector).first();
    await need.waitFor({ state: 'visible' });
    if (await isInView(page, selector)) continue;
    scrolls += 1;
    await need.scrollIntoViewIfNeeded();
  }
  for (const field of journey.presses) {
    await page.locator(`#${field}-copy`).click();
    presses += 1;
  }
  return { presses, scrolls, seconds: (performance.now() - startedAt) / 1_000 };
}

function isInView(page: Page, selector: string): Promise<boolean> {
  return page.evaluate<boolean>(`(() => {
    const { top, bottom } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`);
}

const middle = (numbers: readonly number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const server = await openServerProcess();
const browser = await launchChromium();
try {
  await server.start({ PUBLIC_URL: server.origin });
  await holdBlocks(server.db);
  const shop = await openShop(server, 'test');
  for (const journey of JOURNEYS) {
    const walked: Walked[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const id = await shop.create({ currency: 'EUR', amount: '19.90' });
      const { hostedCheckoutUrl } = await shop.client.findCheckout(id);
      const context = await browser.newContext({ viewport: journey.screen });
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send('Network.enable');
      await session.send('Network.emulateNetworkConditions', SLOW);
      if (journey.screen === PHONE) {
        await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_RATE });
      }
      walked.push(await walk(page, hostedCheckoutUrl, journey));
      await context.close();
    }
    const [first] = walked;
    const seconds = middle(walked.map((one) => one.seconds)).toFixed(1);
    console.log(
      `${journey.name}: ${first?.presses} presses, ${first?.scrolls} scrolls, ${seconds} s`,
    );
  }
  await shop.close();
} finally {
  await browser.close();
  await server.close();
}
