// The first start of a new database, on every family of networks, whatever the node does meanwhile:
// nothing is offered that could not be credited. A node of another chain, one that is away and one
// in its first download offer nothing; once the node is well, what was handed out is credited.

import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { Memo } from '@stellar/stellar-base';
import { Refusal } from '#base/refusal.ts';
import type { Commitment } from '#checkout/checkout.ts';
import { sql } from '#db/db.ts';
import { createDepositAddress } from '#deposit-address/create-deposit-address.ts';
import { importStatement } from '#networks/bank/import-bank-file.ts';
import { openBankNetworks } from '#networks/bank/open-bank-networks.ts';
import { readStatements } from '#networks/bank/read-statement.ts';
import { evmChain } from '#networks/evm/evm-chain.ts';
import { openLightningNetworks } from '#networks/lightning/open-lightning-networks.ts';
import type { NetworkParts, OpenedNetwork } from '#networks/network-settings.ts';
import { openUtxoNetworks } from '#networks/utxo/open-utxo-networks.ts';
import { LITECOIN_MAIN } from '#networks/utxo/utxo-chain.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { statementBytes } from './bank-statement.ts';
import { SEPA_ACCOUNT } from './bank-world.ts';
import { startFakeCoreNode } from './core-node.ts';
import { createFakeEvmNode, type FakeJson } from './evm-node.ts';
import { deployTokens, ETH, openFakeEvm } from './evm-world.ts';
import { NODE_KINDS, openFakeLightningNode } from './lightning-node.ts';
import { openStellarWorld, XLM } from './stellar-world.ts';
import { openXrplWorld, XRP } from './xrpl-world.ts';

type Trouble = 'of another chain' | 'away' | 'in its first download';
const TROUBLES: readonly Trouble[] = ['of another chain', 'away', 'in its first download'];

type Stand = {
  readonly world: ForgedWorld;
  readonly network: string;
  readonly assetId: string;
  readonly units: bigint;
  /** Undefined: the node is well. */
  trouble(kind: Trouble | undefined): void | Promise<void>;
  /** And makes it final. */
  pay(asked: Commitment): void | Promise<void>;
  close(): Promise<void>;
};

type Family = {
  readonly name: string;
  readonly troubles: readonly Trouble[];
  /** The node is in trouble already when the adapter is opened. */
  open(trouble: Trouble | undefined): Promise<Stand>;
};

async function openWorld(
  networks: (parts: NetworkParts) => readonly OpenedNetwork[],
  clock: ManualClock,
): Promise<ForgedWorld> {
  return openForgedWorld({ clock, networks });
}

const clockNow = () => manualClock('2026-01-01T12:00:00Z');

async function openUtxo(kind: Trouble | undefined): Promise<Stand> {
  const node = await startFakeCoreNode();
  const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(6)).derive("m/84'/2'/0'");
  const trouble = (now: Trouble | undefined) => {
    node.genesisHash = now === 'of another chain' ? '00'.repeat(32) : LITECOIN_MAIN.genesisHash;
    node.misbehaviour = now === 'away' ? { status: 503, body: '' } : {};
    node.info = { chain: 'main', initialblockdownload: now === 'in its first download' };
  };
  trouble(undefined);
  for (let mined = 0; mined < 15; mined += 1) node.mine();
  trouble(kind);
  const settings = {
    network: 'LITECOIN' as const,
    chainName: 'main',
    rpcUrl: node.url.replace('://', '://user:password@'),
    rpcCookieFile: undefined,
    descriptor: account.publicExtendedKey,
    confirmations: [6, 6, 6] as const,
  };
  const world = await openWorld((parts) => openUtxoNetworks([settings], parts), clockNow());
  return {
    world,
    network: 'LITECOIN',
    assetId: 'LTC:NATIVE',
    units: 10_000_000n,
    trouble,
    pay({ instruction, arrivingUnits }) {
      node.mine({ outputs: [{ value: arrivingUnits, address: instruction.address }] });
      for (let mined = 0; mined < 6; mined += 1) node.mine();
    },
    async close() {
      await world.close();
      await node.close();
    },
  };
}

