// The Bitcoin family's adapter against a real Litecoin Core. Each test leaves the chain extended,
// never reset: what a test says holds from whatever the ones before it left.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Clock, systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { Arrival, BlockReference, Observation, Position } from '#deposit/network.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { competingTips } from '#networks/utxo/competing-tips.ts';
import { openCoreRpc } from '#networks/utxo/json-rpc.ts';
import { BITCOIN_REGTEST, LITECOIN_REGTEST, type UtxoChain } from '#networks/utxo/utxo-chain.ts';
import { type UtxoNetwork, utxoNetwork } from '#networks/utxo/utxo-network.ts';
import { type LitecoinNode, newTestAccount, startLitecoinNode } from './litecoin-node.ts';

/**
 * A list of the mempool that took long is asked for less often: on a busy machine each would, and a
 * test would look too early. To the adapter none takes long.
 */
const clock: Clock = { ...systemClock, monotonicMs: () => performance.now() / 1_000 };
const account = newTestAccount();
let node: LitecoinNode;
let network: UtxoNetwork;
let nextIndex = 0n;

before(async () => {
  node = await startLitecoinNode();
  network = openNetwork(node, LITECOIN_REGTEST);
});

after(async () => {
  await network?.close();
  await node?.stop();
});

function openNetwork(at: LitecoinNode, parameters: UtxoChain): UtxoNetwork {
  return utxoNetwork({
    chain: 'test:LITECOIN',
    parameters,
    rpc: openCoreRpc(at.rpcOptions),
    descriptor: account.descriptor,
    clock,
    log: silentLog,
  });
}

/** What the service would know: follows the observations as recording them does. */
async function openRecorder(at: LitecoinNode = node) {
  let recent: BlockReference[] = [];
  for (let height = await at.height(); recent.length < 30; height -= 1) {
    const hash = String(await at.rpc('getblockhash', height));
    recent.push({ height: BigInt(height), hash });
  }
  const unconfirmed = new Set<string>();
  const included = new Map<string, { arrival: Arrival; height: bigint }>();
  const position = (): Position => ({
    cursor: recent[0],
    recent,
    unconfirmed: [...unconfirmed],
  });
  function record(observation: Observation): void {
    const { rollbackTo } = observation;
    if (rollbackTo !== undefined) {
      recent = recent.filter(({ height }) => height <= rollbackTo.height);
      assert.equal(recent[0]?.hash, rollbackTo.hash);
      for (const [key, { height }] of included)
        if (height > rollbackTo.height) included.delete(key);
    }
    for (const block of observation.blocks) {
      if (recent[0] !== undefined) {
        assert.equal(block.parentHash, recent[0].hash);
        assert.equal(block.height, recent[0].height + 1n);
      }
      recent.unshift({ height: block.height, hash: block.hash });
      for (const arrival of block.arrivals) {
        assert(!included.has(arrival.creditKey));
        included.set(arrival.creditKey, { arrival, height: block.height });
        unconfirmed.delete(arrival.transaction);
      }
    }
    for (const transaction of observation.gone) unconfirmed.delete(transaction);
    for (const { transaction } of observation.unconfirmed) unconfirmed.add(transaction);
  }
  /** Steps until the tip is reached; gives all that was seen on the way. */
  async function catchUp(from: UtxoNetwork = network): Promise<Observation[]> {
    for (const steps: Observation[] = []; ; ) {
      const observation = await from.observe(position());
      record(observation);
      steps.push(observation);
      if (observation.complete) return steps;
      assert(steps.length < 20, 'the tip is never reached');
    }
  }
  return { position, record, catchUp, included, unconfirmed };
}

async function open(): Promise<string> {
  const index = nextIndex;
  nextIndex += 1n;
  const destination = await network.openDestination({
    index,
    assetId: 'LTC:NATIVE',
    units: 1n,
    instructionId: 'abcdefghijkl',
    expiresAt: systemClock.now(),
  });
  return destination.address;
}

const arrivalsOf = (steps: readonly Observation[], address: string): Arrival[] =>
  steps
    .flatMap(({ blocks }) => blocks.flatMap(({ arrivals }) => arrivals))
    .filter(({ destination }) => destination === address);
const unconfirmedOf = (steps: readonly Observation[], address: string): Arrival[] =>
  steps.flatMap((step) => step.unconfirmed).filter(({ destination }) => destination === address);
const settle = (from: UtxoNetwork = network) => from.waitForHint(1, new AbortController().signal);

test('a node of the right chain is accepted and its version is known', async () => {
  await network.checkIdentity();
  const health = network.health();
  assert.match(health.nodeVersion ?? '', /LitecoinCore:0\.21/);
  assert.equal(health.lastError, undefined);
  assert(health.lastHeardAt !== undefined);
});

