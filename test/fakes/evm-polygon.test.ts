// Polygon as bor and Erigon tell it: fees that are logged whatever came of a transaction, and state
// syncs, which nobody sent and whose receipts are missing, doubled or malformed. Payments beside them
// are credited, and the network never stops.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import {
  createFakeEvmNode,
  type FakeEvmNode,
  type FakeJson,
  type FakeLog,
  FakeRefusal,
  type FakeTransaction,
  hashOf,
  PAYER,
  transferLog,
} from './evm-node.ts';
import { contractOf, deployTokens, openFakeEvm } from './evm-world.ts';

const USDC = 'USDC:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';
const POL = 'POL:NATIVE';
const NOBODY = '0x0000000000000000000000000000000000000000';
const units = 5_000_000n;
const coins = 10n ** 18n;

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/polygon/failed-with-fee-log.json'), 'utf8'),
) as { receipt: { logs: FakeLog[] } };
const [{ address, topics, data } = { address: '', topics: [], data: '' }] = recorded.receipt.logs;
const feeLog: FakeLog = { address, topics, data };
const failed: FakeTransaction = { to: contractOf(USDC), status: 0, systemLogs: [feeLog] };
const stateSync: FakeTransaction = {
  from: NOBODY,
  to: NOBODY,
  logs: [{ address: contractOf(USDC), topics: [hashOf('StateSync')], data: '0x' }],
};

let node: FakeEvmNode;
let world: ForgedWorld;

before(async () => {
  node = createFakeEvmNode();
  deployTokens(node, 'POLYGON');
  node.mineEmpty(3);
  const options = { network: 'POLYGON', posts: [node.post] } as const;
  world = await openForgedWorld({ networks: (parts) => [openFakeEvm(options, parts)] });
  assert.deepEqual(await world.observe(), []);
});
after(() => world?.close());
beforeEach(() => {
  node.answer = (_method, _params, result) => result;
});

/** A payment in the coin and one in a token, beside something else. */
async function paidBeside(...others: FakeTransaction[]): Promise<void> {
  const coin = await world.createAndCommit('POLYGON', POL, coins);
  const token = await world.createAndCommit('POLYGON', USDC, units);
  assert.deepEqual(await world.observe(), []);
  node.mine(
    node.pay(coin.instruction.address, coins),
    node.pay(token.instruction.address, units, contractOf(USDC)),
    ...others,
  );
  node.mineEmpty(3);
  assert.deepEqual(await world.observe(), []);
  await world.settle();
  assert.equal((await world.read(coin.checkoutId)).state, 'COMPLETED');
  assert.equal((await world.read(token.checkoutId)).state, 'COMPLETED');
}

const withReceipts = (change: (receipts: FakeJson[]) => unknown) => {
  node.answer = (method, _params, result) =>
    method === 'eth_getBlockReceipts' ? change(result as FakeJson[]) : result;
};
const isOfNobody = ({ from }: FakeJson) => from === NOBODY;

test('a failed transaction with the log of its fee stops nothing', () => paidBeside(failed));

for (const [name, change] of [
  ['left out', (receipts: FakeJson[]) => receipts.filter((one) => !isOfNobody(one))],
  ['doubled', (receipts: FakeJson[]) => [...receipts, ...receipts.filter(isOfNobody)]],
  [
    'doubled, once with other logs',
    (receipts: FakeJson[]) => [
      ...receipts,
      ...receipts.filter(isOfNobody).map((one) => ({ ...one, logs: [] })),
    ],
  ],
  [
    'malformed',
    (receipts: FakeJson[]) =>
      receipts.map((one) => (isOfNobody(one) ? { ...one, status: null, blockHash: null } : one)),
  ],
  [
    'of a transaction that the block does not show',
    (receipts: FakeJson[]) => [
      ...receipts,
      { ...receipts.find(isOfNobody), transactionHash: hashOf('sync'), logs: [] },
    ],
  ],
] as const) {
  test(`a receipt of a state sync that is ${name} stops nothing`, async () => {
    withReceipts(change);
    await paidBeside(stateSync, failed);
  });
}

test('where bor says "receipts length mismatch" the receipts are asked for singly', async () => {
  let refusals = 0;
  node.answer = (method, _params, result) => {
    if (method !== 'eth_getBlockReceipts') return result;
    refusals += 1;
    throw new FakeRefusal(-32000, 'receipts length mismatch: 1 vs 0');
  };
  await paidBeside(stateSync);
  assert(refusals > 0);
  node.asked.length = 0;
  await paidBeside(failed);
  await paidBeside(failed);
  node.answer = (_method, _params, result) => result;
  await paidBeside(failed);
  await paidBeside(failed);
  await paidBeside(failed);
  await paidBeside(failed);
  assert(node.asked.includes('eth_getBlockReceipts'), 'whole ones are tried again');
});

test('tokens that a state sync brings are credited, from a single receipt where need be', async () => {
  withReceipts((receipts) => receipts.filter((one) => !isOfNobody(one)));
  const { checkoutId, instruction } = await world.createAndCommit('POLYGON', USDC, units);
  assert.deepEqual(await world.observe(), []);
  const contract = contractOf(USDC);
  node.mine({
    ...stateSync,
    logs: [transferLog(contract, PAYER, instruction.address, units)],
    changes: [{ address: instruction.address, contract, units }],
  });
  node.mineEmpty(3);
  assert.deepEqual(await world.observe(), []);
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
});

test('a receipt of anybody else that is missing is a lie all the same', async () => {
  withReceipts((receipts) => receipts.slice(1));
  node.mine(node.pay(PAYER, 1n), stateSync);
  node.mineEmpty(3);
  const [failure] = await world.observe();
  assert.match(String(failure?.message), /the receipt of \w+ is missing/);
  node.answer = (_method, _params, result) => result;
  assert.deepEqual(await world.observe(), []);
  assert.deepEqual(await world.brokenInvariants(), []);
});

// The last one: of this node whole receipts are not asked again for long.
test('where receipts are asked for singly a failed transaction stops nothing either', async () => {
  node.answer = (method, _params, result) => {
    if (method === 'eth_getBlockReceipts') throw new FakeRefusal(-32601, 'does not exist');
    return result;
  };
  const { instruction } = await world.createAndCommit('POLYGON', POL, coins);
  const before = await world.credited(POL);
  await paidBeside({ ...failed, to: instruction.address, value: coins });
  assert.equal(await world.credited(POL), before + coins, 'what failed is credited to nobody');
});
