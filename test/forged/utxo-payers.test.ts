// Whatever anybody can write into a transaction on Bitcoin or Litecoin: version, lock time, sequences,
// scripts, witnesses, any number of inputs and outputs, replaced and spent before they are mined.
// Nothing of it stops the network, delays the payments beside it, or is credited beyond what arrived.
// A node that contradicts itself is another matter (utxo-mutations.test.ts): here it is honest.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { openUtxoNetworks } from '#networks/utxo/open-utxo-networks.ts';
import { BITCOIN_MAIN, LITECOIN_MAIN } from '#networks/utxo/utxo-chain.ts';
import {
  compactSize,
  type FakeCoreNode,
  type FakeJson,
  type FakeOutput,
  type FakeTransaction,
  fakeTransaction,
  rawScript,
  startFakeCoreNode,
} from '#test/fakes/core-node.ts';
import { byLength } from '#test/support/run-length.ts';
import { type ForgedWorld, openForgedWorld } from './forged-world.ts';

const UNITS = 10_000_000n;
const RUNS = byLength({ short: 4, long: 40 });
const COINS = 100_000_000n;
const CHAINS = [
  { network: 'BITCOIN', assetId: 'BTC:NATIVE', chain: BITCOIN_MAIN, depth: 2, path: "m/84'/0'/0'" },
  {
    network: 'LITECOIN',
    assetId: 'LTC:NATIVE',
    chain: LITECOIN_MAIN,
    depth: 6,
    path: "m/84'/2'/0'",
  },
] as const;

const hex = (constraints: { minLength?: number; maxLength: number }) =>
  fc.uint8Array(constraints).map((bytes) => bytes.toHex());
const uint32 = fc.oneof(
  fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff),
  fc.nat(0xffffffff),
);
const units = fc.oneof(
  fc.constantFrom(0n, 1n, UNITS, UNITS - 1n, 20_000_000n * COINS),
  fc.bigInt(0n, 1_000n * COINS),
);

/** Who is paid: the one who was asked, somebody asked before, or a script of any kind. */
type Receiver =
  | { readonly of: 'asked' | 'earlier' }
  | { readonly script: (asked: string) => string };
const receiver: fc.Arbitrary<Receiver> = fc.oneof(
  fc.constantFrom<Receiver>({ of: 'asked' }, { of: 'earlier' }),
  fc
    .oneof(
      hex({ maxLength: 600 }),
      // Data that begins as our script does, ends as it does, or holds it.
      fc.constantFrom('', '00', '6a', '6a4c', '0014', '0020', '5120', '51', 'ff'.repeat(520)),
    )
    .map((script) => ({ script: () => script })),
  fc
    .tuple(hex({ maxLength: 40 }), hex({ maxLength: 40 }))
    .filter(([front, behind]) => front + behind !== '')
    .map(([front, behind]) => ({ script: (asked: string) => `${front}${asked}${behind}` })),
);
const output = fc.record({ units, receiver });

const input = fc.record({ script: hex({ maxLength: 600 }), sequence: uint32 });
const witness = fc.array(hex({ maxLength: 300 }), { maxLength: 4 });
const fields = fc.record({
  version: uint32,
  lockTime: uint32,
  inputs: fc.array(fc.record({ input, witness }), { minLength: 1, maxLength: 4 }),
  /** More of the same, beyond what one byte counts. */
  moreInputs: fc.constantFrom(0, 0, 0, 260),
  hasWitness: fc.boolean(),
  front: fc.array(output, { maxLength: 3 }),
  behind: fc.array(output, { maxLength: 3 }),
  moreOutputs: fc.constantFrom(0, 0, 0, 300),
});
type Fields = typeof fields extends fc.Arbitrary<infer Value> ? Value : never;

const way = fc.constantFrom(
  'mined at once' as const,
  'seen, then mined' as const,
  'seen, then replaced' as const,
  'never mined' as const,
);
const deed = fc.record({ fields, way, spendsEarlier: fc.boolean(), mweb: hex({ maxLength: 100 }) });
type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never;
const schedule = fc.record({
  before: fc.array(deed, { maxLength: 3 }),
  after: fc.array(deed, { maxLength: 3 }),
  own: fields,
  isOneBlock: fc.boolean(),
});

type Signed = { readonly mined: FakeTransaction; readonly pooled: FakeTransaction };