test('a node of another chain is refused, before and while watching', async () => {
  const wrong = openNetwork(node, BITCOIN_REGTEST);
  const isRefused = (error: unknown) =>
    error instanceof Refusal && error.code === 'node_of_another_chain';
  await assert.rejects(wrong.checkIdentity(), isRefused);
  await assert.rejects(wrong.observe((await openRecorder()).position()), isRefused);
  assert.match(wrong.health().lastError ?? '', /genesis/);
  await wrong.close();
});

test('addresses and descriptor are those the node derives', async () => {
  for (const descriptor of [network.addressSource, network.descriptorWithOrigin]) {
    const derived = await node.rpc('deriveaddresses', descriptor, [0, 30]);
    assert(Array.isArray(derived));
    for (const [index, address] of derived.entries()) {
      const destination = await network.openDestination({
        index: BigInt(index),
        assetId: 'LTC:NATIVE',
        units: 1n,
        instructionId: 'abcdefghijkl',
        expiresAt: systemClock.now(),
      });
      assert.equal(destination.address, address);
      assert.equal(destination.destination, network.canonicalAddress(address));
    }
    const info = await node.rpc('getdescriptorinfo', descriptor);
    assert.equal((info as { checksum: string }).checksum, descriptor.split('#')[1]);
  }
});

test('addresses of the node are canonical as it shows them, but for MWEB', async () => {
  for (const type of ['legacy', 'p2sh-segwit', 'bech32']) {
    const address = String(await node.rpc('getnewaddress', '', type));
    assert.equal(network.canonicalAddress(address), address, type);
    assert.equal(network.canonicalAddress(`${address}x`), undefined);
  }
  const mweb = String(await node.rpc('getnewaddress', '', 'mweb'));
  assert.equal(network.canonicalAddress(mweb), undefined);
});

test('a payment is seen in the mempool, then in a block, with exact units', async () => {
  const service = await openRecorder();
  await service.catchUp();
  const address = await open();
  const transaction = await node.send(address, '0.10000001');
  const seen = unconfirmedOf(await service.catchUp(), address);
  assert.equal(seen.length, 1);
  assert.equal(seen[0]?.units, 10_000_001n);
  assert.equal(seen[0]?.transaction, transaction);
  assert.equal(seen[0]?.assetId, 'LTC:NATIVE');
  assert.equal(seen[0]?.spends.length, 1);
  await node.mine(1);
  const steps = await service.catchUp();
  assert.deepEqual(arrivalsOf(steps, address), seen);
  assert.deepEqual(
    steps.flatMap(({ gone }) => gone),
    [],
  );
});

test('an unconfirmed payment is repeated until the caller has recorded it', async () => {
  const service = await openRecorder();
  await service.catchUp();
  const address = await open();
  await node.send(address, '1');
  assert.equal(unconfirmedOf(await service.catchUp(), address).length, 1);
  assert.equal(unconfirmedOf(await service.catchUp(), address).length, 1);
  await settle();
  assert.equal(unconfirmedOf(await service.catchUp(), address).length, 0);
  await node.mine(1);
});

test('two outputs to one address in one transaction are two arrivals', async () => {
  const service = await openRecorder();
  await service.catchUp();
  const address = await open();
  const transaction = await node.sendOutputs([
    { address, amount: '0.2' },
    { address, amount: '0.00012345' },
  ]);
  await node.mine(1);
  const arrivals = arrivalsOf(await service.catchUp(), address);
  assert.deepEqual(arrivals.map(({ units }) => units).sort(), [12_345n, 20_000_000n]);
  assert.equal(new Set(arrivals.map(({ creditKey }) => creditKey)).size, 2);
  for (const { creditKey } of arrivals) assert(creditKey.startsWith(`${transaction}:`));
});

test('a transaction with 200 outputs is 200 arrivals', async () => {
  const service = await openRecorder();
  await service.catchUp();
  const expected = new Map<string, bigint>();
  for (let i = 0; i < 200; i += 1) expected.set(await open(), 10_000n + BigInt(i));
  const outputs = [...expected].map(([address, units]) => [address, `0.000${units}`]);
  await node.sendMany(Object.fromEntries(outputs));
  const isOurs = ({ destination }: Arrival) => expected.has(destination);
  const seen = (await service.catchUp()).flatMap(({ unconfirmed }) => unconfirmed).filter(isOurs);
  await node.mine(1);
  const blocks = (await service.catchUp()).flatMap((step) => step.blocks);
  const included = blocks.flatMap(({ arrivals }) => arrivals).filter(isOurs);
  for (const arrivals of [seen, included]) {
    assert.deepEqual(
      new Map(arrivals.map(({ destination, units }) => [destination, units])),
      expected,
    );
  }
});

