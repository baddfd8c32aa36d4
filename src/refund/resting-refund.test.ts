// A refund to a free address above the limit of its merchant rests a day before it is sent.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { sql } from '#db/db.ts';
import { setLimit } from '#spending/spending-limit.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import {
  availableUnits,
  PAYER_ADDRESS,
  payCheckout,
  sendTransfers,
} from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { cancelSending } from '#transfer/send-by-hand.ts';
import { claimRefund } from './claim-refund.ts';
import { createRefund } from './create-refund.ts';
import { claimToken, findRefund, type Refund } from './refund.ts';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
  await payCheckout(world, await world.create());
});
afterEach(async () => {
  const { app, clock } = world;
  const broken = await checkInvariants(app.db, { now: clock.now(), settled: true, settleApp: app });
  await world.close();
  assert.deepEqual(broken, []);
});

async function limit(mostUnits: bigint): Promise<void> {
  const { merchantId, environment } = world.caller;
  const said = { actor: 'anna', reason: 'test', setAt: world.clock.now() };
  await world.app.db.transact(async (tx) =>
    setLimit(tx, {
      ...{ kind: 'COOL_DOWN', environment, merchantId, measure: 'LTC:NATIVE', mostUnits, ...said },
    }),
  );
}

async function refund(address: string | undefined): Promise<Refund> {
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId);
  const nothing = { amount: undefined, network: undefined, asset: undefined };
  const wish = { ...nothing, kind: 'full' as const, checkoutId, address };
  return createRefund(world.app, world.caller, wish);
}

async function read({ id }: Refund): Promise<Refund> {
  const found = await findRefund(world.app, world.caller, id);
  assert.ok(found);
  return found;
}

async function eventsOf({ id }: Refund): Promise<unknown[]> {
  const rows = await world.app.db.query<{ type: string; sequence: number }>(
    sql`select type, sequence from event where subject_id = ${id} order by sequence`,
  );
  return rows.map(({ type, sequence }) => `${sequence} ${type}`);
}

const hours = (count: number) => world.clock.advance(count * 3_600_000);

test('it is sent after a day and not before, and the merchant is told at once', async () => {
  await limit(1_000n);
  const made = await refund(PAYER_ADDRESS);
  assert.equal(String(made.restsUntil), String(world.clock.now().add({ hours: 24 })));
  assert.deepEqual(await eventsOf(made), ['1 REFUND_RESTS']);
  await sendTransfers(world);
  await hours(23);
  await sendTransfers(world);
  assert.equal((await read(made)).state, 'UNDER_WAY');
  assert.equal((await read(made)).transaction, undefined);
  await hours(1);
  await sendTransfers(world);
  assert.equal((await read(made)).state, 'COMPLETED');
  assert.deepEqual(await eventsOf(made), ['1 REFUND_RESTS', '2 REFUND_COMPLETED']);
});

test('what is not above the limit is sent at once', async () => {
  await limit(10n ** 12n);
  const made = await refund(PAYER_ADDRESS);
  assert.equal(made.restsUntil, undefined);
  await sendTransfers(world);
  assert.equal((await read(made)).state, 'COMPLETED');
  assert.deepEqual(await eventsOf(made), ['1 REFUND_COMPLETED']);
});

test('the day of a refund that its payer claims begins with the claim', async () => {
  await limit(1_000n);
  const made = await refund(undefined);
  assert.equal(made.restsUntil, undefined);
  await hours(48);
  const token = claimToken(world.app.keyring, made.id);
  const claimed = await claimRefund(world.app, token, PAYER_ADDRESS);
  assert.equal(String(claimed.restsUntil), String(world.clock.now().add({ hours: 24 })));
  await sendTransfers(world);
  assert.equal((await read(made)).state, 'UNDER_WAY');
  await hours(24);
  await sendTransfers(world);
  assert.equal((await read(made)).state, 'COMPLETED');
});

test('the merchant takes it back meanwhile, claimed or not', async () => {
  await limit(1_000n);
  const before = await availableUnits(world, 'LTC:NATIVE');
  const sending = { ...world.app, ...transferGrounds(world.app) };
  const said = { actor: 'key', reason: 'by the merchant', isNotSent: false };
  for (const address of [PAYER_ADDRESS, undefined]) {
    const made = await refund(address);
    await cancelSending(sending, made.transferId, said);
    assert.equal((await read(made)).state, 'FAILED');
    await hours(25);
    await sendTransfers(world);
    assert.equal((await read(made)).state, 'FAILED');
    await assert.rejects(cancelSending(sending, made.transferId, said), /it is FAILED/);
  }
  assert.ok((await availableUnits(world, 'LTC:NATIVE')) > before);
});

test('one whose cool-down was shortened in the database is not sent', async () => {
  await limit(1_000n);
  const made = await refund(PAYER_ADDRESS);
  const change = (to: Temporal.Instant | null) =>
    world.app.db.single((tx) =>
      tx.query(sql`
        update transfer set rests_until = ${to}, next_step_at = ${world.clock.now()}
        where id = ${made.transferId}`),
    );
  for (const to of [null, world.clock.now()]) {
    await change(to);
    await sendTransfers(world);
    assert.equal((await read(made)).transaction, undefined);
  }
  await change(made.restsUntil ?? null);
  await hours(25);
  await sendTransfers(world);
  assert.equal((await read(made)).state, 'COMPLETED');
});