for (const { network, assetId, chain, depth, path } of CHAINS) {
  describe(`payers on ${chain.name}`, () => {
    const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(8)).derive(path);
    const asked: string[] = [];
    let node: FakeCoreNode;
    let world: ForgedWorld;
    let expected = 0n;
    let coins = 0;
    let lastId: string | undefined;

    before(async () => {
      node = await startFakeCoreNode();
      node.genesisHash = chain.genesisHash;
      node.info = { chain: 'main' };
      mineEmpty(15);
      const settings = {
        network,
        chainName: 'main',
        rpcUrl: node.url,
        rpcCookieFile: undefined,
        descriptor: account.publicExtendedKey,
        confirmations: [depth, depth, depth],
      } as const;
      world = await openForgedWorld({ networks: (parts) => openUtxoNetworks([settings], parts) });
      assert.deepEqual(await world.observe(), []);
    });
    after(async () => {
      await world?.close();
      await node?.close();
    });

    function mineEmpty(count: number): void {
      for (let mined = 0; mined < count; mined += 1) node.mine();
    }

    /** A coin that nobody spent yet. */
    function freshCoin(): FakeJson {
      coins += 1;
      return { txid: coins.toString(16).padStart(64, 'f'), vout: coins % 5 };
    }

    /** In the pool a transaction of Litecoin may have data of MWEB; in a block it has none. */
    function sign(
      all: Fields,
      outputs: readonly FakeOutput[],
      first: FakeJson,
      mweb: string,
    ): Signed {
      const inputs = all.inputs.map(({ input: one }, at) => ({
        ...(at === 0 ? first : freshCoin()),
        ...one,
      }));
      for (let more = 0; more < all.moreInputs; more += 1) {
        inputs.push({ ...freshCoin(), script: '', sequence: 0 });
      }
      const { version, lockTime } = all;
      const plain = { version, lockTime, inputs, outputs };
      if (!all.hasWitness) {
        const isMweb = network === 'LITECOIN' && mweb !== '';
        return { mined: plain, pooled: isMweb ? { ...plain, flag: 8, behind: mweb } : plain };
      }
      const stacks = inputs.map((_, at) => all.inputs[at]?.witness ?? []);
      const behind = stacks
        .flatMap((stack) => [
          compactSize(stack.length),
          ...stack.map((item) => compactSize(item.length / 2) + item),
        ])
        .join('');
      const witnessed = { ...plain, flag: 1, behind };
      return { mined: witnessed, pooled: witnessed };
    }

    function outputsOf(list: Fields['front']): FakeOutput[] {
      return list.map(({ units: value, receiver: to }) => {
        const latest = asked.at(-1) ?? '';
        if ('script' in to) return { value, script: to.script(rawScript(latest)) };
        return { value, address: to.of === 'asked' ? latest : (asked[0] ?? '') };
      });
    }

    function allOutputs(all: Fields, middle: readonly FakeOutput[] = []): FakeOutput[] {
      const more = Array.from({ length: all.moreOutputs }, () => ({ value: 1n, script: '51' }));
      return [...outputsOf(all.front), ...middle, ...more, ...outputsOf(all.behind)];
    }

    /** To be credited once it is deep: what its outputs pay to scripts that were given out. */
    function count(mined: FakeTransaction): void {
      const scripts = new Set(asked.map(rawScript));
      for (const { value, address, script } of mined.outputs) {
        const paid = script ?? rawScript(address ?? '');
        if (typeof value === 'bigint' && scripts.has(paid)) expected += value;
      }
    }

    /** Gives what is to be mined, if anything is. */
    async function act(one: Deed): Promise<FakeTransaction | undefined> {
      const parent =
        one.spendsEarlier && lastId !== undefined ? { txid: lastId, vout: 4_000 } : undefined;
      const first = parent ?? freshCoin();
      lastId = undefined;
      const { mined, pooled } = sign(one.fields, allOutputs(one.fields), first, one.mweb);
      const id = String(fakeTransaction(mined).txid);
      if (one.way !== 'mined at once') {
        node.mempool.set(id, { ...fakeTransaction(pooled), txid: id });
        await world.observe();
      }
      if (one.way === 'never mined') return undefined;
      if (one.way === 'seen, then replaced') {
        node.mempool.delete(id);
        return sign(one.fields, [{ value: 1n, script: '51' }], first, '').mined;
      }
      lastId = id;
      return mined;
    }

    test('nothing they can send stops, delays or fakes anything', async () => {
      await fc.assert(
        fc.asyncProperty(schedule, async ({ before: first, after: last, own, isOneBlock }) => {
          const commitment = await world.createAndCommit(network, assetId, UNITS);
          const { address } = commitment.instruction;
          asked.push(address);
          const exact = [{ value: UNITS, address }];
          const honest = sign(own, allOutputs(own, exact), freshCoin(), '').mined;
          const waiting: FakeTransaction[] = [];
          const send = (one: FakeTransaction | undefined) => {
            if (one === undefined) return;
            count(one);
            waiting.push(one);
            if (!isOneBlock) node.mine(...waiting.splice(0));
          };
          for (const one of first) send(await act(one));
          send(honest);
          for (const one of last) send(await act(one));
          if (isOneBlock) node.mine(...waiting);
          mineEmpty(depth + 1);
          assert.deepEqual((await world.observe()).map(String), []);
          await world.settle();
          assert.equal((await world.read(commitment.checkoutId)).state, 'COMPLETED');
          assert.equal(await world.credited(), expected, 'what is credited is what arrived');
          assert.equal(await world.custody(network, assetId), expected);
          assert.equal(await world.suspended(), 0n);
        }),
        { numRuns: RUNS },
      );
      assert.deepEqual(await world.brokenInvariants(), []);
    });
  });
}
