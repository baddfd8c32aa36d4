// Deposits that are none, as a Bitcoin or Litecoin node could show them: nothing is credited. The same
// worlds see honest payments, which are credited, so that these tests can fail.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bech32 } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { p2pk, p2pkh, p2sh, p2tr, p2wpkh, p2wsh } from '@scure/btc-signer/payment.js';
import { openUtxoNetworks } from '#networks/utxo/open-utxo-networks.ts';
import { BITCOIN_MAIN, LITECOIN_MAIN, LITECOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';
import {
  type FakeBlock,
  type FakeCoreNode,
  type FakeJson,
  type FakeOutput,
  type FakeTransaction,
  fakeBlock,
  fakeTransaction,
  rawBlock,
  rawScript,
  sealBlock,
  startFakeCoreNode,
} from '#test/fakes/core-node.ts';
import { type ForgedWorld, openForgedWorld } from './forged-world.ts';

const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(5)).derive("m/84'/0'/0'");
const STRANGER = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';
const UNITS = 10_000_000n;
const VALUE = '0.10000000';
/** Depths of the test; Litecoin's is the lowest that is allowed. */
const DEPTHS = { BITCOIN: 2, LITECOIN: 6 } as const;

type NetworkId = keyof typeof DEPTHS;
type Asked = { readonly address: string; readonly index: number; readonly node: FakeCoreNode };
type Fixture = {
  readonly name: string;
  /** The incident or the rule it comes from. */
  readonly source: string;
  readonly network?: NetworkId;
  readonly outputs?: (asked: Asked) => FakeOutput[];
  /** What happens instead of one block with these outputs. */
  readonly play?: (asked: Asked) => void | Promise<void>;
  /** An answer that contradicts itself fails the step instead of being read. */
  readonly fails?: boolean;
  /** Shown as on its way, and not credited. */
  readonly state?: 'PENDING';
  /** Blocks on top; as many as make a payment final, unless told. */
  readonly blocksOnTop?: number;
};

const nodes = {} as Record<NetworkId, FakeCoreNode>;
let world: ForgedWorld;
let issued: Record<NetworkId, number>;

before(async () => {
  nodes.BITCOIN = await startFakeCoreNode();
  nodes.LITECOIN = await startFakeCoreNode();
  nodes.BITCOIN.genesisHash = BITCOIN_MAIN.genesisHash;
  nodes.LITECOIN.genesisHash = LITECOIN_MAIN.genesisHash;
  for (const node of Object.values(nodes)) {
    node.info = { chain: 'main' };
    // The fake has no genesis block, and a first look goes back by twelve.
    mineEmpty(node, 15);
  }
  issued = { BITCOIN: 0, LITECOIN: 0 };
  const settings = (['BITCOIN', 'LITECOIN'] as const).map((network) => ({
    network,
    chainName: 'main',
    rpcUrl: nodes[network].url.replace('://', '://user:password@'),
    rpcCookieFile: undefined,
    descriptor: account.publicExtendedKey,
    confirmations: [DEPTHS[network], DEPTHS[network], DEPTHS[network]] as const,
  }));
  world = await openForgedWorld({ networks: (parts) => openUtxoNetworks(settings, parts) });
  assert.deepEqual(await world.observe(), []);
});

after(async () => {
  await world?.close();
  for (const node of Object.values(nodes)) await node.close();
});

/** The key behind an address that was handed out, which the wallet of the shop has. */
function keyOf({ index }: Asked): Uint8Array {
  const { publicKey } = account.deriveChild(0).deriveChild(index);
  assert(publicKey !== null);
  return publicKey;
}

const versions = {
  bitcoin: { bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05, wif: 0 },
  testnet: { bech32: 'tb', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0 },
  litecoin: { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, wif: 0 },
} as const;

const sent = (address: string | undefined, change: Partial<FakeOutput> = {}): FakeOutput[] => [
  { value: VALUE, address: String(address), ...change },
];

function mineEmpty(node: FakeCoreNode, count: number): void {
  for (let mined = 0; mined < count; mined += 1) node.mine();
}

