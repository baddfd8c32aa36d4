// Whether a long receipt keeps others waiting: `/time` is asked again and again while three receipts
// of 450 lines are drawn as PDF, each for the first time.

import { setTimeout as wait } from 'node:timers/promises';
import { pageToken } from '#checkout/page-token.ts';
import type { Bench } from './bench.ts';
import { createSample } from './figure-create.ts';
import { askOnce, signedRequest } from './http-client.ts';
import { type Figure, figureOf, median, percentile, shown } from './measure.ts';

const LINES = 450;
const AT_ONCE = 3;
/** The first is a warm-up. */
const RUNS = 4;
const AIM_MS = 50;
const LATEST_MS = 10_000;

export async function measurePapers(bench: Bench): Promise<Figure[]> {
  const { port } = await bench.server();
  const p95s: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const paths: string[] = [];
    while (paths.length < AT_ONCE) paths.push(await paidReceipt(bench, port, run, paths.length));
    let isDrawn = false;
    const drawing = Promise.all(paths.map((path) => get(port, `${path}.pdf`))).finally(() => {
      isDrawn = true;
    });
    const times: number[] = [];
    const startMs = performance.now();
    while (!isDrawn) {
      const askedMs = performance.now();
      await get(port, '/api/v1/time');
      times.push(performance.now() - askedMs);
    }
    await drawing;
    const p95 = percentile(times, 0.95);
    const drawnMs = shown(performance.now() - startMs);
    bench.say(`papers, run ${run}: ${times.length} answers in ${drawnMs} ms, p95 ${shown(p95)} ms`);
    if (run > 0) p95s.push(p95);
  }
  const name = '/time beside three receipts of 450 lines, p95';
  const aim = { atMost: 1 };
  return [figureOf({ name, against: `${AIM_MS} ms`, unit: 'ms', aim }, median(p95s), AIM_MS)];
}

/** Path of the receipt of a checkout that the wallet of the sandbox has paid. */
async function paidReceipt(bench: Bench, port: number, run: number, at: number): Promise<string> {
  const { ours } = await bench.httpDatabase();
  const lineItems = Array.from({ length: LINES }, (_, line) => ({
    description: `Order ${run}-${at}, line ${line + 1}: a good book, hardcover`,
    netAmount: '0.10',
  }));
  const post = (path: string, body: object) =>
    signedRequest(ours, 'POST', path, { body: JSON.stringify(body) });
  const charge = { billingCurrency: 'EUR', lineItems };
  const checkoutId = await createSample(port, post('/checkout/hosted', { charge }));
  const payment = { checkoutId, network: 'LITECOIN' };
  for (const [path, body] of [
    ['/checkout/commit', payment],
    ['/sandbox/pay', payment],
    ['/sandbox/mine', { network: 'LITECOIN', blocks: 4 }],
  ] as const) {
    const answer = await askOnce(port, post(path, body));
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status} ${answer.body}`);
  }
  const path = `/en/checkout/${pageToken(bench.keyring, checkoutId)}/receipt`;
  const endMs = performance.now() + LATEST_MS;
  // There is none before the payment is final.
  while ((await askOnce(port, requestOf(path))).status !== 200) {
    if (performance.now() > endMs) throw new Error('the payment of a receipt is not final');
    await wait(50);
  }
  return path;
}

async function get(port: number, path: string): Promise<void> {
  const { status } = await askOnce(port, requestOf(path));
  if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
}

function requestOf(path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;
}
