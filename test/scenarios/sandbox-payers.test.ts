// Payers of test checkouts that act by themselves, by a word in `meta.sandbox`, over a real server
// with all its loops.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConstraintViolation } from '#db/database-error.ts';
import { sql } from '#db/db.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';

let server: ServerProcess;
let shop: Shop;

before(async () => {
  server = await openServerProcess();
  await server.start();
  shop = await openShop(server, 'test');
});
after(async () => {
  await shop?.close();
  await server?.close();
});

const EUROS = { currency: 'EUR', amount: '23' };

async function open(word: unknown, network: string, asset?: string): Promise<string> {
  const id = await shop.create(EUROS, { meta: { sandbox: word } });
  await shop.client.commit(id, network, asset);
  return id;
}

test('each word makes happen what the manual says, without anybody who clicks', async () => {
  const stories: readonly (readonly [word: string, network: string, last: string])[] = [
    ['paid', 'LITECOIN', 'CHECKOUT_COMPLETED'],
    ['paid', 'LIGHTNING', 'CHECKOUT_COMPLETED'],
    ['paid', 'SEPA', 'CHECKOUT_COMPLETED'],
    ['underpaid', 'LITECOIN', 'CHECKOUT_UNDERPAID'],
    ['overpaid', 'LITECOIN', 'CHECKOUT_COMPLETED'],
    ['parts', 'BITCOIN', 'CHECKOUT_COMPLETED'],
    ['wrong_asset', 'STELLAR', 'CHECKOUT_MISDIRECTED'],
    ['late', 'LITECOIN', 'CHECKOUT_COMPLETED'],
    ['expired', 'LITECOIN', 'CHECKOUT_EXPIRED'],
    ['replaced', 'LITECOIN', 'CHECKOUT_PENDING_WITHDRAWN'],
    ['reversed', 'LITECOIN', 'CHECKOUT_REVERSED'],
  ];
  const flags = await Promise.all(
    stories.map(async ([word, network, last]) => {
      const id = await open(word, network);
      if (word === 'late' || word === 'expired') shop.noteExpired(id);
      await shop.waitForEvent(id, last);
      return [word, Object.keys((await shop.client.findCheckout(id)).flags ?? {})] as const;
    }),
  );
  const byWord = Object.fromEntries(flags);
  assert.deepEqual(byWord.overpaid, ['overpaid']);
  assert.deepEqual(byWord.late, ['late']);
  assert.deepEqual(byWord.reversed, ['reversed']);
  assert.deepEqual(byWord.parts, []);
});

test('each pays once, and another word and an own one pay nothing', async () => {
  const [paid, other, none] = await Promise.all([
    open('paid', 'LIGHTNING'),
    open('by hand', 'LITECOIN'),
    open({ paid: true }, 'LITECOIN'),
  ]);
  await shop.client.waitForState(paid, 'COMPLETED');
  await sleep(1_500);
  const rows = await server.db.query<{ id: string; sent: number }>(sql`
    select i.purpose_id as id, count(t.id)::int as sent from deposit_instruction i
    left join sandbox_transfer t on t.destination = i.destination and t.chain = i.chain
    where i.purpose_id = any(${[paid, other, none]}::text[]) group by 1`);
  const sent = new Map(rows.map((row) => [row.id, row.sent]));
  assert.deepEqual([sent.get(paid), sent.get(other), sent.get(none)], [1, 0, 0]);
});

test('before anybody commits nothing happens', async () => {
  const id = await shop.create(EUROS, { meta: { sandbox: 'expired' } });
  await sleep(1_500);
  assert.equal((await shop.client.findCheckout(id)).state, 'NEW');
});

test('no live checkout can be given a simulated payer, not even by who writes rows', async () => {
  const id = await shop.create(EUROS, { meta: { sandbox: 'paid' } });
  const makeLive = sql`update checkout set environment = 'live' where id = ${id}`;
  await assert.rejects(
    server.db.single((tx) => tx.query(makeLive)),
    (error) =>
      error instanceof ConstraintViolation && error.constraint === 'checkout_sandbox_is_test',
  );
});
