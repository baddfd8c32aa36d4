// npm run measure:page: what the payment page costs and how far away paying is, for choosing and for
// paying, on a slow phone and on a desktop. A table of figures for docs/operate/payment-page.md.
import type { Page } from 'playwright-core';
import { launchChromium } from '#test/browser/chromium.ts';
import { openSampleSite } from '#test/support/sample-site.ts';

/** As Lighthouse slows a phone down: a fourth of the processor, 1.6 Mbit/s, 150 ms a way. */
const SLOW = {
  offline: false,
  latency: 150,
  downloadThroughput: 200_000,
  uploadThroughput: 90_000,
};
const PROCESSOR_RATE = 4;

const site = await openSampleSite();
const browser = await launchChromium();
try {
  for (const state of ['choose', 'pay', 'seen', 'paid']) {
    console.log(`${state}: ${await measure(state)}`);
  }
} finally {
  await browser.close();
  await site.close();
}

async function measure(state: string): Promise<string> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', SLOW);
  await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_RATE });
  await page.goto(site.urlOf(state), { waitUntil: 'load' });
  const usableMs = await page.evaluate<number>(
    `Math.round(performance.getEntriesByType('navigation')[0].domInteractive)`,
  );
  const phone = await reach(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  const desktop = await reach(page);
  await context.close();
  return `${bytes} bytes, usable after ${usableMs} ms; ${phone}; desktop: ${desktop}`;
}

/** Where the last thing needed to pay ends, and the smallest thing to press. */
function reach(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const seen = (selector) => [...document.querySelectorAll(selector)]
      .filter((one) => one.checkVisibility({ contentVisibilityAuto: true }) && !one.closest('.skip'));
    const bottoms = seen('#amount, #address, #wallet').map((one) => one.getBoundingClientRect().bottom);
    const sizes = seen('a:not(.skip), button, summary')
      .map((one) => one.getBoundingClientRect())
      .map(({ width, height }) => Math.min(width, height));
    const last = bottoms.length > 0 ? Math.round(Math.max(...bottoms)) : '-';
    return 'needed to pay ends at ' + last + ' px, smallest target ' + Math.round(Math.min(...sizes)) + ' px';
  })()`);
}
