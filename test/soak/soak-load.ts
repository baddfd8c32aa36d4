// Customers of one shop: each sale is created, committed, looked at and, drawn by chance, paid. A request
// that no process answers is asked again of another one, with the same Idempotency-Key, as a careful
// shop does. What was acknowledged is kept, to be looked for afterwards.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '#base/random.ts';
import { randomInteger } from '#base/random.ts';
import {
  type Answer,
  type MerchantKey,
  openMerchantClient,
} from '#test/support/merchant-client.ts';
import { pick } from '#test/support/seeded-random.ts';

export type Sold = {
  readonly id: string;
  /** What the customer was told to pay to; undefined until it was acknowledged. */
  address?: string;
  /** The transactions of the payment, once it was acknowledged. */
  paid?: readonly string[];
};

export type SoakLoad = {
  readonly sold: readonly Sold[];
  /** Of the answers, in milliseconds, the last so many. */
  readonly latencies: readonly number[];
  readonly sales: () => number;
  /** Requests that failed or were not answered in time, and were asked again. */
  readonly repeated: () => number;
  /** The longest time in which nobody got an answer, since it was asked last. */
  longestSilenceMs(): number;
  /** Resolves with how many sales were finished in it: as many at once as here. */
  measure(milliseconds: number, workers: number): Promise<number>;
  /** So many sales begin in each second from now on, however long each takes. */
  sell(perSecond: number): void;
  /** An answer came that no shop expects: nothing more is sold. */
  isBroken(): boolean;
  /** Nobody is left who could answer: what is under way is given up. */
  giveUp(): void;
  /** Resolves when the last sale that began is over; rejects with the answer that no shop expects. */
  stop(): Promise<void>;
};

/**
 * A careful shop asks again after that. What nobody waits for any more is still worked at: who asks
 * again too soon, or has too many under way, keeps a slow service from ever coming round.
 */
const PATIENCE_MS = 30_000;
const RETRY_MS = 300;
const RUNNING_MOST = 60;
const LATENCIES_MOST = 20_000;
const PAID_SHARE = 2;
const NETWORKS = ['LITECOIN', 'BITCOIN', 'ETHEREUM', 'BASE', 'STELLAR', 'XRP_LEDGER'];

export function openSoakLoad(options: {
  readonly origins: readonly string[];
  readonly key: MerchantKey;
  readonly webhooks: readonly string[];
  readonly random: Random;
}): SoakLoad {
  const { key, webhooks, random } = options;
  const clients = options.origins.map((origin) => openMerchantClient(origin, key));
  const sold: Sold[] = [];
  const latencies: number[] = [];
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let [orders, sales, repeated, turn] = [0, 0, 0, 0];
  let [lastAnswerMs, longestMs] = [performance.now(), 0];
  let fault: unknown;
  let isGivenUp = false;

  function noteAnswer(tookMs: number): void {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastAnswerMs);
    lastAnswerMs = nowMs;
    latencies.push(tookMs);
    if (latencies.length > LATENCIES_MOST) latencies.splice(0, LATENCIES_MOST / 2);
  }

  /** The same request until it is answered: its key keeps it from being two. */
  async function ask<T>(path: string, body: object): Promise<T> {
    const idempotencyKey = randomUUID();
    for (;;) {
      turn += 1;
      const client = clients[turn % clients.length];
      assert.ok(client !== undefined);
      const startedMs = performance.now();
      const answer = await inTime(client.call('POST', path, { body, idempotencyKey }));
      if (answer?.status === 200) {
        noteAnswer(performance.now() - startedMs);
        return answer.json as T;
      }
      const isAway = answer === undefined || answer.status >= 500 || answer.status === 429;
      // The process that was asked first may work at it still.
      const isRunning = answer?.status === 409 && answer.text.includes('still running');
      assert.ok(isAway || isRunning, `${path} is answered ${answer?.status}: ${answer?.text}`);
      assert.ok(!isGivenUp, `${path} is not answered`);
      repeated += 1;
      await pause(RETRY_MS);
    }
  }

  async function sellOne(): Promise<void> {
    orders += 1;
    const lineItems = [{ description: `Order ${orders}`, netAmount: '19.90' }];
    const [network, webhook] = [pick(random, NETWORKS), pick(random, webhooks)];
    const isPaid = randomInteger(random, PAID_SHARE) === 0;
    const charge = { billingCurrency: 'EUR', lineItems };
    const made = await ask<{ id: string }>('/checkout', { charge, webhook });
    const one: Sold = { id: made.id };
    sold.push(one);
    type Committed = { readonly depositInstructions: { readonly address: string } };
    const asset = ASSETS[network];
    const chosen = { checkoutId: made.id, network, ...(asset === undefined ? {} : { asset }) };
    one.address = (await ask<Committed>('/checkout/commit', chosen)).depositInstructions.address;
    if (isPaid) {
      type Paid = { readonly payments: readonly { readonly transaction: string }[] };
      const { payments } = await ask<Paid>('/sandbox/pay', { checkoutId: made.id });
      one.paid = payments.map(({ transaction }) => transaction);
    }
    await look(made.id);
    sales += 1;
  }

  /** Nothing rests on it: where it is not answered it is not asked again. */
  async function look(id: string): Promise<void> {
    const client = clients[orders % clients.length];
    const found = await inTime(client?.call('GET', '/checkout', { query: { id } }));
    assert.ok(found === undefined || found.status !== 404, `${id} was sold and is not found`);
  }

  function begin(): void {
    if (fault !== undefined || running.size >= RUNNING_MOST) return;
    const one = sellOne()
      .catch((error: unknown) => {
        fault ??= error;
      })
      .finally(() => running.delete(one));
    running.add(one);
  }

  return {
    sold,
    latencies,
    sales: () => sales,
    repeated: () => repeated,
    longestSilenceMs() {
      const longest = Math.max(longestMs, performance.now() - lastAnswerMs);
      longestMs = 0;
      return longest;
    },
    async measure(milliseconds, workers) {
      const before = sales;
      const endsAtMs = performance.now() + milliseconds;
      const work = async () => {
        while (performance.now() < endsAtMs) await sellOne();
      };
      await Promise.all(Array.from({ length: workers }, work));
      return sales - before;
    },
    sell(perSecond) {
      timer = setInterval(begin, 1_000 / perSecond);
    },
    isBroken: () => fault !== undefined,
    giveUp() {
      clearInterval(timer);
      fault ??= new Error('given up');
      isGivenUp = true;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      if (fault !== undefined) throw fault;
    },
  };
}

/** Where a network has several. */
const ASSETS: Readonly<Record<string, string | undefined>> = {
  LITECOIN: 'LTC:NATIVE',
  BITCOIN: 'BTC:NATIVE',
  ETHEREUM: 'ETH:NATIVE',
  BASE: 'ETH:NATIVE',
  STELLAR: 'XLM:NATIVE',
  XRP_LEDGER: 'XRP:NATIVE',
};

/** Undefined where nobody answers, or not in time. */
async function inTime(asked: Promise<Answer> | undefined): Promise<Answer | undefined> {
  const late = new AbortController();
  const patience = pause(PATIENCE_MS, undefined, { signal: late.signal }).catch(() => undefined);
  try {
    return await Promise.race([asked?.catch(() => undefined), patience]);
  } finally {
    late.abort();
  }
}
