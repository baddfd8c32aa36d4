// A node that misbehaves costs time, never money: each lie gives an Outage, or is left out.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { bech32m } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { Arrival, Position } from '#deposit/network.ts';
import { RpcFailure } from '#networks/answer-fields.ts';
import { type CoreRpcOptions, openCoreRpc } from '#networks/utxo/json-rpc.ts';
import {
  BITCOIN_MAIN,
  LITECOIN_MAIN,
  LITECOIN_REGTEST,
  type UtxoChain,
} from '#networks/utxo/utxo-chain.ts';
import { type UtxoNetwork, utxoNetwork } from '#networks/utxo/utxo-network.ts';
import type { MempoolLimits } from '#networks/utxo/watch-mempool.ts';
import { adviceOn } from '#server/look-over.ts';
import {
  type FakeBlock,
  type FakeCoreNode,
  type FakeJson,
  type FakeOutput,
  fakeTransaction,
  rawBlock,
  rawScript,
  refused,
  sealBlock,
  startFakeCoreNode,
} from './core-node.ts';

const versions = { public: 0x043587cf, private: 0x04358394 };
const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(7), versions).derive("m/84'/1'/0'");
const address = 'rltc1qtjqpgwuzta4zpq5f30dzdugyu0s4ug73ndvxv2';

let node: FakeCoreNode;
let network: UtxoNetwork;

beforeEach(async () => {
  node = await startFakeCoreNode();
  network = openNetwork();
  node.mine();
});

afterEach(async () => {
  await network.close();
  await node.close();
});

function openRpc(options: Partial<CoreRpcOptions> = {}) {
  return openCoreRpc({ what: 'test:LITECOIN', url: node.url, ...options });
}

function openNetwork(
  options: {
    parameters?: UtxoChain;
    rpc?: Partial<CoreRpcOptions>;
    mempoolLimits?: MempoolLimits;
  } = {},
): UtxoNetwork {
  return utxoNetwork({
    chain: 'test:LITECOIN',
    parameters: LITECOIN_REGTEST,
    descriptor: account.publicExtendedKey,
    clock: systemClock,
    log: silentLog,
    ...options,
    rpc: openRpc(options.rpc),
  });
}

/** At the last block of the node but `behind`. */
function positionAt(behind = 0, unconfirmed: readonly string[] = []): Position {
  const recent = node.blocks
    .map(({ height, hash }) => ({ height: BigInt(height), hash }))
    .reverse()
    .slice(behind);
  return { cursor: recent[0], recent, unconfirmed };
}

/** What a block with this one payment comes to. */
async function arrivalsOf(outputs: readonly FakeOutput[], flag?: 8): Promise<Arrival[]> {
  node.mine(flag === undefined ? { outputs } : { outputs, flag });
  const { blocks } = await network.observe(positionAt(1));
  return blocks.flatMap(({ arrivals }) => arrivals);
}

const isOutage = (pattern: RegExp) => (error: unknown) =>
  error instanceof Outage && error.what === 'test:LITECOIN' && pattern.test(error.message);

/** The last block, changed as told, with the hash it had (or a fitting one). */
function tamper(change: (block: FakeBlock) => FakeJson, options: { reseal?: boolean } = {}): void {
  const last = node.blocks.pop() as FakeBlock;
  const changed = { ...last, ...change(last) } as FakeBlock;
  node.blocks.push(options.reseal === true ? sealBlock(changed) : changed);
}

for (const units of [1n, 9_999_999n, 2_099_999_997_690_000n, 8_400_000_000_000_000n]) {
  test(`an output of ${units} units is that exactly`, async () => {
    const arrivals = await arrivalsOf([{ value: units, address }]);
    assert.deepEqual(
      arrivals.map((arrival) => arrival.units),
      [units],
    );
  });
}

for (const units of [-1n, -100_000_000n, 8_400_000_000_000_001n, 2n ** 63n, 2n ** 63n - 1n]) {
  test(`an output of ${units} units is no amount: nothing of the block is taken`, async () => {
    await assert.rejects(
      arrivalsOf([
        { value: units, address },
        { value: '1.0', address },
      ]),
      Outage,
    );
  });
}

