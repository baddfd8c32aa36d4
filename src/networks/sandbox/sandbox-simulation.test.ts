import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { newId } from '#base/id.ts';
import { silentLog } from '#base/log.ts';
import { type Db, sql } from '#db/db.ts';
import { openDeposit } from '#deposit/open-deposit.ts';
import { networkWatch } from '#networks/watch-network.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openTestDatabase } from '#test/support/test-database.ts';
import { mineBlocks } from './make-blocks.ts';
import { paySandbox } from './pay-sandbox.ts';
import { reorgChain, replaceTransaction } from './reorg-chain.ts';
import { openSandboxNetworks } from './sandbox-network.ts';

const chain = 'test:BITCOIN';
const assetId = 'BTC:NATIVE';
const merchantId = 'merchant0001';
const clock = manualClock('2026-01-01T00:00:00Z');
const random = seededRandom(3);
const keyring = { mac: () => new Uint8Array(32).fill(5) };
let db: Db;
before(async () => {
  ({ db } = await openTestDatabase({ unsafeFast: true }));
  await db.transact(async (tx) =>
    tx.send(sql`insert into merchant (id, name, sealed_data_key, created_at)
      values (${merchantId}, 'Shop', ${new Uint8Array(1)}, ${clock.now()})`),
  );
});

const step = fc.oneof(
  fc.record({ kind: fc.constant('pay' as const), units: fc.integer({ min: 1, max: 1000 }) }),
  fc.record({ kind: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('replace' as const), elsewhere: fc.boolean() }),
  fc.record({
    kind: fc.constant('reorg' as const),
    depth: fc.integer({ min: 1, max: 5 }),
    mode: fc.constantFrom('remine', 'return', 'drop', 'double-spend'),
  }),
  fc.record({ kind: fc.constant('watch' as const), watchers: fc.integer({ min: 1, max: 3 }) }),
);

test('whatever the chain does, the receipts are what stands in it at the end', async () => {
  const acts = { db, clock, random };
  const [network] = openSandboxNetworks({ ...acts, keyring, log: silentLog });
  assert.equal(network?.chain, chain);
  const watchers = [1, 2, 3].map(() =>
    networkWatch(
      {
        ...acts,
        log: silentLog,
        policy: {
          requiredConfirmations: () => 2,
          isHeldByBrake: () => false,
          targetBlockSeconds: () => undefined,
        },
        onAffected: () => {},
        onRecorded: () => {},
      },
      network,
    ),
  );
  const catchUp = async () => {
    while (await watchers[0]?.step());
  };
  await catchUp();

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 20 }), async (steps) => {
      const { destination, purposeId } = await db.transact((tx) =>
        openDeposit({ keyring, random }, tx, network, {
          id: newId(random),
          merchantId,
          purpose: 'checkout',
          purposeId: newId(random),
          assetId,
          units: 1n,
          createdAt: clock.now(),
          expiresAt: clock.now(),
        }),
      );
      await mineBlocks(acts, chain, 6);
      await catchUp();
      for (const one of steps) {
        await clock.advance(1000);
        switch (one.kind) {
          case 'pay':
            await paySandbox(acts, {
              chain,
              outputs: [{ destination, assetId, units: BigInt(one.units) }],
            });
            break;
          case 'mine':
            await mineBlocks(acts, chain, one.blocks);
            break;
          case 'replace': {
            const [found] = await db.query<{ transaction: string }>(sql`
              select transaction from sandbox_transfer
              where destination = ${destination} and state = 'MEMPOOL' order by id limit 1`);
            if (found === undefined) break;
            const units = one.elsewhere ? undefined : 77n;
            await replaceTransaction(acts, { chain, transaction: found.transaction, units });
            break;
          }
          case 'reorg':
            await reorgChain(acts, { chain, depth: one.depth, transactions: one.mode });
            break;
          case 'watch':
            await Promise.all(watchers.slice(0, one.watchers).map((watch) => watch.step()));
        }
      }
      await catchUp();
      // Twice: what was seen only now as undone is asked about in the next step.
      await catchUp();

      const truth = await db.query<{ fact: string }>(sql`
        select concat_ws(' ', t.transaction, t.units,
          case when t.state = 'MEMPOOL' then 'SEEN'
            when (select max(height) from sandbox_block where chain = ${chain}) > t.block_height
            then 'FINAL' else 'INCLUDED' end, t.block_height, b.hash) as fact
        from sandbox_transfer t
        left join sandbox_block b on b.chain = t.chain and b.height = t.block_height
        where t.destination = ${destination} and t.state in ('MEMPOOL', 'MINED') order by fact`);
      const recorded = await db.query<{ fact: string }>(sql`
        select concat_ws(' ', transaction, units, status, block_height, block_hash) as fact
        from receipt where purpose_id = ${purposeId} and status <> 'GONE' order by fact`);
      assert.deepEqual(recorded, truth);
    }),
    { numRuns: 60 },
  );
});
