// npm run test:ha. The service in three processes over a primary that is killed under load again and
// again: whatever was acknowledged is there afterwards, and every process finds the new primary.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { silentLog } from '#base/log.ts';
import { openDb, sql } from '#db/db.ts';
import {
  type MerchantClient,
  type MerchantKey,
  openMerchantClient,
} from '#test/support/merchant-client.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { waitUntil } from '#test/support/shop.ts';
import { openWebhookReceiver } from '#test/support/webhook-receiver.ts';
import { type Cluster, startCluster } from './cluster.ts';

const WORKERS = 4;
const PAUSE_MS = 40;
/** The same request is signed alike within a second, and a signature counts only so often. */
const RETRY_MS = 300;
/** One of so many is paid. */
const PAID_EACH = 10;
/** Acknowledged between one kill and the next. */
const BETWEEN_KILLS = 100;
const SERVICE_AIM_MS = 15_000;

type Acknowledged = { readonly id: string; address?: string; isPaid?: boolean };
type Load = {
  readonly acknowledged: Acknowledged[];
  /** When each answer came. */
  readonly times: number[];
  failures: number;
  stop(): Promise<void>;
};

const say = (line: string) => void process.stdout.write(`${line}\n`);

function startLoad(client: MerchantClient, webhook: string): Load {
  let isOver = false;
  const acknowledged: Acknowledged[] = [];
  const times: number[] = [];
  const load: Load = { acknowledged, times, failures: 0, stop };

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
      await wait(RETRY_MS);
    }
    return undefined;
  }

  async function work(): Promise<void> {
    for (let count = 1; !isOver; count += 1) {
      const charge = {
        billingCurrency: 'EUR',
        lineItems: [{ description: 'A good book', netAmount: '19.90' }],
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
  const working = Promise.all(Array.from({ length: WORKERS }, work));
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
function longestGap(times: readonly number[], sinceMs: number): number {
  const later = times.filter((at) => at >= sinceMs);
  const before = times.filter((at) => at < sinceMs).at(-1) ?? sinceMs;
  return later.reduce(({ last, most }, at) => ({ last: at, most: Math.max(most, at - last) }), {
    last: before,
    most: 0,
  }).most;
}

async function killPrimaries(cluster: Cluster, load: Load, kills: number): Promise<number[]> {
  const gaps: number[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    await cluster.waitUntilSafe();
    const enough = load.times.length + BETWEEN_KILLS;
    await waitUntil('load', () => load.times.length >= enough);
    const primary = await cluster.primary();
    assert.ok(primary !== undefined, 'a safe cluster has a primary');
    const killedMs = performance.now();
    await cluster.kill(primary);
    const answered = load.times.length + BETWEEN_KILLS;
    await waitUntil('service again', () => load.times.length >= answered);
    const gap = longestGap(load.times, killedMs);
    gaps.push(gap);
    const now = await cluster.primary();
    say(
      `kill ${kill}: ${primary.name} was the primary, ${now?.name} is; ` +
        `${(gap / 1000).toFixed(1)} s without an answer, ${load.acknowledged.length} acknowledged`,
    );
    cluster.start(primary);
  }
  await cluster.waitUntilSafe();
  return gaps;
}

async function openService(cluster: Cluster): Promise<ServerProcess[]> {
  const shared = {
    DATABASE_URL: cluster.url,
    SANDBOX: 'on',
    RATE_LIMIT_PER_KEY: '0',
    RATE_LIMIT_PER_IP: '0',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
  };
  const open = async (ROLES: string, more = {}) => {
    const settings = { ...shared, ROLES, ...more };
    const one = await openServerProcess({ isEmbedded: true, settings });
    await one.start();
    return one;
  };
  const serve = await open('serve');
  const place = { KEY_FILE: serve.keyFile };
  return [serve, await open('watch', place), await open('settle,deliver', place)];
}

/** Lost is what was acknowledged and is not there, or is something else. */
async function countLost(url: string, acknowledged: readonly Acknowledged[]): Promise<number> {
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

async function makeDatabase(cluster: Cluster): Promise<void> {
  const connectionString = cluster.url.replace(/\/quittance$/, '/postgres');
  const admin = openDb({ connectionString, poolSize: 1, log: silentLog });
  try {
    await waitUntil('the database', () =>
      admin.query(sql`create database quittance`).then(
        () => true,
        () => false,
      ),
    );
  } finally {
    await admin.close();
  }
}

async function main(postgresBin: string, kills: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'quittance-ha-'));
  chmodSync(directory, 0o755);
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres']));
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  const cluster = await startCluster({ directory, postgresBin, user });
  const receiver = await openWebhookReceiver();
  const services: ServerProcess[] = [];
  try {
    say('waiting for three nodes');
    await cluster.waitUntilSafe();
    await makeDatabase(cluster);
    services.push(...(await openService(cluster)));
    const [serve] = services;
    assert.ok(serve !== undefined);
    const pids = services.map((one) => one.pid());
    const made = await serve.command('key', 'create', '--environment', 'test', '--json');
    const client = openMerchantClient(serve.origin, made.json as MerchantKey);
    const load = startLoad(client, `${receiver.origin}/`);
    const gaps = await killPrimaries(cluster, load, kills);
    await load.stop();
    const { acknowledged, failures } = load;
    assert.deepEqual(
      services.map((one) => one.pid()),
      pids,
      'no process was started again',
    );
    const lost = await countLost(cluster.url, acknowledged);
    for (const { id } of acknowledged.filter(({ isPaid }) => isPaid)) {
      await client.waitForState(id, 'COMPLETED');
      await waitUntil(`the webhook of ${id}`, () =>
        receiver.received.some(({ body }) => body.includes(id) && body.includes('COMPLETED')),
      );
    }
    const verified = await serve.command('ledger', 'verify', '--json');
    assert.deepEqual(verified.json.faults, []);
    const longest = Math.max(...gaps);
    say(
      `${kills} kills: ${acknowledged.length} checkouts acknowledged, ${lost} lost; ` +
        `${failures} requests failed and were repeated; without an answer ` +
        `${gaps.map((gap) => (gap / 1000).toFixed(1)).join(', ')} s`,
    );
    assert.equal(lost, 0);
    assert.ok(longest <= SERVICE_AIM_MS, `${longest} ms without service`);
  } finally {
    await Promise.all(services.map((one) => one.close()));
    await receiver.close();
    await cluster.stop();
    if (process.env.QUITTANCE_TEST_KEEP === undefined) {
      rmSync(directory, { recursive: true, force: true });
    } else say(`kept ${directory}`);
  }
}

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: { kills: { type: 'string', default: '20' } },
  allowPositionals: true,
});
await main(positionals[0] ?? '', Number(values.kills));