test('outputs without address, without value, and of other scripts are left out', async () => {
  const keyHash = rawScript(address).slice(4);
  const arrivals = await arrivalsOf([
    { value: '0.0', address },
    { value: '1.0' },
    { value: '1.0', script: `76a914${keyHash}88ac` },
    { value: '1.0', script: `5114${keyHash}` },
    { value: '1.0', script: `0014${keyHash}75` },
    { value: '2.0', address },
  ]);
  assert.deepEqual(
    arrivals.map(({ creditKey, units }) => [creditKey.split(':')[1], units]),
    [['5', 200_000_000n]],
  );
});

test('a taproot output is read', async () => {
  const program = bech32m.toWords(Uint8Array.from({ length: 32 }, (_, at) => at));
  const taproot = bech32m.encode('rltc', [1, ...program]);
  const arrivals = await arrivalsOf([{ value: '1.0', address: taproot }]);
  assert.deepEqual(
    arrivals.map(({ destination, units }) => [destination, units]),
    [[taproot, 100_000_000n]],
  );
});

test('what leaves MWEB needs the depth from which it can be spent', async () => {
  const ordinary = await arrivalsOf([{ value: '1.0', address }]);
  assert.deepEqual(
    ordinary.map(({ leastConfirmations }) => leastConfirmations),
    [undefined],
  );
  const pool = { value: '9.0', script: `5820${'ab'.repeat(32)}` };
  const arrivals = await arrivalsOf([pool, { value: '1.0', address }], 8);
  assert.deepEqual(
    arrivals.map(({ creditKey, leastConfirmations }) => [
      creditKey.split(':')[1],
      leastConfirmations,
    ]),
    [['1', 7]],
  );
});

test('outputs of a coinbase count when they can be spent', async () => {
  const coinbase = { inputs: [{ coinbase: '00' }], outputs: [{ value: '1.0', address }] };
  node.mine();
  tamper(() => ({ tx: [fakeTransaction(coinbase)] }), { reseal: true });
  const { blocks } = await network.observe(positionAt(1));
  assert.deepEqual(
    blocks.flatMap(({ arrivals }) => arrivals.map((one) => [one.units, one.leastConfirmations])),
    [[100_000_000n, 101]],
  );
});

const lies: readonly (readonly [string, () => void, RegExp])[] = [
  ['another hash', () => tamper(() => ({ hash: 'ab'.repeat(32) })), /another block/],
  ['no transactions', () => tamper(() => ({ tx: [] })), /no coinbase/],
  ['only its header', () => tell((hex) => hex.slice(0, 160)), /no transactions/],
  ['half a header', () => tell((hex) => hex.slice(0, 80)), /no transactions/],
  ['its last byte missing', () => tell((hex) => hex.slice(0, -2)), /cut off/],
  ['half a byte too much', () => tell((hex) => `${hex}0`), /damaged/],
  ['a byte too much', () => tell((hex) => `${hex}00`), /goes on/],
  ['letters that are no digits', () => tell((hex) => `${hex.slice(0, -2)}zz`), /damaged/],
  ['more transactions than it has', () => tell((hex) => replaceCount(hex, '03')), /cut off/],
  ['2^64 transactions', () => tell((hex) => replaceCount(hex, 'ff')), /cut off/],
  ['JSON where bytes should be', () => tellOf({ tx: [] }), /damaged/],
  ['a transaction missing', () => tamper(({ tx }) => ({ tx: tx.slice(0, 1) })), /commits to/],
  ['an added transaction', () => tamper(({ tx }) => ({ tx: [...tx, other()] })), /commits to/],
  [
    'the last transaction twice, with the same Merkle root',
    () => tamper(({ tx }) => ({ tx: [...tx, tx.at(-1)] })),
    /twice/,
  ],
  ['another parent', () => tamper(() => ({ previousblockhash: 'cd'.repeat(32) })), /another block/],
  ['another time', () => tamper(() => ({ time: 1 })), /another block/],
  ['another Merkle root', () => tamper(() => ({ merkleroot: 'ef'.repeat(32) })), /another block/],
  ['an unknown flag', () => tamper(({ tx }) => ({ tx: [tx[0], other(4)] })), /flag 4/],
  ['MWEB data in a payment', () => tamper(({ tx }) => ({ tx: [tx[0], other(8, '01')] })), /MWEB/],
  ['two coinbases', () => tamper(({ tx }) => ({ tx: [tx[0], tx[0]] })), /second coinbase/],
];

