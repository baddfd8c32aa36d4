// Several endpoints of one chain: one that is away or lies costs time, never money; and what stands in
// the address of an endpoint is told to nobody.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { createEndpoints } from '#networks/evm/endpoints.ts';
import { evmChain } from '#networks/evm/evm-chain.ts';
import {
  askAll,
  type EvmRpc,
  httpPost,
  openEvmRpc,
  type PostedText,
} from '#networks/evm/json-rpc.ts';
import { openEvmNetworks } from '#networks/evm/open-evm-networks.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { createFakeEvmNode, type FakeEvmNode, type FakeJson, hashOf } from './evm-node.ts';
import { contractOf, deployTokens, ETH, openFakeEvm, TEST_ACCOUNT, USDC } from './evm-world.ts';

const large = 20_000_000_000n;
const token = contractOf(USDC);
let node: FakeEvmNode;
let world: ForgedWorld;
/** What each endpoint does with an answer; undefined leaves it as it is. */
let endpoints: (((text: string) => PostedText) | undefined)[];

before(async () => {
  node = createFakeEvmNode();
  deployTokens(node);
  node.mineEmpty(3);
  const posts = [0, 1].map((at) => async (body: string) => {
    const { status, text } = await node.post(body);
    return endpoints[at]?.(text) ?? { status, text };
  });
  endpoints = [];
  world = await openForgedWorld({ networks: (parts) => [openFakeEvm({ posts }, parts)] });
  await world.observe();
});
after(() => world?.close());
beforeEach(() => {
  endpoints = [];
});

const away = () => ({ status: 502, text: 'Bad Gateway' });

async function payment(units: bigint): Promise<string> {
  const { checkoutId, instruction } = await world.createAndCommit('ETHEREUM', USDC, units);
  await world.observe();
  node.mine(node.pay(instruction.address, units, token));
  node.mineEmpty(3);
  return checkoutId;
}

async function stateOf(checkoutId: string): Promise<string> {
  await world.settle();
  return (await world.read(checkoutId)).state;
}

test('while the first endpoint is away the second is asked', async () => {
  const checkoutId = await payment(5_000_000n);
  endpoints[0] = away;
  assert.deepEqual(await world.observe(), []);
  assert.equal(await stateOf(checkoutId), 'COMPLETED');
  assert.match(
    world.app.networks.get('live:ETHEREUM')?.health().description ?? '',
    /endpoint 1 failing/,
  );
});

test('with both away nothing moves, and afterwards nothing is lost', async () => {
  const checkoutId = await payment(5_000_000n);
  endpoints = [away, away];
  assert.equal((await world.observe()).length, 1);
  assert.equal(await stateOf(checkoutId), 'AWAITING_PAYMENT');
  endpoints = [];
  await world.observe();
  assert.equal(await stateOf(checkoutId), 'COMPLETED');
});

test('a large payment waits until a second endpoint shows it', async () => {
  const checkoutId = await payment(large);
  endpoints[1] = away;
  const [failure] = await world.observe();
  assert.match(String(failure?.message), /no second endpoint confirms/);
  assert.notEqual(await stateOf(checkoutId), 'COMPLETED');
  endpoints = [];
  assert.deepEqual(await world.observe(), []);
  assert.equal(await stateOf(checkoutId), 'COMPLETED');
});

test('a small payment does not wait for the second endpoint', async () => {
  const checkoutId = await payment(5_000_000n);
  endpoints[1] = away;
  assert.deepEqual(await world.observe(), []);
  assert.equal(await stateOf(checkoutId), 'COMPLETED');
});

for (const [name, lie] of [
  [
    'another block hash',
    (text: string) => text.replaceAll(node.blocks.at(-4)?.hash ?? '', hashOf('x')),
  ],
  ['a failed receipt', (text: string) => text.replaceAll('"status":"0x1"', '"status":"0x0"')],
  [
    'another amount',
    (text: string) => text.replaceAll(large.toString(16).padStart(64, '0'), '1'.padStart(64, '0')),
  ],
] as const) {
  test(`of a large payment of which the second endpoint says ${name} nothing is credited`, async () => {
    const credited = await world.credited();
    const checkoutId = await payment(large);
    endpoints[1] = (text) => ({ status: 200, text: lie(text) });
    assert.equal((await world.observe()).length, 1);
    assert.notEqual(await stateOf(checkoutId), 'COMPLETED');
    assert.equal(await world.credited(), credited);
    endpoints = [];
    await world.observe();
    assert.equal(await stateOf(checkoutId), 'COMPLETED');
  });
}

