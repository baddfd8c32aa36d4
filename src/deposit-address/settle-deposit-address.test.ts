import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { type EventType, listEvents } from '#event/event.ts';
import { balancesOf, type MerchantAccountCode } from '#ledger/account.ts';
import { reorgChain } from '#networks/sandbox/reorg-chain.ts';
import { findEventFault } from '#test/support/check-event.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { createDepositAddress } from './create-deposit-address.ts';
import type { DepositAddressRecord } from './deposit-address.ts';
import { settleDepositAddress } from './settle-deposit-address.ts';

let shop: TestApp;
before(async () => {
  shop = await openTestApp();
  for (const network of ['BITCOIN', 'LITECOIN', 'STELLAR']) await look(network);
});
after(() => shop.close());

async function open(network: string, assetId?: string): Promise<DepositAddressRecord> {
  return createDepositAddress(shop.app, shop.caller, {
    network,
    assetId,
    label: 'Customer 7',
    webhook: 'https://shop.example/hook',
    metaText: '{"customer":7.50}',
  });
}

async function pay(depositAddressId: string, amount: string, asset?: string): Promise<void> {
  assert.ok(shop.app.sandbox);
  const input = { depositAddressId, amount, asset, parts: 1 };
  await shop.app.sandbox.payAddress(shop.caller, input);
}

async function mine(network: string, blocks: number): Promise<void> {
  await shop.app.sandbox?.mine(undefined, { network, blocks });
  await look(network);
}

async function look(network: string): Promise<void> {
  await shop.observe(network);
  await shop.settle();
}

type Told = { type: EventType; amount: string; netAmount: string | null; id: string };

/** Oldest first. */
async function toldOf(address: DepositAddressRecord): Promise<Told[]> {
  const { merchantId, environment } = shop.caller;
  const subjectId = address.id;
  const page = await listEvents(shop.app, { merchantId, environment, subjectId, limit: 100 });
  // The clock stands still: only the sequence tells their order.
  const inOrder = page.events.toSorted((one, other) => one.sequence - other.sequence);
  return inOrder.map(({ type, body, sequence }, index) => {
    assert.equal(sequence, index + 1);
    assert.equal(findEventFault(body), undefined);
    const { amount, netAmount, id, depositAddressId } = JSON.parse(body).data.deposit;
    assert.equal(depositAddressId, address.id);
    return { type, amount, netAmount, id };
  });
}

async function balance(assetId: string, code: MerchantAccountCode = 'merchant:available') {
  const balances = await balancesOf(shop.app.db, shop.caller);
  return balances.find((one) => one.code === code && one.assetId === assetId)?.units ?? 0n;
}

async function assertBooks(): Promise<void> {
  const now = shop.clock.now();
  assert.deepEqual(await checkInvariants(shop.app.db, { now, settled: true }), []);
}

test('a payment is told at first sight, and credited and told when it is final', async () => {
  const address = await open('LITECOIN');
  const had = await balance('LTC:NATIVE');
  await pay(address.id, '0.5');
  await look('LITECOIN');
  assert.deepEqual(
    (await toldOf(address)).map(({ type, amount, netAmount }) => [type, amount, netAmount]),
    [['DEPOSIT_PENDING', '0.5', null]],
  );
  assert.equal(await balance('LTC:NATIVE'), had);
  await mine('LITECOIN', 8);
  assert.deepEqual(
    (await toldOf(address)).map(({ type, amount, netAmount }) => [type, amount, netAmount]),
    [
      ['DEPOSIT_PENDING', '0.5', null],
      ['DEPOSIT_COMPLETED', '0.5', '0.5'],
    ],
  );
  assert.equal(await balance('LTC:NATIVE'), had + 50_000_000n);
  await assertBooks();
});

test('it may be paid again at any time, each payment for itself', async () => {
  const address = await open('BITCOIN');
  const had = await balance('BTC:NATIVE');
  for (const amount of ['0.001', '0.002', '0.002']) {
    await pay(address.id, amount);
    await mine('BITCOIN', 8);
    await shop.clock.advance(90 * 24 * 3_600_000);
  }
  const told = await toldOf(address);
  assert.equal(told.filter(({ type }) => type === 'DEPOSIT_COMPLETED').length, 3);
  assert.equal(new Set(told.map(({ id }) => id)).size, 3);
  assert.equal(await balance('BTC:NATIVE'), had + 500_000n);
  await assertBooks();
});