function other(flag?: number, behind?: string): FakeJson {
  return fakeTransaction({ outputs: [{ value: '1.0', address }], flag, behind });
}
function replaceCount(hex: string, count: string): string {
  return hex.slice(0, 160) + count + hex.slice(162);
}
/** What `getblock` answers for the last block. */
function tellOf(told: unknown): void {
  node.answer = (method) => (method === 'getblock' ? told : undefined);
}
function tell(change: (hex: string) => string): void {
  tellOf(change(rawBlock(node.blocks.at(-1) as FakeBlock)));
}

for (const [name, lie, pattern] of lies) {
  test(`a block with ${name} is an outage`, async () => {
    node.mine({ outputs: [{ value: '1.0', address }] });
    const position = positionAt(1);
    lie();
    await assert.rejects(network.observe(position), isOutage(pattern));
  });
}

for (const [name, misbehaviour, pattern] of [
  ['truncated JSON', { body: '{"result":' }, /no JSON/],
  ['a body cut off', { cutOff: true }, /does not answer/],
  ['a page of a proxy', { status: 502, body: '<html>' }, /no JSON.*502/],
  ['an error without code', { body: '{"result":null,"error":"no","id":0}' }, /unanswered|no code/],
  ['an answer to another question', { body: '[{"result":1,"error":null,"id":7}]' }, /unanswered/],
  ['nothing', { body: '' }, /no JSON/],
  ['too much to do', { status: 503, body: 'Work queue depth exceeded' }, /too much/],
  ['no entry', { status: 401, body: '' }, /user and password/],
] as const) {
  test(`a node that answers ${name} is an outage, and is followed again afterwards`, async () => {
    node.misbehaviour = misbehaviour;
    await assert.rejects(network.observe(positionAt()), isOutage(pattern));
    assert.match(network.health().lastError ?? '', pattern);
    node.misbehaviour = {};
    assert.equal((await network.observe(positionAt())).complete, true);
    assert.equal(network.health().lastError, undefined);
  });
}

test('a node that is starting is an outage, not a refusal', async () => {
  node.answer = () => {
    throw refused(-28, 'Verifying blocks...');
  };
  await assert.rejects(network.checkIdentity(), isOutage(/starting: Verifying blocks/));
});

test('a node that never answers is an outage after the time limit', async () => {
  const hasty = openNetwork({ rpc: { timeoutMs: 50 } });
  node.misbehaviour = { never: true };
  await assert.rejects(hasty.observe(positionAt()), isOutage(/within 50 ms/));
  await hasty.close();
});

test('an answer larger than the limit is an outage', async () => {
  const small = openNetwork({ rpc: { mostAnswerBytes: 100 } });
  await assert.rejects(small.observe(positionAt()), isOutage(/exceeds 100 bytes/));
  await small.close();
});

test('a kept connection that the node closed is opened again unnoticed', async () => {
  for (let round = 0; round < 5; round += 1) {
    await network.observe(positionAt());
    node.hangUp();
  }
});

test('what a node refuses is told with its code', async () => {
  const rpc = openRpc();
  await assert.rejects(
    rpc.call('nonsense'),
    (error) => error instanceof RpcFailure && error.code === -32601,
  );
  const answers = await rpc.batch([
    { method: 'nonsense', params: [] },
    { method: 'getbestblockhash', params: [] },
  ]);
  assert.deepEqual(
    answers.map(({ ok }) => ok),
    [false, true],
  );
  rpc.close();
});

