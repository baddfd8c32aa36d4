// What a checkout takes in the database, all tables with their indexes: so many of them made, committed
// and paid through the service as it is, with deliveries, mails off. Run by scripts/measure-growth.mjs.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { argv, stdout } from 'node:process';
import { test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { forgetEvents } from '#event/forget-events.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, waitUntil } from '#test/support/shop.ts';
import { sellBatch } from './sell-batch.ts';
import { growthOf, kindOf, readSizes, type Sizes, sumOf } from './table-growth.ts';

const CHECKOUTS = Number(argv.at(-1));
const FIRST = 200;
const BATCH = 200;
const YEAR = 3_000_000;

async function sizesWhenStill({ db }: ServerProcess): Promise<Sizes> {
  await waitUntil('all to be told and sealed', async () => {
    const [row] = await db.query<{ waiting: bigint }>(sql`
      select (select count(*) from webhook_delivery where state = 'PENDING')
        + (select count(*) from ledger_entry where id > coalesce(
            (select max(last_entry) from ledger_seal), 0)) as waiting`);
    return row?.waiting === 0n;
  });
  await db.single((tx) => tx.query(rawStatement('vacuum analyze')));
  return readSizes(db);
}

async function backUp(server: ServerProcess): Promise<string> {
  const identity = join(server.dataDirectory, 'identity');
  const { json } = await server.command('backup', 'key', identity, '--json');
  const to = [
    '--to',
    join(server.dataDirectory, 'backups'),
    '--recipients',
    String(json.recipient),
  ];
  const startedMs = performance.now();
  const { exitCode, stdout: said, stderr } = await server.command('backup', ...to);
  assert.equal(exitCode, 0, stderr);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  return `a backup of all, in ${seconds} s: ${said.split('\n')[0]}`;
}

/** As the loop does when they are 60 days old, without its pauses. */
async function forgetAll({ db }: ServerProcess): Promise<string> {
  const clock = { ...systemClock, now: () => systemClock.now().add({ hours: 24 * 61 }) };
  const startedMs = performance.now();
  let forgotten = 0;
  let after: Parameters<typeof forgetEvents>[1]['after'];
  do {
    const step = await forgetEvents({ db, clock }, { keptDays: 60, after });
    forgotten += step.forgotten;
    after = step.after;
  } while (after !== undefined);
  const seconds = (performance.now() - startedMs) / 1_000;
  return `${forgotten} events forgotten, ${(forgotten / seconds).toFixed(0)} a second`;
}

test('what a checkout takes', async () => {
  assert.ok(CHECKOUTS > 0, 'how many');
  const server = await openServerProcess({
    settings: { RATE_LIMIT_PER_KEY: '0', RATE_LIMIT_PER_IP: '0', LOG_LEVEL: 'warn' },
  });
  await server.start();
  const shop = await openShop(server, 'test');
  try {
    await sellBatch(shop, FIRST);
    const before = await sizesWhenStill(server);
    let sold = 0;
    for (; sold < CHECKOUTS; sold += BATCH) await sellBatch(shop, BATCH);
    const after = await sizesWhenStill(server);
    const growth = growthOf(before, after, sold);
    for (const one of growth.filter(({ diskBytes }) => diskBytes >= 1)) {
      const figures = [one.diskBytes, one.rowBytes, one.entries].map((figure) => figure.toFixed(1));
      stdout.write(`${[kindOf(one), one.table, one.rows.toFixed(2), ...figures].join('\t')}\n`);
    }
    for (const kind of ['stays', 'goes', 'other'] as const) {
      const { rows, rowBytes, entries, diskBytes } = sumOf(growth, kind);
      stdout.write(
        `${kind}: ${diskBytes.toFixed(0)} bytes a checkout on disk, ${rowBytes.toFixed(0)} of rows, ` +
          `${rows.toFixed(1)} rows, ${entries.toFixed(1)} index entries; ` +
          `a year of ${YEAR}: ${((diskBytes * YEAR) / 1e9).toFixed(1)} GB\n`,
      );
    }
    stdout.write(`${await backUp(server)}\n${await forgetAll(server)}\n`);
  } finally {
    await shop.close();
    await server.close();
  }
});
