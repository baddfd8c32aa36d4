import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Outage, Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { sql } from '#db/db.ts';
import { custodyBalance } from '#ledger/account.ts';
import { parseDecimal } from '#money/decimal.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import {
  addBeneficiary,
  balanceUnits,
  payCheckout,
  sender,
  sendTransfers,
} from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { commitTransfer } from './commit-transfer.ts';
import { isByHand, type TransferExecutor, type TransferOutcome } from './executor.ts';
import { quoteTransfer } from './quote-transfer.ts';
import { runTransfers } from './run-transfers.ts';
import { findTransfer, type Transfer } from './transfer.ts';

const LITECOIN = chainOf('test', 'LITECOIN');
const FEE_UNITS = 500n;
const UNITS = 10_000_000n;

let world: TestApp;
let paid: bigint;
beforeEach(async () => {
  world = await openTestApp({ connections: 10 });
  await world.observe('LITECOIN');
  await addBeneficiary(world, 'savings');
  paid = await payCheckout(world, await world.create());
});
afterEach(async () => {
  const { app, clock } = world;
  const broken = await checkInvariants(app.db, { now: clock.now(), settled: true, settleApp: app });
  await world.close();
  assert.deepEqual(broken, []);
});

function quote(amount = '0.1'): Promise<Transfer> {
  const request = { network: 'LITECOIN', asset: undefined, targetAccount: 'savings' };
  return quoteTransfer(world.app, world.caller, { ...request, amount: parseDecimal(amount) });
}

async function commit(): Promise<Transfer> {
  return commitTransfer(world.app, world.caller, (await quote()).id);
}

async function read(id: string): Promise<Transfer> {
  const found = await findTransfer(world.app, world.caller, id);
  assert.ok(found);
  return found;
}

async function entriesOf(id: string): Promise<string[]> {
  const rows = await world.app.db.query<{ line: string }>(sql`
    select e.kind || ' ' || a.code || ' ' || p.units as line from ledger_entry e
    join ledger_posting p on p.entry_id = e.id join ledger_account a on a.id = p.account_id
    where e.subject_id = ${id} order by e.id, p.position`);
  return rows.map(({ line }) => line);
}

async function eventsOf(id: string): Promise<string[]> {
  const rows = await world.app.db.query<{ type: string }>(
    sql`select type from event where subject_id = ${id}`,
  );
  return rows.map(({ type }) => type);
}

/** The executor of the sandbox, counting what really goes out. */
function countingExecutor(changes: Partial<TransferExecutor> = {}) {
  const real = world.app.executors.get(LITECOIN);
  assert.ok(real && !isByHand(real));
  const submitted: string[] = [];
  const executor: TransferExecutor = {
    ...real,
    submit: async (signed) => {
      submitted.push(signed);
      await real.submit(signed);
    },
    ...changes,
  };
  return { executor, submitted };
}

async function sentOnChain(): Promise<bigint[]> {
  const rows = await world.app.db.query<{ units: bigint }>(sql`
    select units from sandbox_transfer where destination like 'elsewhere-%' order by id`);
  return rows.map(({ units }) => units);
}

test('a quote moves nothing and says what arrives', async () => {
  const transfer = await quote();
  assert.equal(transfer.state, 'QUOTED');
  assert.equal(transfer.units, UNITS);
  assert.equal(transfer.targetUnits, UNITS - FEE_UNITS);
  assert.deepEqual(await entriesOf(transfer.id), []);
  assert.equal(await balanceUnits(world, 'merchant:available'), paid);
});