test('a cookie file is read again when the node has written a new one', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'quittance-cookie-'));
  const cookiePath = join(directory, '.cookie');
  const rpc = openRpc({ cookiePath });
  await assert.rejects(rpc.call('getbestblockhash'), isOutage(/cookie/));
  await writeFile(cookiePath, '__cookie__:secret\n');
  assert.equal(await rpc.call('getbestblockhash'), node.blocks[0]?.hash);
  rpc.close();
  await rm(directory, { recursive: true });
});

test('a node that changes its chain while it is watched is refused', async () => {
  await network.checkIdentity();
  const position = positionAt();
  node.genesisHash = LITECOIN_MAIN.genesisHash;
  const isRefused = (error: unknown) =>
    error instanceof Refusal && error.code === 'node_of_another_chain';
  await assert.rejects(network.observe(position), isRefused);
  node.genesisHash = LITECOIN_REGTEST.genesisHash;
  node.info = { chain: 'main' };
  await assert.rejects(network.checkIdentity(), isRefused);
});

for (const [name, info, pattern] of [
  ['is downloading the chain', { initialblockdownload: true }, /downloading.*1 of 900/],
  ['has more headers than blocks', {}, /behind: it has 1 of 900/],
] as const) {
  test(`a node that ${name} is an outage`, async () => {
    const parameters = { ...LITECOIN_REGTEST, followsPeers: true };
    const live = openNetwork({ parameters });
    node.info = { headers: 900, ...info };
    await assert.rejects(live.observe(positionAt()), isOutage(pattern));
    const error = await live.checkIdentity().catch((reason: unknown) => reason);
    assert.match(
      adviceOn(error),
      /1 of 900 blocks; it goes on by itself, nothing is to be done but wait$/,
    );
    await live.close();
  });
}

test('a pruned node is good until it lacks a block that is needed', async () => {
  for (let i = 0; i < 5; i += 1) node.mine();
  node.info = { pruned: true, pruneheight: 4 };
  assert.equal((await network.observe(positionAt(2))).blocks.length, 2);
  await assert.rejects(
    network.observe(positionAt(4)),
    isOutage(/pruned: block \d is needed and it keeps those from 4/),
  );
});

test('a transaction with several spends names every outpoint', async () => {
  const [one, two] = ['aa'.repeat(32), 'bb'.repeat(32)];
  node.mine({
    inputs: [
      { txid: one, vout: 3 },
      { txid: two, vout: 0 },
    ],
    outputs: [{ value: '1.0', address }],
  });
  const { blocks, spends } = await network.observe(positionAt(1));
  assert.deepEqual(blocks[0]?.arrivals[0]?.spends, [`${one}:3`, `${two}:0`]);
  assert.deepEqual(spends[0]?.spends, [`${one}:3`, `${two}:0`]);
  assert.equal(spends[0]?.height, 2n);
});

test('an odd unconfirmed transaction is left out and holds up nothing', async () => {
  const good = node.addUnconfirmed({ outputs: [{ value: '1.0', address }] });
  node.addUnconfirmed({ outputs: [{ value: -1n, address }] });
  node.mempool.set('12'.repeat(32), other());
  node.mempool.set('56'.repeat(32), { nonsense: true });
  const { unconfirmed } = await network.observe(positionAt());
  assert.deepEqual(
    unconfirmed.map(({ transaction }) => transaction),
    [good],
  );
});

test('an unconfirmed payment by someone who also pays into MWEB is seen', async () => {
  node.addUnconfirmed({ outputs: [{ value: '1.0', address }], flag: 8 });
  assert.equal((await network.observe(positionAt())).unconfirmed.length, 1);
});