/** Drops the last blocks, as a longer branch does that comes afterwards. */
function dropBlocks(node: FakeCoreNode, count: number): void {
  node.blocks.splice(-count, count);
}

/** Says this of every block that is asked for whole. */
function tellOfBlocks(node: FakeCoreNode, change: (block: FakeBlock) => unknown): void {
  node.answer = (method, params) => {
    if (method !== 'getblock') return undefined;
    const block = node.blocks.find(({ hash }) => hash === params[0]);
    return block === undefined ? undefined : change(block);
  };
}

/** A block without a payment to us, of which the node says something else. */
function lieOfBlock(change: (block: FakeBlock, asked: Asked) => unknown): Fixture['play'] {
  return (asked) => {
    asked.node.mine({ outputs: sent(STRANGER) });
    tellOfBlocks(asked.node, (block) => change(block, asked));
  };
}

/** A whole block, with these transactions behind its own. */
function rawWith(block: FakeBlock, ...transactions: FakeJson[]): string {
  return rawBlock({ ...block, tx: [...block.tx, ...transactions] });
}

function paid(address: string, change: Partial<FakeTransaction> = {}): FakeJson {
  return fakeTransaction({ outputs: sent(address), ...change });
}

/** The node claims one more block, whose hash fits, until it is honest again. */
function claim(node: FakeCoreNode, ...transactions: FakeTransaction[]): void {
  const honest = [...node.blocks];
  node.mine(...transactions);
  undo.push(() => void node.blocks.splice(0, node.blocks.length, ...honest));
}

const undo: (() => void)[] = [];
/** What is credited meanwhile, to another checkout. */
let earned = 0n;
const bip = (number: number, rule: string) => `BIP-${number}: ${rule}`;

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const keyHashOf = ({ address }: Asked) => rawScript(address).slice(4);

type ScriptFixture = readonly [string, string, (asked: Asked) => string];
const scripts = (network: NetworkId, list: readonly ScriptFixture[]): Fixture[] =>
  list.map(([name, source, script]) => ({
    name,
    source,
    network,
    outputs: (asked) => [{ value: VALUE, script: script(asked) }],
  }));

const SCRIPTS: readonly Fixture[] = [
  ...scripts('BITCOIN', [
    [
      'a bare multisig of which one key is ours',
      'Core 0.21 shows one address for it',
      (asked) => `5121${hexOf(keyOf(asked))}51ae`,
    ],
    [
      'a bare public key',
      'Core 0.21 shows the address of another script',
      (asked) => `21${hexOf(keyOf(asked))}ac`,
    ],
    ['an OP_RETURN with our key', 'nobody can spend it', (asked) => `6a14${keyHashOf(asked)}`],
    [
      'our script with one opcode more',
      bip(141, 'exact form'),
      (asked) => `0014${keyHashOf(asked)}75`,
    ],
    ['a program of 19 bytes', bip(141, '20 or 32'), (asked) => `0013${keyHashOf(asked).slice(2)}`],
    ['a longer push of our key', bip(141, 'a direct push'), (asked) => `004c14${keyHashOf(asked)}`],
    [
      'the right program in a future witness version',
      bip(141, 'anyone can spend it'),
      (asked) => `5214${keyHashOf(asked)}`,
    ],
    [
      'our key hash as taproot',
      bip(341, 'of 20 bytes anyone can spend it'),
      (asked) => `5114${keyHashOf(asked)}`,
    ],
    ['an anchor output', 'Core 28: anyone can spend it', () => '51024e73'],
    [
      'a script behind our key hash that holds it until 2100',
      bip(65, 'a lock time makes it another script'),
      (asked) => `0400e1f5f4b17576a914${keyHashOf(asked)}88ac`,
    ],
    [
      'the hash of a script with our key',
      bip(141, 'pay to witness script hash'),
      (asked) => hexOf(p2wsh(p2pk(keyOf(asked))).script),
    ],
  ]),
  ...scripts('LITECOIN', [
    ['a peg-in to MWEB', 'LIP-3: goes into MWEB', (asked) => `5914${keyHashOf(asked)}`],
    ['the pool of the HogEx', 'LIP-2: what miners carry on', (asked) => `5814${keyHashOf(asked)}`],
  ]),
  {
    name: 'an output of nothing',
    source: 'A21: zero-value transfers',
    outputs: ({ address }) => sent(address, { value: '0.00000000' }),
  },
  {
    name: 'our key at its legacy address',
    source: bip(84, 'the wallet looks for native segwit'),
    outputs: (asked) => [{ value: VALUE, script: hexOf(p2pkh(keyOf(asked)).script) }],
  },
  ...(['BITCOIN', 'LITECOIN'] as const).map(
    (network): Fixture => ({
      name: `our key at its nested address on ${network}`,
      source: 'one 3... address stands on both chains, and for another script',
      network,
      outputs: (asked) => [{ value: VALUE, script: hexOf(p2sh(p2wpkh(keyOf(asked))).script) }],
    }),
  ),
  {
    name: 'our key at its taproot address',
    source: bip(86, 'another account, which the configured key is not'),
    outputs: (asked) => sent(p2tr(keyOf(asked).subarray(1), undefined, versions.bitcoin).address),
  },
  {
    name: 'an address that begins like ours',
    source: 'A4: address poisoning',
    outputs: ({ address }) => {
      const { words } = bech32.decode(address as `bc1${string}`);
      return sent(bech32.encode('bc', [...words.slice(0, 12), ...words.slice(12).toReversed()]));
    },
  },
  {
    name: 'an address that was never handed out',
    source: 'nobody asked for it: no credit by likeness',
    outputs: (asked) =>
      sent(p2wpkh(keyOf({ ...asked, index: asked.index + 5_000 }), versions.bitcoin).address),
  },
];

