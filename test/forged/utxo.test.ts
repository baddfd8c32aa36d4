// Deposits that are none, as a Bitcoin or Litecoin node could show them: nothing is credited. The same
// worlds see honest payments, which are credited, so that these tests can fail.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bech32 } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { p2pkh, p2sh, p2tr, p2wpkh } from '@scure/btc-signer/payment.js';
import { openUtxoNetworks } from '#networks/utxo/open-utxo-networks.ts';
import { BITCOIN_MAIN, LITECOIN_MAIN, LITECOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';
import {
  type FakeBlock,
  type FakeCoreNode,
  type FakeJson,
  type FakeOutput,
  fakeBlock,
  fakeTransaction,
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
  regtest: { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0 },
  litecoin: { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, wif: 0 },
  litecoinOld: { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x05, wif: 0 },
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

function paid(address: string): FakeJson {
  return fakeTransaction({ outputs: [{ value: VALUE, address }] });
}

/** Its last transaction pays us, says the node, and is otherwise what was mined. */
function withLast({ tx }: FakeBlock, change: (last: FakeJson) => FakeJson): { tx: FakeJson[] } {
  return { tx: tx.map((one, at) => (at === tx.length - 1 ? change(one) : one)) };
}

/** In a block whose Merkle root and hash fit: the node has to be told apart by what it says. */
function brokenOutput(change: (vout: FakeJson[]) => FakeJson[]): Fixture['play'] {
  return ({ node, address }) => {
    const before = node.blocks.length;
    const bad = paid(address);
    const block = fakeBlock(before + 1, node.blocks.at(-1)?.hash ?? '', []);
    const vout = change(bad.vout as FakeJson[]);
    const told = sealBlock({ ...block, tx: [...block.tx, { ...bad, vout }] });
    tellOnly(node, told);
  };
}

/** The node claims one more block, until it is honest again. */
function tellOnly(node: FakeCoreNode, told: FakeBlock): void {
  const honest = [...node.blocks];
  node.blocks.push(told);
  undo.push(() => void node.blocks.splice(0, node.blocks.length, ...honest));
}

const undo: (() => void)[] = [];
const incident = 'reliability-security A';
const bip = (number: number, rule: string) => `BIP-${number}: ${rule}`;

const SCRIPTS: readonly Fixture[] = [
  ...[
    ['a bare multisig of which one key is ours', 'multisig', 'Core 0.21 shows one address for it'],
    ['a bare public key', 'pubkey', 'Core 0.21 shows the address of another script'],
    ['an OP_RETURN that names our address', 'nulldata', 'data carrier: nobody can spend it'],
    ['a script that is nothing known', 'nonstandard', 'policy.cpp: TxoutType::NONSTANDARD'],
    ['an unknown witness version', 'witness_unknown', bip(141, 'anyone can spend it')],
    ['an anchor output', 'anchor', 'Core 28: pay to anchor, anyone can spend it'],
    ['a peg-in script', 'witness_mweb_pegin', 'LIP-3: goes into MWEB'],
    ['the pool of the HogEx', 'witness_mweb_hogaddr', 'LIP-2: what miners carry on'],
  ].map(
    ([name, type, source]): Fixture => ({
      name: String(name),
      source: String(source),
      ...(String(type).includes('mweb') ? { network: 'LITECOIN' as const } : {}),
      outputs: ({ address }) => sent(address, { type: String(type) }),
    }),
  ),
  {
    name: 'an output of nothing',
    source: `${incident}21: zero-value transfers`,
    outputs: ({ address }) => sent(address, { value: '0.00000000' }),
  },
  {
    name: 'an output with two addresses, one of them ours',
    source: 'Core 0.21: `addresses` of a bare multisig',
    outputs: ({ address }) => [
      { value: VALUE, type: 'scripthash', script: { addresses: [address, STRANGER] } },
    ],
  },
  {
    name: 'an address that is no text',
    source: 'fail closed on a damaged answer',
    outputs: ({ address }) => [
      { value: VALUE, type: 'witness_v0_keyhash', script: { address: { [address]: 1 } } },
    ],
  },
  ...(
    [
      ['testnet', 'tb1', bip(173, 'the prefix names the chain')],
      ['regtest', 'bcrt1', bip(173, 'the prefix names the chain')],
      ['litecoin', 'ltc1', 'SLIP-173: the prefix names the chain'],
    ] as const
  ).map(
    ([chain, prefix, source]): Fixture => ({
      name: `our key at its ${prefix} address`,
      source,
      outputs: (asked) => sent(p2wpkh(keyOf(asked), versions[chain]).address),
    }),
  ),
  {
    name: 'our key at its bc1 address, on Litecoin',
    source: 'SLIP-173: the prefix names the chain',
    network: 'LITECOIN',
    outputs: (asked) => sent(p2wpkh(keyOf(asked), versions.bitcoin).address),
  },
  {
    name: 'our key at its legacy address',
    source: bip(84, 'the wallet looks for native segwit'),
    outputs: (asked) => sent(p2pkh(keyOf(asked), versions.bitcoin).address, { type: 'pubkeyhash' }),
  },
  ...(['bitcoin', 'litecoin', 'litecoinOld'] as const).map(
    (chain): Fixture => ({
      name: `our key at its nested address as ${chain} writes it`,
      source: 'a 3... address stands on Bitcoin and on Litecoin, for one script',
      network: chain === 'bitcoin' ? 'BITCOIN' : 'LITECOIN',
      outputs: (asked) => {
        const nested = p2sh(p2wpkh(keyOf(asked), versions[chain]), versions[chain]);
        return sent(nested.address, { type: 'scripthash' });
      },
    }),
  ),
  {
    name: 'our key at its taproot address',
    source: bip(86, 'another account, which the configured key is not'),
    outputs: (asked) => {
      const { address } = p2tr(keyOf(asked).subarray(1), undefined, versions.bitcoin);
      return sent(address, { type: 'witness_v1_taproot' });
    },
  },
  {
    name: 'our address with another last character',
    source: bip(173, 'the checksum'),
    fails: true,
    play: ({ node, address }) => {
      const changed = `${address.slice(0, -1)}${address.endsWith('q') ? 'p' : 'q'}`;
      const outputs = sent(changed);
      tellOnly(
        node,
        fakeBlock(node.blocks.length + 1, String(node.blocks.at(-1)?.hash), [{ outputs }]),
      );
    },
  },
  {
    name: 'an address that begins like ours',
    source: `${incident}4: address poisoning`,
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
    source: `${incident}1: nothing is credited unconfirmed`,
    state: 'PENDING',
    play: ({ node, address }) => void node.addUnconfirmed({ outputs: sent(address) }),
  },
  {
    name: 'a payment that is one block short',
    source: 'payments.md: final by depth',
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
    source: 'reliability-security B1: reorganisations',
    play: async ({ node, address }) => {
      node.mine({ outputs: sent(address) });
      await world.observe();
      dropBlocks(node, 1);
      mineEmpty(node, 2);
    },
  },
  {
    name: 'a payment whose inputs the other branch spends',
    source: 'reliability-security B1: a double spend by reorganisation (Litecoin, April 2026)',
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
    name: 'the reward of a miner',
    source: 'COINBASE_MATURITY: 100 blocks',
    play: ({ node, address }) => {
      const block = fakeBlock(node.blocks.length + 1, String(node.blocks.at(-1)?.hash), []);
      const coinbase = { inputs: [{ coinbase: '51' }], outputs: sent(address) };
      node.blocks.push(sealBlock({ ...block, tx: [fakeTransaction(coinbase)] }));
    },
  },
  {
    name: 'a second coinbase in a block',
    source: 'consensus: only the first transaction is one',
    play: ({ node, address }) =>
      void node.mine({ inputs: [{ coinbase: '00' }], outputs: sent(address) }),
  },
  {
    name: 'an output inside MWEB',
    source: 'LIP-3: confidential amounts; the visible chain does not hold it',
    network: 'LITECOIN',
    play: ({ node, address }) => {
      const block = fakeBlock(node.blocks.length + 1, String(node.blocks.at(-1)?.hash), []);
      const hidden = paid(address);
      const vout = (hidden.vout as FakeJson[]).map((output) => ({ ...output, ismweb: true }));
      node.blocks.push(sealBlock({ ...block, tx: [...block.tx, { ...hidden, vout }] }));
    },
  },
  {
    name: 'an unconfirmed transaction under the id of another',
    source: 'the id is compared',
    play: ({ node, address }) => void node.mempool.set('12'.repeat(32), paid(address)),
  },
  {
    name: 'a payment on a slow chain, as deep as usual',
    source: 'reliability-security B2: hash power that leaves builds another branch',
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
      ['below zero', '-0.10000000', 'CVE-2010-5139: outputs that overflow'],
      ['of nine decimals', '0.100000001', 'a satoshi is the smallest part'],
      ['of a tenth of a satoshi', '1e-9', 'a satoshi is the smallest part'],
      ['above 21 million', '21000000.00000001', 'MAX_MONEY; CVE-2010-5139: 184 billion bitcoins'],
      ['of 2^63 satoshis', '92233720368.54775808', 'CVE-2010-5139'],
      ['of 1e30', '1e30', 'MAX_MONEY'],
      ['that is null', 'null', 'fail closed on a damaged answer'],
      ['that is a list', '[0.1]', 'fail closed on a damaged answer'],
      ['that is true', 'true', 'fail closed on a damaged answer'],
    ] as const
  ).map(
    ([name, value, source]): Fixture => ({
      name: `an amount ${name}`,
      source,
      fails: true,
      play: ({ node, address }) => {
        const block = fakeBlock(node.blocks.length + 1, String(node.blocks.at(-1)?.hash), [
          { outputs: [...sent(address), ...sent(address, { value })] },
        ]);
        tellOnly(node, block);
      },
    }),
  ),
  {
    name: 'an output number twice',
    source: 'the credit key is txid and output',
    fails: true,
    play: brokenOutput((vout) => [...vout, ...vout]),
  },
  {
    name: 'an output number below zero',
    source: 'the credit key is txid and output',
    fails: true,
    play: brokenOutput(([output]) => [{ ...output, n: -1 }]),
  },
  {
    name: 'an output without number',
    source: 'getblock verbosity 2: n',
    fails: true,
    play: brokenOutput(([output]) => [{ ...output, n: undefined }]),
  },
  {
    name: 'an output without script',
    source: 'getblock verbosity 2: scriptPubKey',
    fails: true,
    play: brokenOutput(([output]) => [{ ...output, scriptPubKey: undefined }]),
  },
  {
    name: 'an output without amount',
    source: 'getblock verbosity 2: value',
    fails: true,
    play: brokenOutput(([output]) => [{ ...output, value: undefined }]),
  },
  {
    name: 'a payment added to a block',
    source: 'the header commits to the transactions',
    fails: true,
    play: lieOfBlock((block, { address }) => ({ ...block, tx: [...block.tx, paid(address)] })),
  },
  {
    name: 'a payment in the place of another',
    source: 'the header commits to the transactions',
    fails: true,
    play: lieOfBlock((block, { address }) => ({
      ...block,
      ...withLast(block, () => paid(address)),
    })),
  },
  {
    name: 'a payment added, with a Merkle root that fits and the old hash',
    source: 'the hash is that of the header',
    fails: true,
    play: lieOfBlock((block, { address }) => {
      const { hash } = block;
      return { ...sealBlock({ ...block, tx: [...block.tx, paid(address)] }), hash };
    }),
  },
  {
    name: 'a payment twice in a block, with the same Merkle root',
    source: 'CVE-2012-2459',
    fails: true,
    play: ({ node, address }) => {
      const parent = String(node.blocks.at(-1)?.hash);
      const block = fakeBlock(node.blocks.length + 1, parent, [
        { outputs: sent(address) },
        { outputs: sent(STRANGER) },
      ]);
      tellOnly(node, {
        ...block,
        tx: [...block.tx, block.tx[2] as FakeJson, block.tx[2] as FakeJson],
      });
    },
  },
  ...(
    [
      ['another amount', { value: '0.20000000' }],
      ['another address', {}],
    ] as const
  ).map(
    ([name, change]): Fixture => ({
      name: `an output that shows ${name} than its transaction id commits to`,
      source: 'the id is the hash of the transaction',
      fails: true,
      play: lieOfBlock((block, { address }) => {
        const [shown] = fakeTransaction({ outputs: sent(address, change) }).vout as FakeJson[];
        return { ...block, ...withLast(block, (one) => ({ ...one, vout: [shown] })) };
      }),
    }),
  ),
  {
    name: 'an output of ours without the raw transaction',
    source: 'getblock verbosity 2: hex',
    fails: true,
    play: lieOfBlock((block, { address }) => ({
      ...block,
      ...withLast(block, ({ hex: _, ...one }) => ({ ...one, vout: paid(address).vout })),
    })),
  },
  {
    name: 'only a header',
    source: 'getblock verbosity 2: tx',
    fails: true,
    play: lieOfBlock(({ tx: _, ...header }) => header),
  },
  {
    name: 'a block of transaction ids',
    source: 'getblock verbosity 1, from a proxy that ignores the parameter',
    fails: true,
    play: lieOfBlock((block) => ({ ...block, tx: block.tx.map(({ txid }) => txid) })),
  },
  {
    name: 'a block without transactions',
    source: 'consensus: a block has a coinbase',
    fails: true,
    play: lieOfBlock((block) => ({ ...block, tx: [] })),
  },
  {
    name: 'a whole block of another hash',
    source: 'the hash is compared',
    fails: true,
    play: lieOfBlock((block, { address }) =>
      fakeBlock(block.height, String(block.previousblockhash), [{ outputs: sent(address) }]),
    ),
  },
  {
    name: 'a block of another height',
    source: 'the height is compared',
    fails: true,
    play: lieOfBlock((block) => ({ ...block, height: block.height - 1 })),
  },
  {
    name: 'a block with another parent',
    source: 'contiguous by parent hash',
    fails: true,
    play: lieOfBlock((block) => ({ ...block, previousblockhash: 'cd'.repeat(32) })),
  },
  {
    name: 'a block whose time does not fit into its header',
    source: 'the header has 32 bits for it',
    fails: true,
    play: lieOfBlock((block) => ({ ...block, time: Number(block.time) + 2 ** 32 })),
  },
  {
    name: 'inputs that are no list',
    source: 'getblock verbosity 2: vin',
    fails: true,
    play: lieOfBlock((block) => ({ ...block, ...withLast(block, (one) => ({ ...one, vin: {} })) })),
  },
  {
    name: 'twenty thousand inputs, the last of them nonsense',
    source: 'a list is read to its end',
    fails: true,
    play: lieOfBlock((block) => ({
      ...block,
      ...withLast(block, (one) => ({
        ...one,
        vin: [...Array.from({ length: 20_000 }, () => ({ txid: 'ee'.repeat(32), vout: 0 })), 7],
      })),
    })),
  },
  {
    name: 'no answer where a block was',
    source: 'fail closed on a damaged answer',
    fails: true,
    play: lieOfBlock(() => 'gone'),
  },
  ...(
    [
      ['another genesis block', `${incident}18: a node of another chain`, 'genesis'],
      ['another name of the chain', `${incident}18: a node on testnet`, { chain: 'test' }],
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
    await play?.(asked);
    if (outputs !== undefined) node.mine({ outputs: outputs(asked) });
    mineEmpty(node, fails ? 0 : (fixture.blocksOnTop ?? DEPTHS[network] + 1));
    const failures = await world.observe();
    await world.settle();
    assert.equal(await world.credited(), credited);
    node.answer = () => undefined;
    for (const act of undo.splice(0)) act();
    assert.equal(failures.length > 0, fails, messages(failures));
    // Nor when the node tells the truth again.
    assert.equal(messages(await world.observe()), '');
    await world.settle();
    assert.equal(await world.credited(), credited);
    assert.equal((await world.read(checkoutId)).state, state ?? 'AWAITING_PAYMENT');
    assert.equal(await world.suspended(), 0n);
    // What is shown as on its way must not be final while the next one is tried.
    if (state !== undefined) {
      node.mempool.clear();
      dropBlocks(node, fixture.blocksOnTop === undefined ? 0 : 2);
      mineEmpty(node, 8);
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
  asked.node.mine({ inputs, outputs: [...sent(asked.address), { value: '0.0' }] });
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

test('a payment that is mined again at another place is credited once (reliability-security B5)', async () => {
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
  asked.node.mine({ outputs: sent(asked.address, { value: '1e-8' }) });
  await settleAll(asked.node);
  assert.equal((await world.read(checkoutId)).state, 'UNDERPAID');
  assert.equal(await world.credited(), credited + 1n);
  assert.deepEqual(await world.brokenInvariants(), []);
});
