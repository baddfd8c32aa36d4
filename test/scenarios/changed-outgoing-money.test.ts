// Whoever can write rows of the database does not decide where money goes.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Statement, sql } from '#db/db.ts';
import { parseDecimal } from '#money/decimal.ts';
import { claimRefund } from '#refund/claim-refund.ts';
import { createRefund } from '#refund/create-refund.ts';
import { claimToken, type Refund } from '#refund/refund.ts';
import { listParked, retryParked } from '#server/list-parked.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import {
  addBeneficiary,
  PAYER_ADDRESS,
  payCheckout,
  sendTransfers,
} from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';
import { sealOldTransfers } from '#transfer/transfer.ts';

const CHANGED = 'where it goes, or how much, was changed in the database';
const THIEF = '{"address":"tltc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qsgcsc9"}';
const RIGHT = JSON.stringify({ address: PAYER_ADDRESS });
const CHANGES: [what: string, change: Statement, mend: Statement][] = [
  [
    'account',
    sql`update transfer set account = ${THIEF}`,
    sql`update transfer set account = ${RIGHT}`,
  ],
  [
    'amount',
    sql`update transfer set units = units + 1, target_units = target_units + 1`,
    sql`update transfer set units = units - 1, target_units = target_units - 1`,
  ],
];

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
  // So that the merchant can pay the network.
  await payCheckout(world, await world.create());
});
afterEach(async () => {
  const { app, clock } = world;
  const broken = await checkInvariants(app.db, { now: clock.now(), settled: true, settleApp: app });
  await world.close();
  assert.deepEqual(broken, []);
});

async function refundOne({ isClaimed = true } = {}): Promise<Refund> {
  const checkoutId = await world.create();
  await payCheckout(world, checkoutId);
  const whole = { kind: 'full', amount: undefined, network: undefined, asset: undefined } as const;
  const address = isClaimed ? PAYER_ADDRESS : undefined;
  return createRefund(world.app, world.caller, { ...whole, checkoutId, address });
}

async function transferOne(): Promise<string> {
  const { app, caller } = world;
  await addBeneficiary(world, 'savings');
  const request = { network: 'LITECOIN', asset: undefined, amount: parseDecimal('0.1') };
  const { id } = await quoteTransfer(app, caller, { ...request, targetAccount: 'savings' });
  await commitTransfer(app, caller, id);
  return id;
}

const write = (change: Statement) => world.app.db.single((tx) => tx.query(change));

async function parked(): Promise<(readonly [id: string, reason: string])[]> {
  const { app, clock } = world;
  return (await listParked(app, clock.now(), 10)).map(({ id, reason }) => [id, reason]);
}

async function states(): Promise<unknown[]> {
  return world.app.db.query(
    sql`select state, signed_transaction is not null as signed from transfer`,
  );
}

for (const [what, change, mend] of CHANGES) {
  for (const [name, make] of [
    ['refund', async () => (await refundOne()).transferId],
    ['transfer', transferOne],
  ] as const) {
    test(`a ${name} whose ${what} was changed is parked unsent, and is sent once mended`, async () => {
      const id = `${name}:${await make()}`;
      await write(change);
      await sendTransfers(world);
      assert.deepEqual(await states(), [{ state: 'RESERVED', signed: false }]);
      assert.deepEqual(await parked(), [[id, CHANGED]]);
      const [{ advice } = {}] = await listParked(world.app, world.clock.now(), 1);
      assert.match(advice ?? '', /^mend what it says, then: npx quittance parked retry$/);
      await retryParked(world.app, id, world.clock.now());
      await sendTransfers(world);
      assert.deepEqual(await parked(), [[id, CHANGED]], 'it is not mended yet');
      await write(mend);
      await retryParked(world.app, id, world.clock.now());
      await sendTransfers(world);
      assert.deepEqual(await states(), [{ state: 'COMPLETED', signed: true }]);
      assert.deepEqual(await parked(), []);
    });
  }
}

test('a refund whose account was written into its row cannot be claimed, and is not sent', async () => {
  const { app, clock } = world;
  const { id, transferId } = await refundOne({ isClaimed: false });
  const token = claimToken(app.keyring, id);
  await write(sql`update transfer set account = ${THIEF}, next_step_at = ${clock.now()}`);
  await assert.rejects(claimRefund(app, token, PAYER_ADDRESS), /was changed in the database/);
  await sendTransfers(world);
  assert.deepEqual(await parked(), [[`refund:${transferId}`, CHANGED]]);
  await write(sql`update transfer set account = null`);
  await claimRefund(app, token, PAYER_ADDRESS);
  await sendTransfers(world);
  assert.deepEqual(await states(), [{ state: 'COMPLETED', signed: true }]);
});

test('open rows from before seals are sealed by the next start, and by no later one', async () => {
  await refundOne();
  await write(sql`update transfer set seal = null`);
  await write(sql`update installation set transfers_sealed_at = null`);
  await sealOldTransfers(world.app);
  await sendTransfers(world);
  assert.deepEqual(await parked(), []);
  const { transferId } = await refundOne();
  await write(sql`update transfer set seal = null where state = 'RESERVED'`);
  await sealOldTransfers(world.app);
  await sendTransfers(world);
  assert.deepEqual(await parked(), [[`refund:${transferId}`, CHANGED]]);
});