test('what the merchant owes is not available for transfers', async () => {
  const owner = { merchantId: world.caller.merchantId, assetId: 'LTC:NATIVE' };
  const owe = (units: bigint, cause: string) =>
    fundMerchant(world.app.db, {
      ...owner,
      code: 'merchant:owed',
      units,
      cause,
      occurredAt: world.clock.now(),
    });
  await owe(UNITS - paid - 1n, 'debt');
  await assert.rejects(commit(), { code: 'balance_too_low' });
  assert.equal(await balanceUnits(world, 'merchant:available'), paid);
  await owe(1n, 'a unit of it paid back');
  assert.equal((await commit()).state, 'RESERVED');
  await assert.rejects(commit(), { code: 'balance_too_low' });
  await sendTransfers(world);
  await owe(paid - UNITS, 'the rest');
});

test('a transfer is reserved, sent and completed; custody falls by what was sent', async () => {
  const { id } = await commit();
  assert.equal(await balanceUnits(world, 'merchant:available'), paid - UNITS);
  assert.equal(await balanceUnits(world, 'merchant:reserved'), UNITS);
  await sendTransfers(world);
  assert.equal((await read(id)).state, 'COMPLETED');
  assert.deepEqual(await entriesOf(id), [
    'transfer-reserve merchant:available 10000000',
    'transfer-reserve merchant:reserved -10000000',
    'transfer-complete merchant:reserved 10000000',
    'transfer-complete custody:LITECOIN -9999500',
    'transfer-complete network-fees -500',
  ]);
  assert.equal(
    await custodyBalance(world.app.db, LITECOIN, 'LTC:NATIVE'),
    paid - (UNITS - FEE_UNITS),
  );
  assert.deepEqual(await eventsOf(id), ['TRANSFER_COMPLETED']);
  assert.deepEqual(await sentOnChain(), [UNITS - FEE_UNITS]);
});

test('a process that dies after storing what it signed has it sent once by another', async () => {
  const { id } = await commit();
  const dying = countingExecutor({
    submit: async () => {
      throw new Error('killed');
    },
  });
  await runTransfers(sender(world, dying.executor));
  const stored = await read(id);
  assert.equal(stored.state, 'RESERVED');
  assert.ok(stored.signedTransaction);
  assert.deepEqual(await sentOnChain(), []);
  await world.clock.advance(31_000);
  const next = countingExecutor({
    prepare: async () => assert.fail('what was stored is never signed anew'),
  });
  await sendTransfers(world, next.executor);
  assert.equal((await read(id)).state, 'COMPLETED');
  assert.deepEqual(await sentOnChain(), [UNITS - FEE_UNITS]);
  assert.deepEqual(new Set(next.submitted), new Set([stored.signedTransaction]));
});

test('a process that dies before storing what it signed has submitted nothing', async () => {
  const { id } = await commit();
  const dying = countingExecutor({
    prepare: async () => {
      throw new Error('killed');
    },
  });
  await runTransfers(sender(world, dying.executor));
  assert.deepEqual(dying.submitted, []);
  assert.equal((await read(id)).signedTransaction, undefined);
  await world.clock.advance(31_000);
  await sendTransfers(world);
  assert.deepEqual(await sentOnChain(), [UNITS - FEE_UNITS]);
});

test('what was sent although submitting failed is found out, not sent again', async () => {
  const { id } = await commit();
  const real = countingExecutor();
  const lying = countingExecutor({
    submit: async (signed) => {
      await real.executor.submit(signed);
      throw new Outage('node');
    },
  });
  await runTransfers(sender(world, lying.executor));
  await world.clock.advance(31_000);
  await sendTransfers(world);
  assert.equal((await read(id)).state, 'COMPLETED');
  assert.deepEqual(await sentOnChain(), [UNITS - FEE_UNITS]);
});

test('what landed was submitted, also when the process died before it could say so', async () => {
  const { id } = await commit();
  const dying = countingExecutor({
    submit: async (signed) => {
      await countingExecutor().executor.submit(signed);
      throw new Outage('node');
    },
  });
  await runTransfers(sender(world, dying.executor));
  await mineBlocks(world.app, LITECOIN, 4);
  await world.clock.advance(31_000);
  await runTransfers(sender(world));
  const { state, submittedAt, finishedAt } = await read(id);
  assert.equal(state, 'COMPLETED');
  assert.equal(String(submittedAt), String(finishedAt));
});

