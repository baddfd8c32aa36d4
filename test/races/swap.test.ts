// Swaps at once: the balance, not the order of arrival, decides how many of them happen.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { sql } from '#db/db.ts';
import { balancesOf } from '#ledger/account.ts';
import { commitSwap } from '#swap/commit-swap.ts';
import { createSwap } from '#swap/create-swap.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

let world: TestApp;
before(async () => {
  world = await openTestApp({ connections: 10 });
});
after(() => world.close());

const bitcoin = 'BTC:NATIVE';
const litecoin = 'LTC:NATIVE';

const quote = (sourceAssetId: string, targetAssetId: string, sourceUnits: bigint) =>
  createSwap(world.app, world.caller, { sourceAssetId, targetAssetId, fixed: { sourceUnits } });

const commit = (swapId: string) =>
  commitSwap(world.app, { swapId, owner: world.caller }).then(
    ({ state }) => state,
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    },
  );

async function fund(cause: string, units: bigint): Promise<void> {
  const { merchantId } = world.caller;
  const occurredAt = world.clock.now();
  await fundMerchant(world.app.db, { merchantId, cause, occurredAt, assetId: bitcoin, units });
}

async function available(): Promise<Record<string, bigint>> {
  const balances = await balancesOf(world.app.db, world.caller);
  return Object.fromEntries(balances.map(({ assetId, units }) => [assetId, units]));
}

async function assertTrue(): Promise<void> {
  const { db } = world.app;
  assert.deepEqual(await checkInvariants(db, { now: world.clock.now() }), []);
}

test('of twenty swaps at once three happen when there is money for three', async () => {
  await fund('three', 3_500n);
  const swaps = await Promise.all(
    Array.from({ length: 20 }, () => quote(bitcoin, litecoin, 1_000n)),
  );
  const ends = await Promise.all(swaps.map(({ id }) => commit(id)));
  assert.equal(ends.filter((end) => end === 'COMPLETED').length, 3);
  assert.equal(ends.filter((end) => end === 'balance_too_low').length, 17);
  const received = swaps[0]?.targetUnits ?? 0n;
  assert.deepEqual(await available(), { [bitcoin]: 500n, [litecoin]: 3n * received });
  const told = await world.app.db.query<{ type: string; times: bigint }>(sql`
    select type, count(*) as times from event where subject = 'swap' group by 1 order by 1`);
  assert.deepEqual(told, [
    { type: 'SWAP_COMPLETED', times: 3n },
    { type: 'SWAP_FAILED', times: 17n },
  ]);
  await assertTrue();
});

test('twenty commits of one swap at once convert once and answer the same', async () => {
  await fund('one', 1_000_000n);
  const before = await available();
  const { id, targetUnits } = await quote(bitcoin, litecoin, 1_000n);
  const ends = await Promise.all(Array.from({ length: 20 }, () => commit(id)));
  assert.deepEqual(new Set(ends), new Set(['COMPLETED']));
  assert.deepEqual(await available(), {
    [bitcoin]: (before[bitcoin] ?? 0n) - 1_000n,
    [litecoin]: (before[litecoin] ?? 0n) + targetUnits,
  });
  await assertTrue();
});

test('swaps there and back at once do not deadlock and never gain', async () => {
  const before = await available();
  const swaps = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? quote(bitcoin, litecoin, 7n) : quote(litecoin, bitcoin, 7_000n),
    ),
  );
  const ends = await Promise.all(swaps.map(({ id }) => commit(id)));
  assert.deepEqual(new Set(ends), new Set(['COMPLETED']));
  const after = await available();
  assert.ok((after[bitcoin] ?? 0n) <= (before[bitcoin] ?? 0n));
  assert.ok((after[litecoin] ?? 0n) <= (before[litecoin] ?? 0n));
  await assertTrue();
});

test('a swap that did not move what it says is found', async () => {
  const { db } = world.app;
  const change = (units: bigint) =>
    db.single((tx) =>
      tx.query(sql`
        update swap set target_units = target_units + ${units}
        where id = (select min(id) from swap where state = 'COMPLETED')`),
    );
  await change(1n);
  const broken = await checkInvariants(db, { now: world.clock.now() });
  assert.equal(broken.length, 2);
  for (const sentence of broken) assert.match(sentence, /^L8: swap [a-z0-9]{12} posted/);
  await change(-1n);
  await assertTrue();
});

test('what the merchant owes is not available for swaps', async () => {
  const { merchantId } = world.caller;
  const had = (await available())[bitcoin] ?? 0n;
  const owe = (units: bigint, cause: string) =>
    fundMerchant(world.app.db, {
      merchantId,
      cause,
      occurredAt: world.clock.now(),
      assetId: bitcoin,
      units,
      code: 'merchant:owed',
    });
  await fund('for what is owed', 5_000n);
  await owe(-had - 4_001n, 'debt');
  const refused = await quote(bitcoin, litecoin, 1_000n);
  assert.equal(await commit(refused.id), 'balance_too_low');
  await owe(1n, 'a unit of it paid back');
  const made = await Promise.all([1, 2, 3].map(() => quote(bitcoin, litecoin, 1_000n)));
  const ends = await Promise.all(made.map(({ id }) => commit(id)));
  assert.equal(ends.filter((end) => end === 'COMPLETED').length, 1);
  await owe(had + 4_000n, 'the rest');
  await assertTrue();
});
