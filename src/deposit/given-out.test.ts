import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { type Db, sql } from '#db/db.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openTestDatabase } from '#test/support/test-database.ts';
import { raiseNextIndex } from './address-source.ts';
import { type GivenOut, openGivenOut } from './given-out.ts';
import type { Network } from './network.ts';

const chain = 'live:LITECOIN';
let db: Db;
let directory: string;
/** Of the chain: how often it was asked, and what it shows. */
let asked = 0;
let isAway = false;

before(async () => {
  ({ db } = await openTestDatabase({ unsafeFast: true }));
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quittance-given-out-'));
  await db.transact(async (tx) => tx.send(sql`delete from address_source`));
  asked = 0;
  isAway = false;
});
after(() => rm(directory, { recursive: true }));

const network = {
  chain,
  addressSource: 'account',
  async usedIndex() {
    asked += 1;
    if (isAway) throw new Outage(chain);
    return undefined;
  },
  openDestination: async ({ index }: { index: bigint }) => ({ destination: `address-${index}` }),
} as unknown as Network;

/** As a process that starts. */
function start(): Promise<GivenOut> {
  const app = { db, clock: systemClock, random: seededRandom(1), log: silentLog };
  return openGivenOut({ ...app, path: join(directory, 'given-out'), networks: [network] });
}

test('a chain that showed nothing is not asked again by the next start', async () => {
  await (await start()).settle(network);
  assert.equal(asked, 1);

  isAway = true;
  const next = await start();
  await next.settleFromRecord();
  assert.equal(next.isSettled(network), true);
  assert.equal(asked, 1);
});

test('a database of another machine is held against the chain beside a record of nothing', async () => {
  await (await start()).settle(network);
  const name = { owner: chain, descriptor: 'account' } as const;
  await db.transact((tx) => raiseNextIndex(tx, name, 20n, systemClock.now()));

  isAway = true;
  await assert.rejects((await start()).settle(network), Outage);
  isAway = false;
  await (await start()).settle(network);
  assert.equal(asked, 3);
});

test('a simulated chain is not asked where its destinations come from', async () => {
  const simulated = {
    ...network,
    chain: 'test:LITECOIN' as const,
    usedIndex: () => assert.fail('the chain is asked'),
  };
  Object.defineProperty(simulated, 'addressSource', {
    get: () => assert.fail('the source is asked for'),
  });
  const givenOut = await start();
  await givenOut.settle(simulated);
  await givenOut.keep(simulated, 3n);
  assert.equal(givenOut.isSettled(simulated), true);
});
