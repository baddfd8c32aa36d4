// Orders under load while something dies: each request is repeated until it is answered, and whatever
// was acknowledged is counted afterwards.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { silentLog } from '#base/log.ts';
import { openDb, sql } from '#db/db.ts';
import type { MerchantClient } from './merchant-client.ts';

const PAUSE_MS = 40;
/** The same request is signed alike within a second, and a signature counts only so often. */
const RETRY_MS = 300;
/** One of so many is paid. */
const PAID_EACH = 10;

type Acknowledged = { readonly id: string; address?: string; isPaid?: boolean };
export type SalesLoad = {
  readonly acknowledged: Acknowledged[];
  /** When each answer came. */
  readonly times: number[];
  failures: number;
  /** What was said in place of an answer, and how often. */
  readonly refusals: Map<string, number>;
  stop(): Promise<void>;
};

/** Orders of one shop, one after the other by each of `workers`. */
export function startSalesLoad(
  client: MerchantClient,
  webhook: string,
  { workers = 4 }: { readonly workers?: number } = {},
): SalesLoad {
  let isOver = false;
  const acknowledged: Acknowledged[] = [];
  const times: number[] = [];
  const refusals = new Map<string, number>();
  const load: SalesLoad = { acknowledged, times, failures: 0, refusals, stop };

  /** The same request until it is answered: its key keeps it from being two. */
  async function ask<T>(path: string, body: object): Promise<T | undefined> {
    const idempotencyKey = randomUUID();
    while (!isOver) {
      const answer = await client
        .call('POST', path, { body, idempotencyKey })
        .catch(() => undefined);
      if (answer?.status === 200) {
        times.push(performance.now());
        return answer.json as T;
      }
      const isAway = answer === undefined || answer.status >= 500 || answer.status === 429;
      assert.ok(isAway, `${path}: ${answer?.text}`);
      load.failures += 1;
      const said = answer === undefined ? 'no answer' : `${path}: ${answer.status} ${answer.text}`;
      refusals.set(said, (refusals.get(said) ?? 0) + 1);
      await wait(RETRY_MS);
    }
    return undefined;
  }

  async function work(): Promise<void> {
    for (let count = 1; !isOver; count += 1) {
      const charge = {
        billingCurrency: 'EUR',
        // Another one each time: of one text a signature is good for so many in a second.
        lineItems: [{ description: `A good book, ${randomUUID()}`, netAmount: '19.90' }],
      };
      const made = await ask<{ id: string }>('/checkout', { charge, webhook });
      if (made === undefined) return;
      const known: Acknowledged = { id: made.id };
      acknowledged.push(known);
      const chosen = { checkoutId: made.id, network: 'LITECOIN' };
      type Committed = { readonly depositInstructions: { readonly address: string } };
      const committed = await ask<Committed>('/checkout/commit', chosen);
      if (committed === undefined) return;
      known.address = committed.depositInstructions.address;
      if (count % PAID_EACH === 0) {
        if ((await ask('/sandbox/pay', { checkoutId: made.id })) === undefined) return;
        known.isPaid = true;
      }
      await wait(PAUSE_MS);
    }
  }
  const working = Promise.all(Array.from({ length: workers }, work));
  // What went wrong is told when it is stopped, and stops the others.
  working.catch(() => {
    isOver = true;
  });
  async function stop(): Promise<void> {
    isOver = true;
    await working;
  }
  return load;
}

/** The longest time without an answer since then. */
export function longestGap(times: readonly number[], sinceMs: number): number {
  const later = times.filter((at) => at >= sinceMs);
  const before = times.filter((at) => at < sinceMs).at(-1) ?? sinceMs;
  return later.reduce(({ last, most }, at) => ({ last: at, most: Math.max(most, at - last) }), {
    last: before,
    most: 0,
  }).most;
}

/** Lost is what was acknowledged and is not there, or is something else. */
export async function countLost(
  url: string,
  acknowledged: readonly Acknowledged[],
): Promise<number> {
  const db = openDb({ connectionString: url, poolSize: 1, log: silentLog });
  try {
    const known = await db.query<{ id: string; address: string | null }>(sql`
      select c.id, (select i.address from commitment m
          join deposit_instruction i on i.id = m.instruction_id
          where m.checkout_id = c.id limit 1) as address
      from checkout c where c.id = any(${acknowledged.map(({ id }) => id)}::text[])`);
    const addresses = new Map(known.map(({ id, address }) => [id, address]));
    return acknowledged.filter(
      ({ id, address }) =>
        !addresses.has(id) || (address !== undefined && addresses.get(id) !== address),
    ).length;
  } finally {
    await db.close();
  }
}
