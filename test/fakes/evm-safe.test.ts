// What leaves a Safe on an EVM chain: coins that it gives away have no log, so they are read from the
// call and the event together, and above the limit of two endpoints. What only looks so is not told.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { encodeAbiParameters } from 'viem';
import { listUnsettledDepartures } from '#chain/departure.ts';
import { executeCall, safeDomain } from '#networks/evm/safe-transaction.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import {
  createFakeEvmNode,
  type FakeEvmNode,
  type FakeJson,
  type FakeTransaction,
  PAYER,
} from './evm-node.ts';
import { deployTokens, ETH, openFakeEvm } from './evm-world.ts';

const SAFE = '0x000000000000000000000000000000000000005a';
const STRANGER = '0x00000000000000000000000000000000000000ee';
const OTHER = '0x00000000000000000000000000000000000000dd';
const SUCCESS = '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e';
const FAILURE = '0x23428b18acfb3ea64b08dc0c1d296ea9c09702c09083ca5272e64d115b687d23';
const DIGEST = `0x${'1d'.repeat(32)}`;
const NONE = `0x${'0'.repeat(64)}`;
const ETHER = 10n ** 18n;

const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;
const ANSWERS = new Map<string, string>([
  ['0xffa1ad74', encodeAbiParameters([{ type: 'string' }], ['1.4.1'])],
  ['0xf698da25', `0x${safeDomain({ safe: SAFE, chainId: 31_337n }).toString('hex')}`],
  ['0xa0e67e2b', encodeAbiParameters([{ type: 'address[]' }], [[PAYER as `0x${string}`]])],
  ['0xe75235b8', word(1n)],
  ['0xaffed0e0', word(0n)],
]);

let node: FakeEvmNode;
let world: ForgedWorld;
/** Which endpoint is being asked. */
let asking = 0;
/** What endpoint 1 says of a transaction to the Safe. */
let lie: FakeJson = {};

before(async () => {
  node = createFakeEvmNode();
  deployTokens(node);
  node.tokens.set(SAFE, { code: '0x60', decimals: word(0n) });
  node.answer = (method, params, result) => {
    const [first, second] = params as [{ to?: string; data?: string } | undefined, unknown];
    if (method === 'eth_call' && first?.to === SAFE) return ANSWERS.get(first.data ?? '');
    const isBlock = method === 'eth_getBlockByNumber' && second === true && result !== null;
    if (!isBlock || asking !== 0) return result;
    const block = result as { transactions: FakeJson[] };
    const transactions = block.transactions.map((one) =>
      one.to === SAFE ? { ...one, ...lie } : one,
    );
    return { ...block, transactions };
  };
  node.mineEmpty(3);
  const posts = [0, 1].map((endpoint) => (body: string) => {
    asking = endpoint;
    return node.post(body);
  });
  const open = { posts, safe: SAFE };
  world = await openForgedWorld({ networks: (parts) => [openFakeEvm(open, parts)] });
  await look();
  node.mine({ to: SAFE, value: 20n * ETHER });
  await finish();
});
beforeEach(() => {
  lie = {};
});
after(() => world?.close());

async function look(): Promise<void> {
  assert.deepEqual((await world.observe()).map(String), []);
  await world.settle();
}

async function finish(): Promise<void> {
  node.mineEmpty(node.finalLag);
  await look();
}

const inputOf = (to: string, value: bigint) =>
  executeCall({ to, value, data: '0x' }, Buffer.alloc(65));

type Carried = {
  readonly topic?: string;
  readonly moved?: bigint;
  readonly more?: FakeTransaction;
};

/** The call of `execTransaction` that pays the stranger, and what the Safe says of it. */
function carried(value: bigint, { topic = SUCCESS, moved = value, more = {} }: Carried = {}) {
  const logs = [{ address: SAFE, topics: [topic, DIGEST], data: NONE }];
  const changes = [
    { address: SAFE, units: -moved },
    { address: STRANGER, units: moved },
  ];
  return { to: SAFE, logs, changes, json: { input: inputOf(STRANGER, value) }, ...more };
}

/** Of this transaction, in short. */
async function toldOf(hash: unknown) {
  const departures = await listUnsettledDepartures(world.app.db, 100);
  const found = departures.find(({ transaction }) => transaction === hash);
  if (found === undefined) return undefined;
  const { spends, feeUnits, parts } = found;
  return { spends, feeUnits, parts: parts.map(({ destination, units }) => [destination, units]) };
}

const hashIn = ({ transactions }: { transactions: FakeJson[] }) => transactions[0]?.hash;

test('coins that leave are told with what its owners signed; the gas is not ours', async () => {
  const sent = node.mine(carried(ETHER, { more: { fee: 31_337n } }));
  await finish();
  const parts = [[STRANGER, ETHER]];
  assert.deepEqual(await toldOf(hashIn(sent)), { spends: [DIGEST], feeUnits: 0n, parts });
  assert.equal(await world.custody('ETHEREUM', ETH), 20n * ETHER);
});

test('a failure uses the nonce and moves nothing', async () => {
  const sent = node.mine(carried(ETHER, { topic: FAILURE, moved: 0n }));
  await finish();
  assert.deepEqual(await toldOf(hashIn(sent)), { spends: [DIGEST], feeUnits: 0n, parts: [] });
});

test('what reverts, what says nothing, and what another contract says is not told', async () => {
  const reverted = node.mine(carried(ETHER, { more: { status: 0 } }));
  const silent = node.mine(carried(ETHER, { moved: 0n, more: { logs: [] } }));
  const log = { address: OTHER, topics: [SUCCESS, DIGEST], data: NONE };
  const forged = node.mine(carried(ETHER, { moved: 0n, more: { logs: [log] } }));
  await finish();
  for (const sent of [reverted, silent, forged]) {
    assert.equal(await toldOf(hashIn(sent)), undefined);
  }
});

test('above the limit another endpoint has to show the same call', async () => {
  const sent = node.mine(carried(4n * ETHER));
  lie = { input: inputOf(OTHER, 4n * ETHER) };
  node.mineEmpty(node.finalLag);
  const failures = await world.observe();
  assert.equal(await toldOf(hashIn(sent)), undefined, String(failures));
  lie = {};
  await finish();
  const parts = [[STRANGER, 4n * ETHER]];
  assert.deepEqual((await toldOf(hashIn(sent)))?.parts, parts);
});
