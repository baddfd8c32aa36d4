// The tool itself: what is paid is credited and counted, so that a corpus which asserts 0 can fail.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Arrival, Block, Network } from '#deposit/network.ts';
import { type ForgedWorld, openForgedWorld } from './forged-world.ts';

const LTC = 'LTC:NATIVE';
const blocks: Block[] = [];
let world: ForgedWorld;

before(async () => {
  mine();
  world = await openForgedWorld({
    networks: () => [{ network: plainNetwork(), isTestChain: true, confirmations: [1, 1, 1] }],
  });
});
after(() => world?.close());

function mine(...arrivals: Arrival[]): void {
  const height = BigInt(blocks.length);
  const minedAt = Temporal.Instant.from('2026-01-01T12:00:00Z');
  const parentHash = blocks.at(-1)?.hash ?? 'none';
  blocks.push({ height, hash: `block ${height}`, parentHash, minedAt, arrivals });
}

function plainNetwork(): Network {
  return {
    chain: 'live:LITECOIN',
    addressSource: 'numbers',
    receivableAssets: () => [LTC],
    openDestination: ({ index }) => ({
      destination: `number ${index}`,
      address: `number ${index}`,
      memo: undefined,
      memoType: undefined,
      destinationTag: undefined,
    }),
    canonicalAddress: (address) => address,
    paymentUri: () => 'litecoin:somewhere',
    checkIdentity: async () => undefined,
    async observe({ cursor }) {
      const tip = blocks.at(-1)!;
      const news = blocks.filter(({ height }) => cursor === undefined || height > cursor.height);
      return {
        identity: 'plain',
        tip,
        rollbackTo: undefined,
        blocks: news,
        unconfirmed: [],
        gone: [],
        spends: [],
        complete: true,
      };
    },
    waitForHint: async () => undefined,
    health: () => ({
      chain: 'live:LITECOIN',
      description: 'numbers',
      nodeVersion: undefined,
      lastHeardAt: undefined,
      lastError: undefined,
    }),
    close: async () => undefined,
  };
}

function paid(destination: string, units: bigint, creditKey: string): Arrival {
  const transaction = creditKey;
  return { creditKey, transaction, destination, assetId: LTC, units, spends: [], ours: true };
}

test('what is paid is credited and counted, what nobody asked for is suspended', async () => {
  assert.deepEqual(await world.observe(), []);
  const { checkoutId, instruction } = await world.createAndCommit('LITECOIN', LTC, 150_000_000n);
  mine(paid(instruction.destination, 150_000_000n, 'a'), paid('nobody', 7n, 'b'));
  assert.deepEqual(await world.observe(), []);
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  assert.equal(await world.credited(), 150_000_000n);
  assert.equal(await world.credited('BTC:NATIVE'), 0n);
  assert.equal(await world.suspended(), 7n);
  assert.equal(await world.custody('LITECOIN', LTC), 150_000_007n);
  assert.deepEqual(await world.brokenInvariants(), []);
});