test('what miners earn counts when it can be spent', async () => {
  const service = await openRecorder();
  await service.catchUp();
  const address = await open();
  await node.mine(2, { toAddress: address });
  const steps = await service.catchUp();
  assert.equal(steps.flatMap(({ blocks }) => blocks).length, 2);
  assert.deepEqual(
    arrivalsOf(steps, address).map(({ leastConfirmations }) => leastConfirmations),
    [101, 101],
  );
});

test('a reorganisation goes back to the common ancestor and on from there', async () => {
  const service = await openRecorder();
  await service.catchUp();
  const address = await open();
  await node.send(address, '0.5');
  const [first] = await node.mine(3);
  await service.catchUp();
  assert.equal(service.included.size > 0, true);
  await node.invalidate(first as string);
  await node.mine(1, { toAddress: await node.newAddress() });
  const steps = await service.catchUp();
  assert.equal(steps.filter(({ rollbackTo }) => rollbackTo !== undefined).length, 1);
  // The node puts it back into its mempool and then into the new block.
  assert.equal(arrivalsOf(steps, address).length, 1);
  assert.equal(service.position().cursor?.hash, await node.bestHash());
  const height = await node.height();
  await node.reconsider(first as string);
  await service.catchUp();
  assert.equal(await node.height(), height + 2);
  assert.equal(service.position().cursor?.hash, await node.bestHash());
});

test('a payment taken out of the chain is back in the unconfirmed picture', async () => {
  const service = await openRecorder();
  await service.catchUp();
  const address = await open();
  const transaction = await node.send(address, '0.25');
  const [hash] = await node.mine(1);
  await service.catchUp();
  await settle();
  await node.invalidate(hash as string);
  await assert.rejects(service.catchUp(), /behind/);
  // Empty on purpose: the payment stays in the mempool.
  for (let i = 0; i < 2; i += 1) await node.rpc('generateblock', await node.newAddress(), []);
  const steps = await service.catchUp();
  assert.equal(unconfirmedOf(steps, address)[0]?.transaction, transaction);
  assert.equal(service.position().cursor?.hash, await node.bestHash());
  await node.mine(1, { toAddress: await node.newAddress() });
  assert.equal(arrivalsOf(await service.catchUp(), address).length, 1);
});

test('a replaced payment is gone, and who replaced it is known by what both spend', async () => {
  const service = await openRecorder();
  await service.catchUp();
  const address = await open();
  const transaction = await node.send(address, '0.3');
  const [seen] = unconfirmedOf(await service.catchUp(), address);
  assert(seen !== undefined);
  await settle();
  const replacement = await node.bumpFee(transaction);
  const steps = await service.catchUp();
  assert.deepEqual(
    steps.flatMap(({ gone }) => gone),
    [transaction],
  );
  const rival = steps.flatMap(({ spends }) => spends).find((s) => s.transaction === replacement);
  assert(rival?.spends.some((outpoint) => seen.spends.includes(outpoint)));
  assert.equal(rival?.height, undefined);
  await node.mine(1);
  const mined = await service.catchUp();
  assert.deepEqual(
    arrivalsOf(mined, address).map(({ transaction, units }) => [transaction, units]),
    [[replacement, 30_000_000n]],
  );
  const height = BigInt(await node.height());
  const spend = mined.flatMap(({ spends }) => spends).find((s) => s.transaction === replacement);
  assert.equal(spend?.height, height);
});

test('many blocks are read in bounded steps, each contiguous with the one before', async () => {
  const service = await openRecorder();
  await service.catchUp();
  await node.mine(120);
  const steps = await service.catchUp();
  assert(steps.length > 1);
  assert.equal(steps.flatMap(({ blocks }) => blocks).length, 120);
});

test('a new block and a new payment end the wait at once', async () => {
  const service = await openRecorder();
  await service.catchUp();
  await settle();
  const { signal } = new AbortController();
  // Longer than any test may take: it ends by the hint or not at all.
  const LONG_MS = 3_600_000;
  const endWaitBy = async (act: () => Promise<unknown>): Promise<void> => {
    const waited = network.waitForHint(LONG_MS, signal);
    await new Promise((resolve) => setTimeout(resolve, 150));
    await act();
    await waited;
  };
  await endWaitBy(() => node.mine(1));
  await service.catchUp();
  await endWaitBy(async () => node.send(await open(), '0.1'));
  await service.catchUp();
  await endWaitBy(async () => network.hint());
  const aborted = new AbortController();
  const waited = network.waitForHint(LONG_MS, aborted.signal);
  aborted.abort();
  await waited;
});