const MOVES: readonly Fixture[] = [
  {
    name: 'a payment in the mempool',
    source: 'A12: nothing is credited unconfirmed',
    state: 'PENDING',
    play: ({ node, address }) => void node.addUnconfirmed({ outputs: sent(address) }),
  },
  {
    name: 'a payment that is one block short',
    source: 'money.md: final by depth',
    state: 'PENDING',
    blocksOnTop: 0,
    play: ({ node, address }) => void node.mine({ outputs: sent(address) }),
  },
  {
    name: 'a payment that is replaced and mined to somebody else',
    source: bip(125, 'opt-in replacement'),
    play: async ({ node, address }) => {
      const inputs = [{ txid: 'aa'.repeat(32), vout: 0, sequence: 1 }];
      node.addUnconfirmed({ inputs, outputs: sent(address) });
      await world.observe();
      node.mempool.clear();
      node.mine({ inputs, outputs: sent(STRANGER) });
    },
  },
  {
    name: 'a payment that falls out of the mempool',
    source: 'Core: mempoolexpiry and the lowest fee',
    play: async ({ node, address }) => {
      node.addUnconfirmed({ outputs: sent(address) });
      await world.observe();
      node.mempool.clear();
    },
  },
  {
    name: 'a payment whose block is reorganised away and does not return',
    source: 'B1: reorganisations',
    play: async ({ node, address }) => {
      node.mine({ outputs: sent(address) });
      await world.observe();
      dropBlocks(node, 1);
      mineEmpty(node, 2);
    },
  },
  {
    name: 'a payment whose inputs the other branch spends',
    source: 'B1: a double spend by reorganisation (Litecoin, April 2026)',
    play: async ({ node, address }) => {
      const inputs = [{ txid: 'bb'.repeat(32), vout: 1, sequence: 1 }];
      node.mine({ inputs, outputs: sent(address) });
      await world.observe();
      dropBlocks(node, 1);
      node.mine();
      node.mine({ inputs, outputs: sent(STRANGER) });
    },
  },
  {
    name: 'the reward of a miner, before it can be spent',
    source: 'COINBASE_MATURITY: 100 blocks',
    state: 'PENDING',
    blocksOnTop: 99,
    play: ({ node, address }) => {
      const block = fakeBlock(node.blocks.length + 1, String(node.blocks.at(-1)?.hash), []);
      const coinbase = { inputs: [{ coinbase: '51' }], outputs: sent(address) };
      node.blocks.push(sealBlock({ ...block, tx: [fakeTransaction(coinbase)] }));
    },
  },
  {
    name: 'what leaves MWEB, before it can be spent',
    source: 'PEGOUT_MATURITY: 6 blocks',
    network: 'LITECOIN',
    state: 'PENDING',
    blocksOnTop: 5,
    play: ({ node, address }) => {
      const pool = { value: '9.0', script: `5820${'ab'.repeat(32)}` };
      node.mine({ outputs: [pool, ...sent(address)], flag: 8 });
    },
  },
  {
    name: 'an unconfirmed payment into MWEB',
    source: 'LIP-3: the visible chain holds the peg-in only',
    network: 'LITECOIN',
    play: ({ node, address }) => {
      const pegIn = { value: VALUE, script: `5914${rawScript(address).slice(4)}` };
      node.addUnconfirmed({ outputs: [pegIn], flag: 8, behind: `01${rawScript(address)}` });
    },
  },
  {
    name: 'money that was ours, sent on to another address of ours',
    source: 'money.md: our own change; consolidation is no income',
    play: async (asked) => {
      const { asked: earlier } = await open('BITCOIN');
      const { node } = asked;
      const stray = {
        inputs: [{ txid: '44'.repeat(32), vout: 0 }],
        outputs: sent(earlier.address),
      };
      node.mine(stray);
      await settleAll(node);
      const inputs = [{ txid: fakeTransaction(stray).txid, vout: 0 }];
      node.mine({ inputs, outputs: [...sent(asked.address, { value: 9_999_000n })] });
      earned += UNITS;
    },
  },
  {
    name: 'an unconfirmed transaction under the id of another',
    source: 'the id is compared',
    play: ({ node, address }) => void node.mempool.set('12'.repeat(32), paid(address)),
  },
  {
    name: 'a payment as deep as usual, while another branch is as long',
    source: 'B2: a competing tip',
    state: 'PENDING',
    blocksOnTop: 2,
    play: ({ node, address }) => {
      node.mine({ outputs: sent(address) });
      const branch = { branchlen: 3, status: 'headers-only' };
      node.answer = (method) =>
        method === 'getchaintips' ? [{ height: node.blocks.length, ...branch }] : undefined;
    },
  },
  {
    name: 'a payment on a slow chain, as deep as usual',
    source: 'B2: hash power that leaves builds another branch',
    state: 'PENDING',
    blocksOnTop: 0,
    play: ({ node, address }) => {
      const slow = (...transactions: { outputs: FakeOutput[] }[]) => {
        const parent = node.blocks.at(-1) as FakeBlock;
        const block = fakeBlock(node.blocks.length + 1, parent.hash, transactions);
        node.blocks.push(sealBlock({ ...block, time: Number(parent.time) + 7_200 }));
      };
      for (let made = 0; made < 6; made += 1) slow();
      slow({ outputs: sent(address) });
      slow();
    },
  },
];

