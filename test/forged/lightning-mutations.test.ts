// A Lightning node whose answers are damaged, by chance and repeatable: omitted, duplicated,
// reordered, cut short, changed, of another chain, not there at all. Meanwhile customers commit, pay,
// pay too much and give up. When the node is honest again, everything that was paid is credited once
// and exactly: 0 lost, 0 doubled.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Random, randomInteger } from '#base/random.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { openLightningNetworks } from '#networks/lightning/open-lightning-networks.ts';
import {
  type FakeLightningNode,
  NODE_KINDS,
  openFakeLightningNode,
} from '#test/fakes/lightning-node.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { byLength } from '#test/support/run-length.ts';
import { pick, seededRandom } from '#test/support/seeded-random.ts';
import { type ForgedWorld, openForgedWorld } from './forged-world.ts';
import { mutateAnswer, mutateText } from './mutate-answer.ts';

const BTC = 'BTC:NATIVE';
const SEEDS_PER_KIND = byLength({ short: 7, long: 57 });
const STEPS = 6;
const REST_SECONDS = 30;

/** Every other answer, more or less, is damaged in one way. */
function damage(node: FakeLightningNode, random: Random): void {
  const isHit = () => randomInteger(random, 2) === 0;
  node.chainName = randomInteger(random, 8) === 0 ? 'test' : 'regtest';
  node.isSynced = randomInteger(random, 8) > 0;
  node.isDown = randomInteger(random, 10) === 0;
  node.change = (_method, answer) =>
    isHit() ? (mutateAnswer(random, answer).value ?? answer) : answer;
  node.changeText = (_method, text) =>
    randomInteger(random, 6) === 0 ? mutateText(random, text).text : text;
}

function heal(node: FakeLightningNode): void {
  Object.assign(node, { change: undefined, changeText: undefined, isDown: false });
  Object.assign(node, { chainName: 'regtest', isSynced: true });
}

for (const kind of NODE_KINDS) {
  describe(`${kind} that answers wrongly`, () => {
    const clock = manualClock('2026-01-01T12:00:00Z');
    let node: FakeLightningNode;
    let world: ForgedWorld;
    let failures = 0;
    let payments = 0;

    before(async () => {
      node = await openFakeLightningNode(kind, clock);
      const networks = openLightningNetworks.bind(undefined, [node.settings]);
      world = await openForgedWorld({ networks, clock });
      await world.observe();
    });
    after(async () => {
      await world?.close();
      await node?.close();
    });

    async function commit(units: bigint): Promise<string | undefined> {
      try {
        const { instruction } = await world.createAndCommit('LIGHTNING', BTC, units);
        return instruction.destination;
      } catch (error) {
        // The customer is told to try again, or that the method is not there at the moment.
        if (!(error instanceof Outage || error instanceof Refusal)) throw error;
        failures += 1;
        return undefined;
      }
    }

    function pay(paymentHash: string, units: bigint, random: Random): bigint {
      const millisatoshis = units * 1000n;
      const more = BigInt(randomInteger(random, 3)) * (millisatoshis / 2n) + 999n;
      const paid = randomInteger(random, 4) === 0 ? millisatoshis + more : millisatoshis;
      const received = paid > 2n * millisatoshis ? millisatoshis : paid;
      node.pay(paymentHash, received);
      payments += 1;
      return received / 1000n;
    }

    async function runSeed(seed: number): Promise<void> {
      const random = seededRandom(seed);
      const before = await world.credited();
      const open: { paymentHash: string; units: bigint }[] = [];
      let paid = 0n;
      for (let step = 0; step < STEPS; step += 1) {
        // A customer tries again until there is an invoice, or gives up.
        if (randomInteger(random, 4) === 0) damage(node, random);
        else heal(node);
        const units = BigInt(1000 + randomInteger(random, 9000));
        const paymentHash = await commit(units);
        if (paymentHash !== undefined) open.push({ paymentHash, units });
        if (randomInteger(random, 3) === 0) node.addForeign();
        damage(node, random);
        if (open.length > 0 && randomInteger(random, 3) > 0) {
          const chosen = pick(random, open);
          open.splice(open.indexOf(chosen), 1);
          if (randomInteger(random, 5) === 0) node.cancel(chosen.paymentHash);
          else paid += pay(chosen.paymentHash, chosen.units, random);
        }
        failures += (await world.observe()).length;
        await world.settle();
      }
      heal(node);
      await clock.advance(REST_SECONDS * 1000);
      for (const { paymentHash, units } of open) {
        if (randomInteger(random, 2) === 0) paid += pay(paymentHash, units, random);
      }
      for (let look = 0; look < 2; look += 1) assert.deepEqual(await world.observe(), []);
      await world.settle();
      assert.equal((await world.credited()) - before, paid, `seed ${seed}`);
      assert.equal(await world.suspended(), 0n);
    }

    test(`${SEEDS_PER_KIND} schedules: nothing is lost and nothing is credited twice`, async () => {
      for (let seed = 1; seed <= SEEDS_PER_KIND; seed += 1) await runSeed(seed);
      assert.deepEqual(await world.brokenInvariants(), []);
      assert.ok(failures > SEEDS_PER_KIND, `the node was believed: ${failures} failures`);
      assert.ok(payments > SEEDS_PER_KIND, `only ${payments} payments`);
    });
  });
}