test('a transfer that can never land gives the money back, once', async () => {
  const { id } = await commit();
  const failed: TransferOutcome = { failed: 'its input was spent' };
  const failing = countingExecutor({ submit: async () => {}, outcome: async () => failed });
  await Promise.all(Array.from({ length: 4 }, () => sendTransfers(world, failing.executor)));
  const transfer = await read(id);
  assert.equal(transfer.state, 'FAILED');
  assert.equal(transfer.failure, 'its input was spent');
  assert.equal(await balanceUnits(world, 'merchant:available'), paid);
  assert.equal(await balanceUnits(world, 'merchant:reserved'), 0n);
  assert.deepEqual((await entriesOf(id)).slice(2), [
    'transfer-return merchant:reserved 10000000',
    'transfer-return merchant:available -10000000',
  ]);
  assert.deepEqual(await eventsOf(id), ['TRANSFER_FAILED']);
});

test('what the executor refuses to sign gives the money back', async () => {
  const { id } = await commit();
  const refusing = countingExecutor({
    prepare: async () => {
      throw new Refusal('invalid', 'address_invalid', 'the address is none');
    },
  });
  await sendTransfers(world, refusing.executor);
  assert.equal((await read(id)).failure, 'the address is none');
  assert.equal(await balanceUnits(world, 'merchant:available'), paid);
});

test('a quote ends after ten minutes, and cannot be committed then', async () => {
  const { id } = await quote();
  await world.clock.advance(10 * 60_000);
  const isExpired = (error: unknown) =>
    error instanceof Refusal && error.code === 'transfer_expired';
  await assert.rejects(commitTransfer(world.app, world.caller, id), isExpired);
  await sendTransfers(world);
  assert.equal((await read(id)).state, 'EXPIRED');
  await assert.rejects(commitTransfer(world.app, world.caller, id), isExpired);
  assert.deepEqual(await entriesOf(id), []);
});

const thief = JSON.stringify({ address: 'tltc1qthief' });

test('a beneficiary whose row was changed is quoted no transfer', async () => {
  const { app, caller } = world;
  const request = {
    network: 'LITECOIN',
    asset: undefined,
    amount: parseDecimal('0.1'),
    targetAccount: 'savings',
  };
  const soon = app.clock.now().subtract({ hours: 1 });
  const changes = [
    sql`update beneficiary set account = ${thief}`,
    sql`update beneficiary set usable_at = ${soon}`,
    sql`update beneficiary set seal = null`,
  ];
  const [kept] = await app.db.query<{
    account: string;
    usableAt: Temporal.Instant;
    seal: Uint8Array;
  }>(sql`select account, usable_at as "usableAt", seal from beneficiary`);
  assert.ok(kept !== undefined);
  for (const change of changes) {
    await app.db.single((tx) => tx.query(change));
    await assert.rejects(quoteTransfer(app, caller, request), /was changed in the database/);
    const { account, usableAt, seal } = kept;
    await app.db.single((tx) =>
      tx.query(sql`update beneficiary set account = ${account}, usable_at = ${usableAt},
        seal = ${seal}::bytea`),
    );
  }
  assert.equal((await quoteTransfer(app, caller, request)).state, 'QUOTED');
});

test('a transfer ends unsent when its beneficiary was changed after it was committed', async () => {
  const { id } = await commit();
  await world.app.db.single((tx) => tx.query(sql`update beneficiary set account = ${thief}`));
  await sendTransfers(world);
  const ended = await read(id);
  assert.equal(ended.state, 'FAILED');
  assert.equal(ended.failure, 'its beneficiary was changed in the database');
  assert.equal(ended.signedTransaction, undefined);
  assert.ok((await balanceUnits(world, 'merchant:available')) > 0n);
});
