import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { missingUnits } from '#chain/chain-report.ts';
import { readPosition } from '#chain/chain-status.ts';
import { undoDepartures } from '#chain/write-departures.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import type { Network } from '#deposit/network.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import {
  LITECOIN,
  LTC,
  openSentByHand,
  type SentByHand,
  toPayee,
} from '#test/support/sent-by-hand.ts';
import { explainDeparture, listDepartures } from './explain-departure.ts';
import { reconcileHoldings } from './reconcile-holdings.ts';
import { type SettleDeparturesApp, settleDepartures } from './settle-departures.ts';

const SAID = { actor: 'operator', reason: 'moved to cold storage' };
const AT_ONCE = { waitMs: 0 };
const TENTH = 9_999_500n;

let hand: SentByHand;
let world: SentByHand['world'];
let app: SentByHand['app'];
/** What the chain holds for us, as the test knows it. */
let chainUnits: bigint;
let said: unknown[];
beforeEach(async () => {
  hand = await openSentByHand();
  ({ world, app, paid: chainUnits } = hand);
});
afterEach(() => world.close());

function showing(changes: Partial<Network>): Network {
  const network = world.app.networks.get(LITECOIN);
  assert(network);
  return { ...network, ...changes };
}

/** What a process that has just started finds, while the chain shows so much. */
async function find(units: bigint) {
  said = [];
  const log = { ...silentLog, error: (_: string, fields?: object) => said.push(fields) };
  const network = showing({
    holdings: async (_, upTo) => ({ upTo, units: new Map([[LTC, units]]) }),
  });
  const { keyring, executors, networks } = app;
  const { db, clock } = world.app;
  const process = { db, clock, log, keyring, executors, networks };
  const found = await reconcileHoldings(process, network, AT_ONCE);
  const holding = found?.find(({ assetId }) => assetId === LTC);
  assert(holding !== undefined);
  return holding;
}

/** Silent when the chain shows what it holds but for `missing`, and exact to the unit beside it. */
async function check(missing = 0n): Promise<void> {
  for (const more of [-7n, -1n, 0n, 1n]) {
    const holding = await find(chainUnits + more);
    assert.equal(missingUnits(holding), missing - more);
    assert.equal(said.length, missing > more ? 1 : 0);
  }
}

test('what is sent is not missing, whoever looks whenever; a unit that is missing all the while is', async () => {
  await check();
  await hand.order();
  await check();
  await hand.show('t1', [toPayee(TENTH)], { depth: 0 });
  await check();
  // It is mined while nobody runs: whoever starts records it, and has not settled anything.
  await hand.show('t1', [], { depth: 1 });
  chainUnits -= TENTH + 200n;
  await check();
  await settleDepartures(app);
  await check();
  await hand.show('t1', [], { depth: 2 });
  await check();
  await assert.rejects(settleDepartures(killedBeforeTheRest()), /killed/);
  await check();
  assert.equal(await settleDepartures(app), 0);
  await check();
  assert.deepEqual((await find(chainUnits)).underWayUnits, 0n);
});

test('an address that is given out while the node counts is counted before anything is missing', async () => {
  said = [];
  const log = { ...silentLog, error: (_: string, fields?: object) => said.push(fields) };
  const asked: bigint[] = [];
  const network = showing({
    async holdings(issued, upTo) {
      asked.push(issued);
      const isFirst = asked.length === 1;
      if (isFirst) {
        const checkoutId = await world.create();
        const { app: shop, caller: owner } = world;
        await commitCheckout(shop, { checkoutId, owner, network: 'LITECOIN' });
      }
      return { upTo, units: new Map([[LTC, isFirst ? chainUnits - 5n : chainUnits]]) };
    },
  });
  const { keyring, executors, networks } = app;
  const { db, clock } = world.app;
  const process = { db, clock, log, keyring, executors, networks };
  const found = await reconcileHoldings(process, network, AT_ONCE);
  assert.equal(found?.find(({ assetId }) => assetId === LTC)?.heldUnits, chainUnits);
  assert.deepEqual([said, asked.length], [[], 2]);
  assert.equal((asked[1] ?? 0n) - (asked[0] ?? 0n), 1n);
});

/** A process that is killed once the transfers of a departure are completed. */
function killedBeforeTheRest(): SettleDeparturesApp {
  const { db } = app;
  let transactions = 0;
  return {
    ...app,
    db: {
      ...db,
      async transact(act) {
        transactions += 1;
        // One looks whether it is final, one completes the transfer, the next would book the rest.
        if (transactions === 3) throw new Error('killed');
        return db.transact(act);
      },
    },
  };
}