test('settling without new facts changes nothing', async () => {
  const address = await open('LITECOIN');
  await pay(address.id, '0.1');
  await mine('LITECOIN', 1);
  const before = await toldOf(address);
  const again = await settleDepositAddress(shop.app, address.id);
  assert.deepEqual(again, { kind: 'settled', entries: 0, events: 0 });
  assert.deepEqual(await toldOf(address), before);
  await mine('LITECOIN', 8);
  const [one, other] = await Promise.all([
    settleDepositAddress(shop.app, address.id),
    settleDepositAddress(shop.app, address.id),
  ]);
  for (const outcome of [one, other]) {
    assert.ok(outcome?.kind === 'busy' || outcome?.entries === 0);
  }
  await assertBooks();
});

test('the fee of the account is taken from what arrives, rounded for the service', async () => {
  const caller = { ...shop.caller, feePartsPerMillion: 10_000 };
  const request = { network: 'LITECOIN', assetId: undefined, label: undefined };
  const more = { webhook: undefined, metaText: undefined };
  const address = await createDepositAddress(shop.app, caller, { ...request, ...more });
  const had = await balance('LTC:NATIVE');
  await pay(address.id, '0.00000199');
  await mine('LITECOIN', 8);
  assert.equal(await balance('LTC:NATIVE'), had + 197n);
  assert.equal((await toldOf(address)).at(-1)?.netAmount, '0.00000197');
  await assertBooks();
});

test('another asset than was asked for goes to suspense and is not told', async () => {
  const address = await open('STELLAR', 'XLM:NATIVE');
  const other = shop.app.networks
    .get('test:STELLAR')
    ?.receivableAssets()
    .find((assetId) => assetId !== 'XLM:NATIVE');
  assert.ok(other !== undefined);
  await pay(address.id, '3', other);
  await mine('STELLAR', 2);
  const told = await toldOf(address);
  assert.deepEqual(
    told.map(({ type, amount, netAmount }) => [type, amount, netAmount]),
    [['DEPOSIT_MISDIRECTED', '3', null]],
  );
  const credits = await shop.app.db.query<{ account: string; asset_id: string }>(
    sql`select account, asset_id from deposit_credit where deposit_address_id = ${address.id}`,
  );
  assert.deepEqual(credits, [{ account: 'suspense', asset_id: other }]);
  assert.equal(await balance(other), 0n);
  await assertBooks();
});

test('what the chain loses for good is taken back', async () => {
  const address = await open('LITECOIN');
  const had = await balance('LTC:NATIVE');
  await pay(address.id, '0.25');
  await mine('LITECOIN', 6);
  assert.equal(await balance('LTC:NATIVE'), had + 25_000_000n);
  await shop.app.sandbox?.reorg(undefined, { network: 'LITECOIN', depth: 12 });
  await look('LITECOIN');
  await mine('LITECOIN', 30);
  assert.equal(await balance('LTC:NATIVE'), had);
  const entries = await shop.app.db.query<{ kind: string }>(
    sql`select kind from ledger_entry where subject_id = ${address.id} order by id`,
  );
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ['deposit-available', 'deposit-reversal'],
  );
  await assertBooks();
});

test('a payment that was taken back and is mined again is credited again', async () => {
  const address = await open('LITECOIN');
  const had = await balance('LTC:NATIVE');
  await pay(address.id, '0.3');
  await mine('LITECOIN', 6);
  const again = { chain: 'test:LITECOIN', depth: 8, newBlocks: 40 } as const;
  await reorgChain(shop.app, { ...again, transactions: 'return' });
  await look('LITECOIN');
  assert.equal(await balance('LTC:NATIVE'), had);
  await mine('LITECOIN', 8);
  assert.equal(await balance('LTC:NATIVE'), had + 30_000_000n);
  const generations = await shop.app.db.query<{ generation: number; reversed: boolean }>(sql`
    select generation, reversed_at is not null as reversed from deposit_credit
    where deposit_address_id = ${address.id} order by generation`);
  assert.deepEqual(generations, [
    { generation: 1, reversed: true },
    { generation: 2, reversed: false },
  ]);
  const told = await toldOf(address);
  assert.equal(told.filter(({ type }) => type === 'DEPOSIT_COMPLETED').length, 2);
  assert.equal(new Set(told.map(({ id }) => id)).size, 1);
  await assertBooks();
});

test('a payment replaced before it was final was told, is taken back and never credited', async () => {
  const address = await open('BITCOIN');
  const had = await balance('BTC:NATIVE');
  await pay(address.id, '0.01');
  await mine('BITCOIN', 1);
  await shop.app.sandbox?.reorg(undefined, { network: 'BITCOIN', depth: 1 });
  await look('BITCOIN');
  await mine('BITCOIN', 10);
  assert.deepEqual(
    (await toldOf(address)).map(({ type }) => type),
    ['DEPOSIT_PENDING', 'DEPOSIT_PENDING_WITHDRAWN'],
  );
  assert.equal(await balance('BTC:NATIVE'), had);
  await assertBooks();
});
