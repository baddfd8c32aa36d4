// Above the limit of one person a transfer waits for a second one, whoever sends it.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { sql } from '#db/db.ts';
import { parseDecimal } from '#money/decimal.ts';
import { approveAct, listWaiting } from '#spending/approval.ts';
import { removeLimit, setLimit } from '#spending/spending-limit.ts';
import { commitSwap } from '#swap/commit-swap.ts';
import { createSwap } from '#swap/create-swap.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import {
  addBeneficiary,
  availableUnits,
  payCheckout,
  sendTransfers,
} from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { commitTransfer } from './commit-transfer.ts';
import { quoteTransfer } from './quote-transfer.ts';
import { findTransfer, type Transfer } from './transfer.ts';

const LTC = 'LTC:NATIVE';
const ANOTHER = 'key of another person';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
  await addBeneficiary(world, 'savings');
  await payCheckout(world, await world.create());
});
afterEach(async () => {
  const { app, clock } = world;
  const broken = await checkInvariants(app.db, { now: clock.now(), settled: true, settleApp: app });
  await world.close();
  assert.deepEqual(broken, []);
});

const name = () => {
  const { merchantId, environment } = world.caller;
  return { kind: 'TWO_PEOPLE', environment, merchantId, measure: LTC } as const;
};

async function limit(mostUnits: bigint): Promise<void> {
  const said = { actor: 'anna', reason: 'test', setAt: world.clock.now() };
  await world.app.db.transact(async (tx) => setLimit(tx, { ...name(), mostUnits, ...said }));
}

async function commit(amount = '0.01'): Promise<Transfer> {
  const { app, caller } = world;
  const wish = { network: 'LITECOIN', asset: undefined, targetAccount: 'savings' };
  const { id } = await quoteTransfer(app, caller, { ...wish, amount: parseDecimal(amount) });
  return commitTransfer(app, caller, id);
}

async function stateOf({ id }: Transfer): Promise<string | undefined> {
  return (await findTransfer(world.app, world.caller, id))?.state;
}

const approveBy = ({ id }: Transfer, approver: string) =>
  approveAct(world.app, `transfer:${id}`, { approver, owner: world.caller });

/** Until what waits was looked at again. */
async function send(): Promise<void> {
  await sendTransfers(world);
  await world.clock.advance(31_000);
  await sendTransfers(world);
}

const waiting = () => listWaiting(world.app.db, { owner: world.caller, now: world.clock.now() });

test('it is sent once another key than the one that made it has approved it', async () => {
  await limit(500_000n);
  const transfer = await commit();
  await send();
  assert.equal(await stateOf(transfer), 'RESERVED');
  const [asked] = await waiting();
  assert.match(asked?.about ?? '', /^TRANSFER 0\.00\d+ LTC on LITECOIN to tltc1/);
  const maker = `key ${world.caller.apiKey}`;
  assert.equal(asked?.maker, maker);
  for (const same of [maker, ` ${maker.toUpperCase()} `]) {
    await assert.rejects(approveBy(transfer, same), /another person has to approve/);
  }
  await assert.rejects(
    approveAct(world.app, `transfer:${transfer.id}`, {
      approver: ANOTHER,
      owner: { ...world.caller, merchantId: 'aaaaaaaaaaaa' },
    }),
    /nothing of this name/,
  );
  await approveBy(transfer, ANOTHER);
  await approveBy(transfer, ANOTHER);
  await assert.rejects(approveBy(transfer, 'a third one'), /has approved it already/);
  await send();
  assert.equal(await stateOf(transfer), 'COMPLETED');
  assert.deepEqual(await waiting(), []);
});

test('what nobody approves in time goes back to the merchant', async () => {
  await limit(500_000n);
  const before = await availableUnits(world, LTC);
  const transfer = await commit();
  await send();
  await world.clock.advance(72 * 3_600_000);
  await assert.rejects(approveBy(transfer, ANOTHER), /nothing of this name/);
  await send();
  assert.equal(await stateOf(transfer), 'FAILED');
  assert.equal(await availableUnits(world, LTC), before);
});

test('the limit counts as it is when it is about to be sent', async () => {
  const lowered = await commit();
  await limit(500_000n);
  await send();
  assert.equal(await stateOf(lowered), 'RESERVED');
  await limit(10_000_000n);
  await send();
  assert.equal(await stateOf(lowered), 'COMPLETED');
  await limit(500_000n);
  const removed = await commit();
  await send();
  await world.app.db.transact((tx) =>
    removeLimit(tx, name(), { actor: 'anna', reason: 'test', setAt: world.clock.now() }),
  );
  await send();
  assert.equal(await stateOf(removed), 'COMPLETED');
});

test('an approval that was written past the service approves nothing', async () => {
  await limit(500_000n);
  const transfer = await commit();
  await send();
  await world.app.db.single((tx) =>
    tx.query(sql`
      update approval set approver = 'thief', approved_at = ${world.clock.now()}, seal = digest`),
  );
  await send();
  assert.equal(await stateOf(transfer), 'RESERVED');
  await world.clock.advance(72 * 3_600_000);
  await send();
  assert.equal(await stateOf(transfer), 'FAILED');
});

test('a swap above the limit is committed by another key, which may approve', async () => {
  await limit(500_000n);
  const { app, caller } = world;
  const wish = { sourceAssetId: LTC, targetAssetId: 'BTC:NATIVE' };
  const quoted = await createSwap(app, caller, { ...wish, fixed: { sourceUnits: 600_000n } });
  const commitBy = (committer?: { apiKey: string; scopes: readonly string[] | undefined }) =>
    commitSwap(app, { swapId: quoted.id, owner: caller, ...(committer && { committer }) });
  const another = { apiKey: 'another', scopes: ['money'] };
  for (const one of [undefined, { ...caller }, another]) {
    await assert.rejects(commitBy(one), /another key, with the scope approve/);
  }
  const made = await commitBy({ ...another, scopes: ['money', 'approve'] });
  assert.equal(made.state, 'COMPLETED');
  const small = await createSwap(app, caller, { ...wish, fixed: { sourceUnits: 500_000n } });
  assert.equal((await commitSwap(app, { swapId: small.id, owner: caller })).state, 'COMPLETED');
});
