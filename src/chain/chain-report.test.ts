import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { sql } from '#db/db.ts';
import { GAP_LOOKED_AT } from '#deposit/address-source.ts';
import { nameProcess } from '#runtime/process-lock.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { type ChainReport, listChainReports, watchLeaseOf } from './chain-report.ts';

let world: TestApp;

before(async () => {
  world = await openTestApp();
});
after(() => world.close());

async function reportOf(chain: string): Promise<ChainReport> {
  const reports = await listChainReports(world.app, world.clock.now());
  const report = reports.find((one) => one.chain === chain);
  assert.ok(report);
  return report;
}

async function commitOne(network = 'LITECOIN'): Promise<string> {
  const checkoutId = await world.create();
  await commitCheckout(world.app, { checkoutId, owner: world.caller, network });
  return checkoutId;
}

test('a chain that was never read has no height, and is behind', async () => {
  const report = await reportOf('test:LITECOIN');
  assert.equal(report.status, undefined);
  assert.equal(report.isBehind, true);
  assert.equal(report.newestBlockSeconds, undefined);
  assert.equal(report.gap, undefined);
});

test('the gap is the number of addresses handed out since the last that was paid', async () => {
  await world.observe('LITECOIN');
  const ids = [await commitOne(), await commitOne(), await commitOne(), await commitOne()];
  assert.deepEqual((await reportOf('test:LITECOIN')).gap, { issued: 4n, unpaidInARow: 4n });
  const { sandbox } = world.app;
  assert.ok(sandbox);
  await sandbox.pay(world.caller, {
    checkoutId: ids[1] ?? '',
    network: undefined,
    asset: undefined,
    amount: undefined,
    parts: 1,
  });
  await world.observe('LITECOIN');
  assert.deepEqual((await reportOf('test:LITECOIN')).gap, { issued: 4n, unpaidInARow: 2n });
});

test('a gap is looked at as far as somebody would set a wallet, however many never paid', async () => {
  const { db, clock } = world.app;
  // Nobody pays: anybody can commit to a checkout.
  await db.transact(async (tx) => {
    const [source] = await tx.query<{ id: bigint; next: bigint }>(sql`
      update address_source set next_index = next_index + 12000 where chain = 'test:LITECOIN'
      returning id, next_index as next`);
    assert.ok(source);
    await tx.query(sql`
      insert into deposit_instruction (id, chain, merchant_id, purpose, purpose_id, asset_id,
        destination, address, source_id, source_index, integrity_mac, created_at)
      select lpad(n::text, 12, 'x'), 'test:LITECOIN', ${world.caller.merchantId}, 'checkout',
        lpad(n::text, 12, 'x'), 'LTC:NATIVE', 'unpaid-' || n, 'unpaid-' || n, ${source.id},
        ${source.next} - n, '\\x00', ${clock.now()}
      from generate_series(1, 12000) as n`);
  });
  const { gap } = await reportOf('test:LITECOIN');
  assert.deepEqual(gap, { issued: 12_004n, unpaidInARow: GAP_LOOKED_AT });
});

test('invoices have no gap: no wallet has to look ahead for them', async () => {
  await commitOne('LIGHTNING');
  assert.equal((await reportOf('test:LIGHTNING')).gap, undefined);
});

test('the age of the newest block and of the last answer are in seconds', async () => {
  await world.observe('LITECOIN');
  const before = await reportOf('test:LITECOIN');
  await world.clock.advance(90_000);
  const later = await reportOf('test:LITECOIN');
  assert.equal(later.heardSecondsAgo, (before.heardSecondsAgo ?? 0) + 90);
  assert.equal(later.newestBlockSeconds, (before.newestBlockSeconds ?? 0) + 90);
  assert.equal(later.isBehind, true);
});

test('it is told which process watches a chain for all of them, and that none does once it is gone', async () => {
  const lease = watchLeaseOf('test:LITECOIN');
  assert.equal((await reportOf('test:LITECOIN')).leader, undefined);
  const own = nameProcess();
  await lead(lease, own);
  assert.deepEqual((await reportOf('test:LITECOIN')).leader, {
    host: hostname(),
    pid: process.pid,
    isThisProcess: true,
    epoch: 1n,
  });
  await lead(lease, 'elsewhere/boot/numbers 7 1 other');
  const told = (await reportOf('test:LITECOIN')).leader;
  assert.deepEqual(told, { host: 'elsewhere', pid: 7, isThisProcess: false, epoch: 2n });
  assert.equal((await reportOf('test:BITCOIN')).leader, undefined);
  await world.app.db.single((tx) => tx.query(sql`update lease set lease_until = now()`));
  assert.equal((await reportOf('test:LITECOIN')).leader, undefined);
});

/** Takes over from whoever led before. */
async function lead(name: string, holder: string): Promise<void> {
  await world.app.db.single((tx) =>
    tx.query(sql`
      insert into lease as known (name, holder, epoch, lease_until)
      values (${name}, ${holder}, 1, now() + interval '1 minute')
      on conflict (name) do update set holder = excluded.holder, epoch = known.epoch + 1`),
  );
}
