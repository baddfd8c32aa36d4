// The same stories on each kind of Lightning node, where what has no real node in the tests (Core
// Lightning) or takes too long on one (restarts, two watchers, days) is told with a small server.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { openLightningNetworks } from '#networks/lightning/open-lightning-networks.ts';
import { networkWatch } from '#networks/watch-network.ts';
import { requestSettlement } from '#settle/queue.ts';
import { listSuspense, suspenseView } from '#suspense/suspense-view.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { type FakeLightningNode, NODE_KINDS, openFakeLightningNode } from './lightning-node.ts';

const BTC = 'BTC:NATIVE';
const UNITS = 30_000n;

for (const kind of NODE_KINDS) {
  describe(`Lightning over ${kind}`, () => {
    let clock: ManualClock;
    let node: FakeLightningNode;
    let world: ForgedWorld;

    before(async () => {
      clock = manualClock('2026-01-01T12:00:00Z');
      node = await openFakeLightningNode(kind, clock);
      const networks = openLightningNetworks.bind(undefined, [node.settings]);
      world = await openForgedWorld({ networks, clock });
      await world.observe();
    });
    after(async () => {
      await world?.close();
      await node?.close();
    });

    const commit = () => world.createAndCommit('LIGHTNING', BTC, UNITS);

    /** A process that has just been started: nothing is remembered but the database. */
    const freshWatch = () => openForgedWatch(world);
    async function openForgedWatch({ app: shop }: ForgedWorld) {
      const [opened] = openLightningNetworks([node.settings], {
        db: shop.db,
        clock,
        log: silentLog,
      });
      assert(opened !== undefined);
      const app = { ...shop, onAffected: requestSettlement, onRecorded: () => undefined };
      const watch = networkWatch(app, opened.network);
      return {
        async look() {
          while (await watch.step());
        },
        close: () => opened.network.close(),
      };
    }

    async function look(): Promise<void> {
      assert.deepEqual(await world.observe(), []);
      await world.settle();
    }

    test('a payment that came before anybody looked again is credited', async () => {
      const { checkoutId, instruction } = await commit();
      node.pay(instruction.destination);
      await look();
      assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
    });

    test('a payment of more, within the rules, is credited as what arrived', async () => {
      const credited = await world.credited();
      const { checkoutId, instruction } = await commit();
      node.pay(instruction.destination, 2n * UNITS * 1000n - 1n);
      await look();
      const { state, flags } = await world.read(checkoutId);
      assert.equal(state, 'COMPLETED');
      assert.ok('overpaid' in flags);
      // Rounded down to whole satoshi.
      assert.equal((await world.credited()) - credited, 2n * UNITS - 1n);
    });

    test('an unpaid checkout expires with its lock; foreign payments change nothing', async () => {
      const credited = await world.credited();
      const { checkoutId } = await commit();
      node.pay(node.addForeign(UNITS).paymentHash);
      await look();
      await clock.advance(61 * 60_000);
      await look();
      assert.equal((await world.read(checkoutId)).state, 'EXPIRED');
      assert.equal(await world.credited(), credited);
    });

    test('nothing expires while the node is away; what was paid meanwhile is in time', async () => {
      const { checkoutId, instruction } = await commit();
      await look();
      node.isDown = true;
      node.pay(instruction.destination);
      await clock.advance(61 * 60_000);
      assert.equal((await world.observe()).length, 1);
      await world.settle();
      assert.equal((await world.read(checkoutId)).state, 'AWAITING_PAYMENT');
      node.isDown = false;
      await look();
      assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
    });

    test('a process that was just started finds what was paid while none ran', async () => {
      const credited = await world.credited();
      const made = [await commit(), await commit(), await commit()];
      for (const { instruction } of made.slice(1)) node.pay(instruction.destination);
      const watch = await freshWatch();
      await watch.look();
      await watch.close();
      await world.settle();
      assert.equal((await world.credited()) - credited, 2n * UNITS);
      // The one that was running before has nothing to add.
      await look();
      assert.equal((await world.credited()) - credited, 2n * UNITS);
    });

    test('four processes that watch at once record each payment once', async () => {
      const credited = await world.credited();
      const watches = await Promise.all(Array.from({ length: 4 }, freshWatch));
      for (let round = 0; round < 5; round += 1) {
        const { instruction } = await commit();
        node.pay(instruction.destination);
        await Promise.all(watches.map((watch) => watch.look()));
      }
      await Promise.all(watches.map((watch) => watch.close()));
      await look();
      assert.equal((await world.credited()) - credited, 5n * UNITS);
      assert.deepEqual(await world.brokenInvariants(), []);
    });

    test('a node without open invoices of ours is asked for no list', async () => {
      await clock.advance(26 * 60 * 60_000);
      await look();
      const before = node.asked.length;
      await look();
      const lists = ['GET /v1/invoices', 'listinvoices', 'list_requests'];
      assert.deepEqual(
        node.asked.slice(before).filter((method) => lists.includes(method)),
        [],
      );
    });

    test('after a restore, what is paid by invoices of the lost days lies in suspense', async () => {
      const [paid, open, over, twice] = [
        await commit(),
        await commit(),
        await commit(),
        await commit(),
      ];
      node.pay(paid.instruction.destination);
      node.cancel(over.instruction.destination);
      node.pay(node.addForeign(UNITS).paymentHash);
      // Another database at the same node: one that knows nothing of all that was made before.
      const networks = openLightningNetworks.bind(undefined, [node.settings]);
      const restored = await openForgedWorld({ networks, clock, seed: 77 });
      const follow = async () => {
        assert.deepEqual(await restored.observe(), []);
        await restored.settle();
      };
      await follow();
      const before = await restored.suspended();
      assert(before >= UNITS, 'what was paid before somebody looked is found');
      const own = await restored.createAndCommit('LIGHTNING', BTC, UNITS);
      for (const { instruction } of [paid, open, over, twice]) {
        assert.notEqual(own.instruction.destination, instruction.destination);
      }
      node.pay(own.instruction.destination);
      node.pay(open.instruction.destination);
      await follow();
      assert.equal((await restored.read(own.checkoutId)).state, 'COMPLETED');
      assert.equal(await restored.credited(), UNITS);
      assert.equal(await restored.suspended(), before + UNITS);
      const [held] = await listSuspense(restored.app, { isOpen: true }, 1);
      assert(held !== undefined);
      const { reason, detail } = suspenseView(held);
      assert.deepEqual([reason, detail], ['UNKNOWN_INVOICE', 'invoice given out before a restore']);
      // A process that was just started finds all of it again, and books nothing twice.
      const again = await openForgedWatch(restored);
      node.pay(twice.instruction.destination);
      await again.look();
      await again.close();
      await follow();
      assert.equal(await restored.suspended(), before + 2n * UNITS);
      assert.equal(await restored.credited(), UNITS);
      assert.deepEqual(await restored.brokenInvariants(), []);
      await restored.close();
      // The database that made them credits them as ever.
      await look();
      for (const { checkoutId } of [paid, open, twice]) {
        assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
      }
      assert.equal(await world.suspended(), 0n);
    });

    test('the node is asked for nothing that it has no permission for', () => {
      const allowed = /^(?:GET \/v1\/(?:getinfo|channels|invoices?(?:\/.*)?)|POST \/v1\/invoices)$/;
      const methods = ['getinfo', 'invoice', 'listinvoices', 'listpeerchannels', 'wait'];
      const rpc = ['getinfo', 'nodeid', 'add_request', 'list_requests', 'list_channels'];
      const known = new Set([...methods, ...rpc, 'lightning_history']);
      for (const method of node.asked) assert.ok(allowed.test(method) || known.has(method), method);
    });
  });
}
