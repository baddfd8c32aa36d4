// A shop that never stops selling: several sales at one time, each created, committed, looked at and
// shown, until it is told to end. Every request that was not answered well is remembered.
import { setTimeout as pause } from 'node:timers/promises';
import { type MerchantKey, openMerchantClient } from './merchant-client.ts';

export type SteadyLoad = {
  /** Resolves when so many more requests have been answered. */
  pass(requests: number): Promise<void>;
  /** What failed, and how much was asked; the checkouts that were committed. */
  end(): Promise<LoadEnded>;
};

export type LoadEnded = {
  readonly failures: readonly string[];
  readonly requests: number;
  readonly committed: readonly string[];
};

const AT_ONCE = 3;
const PAUSE_MS = 20;
const FAILURES_MOST = 20;

export function startLoad(origin: string, key: MerchantKey): SteadyLoad {
  const client = openMerchantClient(origin, key);
  const failures: string[] = [];
  const committed: string[] = [];
  const waiting = new Set<{ readonly from: number; readonly resolve: () => void }>();
  let orders = 0;
  let requests = 0;
  let isOver = false;

  async function ask<T>(what: string, act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      failures.push(`${what}: ${error instanceof Error ? fullMessage(error) : error}`);
      return undefined;
    } finally {
      requests += 1;
      for (const one of waiting) if (requests >= one.from) one.resolve();
    }
  }
  async function sell(): Promise<void> {
    orders += 1;
    // No two requests of one second are the same: a signature is good for few.
    const lineItems = [{ description: `Order ${orders}`, netAmount: '19.90' }];
    const charge = { billingCurrency: 'EUR', lineItems };
    const created = await ask('create', () => client.createCheckout({ charge }));
    if (created === undefined) return;
    const made = await ask('commit', () => client.commit(created.id, 'LITECOIN'));
    const found = await ask('look', () => client.findCheckout(created.id));
    if (made !== undefined) committed.push(created.id);
    if (found === undefined) return;
    await ask('show', async () => {
      const { pathname } = new URL(found.hostedCheckoutUrl);
      const page = await fetch(`${origin}${pathname}`);
      await page.arrayBuffer();
      if (!page.ok) throw new Error(`the page answers ${page.status}`);
    });
  }
  async function sellOn(): Promise<void> {
    // Where everything fails, more of it says nothing more.
    while (!isOver && failures.length < FAILURES_MOST) {
      await sell();
      await pause(PAUSE_MS);
    }
    for (const one of waiting) if (failures.length >= FAILURES_MOST) one.resolve();
  }

  const running = Array.from({ length: AT_ONCE }, sellOn);
  return {
    async pass(more) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const one = { from: requests + more, resolve };
      waiting.add(one);
      if (failures.length < FAILURES_MOST) await promise;
      waiting.delete(one);
    },
    async end() {
      isOver = true;
      await Promise.all(running);
      return { failures, requests, committed };
    },
  };
}

/** `fetch` says why in the cause. */
function fullMessage({ message, cause }: Error): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