test('a payment is gone only when a whole mempool on the same tip lacks it', async () => {
  const lost = 'ab'.repeat(32);
  const gone = async () => (await network.observe(positionAt(0, [lost]))).gone;
  node.mempoolInfo = { loaded: false };
  assert.deepEqual(await gone(), []);
  node.mempoolInfo = {};
  assert.deepEqual(await gone(), [lost]);
  let asked = 0;
  node.answer = (method) => {
    asked += method === 'getbestblockhash' ? 1 : 0;
    return method === 'getbestblockhash' && asked === 2 ? 'ff'.repeat(32) : undefined;
  };
  const moved = await network.observe(positionAt(0, [lost]));
  assert.deepEqual([moved.complete, moved.gone], [false, []]);
});

test('a payment mined in the step itself is not gone', async () => {
  const payment = {
    inputs: [{ txid: 'cc'.repeat(32), vout: 0 }],
    outputs: [{ value: '1.0', address }],
  };
  const transaction = node.addUnconfirmed(payment);
  await network.observe(positionAt());
  node.mine(payment);
  const { gone, blocks } = await network.observe(positionAt(1, [transaction]));
  assert.deepEqual(gone, []);
  assert.equal(blocks[0]?.arrivals[0]?.transaction, transaction);
});

test('a full mempool is taken in bounded steps, newest first, each transaction once', async () => {
  const bounded = openNetwork({
    mempoolLimits: { fetchedPerStep: 20, listed: 1000, repeated: 1000 },
  });
  const { signal } = new AbortController();
  for (let i = 0; i < 100; i += 1) node.addUnconfirmed({ outputs: [{ value: '1.0', address }] });
  await bounded.observe(positionAt());
  await bounded.waitForHint(60_000, signal);
  const newest = node.addUnconfirmed({ outputs: [{ value: '1.0', address }] });
  const { unconfirmed } = await bounded.observe(positionAt());
  assert.equal(unconfirmed.length, 20);
  assert(unconfirmed.some(({ transaction }) => transaction === newest));
  for (let i = 0; i < 10; i += 1) await bounded.observe(positionAt());
  assert.equal(node.asked.filter((method) => method === 'getrawtransaction').length, 101);
  await bounded.close();
});

test('a payment that leaves the mempool and returns is reported again', async () => {
  const { signal } = new AbortController();
  const transaction = node.addUnconfirmed({ outputs: [{ value: '1.0', address }] });
  const json = node.mempool.get(transaction) as FakeJson;
  assert.equal((await network.observe(positionAt())).unconfirmed.length, 1);
  await network.waitForHint(1, signal);
  node.mempool.clear();
  assert.deepEqual((await network.observe(positionAt(0, [transaction]))).gone, [transaction]);
  await network.waitForHint(1, signal);
  node.mempool.set(transaction, json);
  assert.equal((await network.observe(positionAt())).unconfirmed.length, 1);
});

test('a list longer than the limit proves the absence of nothing', async () => {
  const bounded = openNetwork({
    mempoolLimits: { fetchedPerStep: 20, listed: 10, repeated: 1000 },
  });
  for (let i = 0; i < 11; i += 1) node.addUnconfirmed({ outputs: [{ value: '1.0', address }] });
  const { gone, unconfirmed } = await bounded.observe(positionAt(0, ['ab'.repeat(32)]));
  assert.deepEqual([gone, unconfirmed.length], [[], 10]);
  await bounded.close();
});

test('nobody waits longer than told when the node has no long poll', async () => {
  await network.observe(positionAt());
  const startedAtMs = performance.now();
  await network.waitForHint(120, new AbortController().signal);
  const waitedMs = performance.now() - startedAtMs;
  assert(waitedMs >= 100 && waitedMs < 10_000, `${waitedMs} ms`);
});

test('what a wallet opens names scheme, address and whole coins', () => {
  const destination = {
    destination: address,
    address,
    memo: undefined,
    memoType: undefined,
    destinationTag: undefined,
  };
  assert.equal(
    network.paymentUri(destination, 'LTC:NATIVE', 12_345_000n),
    `litecoin:${address}?amount=0.12345`,
  );
  assert.deepEqual(network.receivableAssets(), ['LTC:NATIVE']);
  assert.equal(BITCOIN_MAIN.assetId, 'BTC:NATIVE');
});