test('a made-up payment of the first endpoint alone is not believed, small or large', async () => {
  const credited = await world.credited();
  const { checkoutId, instruction } = await world.createAndCommit('ETHEREUM', ETH, 10n ** 17n);
  await world.observe();
  node.mine(node.pay('0x00000000000000000000000000000000000000ee', 10n ** 17n));
  node.mineEmpty(3);
  const stranger = '0x00000000000000000000000000000000000000ee';
  endpoints[0] = (text) => ({
    status: 200,
    text: text.replaceAll(stranger, instruction.address.toLowerCase()),
  });
  await world.observe();
  assert.notEqual(await stateOf(checkoutId), 'COMPLETED');
  endpoints = [];
  await world.observe();
  assert.equal(await world.credited(), credited);
});

test('an endpoint that wants to be left alone is, for as long as it says, and the second is asked', async () => {
  const checkoutId = await payment(5_000_000n);
  let asked = 0;
  endpoints[0] = () => {
    asked += 1;
    return { status: 429, text: 'slow down', retryAfter: '200' };
  };
  assert.deepEqual(await world.observe(), []);
  assert.equal(await stateOf(checkoutId), 'COMPLETED');
  // Each look is half a minute after the one before.
  for (let look = 0; look < 5; look += 1) {
    node.mineEmpty(1);
    assert.deepEqual(await world.observe(), []);
  }
  assert.equal(asked, 1);
  await world.clock.advance(300_000);
  await world.observe();
  assert.equal(asked, 2);
});

test('an endpoint of another chain is refused at the start, even beside a right one', async () => {
  const other = createFakeEvmNode({ chainId: 1n });
  const parts = { db: world.app.db, clock: world.clock, log: silentLog };
  const { network } = openFakeEvm({ posts: [node.post, other.post] }, parts);
  await assert.rejects(
    network.checkIdentity(),
    (error) => error instanceof Refusal && error.code === 'node_of_another_chain',
  );
});

test('a main chain knows its genesis block, and a node that stands still is behind', async () => {
  const parameters = evmChain('ETHEREUM', 'main');
  assert.equal(parameters.chainId, 1n);
  const main = createFakeEvmNode({ chainId: 1n });
  main.answer = (method, [tag], result) =>
    method === 'eth_getBlockByNumber' && tag === '0x0'
      ? { ...(result as FakeJson), hash: parameters.genesisHash }
      : result;
  const { readChainState } = await import('#networks/evm/chain-state.ts');
  const rpc = openEvmRpc({ what: 'live:ETHEREUM', label: 'endpoint 1', post: main.post });
  const request = {
    chain: 'live:ETHEREUM',
    parameters,
    genesisHash: parameters.genesisHash,
  } as const;
  // The fake chain begins at 12:00 and has no further block.
  const fresh = manualClock('2026-01-01T12:04:00Z');
  assert.equal((await readChainState(rpc, { ...request, clock: fresh })).newest.height, 0n);
  const late = manualClock('2026-01-01T12:06:00Z');
  await assert.rejects(
    readChainState(rpc, { ...request, clock: late }),
    /its last block is 360 s old/,
  );
  main.answer = (_method, _params, result) => result;
  await assert.rejects(readChainState(rpc, { ...request, clock: fresh }), Refusal);
});

test('an endpoint that failed is asked last, until it has been well for a while', async () => {
  const clock = manualClock('2026-01-01T12:00:00Z');
  const rpcs = ['a', 'b'].map((label) => ({ label }) as EvmRpc);
  const pool = createEndpoints(rpcs, { clock, log: silentLog });
  const asked: string[] = [];
  const use = (broken: string) =>
    pool.use(async ({ label }) => {
      asked.push(label);
      if (label === broken) throw nodeOutage('chain', 'away');
      return label;
    });
  assert.equal(await use('a'), 'b');
  await clock.advance(10_000);
  assert.equal(await use('a'), 'b', 'it rests no more, and is not yet trusted');
  assert.equal(await use('b'), 'a', 'but asked when the other fails');
  await clock.advance(300_000);
  assert.equal(await use('none'), 'a', 'the order given counts again');
  assert.deepEqual(asked, ['a', 'b', 'b', 'b', 'a', 'a']);
});