const LIES: readonly Fixture[] = [
  ...(
    [
      ['below zero', -UNITS, 'CVE-2010-5139: outputs that overflow'],
      ['of one satoshi more than 21 million bitcoins', 2_100_000_000_000_001n, 'MAX_MONEY'],
      ['of 2^63 - 1', 2n ** 63n - 1n, 'CVE-2010-5139: 184 billion bitcoins'],
      ['of 2^63', 2n ** 63n, 'CVE-2010-5139'],
    ] as const
  ).map(
    ([name, value, source]): Fixture => ({
      name: `an amount ${name}, beside a good one`,
      source,
      fails: true,
      play: ({ node, address }) =>
        claim(node, { outputs: [...sent(address), ...sent(address, { value })] }),
    }),
  ),
  ...failing([
    [
      'a payment added to a block',
      'the header commits to the transactions',
      (block, { address }) => rawWith(block, paid(address)),
    ],
    [
      'a payment in the place of another',
      'the header commits to the transactions',
      (block, { address }) => rawBlock({ ...block, tx: [block.tx[0] as FakeJson, paid(address)] }),
    ],
    [
      'a payment added, and a header that fits',
      'the hash is compared',
      (block, { address }) => rawBlock(sealBlock({ ...block, tx: [...block.tx, paid(address)] })),
    ],
    [
      'an amount that is another one than the id commits to',
      'the id is the hash',
      (block, { address }) =>
        rawBlock(block)
          .replace('0065cd1d', '00a3e111')
          .replace(rawScript(STRANGER), rawScript(address)),
    ],
    [
      'our script in the place of another',
      'the id is the hash',
      (block, { address }) => rawBlock(block).replace(rawScript(STRANGER), rawScript(address)),
    ],
    [
      'a payment twice, with the same Merkle root',
      'CVE-2012-2459',
      (block) => rawWith(block, block.tx[1] as FakeJson),
    ],
    ['only a header', 'a block is its transactions', (block) => rawBlock(block).slice(0, 160)],
    [
      'a block without transactions',
      'consensus: a block has a coinbase',
      (block) => rawBlock({ ...block, tx: [] }),
    ],
    [
      'a block without its last transaction',
      `A19: a provider that leaves out`,
      (block) => rawBlock({ ...block, tx: block.tx.slice(0, 1) }),
    ],
    [
      'a block cut off in the middle',
      'fail closed on a damaged answer',
      (block) => rawBlock(block).slice(0, 300),
    ],
    [
      'a block and something behind it',
      'fail closed on a damaged answer',
      (block, { address }) => rawBlock(block) + String(paid(address).hex),
    ],
    ['a block as JSON', 'a proxy that ignores the verbosity', (block) => ({ ...block })],
    ['null where a block was', 'fail closed on a damaged answer', () => false],
    [
      'a block of another hash',
      'the hash is compared',
      (block, { address }) =>
        rawBlock(
          fakeBlock(block.height, String(block.previousblockhash), [{ outputs: sent(address) }]),
        ),
    ],
    [
      'a block with another parent',
      'contiguous by parent hash',
      (block) => rawBlock({ ...block, previousblockhash: 'cd'.repeat(32) }),
    ],
    [
      'a second coinbase',
      'consensus: only the first transaction is one',
      (block, { address }) =>
        rawBlock(
          sealBlock({ ...block, tx: [...block.tx, paid(address, { inputs: [{ coinbase: '' }] })] }),
        ),
    ],
    [
      'a flag that nobody defined',
      bip(144, 'flag 1'),
      (block, { address }) => rawWith(block, paid(address, { flag: 2 })),
    ],
    [
      'MWEB data inside a mined payment',
      'LIP-2: it stands behind the transactions',
      (block, { address }) => rawWith(block, paid(address, { flag: 8, behind: '01' })),
    ],
    [
      'twenty thousand inputs and no end',
      'a length that leads out of the block',
      (block, { address }) => {
        const inputs = Array.from({ length: 20_000 }, () => ({ txid: 'ee'.repeat(32), vout: 0 }));
        return rawWith(block, paid(address, { inputs })).slice(0, -400);
      },
    ],
    [
      '2^64 outputs',
      'a length that leads out of the block',
      (block) => `${rawBlock(block).slice(0, 160)}ff${'ff'.repeat(8)}${rawBlock(block).slice(162)}`,
    ],
  ]),
  ...(
    [
      ['another genesis block', `A18: a node of another chain`, 'genesis'],
      ['another name of the chain', `A18: a node on testnet`, { chain: 'test' }],
      [
        'a chain still being downloaded',
        'getblockchaininfo: initialblockdownload',
        { initialblockdownload: true },
      ],
      [
        'more headers than blocks',
        'a node that lags knows less than it should',
        { headers: 10_000 },
      ],
      [
        'blocks thrown away that are needed',
        'getblockchaininfo: pruneheight',
        { pruned: true, pruneheight: 10_000 },
      ],
      ['a tip that is lower than what was read', 'a node restored from a copy', 'lower'],
    ] as const
  ).map(
    ([name, source, told]): Fixture => ({
      name: `a node with ${name}`,
      source,
      fails: true,
      play: ({ node, address }) => {
        const honest = { info: node.info, genesisHash: node.genesisHash, blocks: [...node.blocks] };
        undo.push(() => {
          node.info = honest.info;
          node.genesisHash = honest.genesisHash;
          node.blocks.splice(0, node.blocks.length, ...honest.blocks);
        });
        if (told === 'lower') dropBlocks(node, 4);
        else node.mine({ outputs: sent(address) });
        if (told === 'genesis') node.genesisHash = LITECOIN_REGTEST.genesisHash;
        else if (told !== 'lower') node.info = { ...node.info, ...told };
      },
      blocksOnTop: 0,
    }),
  ),
];