async function openEvm(kind: Trouble | undefined): Promise<Stand> {
  const node = createFakeEvmNode({ chainId: 1n });
  const parameters = evmChain('ETHEREUM', 'main');
  deployTokens(node);
  node.mineEmpty(3);
  // The fake's blocks are of its own time: the clock of the world follows them.
  const clock = clockNow();
  let now = kind;
  const trouble = (next: Trouble | undefined) => {
    now = next;
  };
  const post = async (body: string) =>
    now === 'away' ? { status: 502, text: 'Bad Gateway' } : node.post(body);
  node.answer = (method, [tag], result) => {
    if (method === 'eth_chainId' && now === 'of another chain') return '0x5';
    if (method !== 'eth_getBlockByNumber' || result === null) return result;
    const block = result as FakeJson;
    if (tag === '0x0') return { ...block, hash: parameters.genesisHash };
    // In its first download a node is at a block of long ago.
    if (tag === 'latest' && now === 'in its first download') {
      return { ...block, timestamp: '0x60000000' };
    }
    return tag === 'latest' ? { ...block, timestamp: secondsOf(clock) } : result;
  };
  const world = await openWorld(
    (parts) => [openFakeEvm({ posts: [post], parameters }, parts)],
    clock,
  );
  return {
    world,
    network: 'ETHEREUM',
    assetId: ETH,
    units: 1_000_000_000n,
    trouble,
    pay({ instruction, arrivingUnits }) {
      node.mine(node.pay(instruction.address, arrivingUnits));
      node.mineEmpty(3);
    },
    close: () => world.close(),
  };
}

const secondsOf = (clock: ManualClock) =>
  `0x${BigInt(Math.floor(clock.now().epochMilliseconds / 1000)).toString(16)}`;

async function openStellar(kind: Trouble | undefined): Promise<Stand> {
  const world = await openStellarWorld();
  const { horizon, stellar } = world;
  const passphrase = horizon.passphrase;
  const trouble = (now: Trouble | undefined) => {
    horizon.passphrase = now === 'of another chain' ? 'Some Other Network' : passphrase;
    horizon.refuse = () => (now === 'away' ? { status: 503 } : undefined);
    // It reads ledgers of long ago, and none closes that it knows of.
    horizon.closesEveryMs = now === 'in its first download' ? Number.POSITIVE_INFINITY : 5_000;
    if (now === undefined) stellar.close();
  };
  trouble(kind);
  if (kind === 'in its first download') await world.time.advance(3_600_000);
  return {
    world,
    network: 'STELLAR',
    assetId: XLM,
    units: 10_0000000n,
    trouble,
    pay({ instruction, arrivingUnits }) {
      world.pay({ units: arrivingUnits, memo: Memo.text(instruction.memo ?? '') });
    },
    close: () => world.close(),
  };
}

async function openXrpl(kind: Trouble | undefined): Promise<Stand> {
  const world = await openXrplWorld();
  const { server } = world;
  const trouble = (now: Trouble | undefined) => {
    server.networkId = now === 'of another chain' ? 1 : 0;
    server.hangsUp = () => now === 'away';
    server.serverState = now === 'in its first download' ? 'syncing' : 'full';
  };
  trouble(kind);
  return {
    world,
    network: 'XRP_LEDGER',
    assetId: XRP,
    units: 10_000_000n,
    trouble,
    pay({ instruction, arrivingUnits }) {
      world.pay({ drops: arrivingUnits, tag: instruction.destinationTag ?? 0n });
    },
    close: () => world.close(),
  };
}

function lightning(nodeKind: (typeof NODE_KINDS)[number]): Family['open'] {
  return async (kind) => {
    const clock = clockNow();
    const node = await openFakeLightningNode(nodeKind, clock);
    const trouble = (now: Trouble | undefined) => {
      node.chainName = now === 'of another chain' ? 'regtest' : 'main';
      node.isDown = now === 'away';
      node.isSynced = now !== 'in its first download';
    };
    trouble(kind);
    const settings = { ...node.settings, chainName: 'main' as const };
    const world = await openWorld((parts) => openLightningNetworks([settings], parts), clock);
    return {
      world,
      network: 'LIGHTNING',
      assetId: 'BTC:NATIVE',
      units: 30_000n,
      trouble,
      pay: ({ instruction }) => node.pay(instruction.destination),
      async close() {
        await world.close();
        await node.close();
      },
    };
  };
}