test('the address of an endpoint with its secrets is in no error and not in health', async () => {
  const url = 'http://user:hidden@127.0.0.1:9/v3/secret-key';
  const settings = {
    network: 'ETHEREUM',
    chainName: 'dev',
    chainId: undefined,
    rpcUrls: [url],
    extendedPublicKey: TEST_ACCOUNT,
    agreeAbove: { tokens: 1n, coins: 1n },
    sweep: { collectTo: undefined, gasAccount: undefined, above: new Map() },
    relayAccount: undefined,
    relayGasPercentMost: 100,
    safe: undefined,
    contractReceivers: new Set<string>(),
  } as const;
  const parts = { db: world.app.db, clock: world.clock, log: silentLog };
  const [opened] = openEvmNetworks([settings], parts);
  const failure = await opened?.network.checkIdentity().catch((error: unknown) => error);
  assert(failure instanceof Outage);
  const told = `${failure.message} ${failure.stack} ${JSON.stringify(opened?.network.health())}`;
  assert.match(told, /endpoint 1 \(127\.0\.0\.1:9\)/);
  assert.doesNotMatch(told, /hidden|secret-key/);
  await opened?.network.close();
});

const servers: (() => void)[] = [];
afterEach(() => {
  for (const close of servers.splice(0)) close();
});

async function serve(answer: (body: string) => { status?: number; text: string; cut?: boolean }) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const { status = 200, text, cut = false } = answer(body);
      const length = Buffer.byteLength(text) + (cut ? 100 : 0);
      response.writeHead(status, { 'content-length': length });
      if (cut) response.write(text, () => response.destroy());
      else response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return (limits = {}) => {
    const url = new URL(`http://127.0.0.1:${port}/`);
    return openEvmRpc({ what: 'x', label: 'e', ...httpPost('x', 'e', url, limits) });
  };
}

const one = [{ method: 'eth_chainId', params: [] }];

for (const [name, answer] of [
  ['is cut off', { text: '{"jsonrpc":"2.0","id":0,', cut: true }],
  ['is a page', { text: '<html>' }],
  ['is empty', { text: '' }],
  ['is to another question', { text: '[{"jsonrpc":"2.0","id":7,"result":"0x1"}]' }],
  ['has neither result nor error', { text: '{"jsonrpc":"2.0","id":0}' }],
  ['is a refusal to let us in', { status: 401, text: '{}' }],
  ['says that we ask too much', { status: 429, text: '{}' }],
  ['has an error without a code', { text: '{"jsonrpc":"2.0","id":0,"error":{"message":"no"}}' }],
] as const) {
  test(`an answer that ${name} is an outage`, async () => {
    const open = await serve(() => answer);
    const rpc = open({ mostAnswerBytes: 2000 });
    await assert.rejects(rpc.batch(one), Outage);
    rpc.close();
  });
}

test('a lone answer that is too long is a refusal, so that who asked may ask for parts', async () => {
  const text = `{"jsonrpc":"2.0","id":0,"result":"${'0'.repeat(5000)}"}`;
  const open = await serve(() => ({ text }));
  const rpc = open({ mostAnswerBytes: 2000 });
  const [answer] = await rpc.batch(one);
  assert.ok(answer !== undefined && !answer.ok);
  assert.match(answer.failure.message, /response too large/);
  rpc.close();
});

test('a batch that is too long for a node is asked in smaller ones', async () => {
  const sizes: number[] = [];
  const open = await serve((body) => {
    const asked: unknown = JSON.parse(body);
    const list = (Array.isArray(asked) ? asked : [asked]) as { id: number; params: unknown[] }[];
    sizes.push(list.length);
    if (list.length > 10) {
      return { text: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"too many"}}' };
    }
    const answers = list.map(({ id, params }) => ({ jsonrpc: '2.0', id, result: params[0] }));
    return { text: JSON.stringify(Array.isArray(asked) ? answers : answers[0]) };
  });
  const rpc = open();
  const calls = Array.from({ length: 45 }, (_, at) => ({ method: 'echo', params: [at] }));
  assert.deepEqual(
    await askAll(rpc, calls),
    calls.map(({ params }) => params[0]),
  );
  assert(sizes.every((size, at) => at === 0 || size <= 45));
  rpc.close();
});

test('a batch tells how long its own answers are, in however many turns, whatever is asked beside', async () => {
  const open = await serve((body) => {
    const asked: unknown = JSON.parse(body);
    const list = (Array.isArray(asked) ? asked : [asked]) as { id: number; params: string[] }[];
    const answers = list.map(({ id, params }) => ({ jsonrpc: '2.0', id, result: params[0] }));
    return { text: JSON.stringify(Array.isArray(asked) ? answers : answers[0]) };
  });
  const rpc = open();
  const counted = async (count: number, result: string) => {
    let bytes = 0;
    const calls = Array.from({ length: count }, () => ({ method: 'echo', params: [result] }));
    await rpc.batch(calls, (more) => {
      bytes += more;
    });
    return bytes;
  };
  const [many, one] = await Promise.all([counted(250, 'x'.repeat(1000)), counted(1, 'y')]);
  assert(many > 250_000 && many < 350_000, `${many} bytes`);
  assert(one < 100, `${one} bytes`);
  rpc.close();
});
