// npm run test:ha. The service in three processes over a primary that is killed under load again and
// again: whatever was acknowledged is there afterwards, and every process finds the new primary.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { silentLog } from '#base/log.ts';
import { openDb, sql } from '#db/db.ts';
import { type MerchantKey, openMerchantClient } from '#test/support/merchant-client.ts';
import { countLost, longestGap, type SalesLoad, startSalesLoad } from '#test/support/sales-load.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { waitUntil } from '#test/support/shop.ts';
import { openWebhookReceiver } from '#test/support/webhook-receiver.ts';
import { type Cluster, startCluster } from './cluster.ts';

/** Acknowledged between one kill and the next. */
const BETWEEN_KILLS = 100;
const SERVICE_AIM_MS = 15_000;

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function killPrimaries(cluster: Cluster, load: SalesLoad, kills: number): Promise<number[]> {
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
    const load = startSalesLoad(client, `${receiver.origin}/`);
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
