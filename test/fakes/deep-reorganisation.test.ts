// A reorganisation deeper than what is kept: the watch stands still and says so everywhere, and a
// person takes it back on purpose. Nothing is credited twice, and what stands again stays credited.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { Refusal } from '#base/refusal.ts';
import { listChainReports } from '#chain/chain-report.ts';
import { chainRewind } from '#cli/chain.ts';
import { doctor } from '#cli/doctor.ts';
import { sql } from '#db/db.ts';
import { openUtxoNetworks } from '#networks/utxo/open-utxo-networks.ts';
import { LITECOIN_MAIN } from '#networks/utxo/utxo-chain.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import { type FakeCoreNode, type FakeTransaction, startFakeCoreNode } from './core-node.ts';

const LTC = 'LTC:NATIVE';
const UNITS = 10_000_000n;
const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/84'/2'/0'");

let node: FakeCoreNode;
let world: ForgedWorld;

before(async () => {
  node = await startFakeCoreNode();
  node.genesisHash = LITECOIN_MAIN.genesisHash;
  node.info = { chain: 'main' };
  mine(15);
  const settings = {
    network: 'LITECOIN' as const,
    chainName: 'main',
    rpcUrl: node.url.replace('://', '://user:password@'),
    rpcCookieFile: undefined,
    descriptor: account.publicExtendedKey,
    confirmations: [6, 6, 6] as const,
  };
  world = await openForgedWorld({ networks: (parts) => openUtxoNetworks([settings], parts) });
  assert.deepEqual(await world.observe(), []);
});
after(async () => {
  await world?.close();
  await node?.close();
});

function mine(count: number): void {
  for (let mined = 0; mined < count; mined += 1) node.mine();
}

async function look(): Promise<void> {
  assert.deepEqual((await world.observe()).map(String), []);
  await world.settle();
}

const context = () => ({
  openApp: async () => world.app,
  openDatabase: async () => ({ description: 'a database' }) as never,
  environment: {},
  onProgress: () => undefined,
  directory: '.',
  terminal: undefined,
});

async function rewind(height: number) {
  const input = { positionals: ['LITECOIN'], values: { to: String(height) } };
  return (await chainRewind.run(context(), input)).json;
}

async function findingOfLitecoin(): Promise<string> {
  const { text } = await doctor.run(context(), { positionals: [], values: {} });
  return text.split('\n').find((line) => line.includes('live:LITECOIN')) ?? '';
}

test('a payment stays credited when all that is kept was undone, and the chain is gone back on', async () => {
  const { checkoutId, instruction } = await world.createAndCommit('LITECOIN', LTC, UNITS);
  const inputs = [{ txid: 'ab'.repeat(32), vout: 0 }];
  const payment: FakeTransaction = {
    inputs,
    outputs: [{ value: UNITS, address: instruction.address }],
  };
  node.mine(payment);
  mine(6);
  await look();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');

  // Another branch from the second block on, in which the payment stands as well.
  node.blocks.splice(1);
  mine(18);
  node.mine(payment);
  mine(8);
  const [failure] = await world.observe();
  assert(failure instanceof Refusal);
  assert.match(failure.message, /none of the blocks that we keep/);
  assert.match(await findingOfLitecoin(), /^BAD .*none of the blocks.*chain rewind LITECOIN --to/);
  const [report] = await listChainReports(world.app, world.app.clock.now());
  assert.match(report?.status?.fault ?? '', /chain rewind/);

  assert.deepEqual(await rewind(1), {
    chain: 'live:LITECOIN',
    from: '22',
    to: '1',
    payments: 1,
  });
  await look();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  assert.equal(await world.credited(LTC), UNITS);
  assert.deepEqual(await world.brokenInvariants(), []);
  assert.match(await findingOfLitecoin(), /^ok/);
});

test('going back again, and once more, changes nothing', async () => {
  const credited = await world.credited(LTC);
  for (const height of [20, 5]) {
    await rewind(height);
    await look();
  }
  assert.equal(await world.credited(LTC), credited);
  assert.deepEqual(await world.brokenInvariants(), []);
});

test('what lies below where a chain was first heard is found by going back', async () => {
  const { checkoutId, instruction } = await world.createAndCommit('LITECOIN', LTC, UNITS);
  // As a database that gave out an address before it heard the chain.
  await world.app.db.transact(async (tx) => {
    tx.send(sql`delete from chain_cursor where chain = 'live:LITECOIN'`);
  });
  const height = node.blocks.length;
  node.mine({ outputs: [{ value: UNITS, address: instruction.address }] });
  mine(6);
  await look();
  assert.notEqual((await world.read(checkoutId)).state, 'COMPLETED');
  await rewind(height);
  await look();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
});

test('a height that was not read, or that the node no longer keeps, is refused', async () => {
  await assert.rejects(rewind(9_999), /the node has no block 9999/);
  await assert.rejects(rewind(node.blocks.length), /must be below/);
  node.info = { ...node.info, pruned: true, pruneheight: 10 };
  await assert.rejects(rewind(3), /the node is pruned: block 4 is needed/);
});

test('doctor says what the watch says: the node is pruned, and what to do', async () => {
  node.info = { chain: 'main', pruned: true, pruneheight: 500 };
  mine(2);
  const [failure] = await world.observe();
  assert.match(String(failure), /the node is pruned/);
  assert.match(await findingOfLitecoin(), /^BAD .*the node is pruned.*connect one that has it/);
});
