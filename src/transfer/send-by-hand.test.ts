import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { sql } from '#db/db.ts';
import { parseDecimal } from '#money/decimal.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { houseUnits } from '#test/support/ledger-entries.ts';
import { notedActs } from '#test/support/noted-acts.ts';
import {
  addBeneficiary,
  availableUnits,
  balanceUnits,
  PAYER_ADDRESS,
  payCheckout,
  sender,
} from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { commitTransfer } from './commit-transfer.ts';
import type { ByHandExecutor } from './executor.ts';
import { quoteTransfer } from './quote-transfer.ts';
import { runTransfers } from './run-transfers.ts';
import {
  cancelSending,
  confirmSentOutside,
  listToSend,
  type SendByHandApp,
  showSending,
} from './send-by-hand.ts';
import { findTransfer } from './transfer.ts';

const LITECOIN = chainOf('test', 'LITECOIN');
const SAID = { actor: 'operator', reason: 'looked at the wallet' };

let world: TestApp;
let app: SendByHandApp & Parameters<typeof runTransfers>[0];
let paid: bigint;
beforeEach(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
  await addBeneficiary(world, 'savings');
  paid = await payCheckout(world, await world.create());
  const byHand: ByHandExecutor = {
    chain: LITECOIN,
    networkFeeUnits: () => 500n,
    destinationOf: () => undefined,
    instruct: ({ account, units }) => ({ link: `litecoin:${account.address}?units=${units}` }),
  };
  app = { ...sender(world), executors: new Map([[LITECOIN, byHand]]) };
});
afterEach(async () => {
  const broken = await checkInvariants(world.app.db, {
    now: world.clock.now(),
    settled: true,
    settleApp: world.app,
  });
  await world.close();
  assert.deepEqual(broken, []);
});

async function commit(amount = '0.1'): Promise<string> {
  const request = { network: 'LITECOIN', asset: undefined, targetAccount: 'savings' };
  const quoted = await quoteTransfer({ ...world.app, ...app }, world.caller, {
    ...request,
    amount: parseDecimal(amount),
  });
  await commitTransfer({ ...world.app, ...app }, world.caller, quoted.id);
  await runTransfers(app);
  return quoted.id;
}

const stateOf = async (id: string) => (await findTransfer(app, world.caller, id))?.state;
const refuses = (code: string) => (error: unknown) =>
  error instanceof Refusal && error.code === code;

test('where no program sends, a committed transfer waits for a person', async () => {
  const id = await commit();
  const [waiting, ...others] = await listToSend(app, { most: 10 });
  assert.deepEqual([waiting?.id, waiting?.state, others], [id, 'TO_SEND', []]);
  assert.equal(await balanceUnits(world, 'merchant:reserved'), 10_000_000n);
  assert.deepEqual(
    await listToSend(app, { most: 10, owner: { ...world.caller, merchantId: 'x' } }),
    [],
  );
});

test('the person is told where it goes, how much, and what a wallet opens', async () => {
  const id = await commit();
  const { transfer, link } = await showSending(app, id);
  assert.equal(transfer.account?.address, PAYER_ADDRESS);
  assert.equal(transfer.targetUnits, 9_999_500n);
  assert.equal(link, `litecoin:${PAYER_ADDRESS}?units=9999500`);
});

test('what was not shown can be cancelled, and the money is the merchant’s again', async () => {
  const id = await commit();
  const cancelled = await cancelSending(app, id, { ...SAID, isNotSent: false });
  assert.deepEqual(
    [cancelled.state, cancelled.failure],
    ['FAILED', 'cancelled: looked at the wallet'],
  );
  assert.equal(await availableUnits(world, 'LTC:NATIVE'), paid);
  await assert.rejects(showSending(app, id), refuses('transfer_not_to_send'));
});

test('what was shown is cancelled only when a person says that it was not sent', async () => {
  const id = await commit();
  await showSending(app, id);
  await assert.rejects(
    cancelSending(app, id, { ...SAID, isNotSent: false }),
    refuses('transfer_shown'),
  );
  assert.equal(await stateOf(id), 'TO_SEND');
  await cancelSending(app, id, { ...SAID, isNotSent: true });
  assert.equal(await stateOf(id), 'FAILED');
  const [entry] = await world.app.db.query<{ evidence: string }>(sql`
    select evidence from ledger_entry where cause_key = ${`transfer:${id}:return`}`);
  assert.deepEqual(JSON.parse(entry?.evidence ?? ''), { by: SAID.actor, reason: SAID.reason });
});

test('paid from elsewhere: nothing of what we watch is less, and the network fee goes back', async () => {
  const id = await commit();
  const before = await houseUnits(world.app.db, 'custody:LITECOIN', 'LTC:NATIVE');
  const done = await confirmSentOutside(app, id, { ...SAID, transaction: 'f'.repeat(64) });
  assert.deepEqual([done.state, done.transaction], ['COMPLETED', 'f'.repeat(64)]);
  assert.deepEqual(await notedActs(world.app.db, 1), ['operator: send-confirm']);
  assert.equal(await houseUnits(world.app.db, 'custody:LITECOIN', 'LTC:NATIVE'), before);
  assert.equal(await houseUnits(world.app.db, 'outside:LITECOIN', 'LTC:NATIVE'), -9_999_500n);
  assert.equal(await availableUnits(world, 'LTC:NATIVE'), paid - 9_999_500n);
  await assert.rejects(
    confirmSentOutside(app, id, { ...SAID, transaction: 'e'.repeat(64) }),
    refuses('transfer_not_to_send'),
  );
});

test('a row that was changed in the database is not shown, given back or done', async () => {
  const id = await commit();
  const account = JSON.stringify({ address: 'tltc1qanother' });
  await world.app.db.single((tx) =>
    tx.query(sql`update transfer set account = ${account} where id = ${id}`),
  );
  const changed = refuses('transfer_changed');
  await assert.rejects(showSending(app, id), changed);
  await assert.rejects(cancelSending(app, id, { ...SAID, isNotSent: true }), changed);
  await assert.rejects(
    confirmSentOutside(app, id, { ...SAID, transaction: 'f'.repeat(64) }),
    changed,
  );
  assert.equal(await stateOf(id), 'TO_SEND');
  await world.app.db.single((tx) =>
    tx.query(sql`
      update transfer set account = ${JSON.stringify({ address: PAYER_ADDRESS })} where id = ${id}`),
  );
  await cancelSending(app, id, { ...SAID, isNotSent: true });
});

test('a merchant takes back a transfer of his own, and nothing that carries a refund', async () => {
  const id = await commit();
  const said = { ...SAID, isNotSent: false };
  const setKind = (kind: string) =>
    world.app.db.single((tx) => tx.query(sql`update transfer set kind = ${kind} where id = ${id}`));
  await setKind('REFUND');
  await assert.rejects(cancelSending(app, id, said, world.caller), refuses('transfer_missing'));
  await setKind('TRANSFER');
  await cancelSending(app, id, said, world.caller);
  assert.equal(await stateOf(id), 'FAILED');
});

test('hours of waiting change nothing, and a second worker neither', async () => {
  const id = await commit();
  for (let hour = 0; hour < 3; hour += 1) {
    await world.clock.advance(3_600_000);
    await Promise.all([runTransfers(app), runTransfers(app)]);
  }
  assert.equal(await stateOf(id), 'TO_SEND');
  await cancelSending(app, id, { ...SAID, isNotSent: false });
});