test('several transfers in one transaction, and a fee beyond what was reserved', async () => {
  await hand.order('0.1');
  await hand.order('0.02');
  const change = { destination: 'change', units: 5n, isOwn: true };
  await hand.show('t1', [toPayee(1_999_500n), change, toPayee(TENTH)], { depth: 2, fee: 2_001n });
  chainUnits -= TENTH + 1_999_500n + 2_001n;
  await check();
  assert.equal(await settleDepartures(app), 2);
  await check();
});

test('what nobody ordered is missing at once, until a person says what it was', async () => {
  const cold = { destination: 'cold', units: 1_000_000n };
  await hand.show('t1', [cold], { depth: 1, fee: 300n });
  chainUnits -= 1_000_300n;
  await check(1_000_000n);
  await settleDepartures(app);
  await hand.show('t1', [], { depth: 2 });
  await settleDepartures(app);
  await check(1_000_000n);
  const [departure] = await listDepartures(app, 1);
  const departureId = departure?.id ?? 0n;
  await explainDeparture(app, { departureId, number: 1, purpose: 'OUTSIDE', ...SAID });
  await check();
});

test('what a person explains before it is booked is not missing', async () => {
  await hand.show('t1', [{ destination: 'cold', units: 5n }], { depth: 1 });
  chainUnits -= 205n;
  const [departure] = await listDepartures(app, 1);
  const departureId = departure?.id ?? 0n;
  await explainDeparture(app, { departureId, number: 1, purpose: 'LOST', ...SAID });
  await check();
});

test('a transfer that is paid twice is missing once', async () => {
  await hand.order();
  await hand.show('t1', [toPayee(TENTH)], { depth: 1 });
  await hand.show('t2', [toPayee(TENTH)], { depth: 1, spends: ['ours:1'] });
  chainUnits -= 2n * (TENTH + 200n);
  await check(TENTH);
  await settleDepartures(app);
  await check(TENTH);
});

test('what is collected as the settings say, and consolidation, are not missing', async () => {
  const sweeper = { collectTo: 'treasury' } as NonNullable<Network['sweeper']>;
  app = { ...app, networks: new Map([[LITECOIN, { sweeper }]]) };
  const ours = { destination: 'ours', units: 40n, isOwn: true };
  await hand.show('t1', [{ destination: 'treasury', units: 60n }, ours], { depth: 1 });
  chainUnits -= 260n;
  await check();
  await hand.show('t1', [], { depth: 2 });
  await settleDepartures(app);
  await check();
});

test('what a reorganisation took back is there again, and hides nothing', async () => {
  await hand.order();
  await hand.show('t1', [toPayee(TENTH)], { depth: 2 });
  chainUnits -= TENTH + 200n;
  await settleDepartures(app);
  await check();
  const height = await hand.height();
  await world.app.db.transact((tx) => undoDepartures(tx, LITECOIN, height - 2n));
  chainUnits += TENTH + 200n;
  await check();
  await hand.show('t1', [], { depth: 1 });
  chainUnits -= TENTH + 200n;
  await check();
});

test('money that arrives and is not credited yet does not stand in for what is missing', async () => {
  const checkoutId = await world.create();
  const request = { checkoutId, owner: world.caller, network: 'LITECOIN' };
  const made = await commitCheckout(world.app, request);
  const { arrivingUnits: units, assetId, instruction } = made;
  const outputs = [{ destination: instruction.destination, assetId, units }];
  await paySandbox(world.app, { chain: LITECOIN, outputs });
  await world.observe('LITECOIN');
  await check();
  await mineBlocks(world.app, LITECOIN, 1);
  await world.observe('LITECOIN');
  chainUnits += units;
  await check();
  assert.equal((await find(chainUnits)).underWayUnits, units);
  await mineBlocks(world.app, LITECOIN, 4);
  await world.observe('LITECOIN');
  await check();
  await world.settle();
  await check();
});

test('nothing is said of a block that is not recorded, nor of another branch', async () => {
  const { cursor } = await readPosition(world.app.db, LITECOIN);
  assert(cursor !== undefined);
  const asked: bigint[] = [];
  const at = (upTo: { height: bigint; hash?: string }) =>
    showing({
      async holdings(_, { height }) {
        asked.push(height);
        return { upTo, units: new Map([[LTC, 0n]]) };
      },
    });
  const look = (network: Network) => reconcileHoldings({ ...world.app, ...app }, network, AT_ONCE);
  assert.equal(await look(at({ height: cursor.height + 1n })), undefined);
  assert.equal(await look(at({ height: cursor.height, hash: 'another' })), undefined);
  assert.notEqual(await look(at(cursor)), undefined);
  assert.deepEqual(asked, [cursor.height, cursor.height, cursor.height]);
  // A chain that is behind is not asked about.
  await world.clock.advance(90_000);
  assert.equal(await look(at(cursor)), undefined);
  assert.equal(asked.length, 3);
  assert.equal(await look(showing({ holdings: undefined })), undefined);
});
