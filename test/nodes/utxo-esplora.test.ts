// The adapter without a node of one's own: Esplora servers in front of a real Litecoin Core, which
// agree, disagree, lie, and go away.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { Observation, Position } from '#deposit/network.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { openEsploraClient } from '#networks/utxo/esplora-client.ts';
import { esploraSources } from '#networks/utxo/esplora-sources.ts';
import { openCoreRpc } from '#networks/utxo/json-rpc.ts';
import { LITECOIN_MAIN, LITECOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';
import { type UtxoNetwork, utxoNetwork } from '#networks/utxo/utxo-network.ts';
import { type EsploraServer, startEsploraServer } from '#test/fakes/esplora-server.ts';
import { type LitecoinNode, newTestAccount, startLitecoinNode } from './litecoin-node.ts';

const account = newTestAccount();
let node: LitecoinNode;
let servers: readonly [EsploraServer, EsploraServer];
let network: UtxoNetwork;
let nextIndex = 0n;

before(async () => {
  node = await startLitecoinNode();
  const start = () => startEsploraServer(openCoreRpc(node.rpcOptions));
  servers = [await start(), await start()];
  network = openNetwork(servers);
});

afterEach(() => {
  for (const server of servers) server.answer = server.keep = () => undefined;
});

after(async () => {
  await network?.close();
  for (const server of servers ?? []) await server.close();
  await node?.stop();
});

function openNetwork(
  behind: readonly EsploraServer[],
  { parameters = LITECOIN_REGTEST, singleSourceUnits = undefined as bigint | undefined } = {},
): UtxoNetwork {
  const what = 'test:LITECOIN';
  const clients = behind.map(({ url }) => openEsploraClient(what, `${url}/`));
  return utxoNetwork({
    chain: what,
    parameters,
    rpc: esploraSources({ what, clients, chain: parameters }),
    esplora: clients,
    singleSourceUnits,
    descriptor: account.descriptor,
    clock: systemClock,
    log: silentLog,
  });
}

async function open(): Promise<string> {
  const request = { index: nextIndex, assetId: 'LTC:NATIVE', units: 1n, instructionId: 'abc' };
  nextIndex += 1n;
  const expiresAt = systemClock.now();
  const { address } = await network.openDestination({ ...request, expiresAt });
  return address;
}

/** So many blocks below the tip of the node. */
async function positionAt(behind = 0, unconfirmed: readonly string[] = []): Promise<Position> {
  const recent = [];
  for (let height = (await node.height()) - behind; recent.length < 8; height -= 1) {
    const hash = String(await node.rpc('getblockhash', height));
    recent.push({ height: BigInt(height), hash });
  }
  return { cursor: recent[0], recent, unconfirmed };
}

const paidTo = ({ blocks }: Observation, address: string) =>
  blocks.flatMap(({ arrivals }) => arrivals).filter((one) => one.destination === address);
const unconfirmedTo = ({ unconfirmed }: Observation, address: string) =>
  unconfirmed.filter(({ destination }) => destination === address);
const isOutage = (pattern: RegExp) => (error: unknown) =>
  error instanceof Outage && pattern.test(error.message);

test('the servers are those that health tells, without paths and keys', async () => {
  await network.checkIdentity();
  const { nodeVersion, description } = network.health();
  assert.match(nodeVersion ?? '', /^127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+$/);
  assert.equal(description, 'Litecoin regtest by Esplora');
});

test('a payment is seen unconfirmed, then in a block, with exact units', async () => {
  const address = await open();
  const txid = await node.send(address, '0.12345678');
  const seen = await network.observe(await positionAt());
  assert.deepEqual(
    unconfirmedTo(seen, address).map(({ units, transaction }) => [units, transaction]),
    [[12_345_678n, txid]],
  );
  await node.mine(1);
  const found = await network.observe(await positionAt(1, [txid]));
  assert.deepEqual(
    paidTo(found, address).map(({ units, transaction }) => [units, transaction]),
    [[12_345_678n, txid]],
  );
  assert.deepEqual([found.gone, found.complete], [[], true]);
});

test('a payment that is replaced is gone when no server has it', async () => {
  const address = await open();
  const txid = await node.send(address, '0.2');
  const replacement = await node.bumpFee(txid);
  const found = await network.observe(await positionAt(0, [txid]));
  assert.deepEqual(found.gone, [txid]);
  assert.deepEqual(
    unconfirmedTo(found, address).map(({ transaction }) => transaction),
    [replacement],
  );
  await node.mine(1);
});

test('a server of another chain is refused', async () => {
  const other = openNetwork(servers, {
    parameters: { ...LITECOIN_REGTEST, genesisHash: LITECOIN_MAIN.genesisHash },
  });
  await assert.rejects(other.checkIdentity(), Refusal);
  await other.close();
});

test('the tip is the highest block on which two agree', async () => {
  await node.mine(1);
  const height = await node.height();
  servers[0].answer = (path) =>
    path === '/blocks/tip/height' ? { status: 200, body: String(height - 1) } : undefined;
  const { tip } = await network.observe(await positionAt(1));
  assert.equal(tip.height, BigInt(height - 1));
});

test('servers on two branches raise no tip, and far apart nothing works', async () => {
  await node.mine(2);
  const height = await node.height();
  const otherBranch = (from: number) => (path: string) => {
    const asked = /^\/block-height\/(\d+)$/.exec(path)?.[1];
    return asked !== undefined && Number(asked) >= from
      ? { status: 200, body: asked.padStart(64, '0') }
      : undefined;
  };
  servers[1].answer = otherBranch(height - 1);
  const { tip, blocks } = await network.observe(await positionAt(3));
  assert.equal(tip.height, BigInt(height - 2));
  assert.equal(blocks.length, 1);
  // Already recorded what one of them does not know: nothing moves, nothing is undone.
  await assert.rejects(network.observe(await positionAt()), isOutage(/behind/));
  servers[1].answer = otherBranch(height - 10);
  await assert.rejects(network.observe(await positionAt(3)), isOutage(/disagree about block/));
});

test('a server that is away stops everything where two must agree', async () => {
  servers[0].answer = () => ({ status: 503, body: 'busy' });
  await assert.rejects(network.observe(await positionAt(1)), isOutage(/127.*status 503/));
  servers[0].answer = () => ({ status: 200, body: 'x'.repeat(5_000_000) });
  await assert.rejects(network.observe(await positionAt(1)), isOutage(/exceeds/));
});

test('a damaged block is an outage and the other server is asked the next time', async () => {
  const address = await open();
  await node.send(address, '0.3');
  await node.mine(1);
  for (const lie of [
    (body: Buffer) => body.subarray(0, -1),
    (body: Buffer) => body.subarray(0, 80),
    (body: Buffer) => Buffer.from(body).fill(7, 90, 91),
    (body: Buffer) => body.fill(0, 4, 5),
  ]) {
    servers[0].answer = (path, { status, body }) =>
      path.endsWith('/raw') ? { status, body: lie(Buffer.from(body)) } : undefined;
    const position = await positionAt(1);
    const tries = await Promise.allSettled([network.observe(position)]);
    const again = await Promise.allSettled([network.observe(position)]);
    const good = [...tries, ...again].filter((one) => one.status === 'fulfilled');
    assert.equal(good.length, 1);
    assert.deepEqual(
      good.flatMap(({ value }) => paidTo(value, address)).map(({ units }) => units),
      [30_000_000n],
    );
  }
});

test('a lying answer about an unconfirmed payment is left out', async () => {
  const address = await open();
  const stranger = await node.send(await node.newAddress(), '0.7');
  servers[0].answer = servers[1].answer = (path) =>
    path.startsWith(`/address/${address}`)
      ? { status: 200, body: JSON.stringify([{ txid: stranger }, { txid: 'no hash' }]) }
      : undefined;
  const { unconfirmed, gone } = await network.observe(await positionAt(0, ['ab'.repeat(32)]));
  assert.deepEqual([unconfirmed, gone], [[], []]);
  await node.mine(1);
});

test('of one server alone, payments above the limit wait a week', async () => {
  const single = openNetwork([servers[0]], { singleSourceUnits: 1_000_000n });
  const address = await open();
  await node.send(address, '0.01');
  await node.send(address, '0.01000001');
  await node.mine(1);
  const found = paidTo(await single.observe(await positionAt(1)), address);
  assert.deepEqual(
    found.map(({ units, leastConfirmations }) => [units, leastConfirmations]).sort(),
    [
      [1_000_000n, undefined],
      [1_000_001n, 1008],
    ],
  );
  await single.close();
});

test('a bounded number of questions is asked, and no address outside the unconfirmed picture', async () => {
  for (let made = 0; made < 30; made += 1) await open();
  await node.mine(3);
  for (const server of servers) server.asked.length = 0;
  await network.observe(await positionAt(3));
  const asked = servers.flatMap((server) => server.asked);
  assert(asked.length <= 40, `${asked.length} questions`);
  const whole = asked.filter((path) => path.endsWith('/raw')).length;
  assert.equal(whole, 3);
});

type Signed = { readonly signedTransaction: string; readonly transaction: string };

/** By the wallet of the node, and not sent. */
async function sign(address: string, amount: string, inputs: object[] = []): Promise<Signed> {
  const raw = await node.rpc('createrawtransaction', inputs, [{ [address]: amount }]);
  const funded = (await node.rpc('fundrawtransaction', raw)) as { hex: string };
  const { hex } = (await node.rpc('signrawtransactionwithwallet', funded.hex)) as { hex: string };
  const { txid } = (await node.rpc('decoderawtransaction', hex)) as { txid: string };
  return { signedTransaction: hex, transaction: txid };
}

const send = (signed: Signed, by: UtxoNetwork = network) => by.sender?.broadcast(signed);
const waits = async ({ transaction }: Signed) =>
  ((await node.rpc('getrawmempool')) as string[]).includes(transaction);
const isNotTaken = (pattern: RegExp) => (error: unknown) =>
  error instanceof Refusal &&
  error.code === 'transaction_not_taken' &&
  pattern.test(String(error.details));

test('what is signed is sent to both servers, and sending it again changes nothing', async () => {
  const signed = await sign(await node.newAddress(), '0.4');
  for (const server of servers) server.asked.length = 0;
  await send(signed);
  assert.deepEqual(
    servers.map(({ asked }) => asked),
    [['/tx'], ['/tx']],
  );
  assert.equal(await waits(signed), true);
  await send(signed);
  await node.mine(1);
  await send(signed);
});

test('while a server is away, or lies about what it was sent, it is an outage and stays to be sent', async () => {
  const signed = await sign(await node.newAddress(), '0.4');
  const says = (status: number, body: string) => (path: string) =>
    path === '/tx' ? { status, body } : undefined;
  const refusal = 'sendrawtransaction RPC error: {"code":-26,"message":"dust"}';
  for (const [lie, sentence] of [
    [says(503, 'busy'), /does not pass it on \(503\): busy/],
    [says(429, 'slow down'), /does not pass it on \(429\)/],
    [says(400, 'Connection error'), /does not pass it on \(400\)/],
    [says(200, 'ab'.repeat(32)), /name different transactions/],
    [says(200, 'sent'), /without an id/],
    [says(400, refusal), /one server refuses it \(dust\), another has it/],
  ] as const) {
    servers[0].keep = lie;
    await assert.rejects(async () => send(signed), isOutage(sentence));
  }
  servers[0].keep = says(200, 'ab'.repeat(32));
  servers[1].keep = servers[0].keep;
  await assert.rejects(async () => send(signed), isOutage(/names another transaction/));
  for (const server of servers) server.keep = () => undefined;
  await send(signed);
  assert.equal(await waits(signed), true);
  await node.mine(1);
});

test('what both nodes refuse is refused in their words', async () => {
  const first = await sign(await node.newAddress(), '0.4');
  const [input] = ((await node.rpc('decoderawtransaction', first.signedTransaction)) as Decoded)
    .vin;
  const { txid, vout } = input ?? {};
  const second = await sign(await node.newAddress(), '0.3', [{ txid, vout }]);
  await send(first);
  await node.mine(1);
  await assert.rejects(async () => send(second), isNotTaken(/missingorspent/));
  const cut = { ...first, signedTransaction: first.signedTransaction.slice(0, 60) };
  await assert.rejects(async () => send(cut), isNotTaken(/decode failed/));
});

type Decoded = { readonly vin: readonly { readonly txid: string; readonly vout: number }[] };
type Entry = {
  readonly vsize: number;
  readonly ancestorsize: number;
  readonly descendantsize: number;
  readonly fees: { readonly base: string; readonly ancestor: string; readonly descendant: string };
};

test('what waits is told as the node itself tells it, with what hangs together', async () => {
  const clients = servers.map(({ url }) => openEsploraClient('test:LITECOIN', `${url}/`));
  const sources = esploraSources({ what: 'test:LITECOIN', clients, chain: LITECOIN_REGTEST });
  const entry = (id: string) => sources.call('getmempoolentry', [id]) as Promise<Entry>;
  const parent = await sign(await node.newAddress(), '0.4');
  await send(parent);
  const child = await sign(await node.newAddress(), '0.1', [{ txid: parent.transaction, vout: 0 }]);
  await send(child);
  for (const { transaction } of [parent, child]) {
    const own = (await node.rpc('getmempoolentry', transaction)) as Entry;
    const read = await entry(transaction);
    const { base, ancestor, descendant } = own.fees;
    const units = (text: string) => amountFromText(text, 8);
    assert.deepEqual(
      [read.vsize, read.ancestorsize, read.descendantsize],
      [own.vsize, own.ancestorsize, own.descendantsize],
    );
    assert.deepEqual(
      [read.fees.base, read.fees.ancestor, read.fees.descendant].map(units),
      [base, ancestor, descendant].map(units),
    );
  }
  servers[0].answer = (path, { status, body }) => ({
    status,
    body:
      path === `/tx/${parent.transaction}` ? String(body).replace(/"fee":\d+/, '"fee":1') : body,
  });
  await assert.rejects(entry(child.transaction), isOutage(/disagree about what waits/));
  servers[0].answer = () => undefined;
  await node.mine(1);
  await assert.rejects(entry(child.transaction), /does not wait for a block/);
  await assert.rejects(entry('ab'.repeat(32)), /does not wait for a block/);
  sources.close();
});