type Failing = readonly [string, string, (block: FakeBlock, asked: Asked) => unknown];

function failing(list: readonly Failing[]): Fixture[] {
  return list.map(([name, source, change]) => ({
    name,
    source,
    fails: true,
    play: lieOfBlock(change),
  }));
}

const FIXTURES = [...SCRIPTS, ...MOVES, ...LIES];

async function open(network: NetworkId) {
  const assetId = network === 'BITCOIN' ? 'BTC:NATIVE' : 'LTC:NATIVE';
  const { checkoutId, instruction } = await world.createAndCommit(network, assetId, UNITS);
  const asked = { address: instruction.address, index: issued[network], node: nodes[network] };
  issued[network] += 1;
  return { checkoutId, asked };
}

const messages = (failures: readonly Error[]) => failures.map(({ message }) => message).join();

for (const fixture of FIXTURES) {
  const { name, source, network = 'BITCOIN', outputs, play, fails = false, state } = fixture;
  test(`${name} credits nothing (${source})`, async () => {
    const { checkoutId, asked } = await open(network);
    assert.equal(
      p2wpkh(keyOf(asked), versions[network === 'BITCOIN' ? 'bitcoin' : 'litecoin']).address,
      asked.address,
    );
    const { node } = asked;
    mineEmpty(node, 8);
    assert.deepEqual(await world.observe(), []);
    const credited = await world.credited();
    earned = 0n;
    const height = node.blocks.length;
    await play?.(asked);
    if (outputs !== undefined) node.mine({ outputs: outputs(asked) });
    mineEmpty(node, fails ? 0 : (fixture.blocksOnTop ?? DEPTHS[network] + 1));
    const failures = await world.observe();
    await world.settle();
    assert.equal(await world.credited(), credited + earned);
    node.answer = () => undefined;
    for (const act of undo.splice(0)) act();
    assert.equal(failures.length > 0, fails, messages(failures));
    // Nor when the node tells the truth again.
    assert.equal(messages(await world.observe()), '');
    await world.settle();
    assert.equal(await world.credited(), credited + earned);
    assert.equal((await world.read(checkoutId)).state, state ?? 'AWAITING_PAYMENT');
    assert.equal(await world.suspended(), 0n);
    // What is shown as on its way must not be final while the next one is tried.
    if (state !== undefined) {
      node.mempool.clear();
      const longer = node.blocks.length - height + 1;
      node.blocks.splice(height);
      mineEmpty(node, longer);
      await world.observe();
    }
  });
}

