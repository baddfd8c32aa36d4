import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { findChainStatus } from '#chain/chain-status.ts';
import { type Db, sql } from '#db/db.ts';
import { openTestDatabase } from '#test/support/test-database.ts';
import { freezeChain, mineBlocks } from './sandbox/make-blocks.ts';
import { openSandboxNetworks } from './sandbox/sandbox-network.ts';
import { watchNetwork } from './watch-network.ts';

const chain = 'test:BITCOIN';

function startWatch(db: Db) {
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
