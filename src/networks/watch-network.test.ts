import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { findChainStatus } from '#chain/chain-status.ts';
import { type Db, sql } from '#db/db.ts';
import type { Network } from '#deposit/network.ts';
import { holdLeases } from '#lease/hold-leases.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { openTestDatabase } from '#test/support/test-database.ts';
import { freezeChain, mineBlocks } from './sandbox/make-blocks.ts';
import { openSandboxNetworks } from './sandbox/sandbox-network.ts';
import { networkWatch, watchNetwork } from './watch-network.ts';

const chain = 'test:BITCOIN';

function openWatch(db: Db) {
  const acts = { db, clock: systemClock, random: systemRandom, log: silentLog };
  const keyring = { mac: () => new Uint8Array(32).fill(5) };
  const [network] = openSandboxNetworks({ ...acts, keyring });
  assert.ok(network !== undefined);
  const app = {
    ...acts,
    policy: {
      requiredConfirmations: () => 1,
      isHeldByBrake: () => false,
      targetBlockSeconds: () => undefined,
    },
    onAffected: () => {},
    onRecorded: () => {},
  };
  return { acts, app, network };
}

function startWatch(db: Db) {
  const { acts, app, network } = openWatch(db);
  return { acts, loop: watchNetwork(app, network) };
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await turn();
}

test('the loop starts at the tip and follows the chain, as soon as there is a hint', async () => {
  const { db, close } = await openTestDatabase({ unsafeFast: true });
  const { acts, loop } = startWatch(db);
  try {
    await until(async () => (await findChainStatus(db, chain)) !== undefined);
    const tip = await mineBlocks(acts, chain, 3);
    await until(async () => (await findChainStatus(db, chain))?.hash === tip.hash);
    assert.equal(loop.health().consecutiveFailures, 0);
  } finally {
    await loop.stop();
    await close();
  }
});

test('a dead node shows in the health of the loop, and moves nothing', async () => {
  const { db, close } = await openTestDatabase({ unsafeFast: true });
  const acts = { db, clock: systemClock };
  await freezeChain(acts, chain, systemClock.now().add({ hours: 1 }));
  const { loop } = startWatch(db);
  try {
    await until(async () => loop.health().consecutiveFailures > 0);
    assert.match(loop.health().lastError ?? '', /down until/);
    assert.deepEqual(await db.query(sql`select 1 from chain_cursor`), []);
  } finally {
    await loop.stop();
    await close();
  }
});

const LEASE = `watch ${chain}`;

test('who was frozen after it had looked writes nothing when another leads by then', async () => {
  const { db, close } = await openTestDatabase({ unsafeFast: true });
  const { acts, app, network } = openWatch(db);
  const holdAs = async (holder: string) => {
    const clock = manualClock('2026-03-01T00:00:00Z');
    const leases = holdLeases({ db, clock, log: silentLog }, holder, [LEASE]);
    await until(async () => leases.health().steps > 0);
    return leases;
  };
  const one = await holdAs('elsewhere 1 1 a');
  const looked = Promise.withResolvers<void>();
  const woken = Promise.withResolvers<void>();
  const frozen: Network = {
    ...network,
    async observe(position) {
      const observation = await network.observe(position);
      looked.resolve();
      await woken.promise;
      return observation;
    },
  };
  try {
    await networkWatch(app, network).step(one.leadership(LEASE).leadOf());
    const before = await findChainStatus(db, chain);
    await mineBlocks(acts, chain, 2);
    const step = networkWatch(app, frozen).step(one.leadership(LEASE).leadOf());
    await looked.promise;
    await db.single((tx) => tx.query(sql`update lease set lease_until = now()`));
    const other = await holdAs('elsewhere 1 1 b');
    woken.resolve();
    assert.equal(await step, false);
    assert.deepEqual(await findChainStatus(db, chain), before, 'the other has written nothing yet');
    await networkWatch(app, network).step(other.leadership(LEASE).leadOf());
    assert.notEqual((await findChainStatus(db, chain))?.hash, before?.hash);
    await other.stop();
  } finally {
    woken.resolve();
    await one.stop();
    await close();
  }
});

test('who does not lead asks the node nothing, and begins as soon as it does', async () => {
  const { db, close } = await openTestDatabase({ unsafeFast: true });
  const { app, network } = openWatch(db);
  await db.single((tx) =>
    tx.query(sql`insert into lease (name, holder, epoch, lease_until)
      values (${LEASE}, 'elsewhere 1 1 a', 7, now() + interval '1 hour')`),
  );
  const clock = manualClock('2026-03-01T00:00:00Z');
  const leases = holdLeases({ db, clock, log: silentLog }, 'elsewhere 1 1 b', [LEASE]);
  await until(async () => leases.health().steps > 0);
  let looks = 0;
  const counted: Network = {
    ...network,
    observe(position) {
      looks += 1;
      return network.observe(position);
    },
  };
  const loop = watchNetwork({ ...app, clock }, counted, leases.leadership(LEASE));
  try {
    await until(async () => loop.health().steps > 0);
    assert.equal(looks, 0);
    await db.single((tx) => tx.query(sql`update lease set lease_until = now()`));
    await leases.look();
    await until(async () => looks > 0);
  } finally {
    await loop.stop();
    await leases.stop();
    await close();
  }
});
