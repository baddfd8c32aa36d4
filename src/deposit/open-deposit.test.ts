import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { before, test } from 'node:test';
import { newId } from '#base/id.ts';
import { type Db, sql } from '#db/db.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openTestDatabase } from '#test/support/test-database.ts';
import { listSourceGaps } from './address-source.ts';
import type { Network } from './network.ts';
import { openDeposit } from './open-deposit.ts';

const now = Temporal.Instant.from('2026-01-01T00:00:00Z');
const merchantId = 'merchant0001';
const keyring = {
  mac: (purpose: string, bytes: Uint8Array) =>
    new Uint8Array(createHmac('sha256', purpose).update(bytes).digest()),
};

/** As two installations that were given the same account. */
const databases: Db[] = [];
before(async () => {
  for (let number = 0; number < 2; number += 1) {
    const { db } = await openTestDatabase({ unsafeFast: true });
    await db.transact(async (tx) =>
      tx.send(sql`insert into merchant (id, name, sealed_data_key, created_at)
        values (${merchantId}, 'Shop', ${new Uint8Array(1)}, ${now})`),
    );
    databases.push(db);
  }
});

async function openTen(
  db: Db,
  seed: number,
  network: Pick<Network, 'chain' | 'firstIndexes'>,
): Promise<bigint[]> {
  const random = seededRandom(seed);
  const indexes: bigint[] = [];
  for (let number = 0; number < 10; number += 1) {
    const instruction = await db.transact((tx) =>
      openDeposit(
        { keyring, random },
        tx,
        {
          ...network,
          addressSource: 'account',
          openDestination: ({ index }) => ({
            destination: `memo-${index}`,
            address: 'account',
            memo: String(index),
            memoType: 'text',
            destinationTag: undefined,
          }),
        },
        {
          id: newId(random),
          merchantId,
          purpose: 'checkout',
          purposeId: newId(random),
          assetId: 'EUR:FIAT',
          units: 1n,
          createdAt: now,
          expiresAt: now,
        },
      ),
    );
    assert.ok(instruction.sourceIndex !== undefined);
    indexes.push(instruction.sourceIndex);
  }
  return indexes;
}

const following = (first: bigint) => Array.from({ length: 10 }, (_, step) => first + BigInt(step));

test('derived addresses begin at 0, where wallets look for them', async () => {
  const [db] = databases;
  assert.ok(db);
  assert.deepEqual(await openTen(db, 1, { chain: 'test:DERIVED' }), following(0n));
});

test('where customers share an account, a new database begins somewhere else', async () => {
  const network = {
    chain: 'test:SHARED',
    firstIndexes: { least: 1000n, below: 10n ** 12n },
  } as const;
  const given: bigint[] = [];
  for (const [seed, db] of databases.entries()) {
    const indexes = await openTen(db, seed, network);
    assert.deepEqual(indexes, following(indexes[0] ?? -1n), 'and goes on from there');
    assert.ok((indexes[0] ?? 0n) >= 1000n && (indexes[0] ?? 0n) < 10n ** 12n);
    given.push(...indexes);
    const gap = (await listSourceGaps(db, sql`false`)).find(({ chain }) => chain === network.chain);
    assert.deepEqual([gap?.issued, gap?.lastPaidIndex], [10n, null], 'counted from there');
  }
  assert.equal(new Set(given).size, 20);
});
