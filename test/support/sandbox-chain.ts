// A simulated chain as the whole service sees it, moved by hand: what is opened on it, and a watcher
// that looks when it is told to.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { newId } from '#base/id.ts';
import { silentLog } from '#base/log.ts';
import type { ChainId } from '#catalog/chain.ts';
import { confirmationsRequired, getNetwork } from '#catalog/network.ts';
import { type Db, sql } from '#db/db.ts';
import { openDeposit } from '#deposit/open-deposit.ts';
import { openSandboxNetworks } from '#networks/sandbox/sandbox-network.ts';
import { networkWatch } from '#networks/watch-network.ts';
import { manualClock } from './manual-clock.ts';
import { seededRandom } from './seeded-random.ts';
import { openTestDatabase } from './test-database.ts';

export const sandboxKeyring = {
  mac: (purpose: string, bytes: Uint8Array) =>
    new Uint8Array(createHmac('sha256', purpose).update(bytes).digest()),
};

export type SandboxActs = {
  readonly db: Db;
  readonly clock: ReturnType<typeof manualClock>;
  readonly random: ReturnType<typeof seededRandom>;
};

/** What the acts of the sandbox need, over a database with these merchants. */
export async function openSandboxActs(
  seed: number,
  merchantIds: readonly string[],
): Promise<SandboxActs> {
  const clock = manualClock('2026-01-01T00:00:00Z');
  const { db } = await openTestDatabase({ unsafeFast: true });
  await db.transact(async (tx) => {
    for (const merchantId of merchantIds) {
      tx.send(sql`insert into merchant (id, name, sealed_data_key, created_at)
        values (${merchantId}, 'Shop', ${new Uint8Array(1)}, ${clock.now()})`);
    }
  });
  return { db, clock, random: seededRandom(seed) };
}

/** Read once, so that it has been heard. */
export async function openSandboxChain(acts: SandboxActs, chain: ChainId) {
  const { db, clock, random } = acts;
  const network = openSandboxNetworks({ ...acts, keyring: sandboxKeyring, log: silentLog }).find(
    (one) => one.chain === chain,
  );
  assert.ok(network !== undefined);
  const watch = networkWatch(
    {
      ...acts,
      log: silentLog,
      policy: {
        requiredConfirmations: (one) => confirmationsRequired(one, undefined),
        isHeldByBrake: () => false,
        targetBlockSeconds: () => undefined,
      },
      onAffected: () => {},
      onRecorded: () => {},
    },
    network,
  );
  await watch.step();
  const assetId = getNetwork(chain.slice(5)).defaultAssetId;
  const open = (merchantId: string) =>
    db.transact((tx) =>
      openDeposit({ keyring: sandboxKeyring, random }, tx, network, {
        id: newId(random),
        merchantId,
        purpose: 'checkout',
        purposeId: newId(random),
        assetId,
        units: 5000n,
        createdAt: clock.now(),
        expiresAt: clock.now().add({ minutes: 60 }),
      }),
    );
  return { network, watch, assetId, open };
}
