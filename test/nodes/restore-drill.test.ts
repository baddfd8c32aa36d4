// The drill of a lost database: load, a backup beside it, more load, everything wiped, restored from
// the sealed file. Nothing acknowledged before the backup is lost, everything on chain after it is
// found again, and nothing is given out twice.
// In a long run alone: backup-pipes.test.ts restores, restored.test.ts gives nothing out twice.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ShownManifest } from '#backup/manifest.ts';
import { sql } from '#db/db.ts';
import type { Committed } from '#test/support/merchant-client.ts';
import { byLength } from '#test/support/run-length.ts';
import { waitForLiveChains, waitUntil } from '#test/support/shop.ts';
import { openStellarShop, type StellarShop } from './stellar-shop.ts';

const EACH = byLength({ short: 2, long: 40 });
const AMOUNT = '10';
const UNITS = 10_0000000n;
const REASON = 'address given out before a restore';

let shop: StellarShop;
let recipient: string;
const paths = () => {
  const { dataDirectory } = shop.server;
  return { identity: join(dataDirectory, 'identity'), folder: join(dataDirectory, 'backups') };
};

before(async () => {
  shop = await openStellarShop({ BACKUP_KEEP: '7,5,12' });
  const { json, stderr } = await shop.server.command('backup', 'key', paths().identity, '--json');
  assert.equal(typeof json.recipient, 'string', stderr);
  recipient = String(json.recipient);
});
after(() => shop?.close());

async function openSome(): Promise<Committed[]> {
  const opened: Committed[] = [];
  while (opened.length < EACH) opened.push(await shop.open(AMOUNT));
  return opened;
}

const memoOf = ({ depositInstructions }: Committed) => String(depositInstructions.memo);

async function suspended(): Promise<bigint> {
  const [row] = await shop.server.db.query<{ units: bigint }>(sql`
    select coalesce(-sum(p.units), 0)::bigint as units
    from ledger_posting p join ledger_account a on a.id = p.account_id
    where a.code = 'suspense:STELLAR'`);
  return row?.units ?? 0n;
}

/** Checkouts made beside the backup, as long as it takes: those that were answered before it began. */
async function backUpUnderLoad(): Promise<{ shown: ShownManifest; beside: Committed[] }> {
  const { server } = shop;
  const beside: Committed[] = [];
  let isMade = false;
  const load = (async () => {
    while (!isMade) beside.push(await shop.open(AMOUNT));
  })();
  const words = ['backup', '--to', paths().folder, '--recipients', recipient, '--json'];
  const { json, exitCode, stderr } = await server.command(...words);
  isMade = true;
  await load;
  assert.equal(exitCode, 0, stderr);
  return { shown: json as unknown as ShownManifest, beside };
}

test('a lost database comes back with nothing lost that was acknowledged before the backup', async () => {
  const { server, client } = shop;
  const { identity, folder } = paths();
  const [paid, open] = [await openSome(), await openSome()];
  for (const one of paid) shop.pay(one, AMOUNT);
  for (const { checkoutId } of paid) await client.waitForState(checkoutId, 'COMPLETED');

  const { shown, beside } = await backUpUnderLoad();
  const listed = await server.command('backup', 'list', '--from', folder, '--json');
  assert.deepEqual(
    (listed.json.backups as ShownManifest[]).map(({ name }) => name),
    [shown.name],
    listed.stderr,
  );
  const later = await openSome();
  // Known to the backup and paid after it; and neither known nor paid before.
  for (const one of [...open, ...later]) shop.pay(one, AMOUNT);
  for (const { checkoutId } of [...open, ...later]) {
    await client.waitForState(checkoutId, 'COMPLETED');
  }
  await server.stop();

  await server.wipe();
  const words = ['restore', '--from', folder, '--identity', identity, '--json'];
  const { json, exitCode, stderr } = await server.command(...words);
  assert.equal(exitCode, 0, `${stderr} ${JSON.stringify(json)}`);
  assert.deepEqual([json.name, json.rows, json.faults], [shown.name, shown.rows, []]);
  const settings = await readFile(join(server.dataDirectory, 'quittance.conf.restored'), 'utf8');
  assert.match(settings, /^STELLAR_ACCOUNT=G/m);
  assert.doesNotMatch(settings, /DATABASE_URL/);
  const again = await server.command(...words);
  assert.match(again.stderr, /the database is not empty/);

  await server.start();
  await waitForLiveChains(server);
  for (const { checkoutId } of [...paid, ...open]) {
    await client.waitForState(checkoutId, 'COMPLETED');
  }
  const lost = BigInt(later.length) * UNITS;
  await waitUntil('what was paid to later ones to lie in suspense', async () => {
    return (await suspended()) === lost;
  });
  const suspense = await server.command('suspense', 'list', '--json');
  const items = suspense.json.suspense as { detail: string | null }[];
  assert.deepEqual(
    items.map(({ detail }) => detail),
    later.map(() => REASON),
  );
  await waitUntil('it to be offered again', () => shop.open(AMOUNT).then(Boolean, () => false));
  const fresh = await openSome();
  const memos = [...paid, ...open, ...beside, ...later, ...fresh].map(memoOf);
  assert.equal(new Set(memos).size, memos.length, 'nothing is given out twice');
  const last = fresh.at(-1);
  assert(last !== undefined);
  shop.pay(last, AMOUNT);
  await client.waitForState(last.checkoutId, 'COMPLETED');
  const verified = await server.command('ledger', 'verify');
  assert.equal(verified.exitCode, 0, verified.stdout);
});

test('a backup is proven by restoring it into a database made for it', async () => {
  const { identity, folder } = paths();
  const words = ['backup', 'verify', '--from', folder, '--identity', identity, '--json'];
  const { json, exitCode, stderr } = await shop.server.command(...words);
  assert.equal(exitCode, 0, stderr);
  assert.equal(json.ok, true);
});
