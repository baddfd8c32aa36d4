// A final block that is another one now: the network stands still until a person goes back below it,
// with the same command as on Bitcoin. What stands again stays credited, what is gone is taken back.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chainRewind } from '#cli/chain.ts';
import { sql } from '#db/db.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import { createFakeEvmNode, type FakeEvmNode } from './evm-node.ts';
import { contractOf, deployTokens, ETH, openFakeEvm, USDC } from './evm-world.ts';
import { openXrplWorld } from './xrpl-world.ts';

const UNITS = 5_000_000n;
const ETHER = 10n ** 18n;

let node: FakeEvmNode;
let world: ForgedWorld;

before(async () => {
  node = createFakeEvmNode();
  deployTokens(node);
  node.mineEmpty(10);
  const posts = [(body: string) => node.post(body)];
  world = await openForgedWorld({ networks: (parts) => [openFakeEvm({ posts }, parts)] });
  assert.deepEqual(await world.observe(), []);
});
after(() => world?.close());

async function rewind(of: ForgedWorld, network: string, height: number) {
  const context = {
    openApp: async () => of.app,
    openDatabase: async () => ({ description: 'a database' }) as never,
    environment: {},
    onProgress: () => undefined,
    directory: '.',
    terminal: undefined,
  };
  const input = { positionals: [network], values: { to: String(height) } };
  return (await chainRewind.run(context, input)).json;
}

async function look(): Promise<void> {
  assert.deepEqual((await world.observe()).map(String), []);
  await world.settle();
}

test('final blocks that are others now are gone back over, and their balances read anew', async () => {
  const token = await world.createAndCommit('ETHEREUM', USDC, UNITS);
  const inCall = await world.createAndCommit('ETHEREUM', ETH, ETHER);
  const lost = await world.createAndCommit('ETHEREUM', USDC, UNITS);
  await look();
  const height = node.blocks.length - 1;
  const pay = () => {
    node.mine(node.pay(token.instruction.address, UNITS, contractOf(USDC)));
    const { address } = inCall.instruction;
    node.mine({ to: contractOf(USDC), changes: [{ address, units: ETHER }] });
  };
  pay();
  node.mine(node.pay(lost.instruction.address, UNITS, contractOf(USDC)));
  node.mineEmpty(6);
  await look();
  const states = async () =>
    Promise.all(
      [token, inCall, lost].map(async ({ checkoutId }) => (await world.read(checkoutId)).state),
    );
  assert.deepEqual(await states(), ['COMPLETED', 'COMPLETED', 'COMPLETED']);
  const recorded = node.blocks.length - 1 - node.finalLag;

  // On the other branch the first two stand in other blocks, the third does not.
  node.reorg(node.blocks.length - 1 - height);
  node.mineEmpty(2);
  pay();
  node.mineEmpty(12);
  const [failure] = await world.observe();
  assert.match(String(failure?.message), /is another one now.*chain rewind ETHEREUM --to HEIGHT/);

  const { from, to, payments } = (await rewind(world, 'ETHEREUM', height)) as Record<
    string,
    unknown
  >;
  assert.deepEqual([from, to, payments], [`${recorded}`, `${height}`, 3]);
  const [kept] = await world.app.db.query<{ count: bigint }>(
    sql`select count(*) as count from evm_balance where height > ${BigInt(height)}`,
  );
  assert.equal(kept?.count, 0n);
  await look();
  node.mineEmpty(12);
  await look();
  assert.equal(await world.credited(USDC), UNITS);
  assert.equal(await world.custody('ETHEREUM', ETH), ETHER);
  assert.deepEqual((await states()).slice(0, 2), ['COMPLETED', 'COMPLETED']);
  assert.deepEqual(await world.brokenInvariants(), []);
});

test('going back again, and once more, changes nothing; above the final block nobody goes', async () => {
  const credited = await world.credited(USDC);
  const recorded = node.blocks.length - 1 - node.finalLag;
  for (const height of [recorded - 3, recorded - 10]) {
    await rewind(world, 'ETHEREUM', height);
    await look();
  }
  assert.equal(await world.credited(USDC), credited);
  assert.deepEqual(await world.brokenInvariants(), []);
  await assert.rejects(rewind(world, 'ETHEREUM', recorded + 1), /the node has no block/);
  await assert.rejects(rewind(world, 'ETHEREUM', recorded), /must be below/);
});

test('where what was read is final by itself, the command says why it is not needed', async () => {
  const xrpl = await openXrplWorld();
  assert.deepEqual(await xrpl.observe(), []);
  await assert.rejects(rewind(xrpl, 'XRP_LEDGER', 5), /is final by itself.*another network/);
  await xrpl.close();
});