test('a node that is down is an outage, and watching goes on where it stopped', async () => {
  const service = await openRecorder();
  await service.catchUp();
  const address = await open();
  await node.send(address, '0.7');
  await service.catchUp();
  await node.shutDown();
  await assert.rejects(network.observe(service.position()), Outage);
  assert.match(network.health().lastError ?? '', /does not answer/);
  await network.waitForHint(20, new AbortController().signal);
  await node.start();
  const steps = await service.catchUp();
  assert.deepEqual(
    steps.flatMap(({ gone }) => gone),
    [],
    'a mempool that is still being read from disk proves nothing',
  );
  await node.mine(1);
  assert.equal(arrivalsOf(await service.catchUp(), address)[0]?.units, 70_000_000n);
});

test('a node killed in the middle loses nothing that was in a block', async () => {
  // Writes the blocks so far to disk.
  await node.rpc('gettxoutsetinfo');
  await node.mine(1);
  const service = await openRecorder();
  await service.catchUp();
  const address = await open();
  await node.send(address, '0.9');
  await node.mine(1);
  await node.kill9();
  await assert.rejects(network.observe(service.position()), Outage);
  await node.start();
  // A killed node has forgotten what it had not written to disk yet, and learns it again from
  // others. This one has nobody to learn from, so other blocks take their place.
  await assert.rejects(service.catchUp(), /behind/);
  await node.send(address, '0.9');
  await node.mine(3, { toAddress: await node.newAddress() });
  const steps = await service.catchUp();
  assert.equal(service.position().cursor?.hash, await node.bestHash());
  assert.equal(steps.filter(({ rollbackTo }) => rollbackTo !== undefined).length, 1);
  // Whether the wallet had written the first payment to disk, and sends it again, is luck.
  const held = await node.rpc('scantxoutset', 'start', [`addr(${address})`]);
  const { total_amount: total } = held as { readonly total_amount: unknown };
  const keys = arrivalsOf(steps, address).map(({ creditKey }) => creditKey);
  assert.equal(new Set(keys).size, keys.length);
  const units = arrivalsOf(steps, address).reduce((sum, one) => sum + one.units, 0n);
  assert.ok(units >= 90_000_000n);
  assert.equal(units, amountFromText(String(total), 8));
});

test('another branch of two blocks is known by what the node says of its tips', async () => {
  const tips = async () =>
    competingTips(await node.rpc('getchaintips'), BigInt(await node.height()))[0]?.reason;
  await node.mine(4);
  assert.equal(await tips(), undefined);
  const [first = ''] = await node.mine(2);
  await node.invalidate(first);
  await node.mine(3, { toAddress: await node.newAddress() });
  assert.equal(await tips(), undefined);
  await node.reconsider(first);
  assert.match((await tips()) ?? '', /another branch of 2 blocks/);
});

test('coins that leave MWEB count when they can be spent, and blocks with MWEB are read', async () => {
  const mweb = await startLitecoinNode({ blocks: 430 });
  const watcher = openNetwork(mweb, LITECOIN_REGTEST);
  try {
    await mweb.mine(431 - (await mweb.height()));
    const service = await openRecorder(mweb);
    // The block that activates MWEB needs a peg-in.
    await mweb.send(String(await mweb.rpc('getnewaddress', '', 'mweb')), '10');
    const address = await open();
    await mweb.send(address, '0.6');
    assert.equal(unconfirmedOf(await service.catchUp(watcher), address).length, 1);
    await mweb.mine(12);
    const steps = await service.catchUp(watcher);
    assert.deepEqual(
      arrivalsOf(steps, address).map(({ units }) => units),
      [60_000_000n],
    );
    const pegOut = await open();
    const rest = await mweb.rpc('listunspent', 1, 9_999_999);
    assert(Array.isArray(rest));
    const hidden = rest.find((coin) => String(coin.address).startsWith('tmweb'));
    assert(hidden !== undefined, 'the wallet has a coin in MWEB');
    await mweb.rpc('lockunspent', false, visible(rest));
    await mweb.send(pegOut, '0.8');
    await service.catchUp(watcher);
    await mweb.mine(8);
    const blocks = (await service.catchUp(watcher)).flatMap((step) => step.blocks);
    assert.equal(blocks.length, 8);
    const shown = await mweb.rpc('getblock', blocks[0]?.hash, 2);
    assert(JSON.stringify(shown).includes(pegOut), 'the peg-out is in the block');
    assert.deepEqual(
      blocks
        .flatMap(({ arrivals }) => arrivals)
        .filter(({ destination }) => destination === pegOut)
        .map(({ units, leastConfirmations }) => [units, leastConfirmations]),
      [[80_000_000n, 7]],
    );
    assert.equal(service.position().cursor?.hash, await mweb.bestHash());
  } finally {
    await watcher.close();
    await mweb.stop();
  }
});

const visible = (coins: readonly { address: string; txid: string; vout: number }[]) =>
  coins
    .filter(({ address }) => !address.startsWith('tmweb'))
    .map(({ txid, vout }) => ({ txid, vout }));
