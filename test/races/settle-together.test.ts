// Payments of several checkouts become final at once: their settlements share a transaction, and
// come to what each would have come to by itself.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { chainOf } from '#catalog/chain.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { settleCheckout, settleDueCheckouts } from '#checkout-settlement/settle-checkout.ts';
import { type Statement, sql } from '#db/db.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

const CHAIN = chainOf('test', 'LITECOIN');
const TOGETHER = { atOnce: 1 };

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp({ connections: 10 });
  await world.observe('LITECOIN');
});
afterEach(async () => {
  const { app, clock } = world;
  await world.settle();
  const broken = await checkInvariants(app.db, { now: clock.now(), settled: true, settleApp: app });
  await world.close();
  assert.deepEqual(broken, []);
});

type Payment = { readonly settlementAsset: string; readonly parts: readonly bigint[] };

/** Each by its parts of a hundred, in one block, until it is final; nothing is settled yet. */
async function payAll(payments: readonly Payment[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { settlementAsset, parts } of payments) {
    const checkoutId = await world.create({ settlementAsset });
    const chosen = { checkoutId, owner: world.caller, network: 'LITECOIN' };
    const { arrivingUnits, instruction } = await commitCheckout(world.app, chosen);
    for (const part of parts) {
      const units = (arrivingUnits * part) / 100n;
      const output = { destination: instruction.destination, assetId: 'LTC:NATIVE', units };
      await paySandbox(world.app, { chain: CHAIN, outputs: [output] });
    }
    ids.push(checkoutId);
  }
  await mineBlocks(world.app, CHAIN, 4);
  await world.observe('LITECOIN');
  return ids;
}

const wholePayments = (count: number): Payment[] =>
  Array.from({ length: count }, () => ({ settlementAsset: 'ORIGIN', parts: [100n] }));

const settleTogether = () =>
  settleDueCheckouts({ ...world.app, onCheckoutChanged: () => undefined }, TOGETHER);

const stateOf = async (id: string) => (await world.read(id)).state;

/** How many transactions posted what these were paid. */
async function transactionsOf(ids: readonly string[]): Promise<number> {
  const rows = await world.app.db.query(sql`
    select distinct xmin::text from ledger_entry where subject_id = any(${ids}::text[])`);
  return rows.length;
}

async function corrupt(statement: Statement): Promise<void> {
  await world.app.db.transact(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`);
    await tx.query(statement);
  });
}

test('whole, short, over, in parts, converted or not: together they come to what each comes to alone', async () => {
  const kinds = [
    { settlementAsset: 'ORIGIN', parts: [100n] },
    { settlementAsset: 'ORIGIN', parts: [60n] },
    { settlementAsset: 'ORIGIN', parts: [50n, 50n] },
    { settlementAsset: 'EUR:FIAT', parts: [100n] },
    { settlementAsset: 'EUR:FIAT', parts: [30n, 30n, 80n] },
  ];
  const ids = await payAll([...kinds, ...kinds]);
  const alone = ids.slice(0, kinds.length);
  const together = ids.slice(kinds.length);
  for (const id of alone) await settleCheckout(world.app, id);
  await settleTogether();
  assert.equal(await transactionsOf(alone), kinds.length);
  assert.equal(await transactionsOf(together), 1);
  const cameTo = async (id: string) => {
    const { state, flags, version, eventSequence, stateHistory, credits } = await world.read(id);
    const told = await world.app.db.query(sql`
      select type, sequence from event where subject_id = ${id} order by sequence`);
    const posted = await world.app.db.query(sql`
      select e.kind, a.code, p.owner, p.asset_id, p.units from ledger_posting p
      join ledger_entry e on e.id = p.entry_id join ledger_account a on a.id = p.account_id
      where e.subject_id = ${id} order by e.id, p.position`);
    const credited = credits.map(({ receiptId: _, ...credit }) => ({ ...credit, checkoutId: '' }));
    const states = stateHistory.map((change) => change.state);
    return { state, flags, version, eventSequence, states, credited, told, posted };
  };
  for (const [index, id] of together.entries()) {
    assert.deepEqual(await cameTo(id), await cameTo(alone[index] ?? ''));
  }
});

test('one that cannot be settled is recorded by itself and keeps no other from its money', async () => {
  const ids = await payAll(wholePayments(6));
  const [bad = '', ...good] = ids;
  const macs = await world.app.db.query<{ mac: Uint8Array }>(sql`
    select integrity_mac as mac from deposit_instruction where purpose_id = ${bad}`);
  await corrupt(sql`
    update deposit_instruction set integrity_mac = sha256(integrity_mac) where purpose_id = ${bad}`);
  await settleTogether();
  for (const id of good) assert.equal(await stateOf(id), 'COMPLETED');
  assert.equal(await transactionsOf(good), good.length);
  const failed = await world.app.db.query(sql`
    select id, settle_failures as failures from checkout where settle_failures > 0`);
  assert.deepEqual(failed, [{ id: bad, failures: 1 }]);
  await corrupt(sql`
    update deposit_instruction set integrity_mac = ${macs[0]?.mac} where purpose_id = ${bad}`);
  await world.clock.advance(31_000);
  await settleTogether();
  assert.equal(await stateOf(bad), 'COMPLETED');
});

test('one that somebody holds is left for later, and keeps no other waiting', async () => {
  const ids = await payAll(wholePayments(5));
  const [held = '', ...free] = ids;
  await world.app.db.transact(async (tx) => {
    await tx.query(sql`select id from checkout where id = ${held} for update`);
    await settleTogether();
  });
  for (const id of free) assert.equal(await stateOf(id), 'COMPLETED');
  assert.equal(await transactionsOf(free), 1);
  assert.equal(await stateOf(held), 'AWAITING_PAYMENT');
  await settleTogether();
  assert.equal(await stateOf(held), 'COMPLETED');
});

test('several settlers over the same payments credit each of them once', async () => {
  const ids = await payAll(wholePayments(20));
  await Promise.all([settleTogether(), settleTogether(), settleTogether()]);
  await settleTogether();
  for (const id of ids) {
    const { state, credits } = await world.read(id);
    assert.equal(state, 'COMPLETED');
    assert.equal(credits.length, 1);
  }
});