test('there are at least 35 of them', () => assert(FIXTURES.length >= 35, `${FIXTURES.length}`));

for (const network of ['BITCOIN', 'LITECOIN'] as const) {
  test(`an honest payment on ${network} is credited when it is deep enough`, async () => {
    const credited = await world.credited();
    const { checkoutId, asked } = await open(network);
    asked.node.mine({ outputs: sent(asked.address) });
    mineEmpty(asked.node, DEPTHS[network] - 2);
    await world.observe();
    await world.settle();
    assert.equal((await world.read(checkoutId)).state, 'PENDING');
    mineEmpty(asked.node, 1);
    assert.deepEqual(await world.observe(), []);
    await world.settle();
    assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
    assert.equal(await world.credited(), credited + UNITS);
    assert.deepEqual(await world.brokenInvariants(), []);
  });
}

/** Deep enough for anything on Bitcoin here. */
async function settleAll(node: FakeCoreNode): Promise<void> {
  mineEmpty(node, DEPTHS.BITCOIN + 1);
  assert.deepEqual(await world.observe(), []);
  await world.settle();
}

test('a payment mined under another id than it was seen with is credited once (Mt. Gox 2014)', async () => {
  const credited = await world.credited();
  const { checkoutId, asked } = await open('BITCOIN');
  const inputs = [{ txid: '77'.repeat(32), vout: 0 }];
  asked.node.addUnconfirmed({ inputs, outputs: sent(asked.address) });
  await world.observe();
  asked.node.mempool.clear();
  asked.node.mine({ inputs, outputs: [...sent(asked.address), { value: 0n }] });
  await settleAll(asked.node);
  const { state, flags } = await world.read(checkoutId);
  assert.deepEqual([state, flags], ['COMPLETED', {}]);
  assert.equal(await world.credited(), credited + UNITS);
});