async function openBank(): Promise<Stand> {
  const networks = (parts: NetworkParts) => openBankNetworks([SEPA_ACCOUNT], parts);
  const world = await openWorld(networks, clockNow());
  return {
    world,
    network: 'SEPA',
    assetId: 'EUR:FIAT',
    units: 1990n,
    trouble() {},
    async pay({ instruction, arrivingUnits }) {
      const transactions = [{ structured: instruction.memo ?? '' }];
      const entry = { cents: arrivingUnits, servicerReference: 'B-1', transactions };
      const known = { chain: 'live:SEPA', account: SEPA_ACCOUNT, isDry: false } as const;
      const options = { ...known, actor: 'operator' };
      for (const statement of readStatements(statementBytes({ entries: [entry] }))) {
        await importStatement(world.app, statement, options);
      }
    },
    close: () => world.close(),
  };
}

const FAMILIES: readonly Family[] = [
  { name: 'Litecoin', troubles: TROUBLES, open: openUtxo },
  { name: 'Ethereum', troubles: TROUBLES, open: openEvm },
  { name: 'Stellar', troubles: TROUBLES, open: openStellar },
  { name: 'the XRP Ledger', troubles: TROUBLES, open: openXrpl },
  ...NODE_KINDS.map((kind) => ({
    name: `Lightning over ${kind}`,
    troubles: TROUBLES,
    open: lightning(kind),
  })),
  { name: 'a bank', troubles: [], open: openBank },
];

async function stand(t: TestContext, opening: Promise<Stand>): Promise<Stand> {
  const opened = await opening;
  t.after(() => opened.close());
  return opened;
}

const commit = ({ world, network, assetId, units }: Stand) =>
  world.createAndCommit(network, assetId, units);

async function assertNotOffered(opened: Stand): Promise<void> {
  const { world, network, assetId } = opened;
  assert.deepEqual(world.app.networks.get(`live:${network}` as never)?.receivableAssets(), []);
  await assert.rejects(
    commit(opened),
    (error) => error instanceof Refusal && error.code === 'no_payment_method',
  );
  const request = { network, assetId, label: undefined, webhook: undefined, metaText: undefined };
  await assert.rejects(createDepositAddress(world.app, world.caller, request));
  const [instructions] = await world.app.db.query<{ count: bigint }>(
    sql`select count(*) as count from deposit_instruction`,
  );
  assert.equal(instructions?.count, 0n, 'nothing was handed out');
}

async function assertCredited(opened: Stand): Promise<void> {
  const { world } = opened;
  const commitment = await commit(opened);
  await opened.pay(commitment);
  assert.deepEqual((await world.observe()).map(String), []);
  await world.settle();
  assert.equal((await world.read(commitment.checkoutId)).state, 'COMPLETED');
  assert.deepEqual(await world.brokenInvariants(), []);
}

for (const { name, troubles, open } of FAMILIES) {
  describe(`a new database that takes ${name}`, () => {
    test('offers it when its chain was heard, and credits what is handed out from then on', async (t) => {
      const opened = await stand(t, open(undefined));
      await assertNotOffered(opened);
      assert.deepEqual((await opened.world.observe()).map(String), []);
      await assertCredited(opened);
    });

    for (const trouble of troubles) {
      test(`offers nothing while the node is ${trouble}, and credits everything afterwards`, async (t) => {
        const opened = await stand(t, open(trouble));
        const failures = await opened.world.observe();
        assert.equal(failures.length, 1, 'the step fails');
        await assertNotOffered(opened);
        await opened.trouble(undefined);
        assert.deepEqual((await opened.world.observe()).map(String), []);
        await assertCredited(opened);
      });
    }
  });
}
