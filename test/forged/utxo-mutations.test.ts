// A node whose answers are damaged by chance (left out, doubled, reordered, cut off, of another chain,
// of an earlier time): while it lasts nothing wrong is credited, and afterwards everything that was
// paid is credited exactly once.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { type Random, randomInteger } from '#base/random.ts';
import { openUtxoNetworks } from '#networks/utxo/open-utxo-networks.ts';
import { BITCOIN_MAIN, LITECOIN_MAIN } from '#networks/utxo/utxo-chain.ts';
import { type FakeCoreNode, fakeTransaction, startFakeCoreNode } from '#test/fakes/core-node.ts';
import { byLength } from '#test/support/run-length.ts';
import { pick, seededRandom } from '#test/support/seeded-random.ts';
import { type ForgedWorld, openForgedWorld } from './forged-world.ts';
import { mutateAnswer, mutateText } from './mutate-answer.ts';

const SEEDS = byLength({ short: 12, long: 170 });
/** Looks at the damaged node in one schedule. */
const DAMAGED_LOOKS = 4;
const DEPTH = 2;
const UNITS = 10_000_000n;
const STRANGER = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';

const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(6)).derive("m/84'/0'/0'");
let node: FakeCoreNode;
let world: ForgedWorld;

before(async () => {
  node = await startFakeCoreNode();
  node.genesisHash = BITCOIN_MAIN.genesisHash;
  node.info = { chain: 'main' };
  for (let made = 0; made < 15; made += 1) node.mine();
  const settings = {
    network: 'BITCOIN',
    chainName: 'main',
    rpcUrl: node.url.replace('://', '://user:password@'),
    rpcCookieFile: undefined,
    descriptor: account.publicExtendedKey,
    confirmations: [DEPTH, DEPTH, DEPTH],
  } as const;
  world = await openForgedWorld({ networks: (parts) => openUtxoNetworks([settings], parts) });
  assert.deepEqual(await world.observe(), []);
});

after(async () => {
  await world?.close();
  await node?.close();
});

type Schedule = { readonly chance: number; readonly how: How };
type How = 'json' | 'text' | 'other-chain' | 'errors' | 'stale';

function scheduleOf(random: Random): Schedule {
  return {
    chance: pick(random, [5, 15, 40]),
    how: pick(random, ['json', 'json', 'json', 'text', 'other-chain', 'errors', 'stale'] as const),
  };
}

function damaging(random: Random, { chance, how }: Schedule): FakeCoreNode['damage'] {
  const answered: string[] = [];
  return (text) => {
    answered.push(text);
    if (randomInteger(random, 100) >= chance) return { status: 200, text };
    switch (how) {
      case 'json':
        return { status: 200, text: JSON.stringify(mutateAnswer(random, JSON.parse(text)).value) };
      case 'text':
        return { status: 200, text: mutateText(random, text).text };
      case 'other-chain':
        return {
          status: 200,
          text: text.replaceAll(BITCOIN_MAIN.genesisHash, LITECOIN_MAIN.genesisHash),
        };
      case 'errors':
        return { status: pick(random, [429, 500, 503, 200]), text: pick(random, ['', '{}', '[]']) };
      case 'stale':
        // An answer given before, to whatever was asked then.
        return { status: 200, text: pick(random, answered) };
    }
  };
}

const paying = (address: string) => ({
  inputs: [{ txid: Buffer.from(address).toString('hex').slice(0, 64).padEnd(64, '0'), vout: 0 }],
  outputs: [
    { value: '0.10000000', address },
    { value: '1.5', address: STRANGER },
  ],
});

for (let seed = 1; seed <= SEEDS; seed += 1) {
  test(`seed ${seed}: nothing is lost and nothing doubled`, async () => {
    const random = seededRandom(seed);
    const schedule = scheduleOf(random);
    const what = JSON.stringify(schedule);
    assert.deepEqual(await world.observe(), []);
    const credited = await world.credited();
    const first = await world.createAndCommit('BITCOIN', 'BTC:NATIVE', UNITS);
    const second = await world.createAndCommit('BITCOIN', 'BTC:NATIVE', UNITS);
    const payments = [first, second].map(({ instruction }) => paying(instruction.address));
    node.damage = damaging(random, schedule);
    if (randomInteger(random, 2) === 0) {
      for (const payment of payments) node.addUnconfirmed(payment);
      await world.observe();
    }
    if (randomInteger(random, 2) === 0) node.mine(...payments);
    else for (const payment of payments) node.mine(payment);
    for (let look = 0; look < DAMAGED_LOOKS; look += 1) {
      await world.observe();
      await world.settle();
      assert((await world.credited()) <= credited + 2n * UNITS, `too much: ${what}`);
      if (look === 1) reorganise(random, payments);
    }
    node.damage = undefined;
    for (let made = 0; made < DEPTH + 1; made += 1) node.mine();
    assert.deepEqual(await world.observe(), [], what);
    await world.settle();
    assert.equal(await world.credited(), credited + 2n * UNITS, what);
    for (const { checkoutId } of [first, second]) {
      assert.equal((await world.read(checkoutId)).state, 'COMPLETED', what);
    }
  });
}

/** Another branch, one block longer, with the same payments in its first block; or just a block. */
function reorganise(random: Random, payments: readonly ReturnType<typeof paying>[]): void {
  if (randomInteger(random, 3) === 0) {
    node.blocks.splice(-2, 2);
    const held = new Set(node.blocks.slice(-2).flatMap(({ tx }) => tx.map(({ txid }) => txid)));
    node.mine(...payments.filter((payment) => !held.has(fakeTransaction(payment).txid)));
    node.mine();
  }
  node.mine();
}

test('after all of it the books are in order', async () => {
  assert.deepEqual(await world.brokenInvariants(), []);
  assert.equal(await world.suspended(), 0n);
});