test('a transaction id that comes again in a later block is credited once (BIP-30)', async () => {
  const credited = await world.credited();
  const { asked } = await open('BITCOIN');
  const inputs = [{ txid: '99'.repeat(32), vout: 0 }];
  const again = { inputs, outputs: sent(asked.address) };
  asked.node.mine(again);
  asked.node.mine(again);
  await settleAll(asked.node);
  asked.node.mine(again);
  await settleAll(asked.node);
  assert.equal(await world.credited(), credited + UNITS);
});

test('a payment that is mined again at another place is credited once (B5)', async () => {
  const credited = await world.credited();
  const { checkoutId, asked } = await open('BITCOIN');
  const inputs = [{ txid: '88'.repeat(32), vout: 0 }];
  const payment = { inputs, outputs: sent(asked.address) };
  asked.node.mine(payment);
  await world.observe();
  dropBlocks(asked.node, 1);
  asked.node.mine({ outputs: sent(STRANGER) }, payment);
  await settleAll(asked.node);
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  assert.equal(await world.credited(), credited + UNITS);
});

test('an address of ours in the spelling of another chain is the same script, and credited', async () => {
  const credited = await world.credited();
  const { asked } = await open('BITCOIN');
  const { address } = p2wpkh(keyOf(asked), versions.testnet);
  asked.node.mine({ outputs: sent(address) });
  await settleAll(asked.node);
  assert.equal(await world.credited(), credited + UNITS);
});

test('what leaves MWEB is credited when it can be spent', async () => {
  const credited = await world.credited();
  const { checkoutId, asked } = await open('LITECOIN');
  const pool = { value: '9.0', script: `5820${'cd'.repeat(32)}` };
  asked.node.mine({ outputs: [pool, ...sent(asked.address)], flag: 8 });
  mineEmpty(asked.node, 5);
  await world.observe();
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'PENDING');
  mineEmpty(asked.node, 1);
  await world.observe();
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  assert.equal(await world.credited(), credited + UNITS);
});

test('two outputs of one transaction to one address are two payments, and no more', async () => {
  const credited = await world.credited();
  const { asked } = await open('BITCOIN');
  asked.node.mine({ outputs: [...sent(asked.address), ...sent(asked.address)] });
  await settleAll(asked.node);
  assert.equal(await world.credited(), credited + 2n * UNITS);
});

test('of a payment that is dust only the dust is credited (what arrived, nothing more)', async () => {
  const credited = await world.credited();
  const { checkoutId, asked } = await open('BITCOIN');
  asked.node.mine({ outputs: sent(asked.address, { value: 1n }) });
  await settleAll(asked.node);
  assert.equal((await world.read(checkoutId)).state, 'UNDERPAID');
  assert.equal(await world.credited(), credited + 1n);
  assert.deepEqual(await world.brokenInvariants(), []);
});
