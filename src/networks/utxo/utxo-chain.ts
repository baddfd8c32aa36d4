// What tells one Bitcoin-like chain from another, as data. A wrong value here sends money into the
// void, so each is compared with a real node or published vectors (derive-address.test.ts,
// test/nodes/utxo-adapter.test.ts); `genesisHash` is compared with the node before every step.
//
// Sources: chainparams.cpp of Bitcoin Core and Litecoin Core 0.21.2; SLIP-132 for zpub, vpub, Ltub.

export type UtxoChain = {
  readonly name: string;
  /** What getblockchaininfo calls it. */
  readonly nodeChain: 'main' | 'test' | 'testnet4' | 'signet' | 'regtest';
  /** Asset paid on the chain itself. */
  readonly assetId: string;
  readonly decimals: number;
  /** MAX_MONEY of the consensus rules, in units: an output above it is a lie. */
  readonly mostUnits: bigint;
  readonly genesisHash: string;
  /** Scheme of payment URIs (BIP-321). */
  readonly uriScheme: string;
  /** Human-readable part of witness addresses (BIP-173). */
  readonly bech32Prefix: string;
  readonly publicKeyHashVersion: number;
  /** The first is the one shown; the others are older spellings of the same script. */
  readonly scriptHashVersions: readonly [number, ...number[]];
  /** Version bytes (BIP-32) the node reads and writes. */
  readonly extendedPublicVersion: number;
  /** Other version bytes accepted for native segwit accounts: zpub, vpub, Ltub, ttub. */
  readonly extendedPublicAliases: readonly number[];
  /** Registered coin type (SLIP-44), the second level of a BIP-84 path. */
  readonly coinType: number;
  /** The node knows tr(...) descriptors (Bitcoin Core 22); Litecoin Core 0.21 does not. */
  readonly hasTaproot: boolean;
  /** False for a chain that is only as young as its last hand-made block. */
  readonly followsPeers: boolean;
};

const XPUB = 0x0488b21e;
const ZPUB = 0x04b24746;
const TPUB = 0x043587cf;
const VPUB = 0x045f1cf6;
const LITECOIN_LTUB = 0x019da462;
const LITECOIN_TTUB = 0x0436f6e1;

const ANY_BITCOIN = {
  assetId: 'BTC:NATIVE',
  decimals: 8,
  mostUnits: 21_000_000n * 10n ** 8n,
  uriScheme: 'bitcoin',
  hasTaproot: true,
} as const;
const ANY_LITECOIN = {
  assetId: 'LTC:NATIVE',
  decimals: 8,
  mostUnits: 84_000_000n * 10n ** 8n,
  uriScheme: 'litecoin',
  hasTaproot: false,
} as const;

const TEST_BITCOIN = {
  ...ANY_BITCOIN,
  bech32Prefix: 'tb',
  publicKeyHashVersion: 0x6f,
  scriptHashVersions: [0xc4],
  extendedPublicVersion: TPUB,
  extendedPublicAliases: [VPUB],
  coinType: 1,
  followsPeers: true,
} as const;

const TEST_LITECOIN = {
  ...ANY_LITECOIN,
  publicKeyHashVersion: 0x6f,
  scriptHashVersions: [0x3a, 0xc4],
  extendedPublicVersion: TPUB,
  extendedPublicAliases: [VPUB, LITECOIN_TTUB],
  coinType: 1,
} as const;

export const BITCOIN_MAIN: UtxoChain = {
  ...ANY_BITCOIN,
  name: 'Bitcoin',
  nodeChain: 'main',
  genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  bech32Prefix: 'bc',
  publicKeyHashVersion: 0x00,
  scriptHashVersions: [0x05],
  extendedPublicVersion: XPUB,
  extendedPublicAliases: [ZPUB],
  coinType: 0,
  followsPeers: true,
};

export const BITCOIN_TEST: UtxoChain = {
  ...TEST_BITCOIN,
  name: 'Bitcoin testnet',
  nodeChain: 'test',
  genesisHash: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
};

/** BIP-94. */
const BITCOIN_TESTNET4: UtxoChain = {
  ...TEST_BITCOIN,
  name: 'Bitcoin testnet4',
  nodeChain: 'testnet4',
  genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
};

export const BITCOIN_SIGNET: UtxoChain = {
  ...TEST_BITCOIN,
  name: 'Bitcoin signet',
  nodeChain: 'signet',
  genesisHash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
};

export const BITCOIN_REGTEST: UtxoChain = {
  ...TEST_BITCOIN,
  name: 'Bitcoin regtest',
  nodeChain: 'regtest',
  genesisHash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
  bech32Prefix: 'bcrt',
  followsPeers: false,
};

export const LITECOIN_MAIN: UtxoChain = {
  ...ANY_LITECOIN,
  name: 'Litecoin',
  nodeChain: 'main',
  genesisHash: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
  bech32Prefix: 'ltc',
  publicKeyHashVersion: 0x30,
  scriptHashVersions: [0x32, 0x05],
  extendedPublicVersion: XPUB,
  extendedPublicAliases: [ZPUB, LITECOIN_LTUB],
  coinType: 2,
  followsPeers: true,
};

export const LITECOIN_TEST: UtxoChain = {
  ...TEST_LITECOIN,
  name: 'Litecoin testnet',
  nodeChain: 'test',
  genesisHash: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
  bech32Prefix: 'tltc',
  followsPeers: true,
};

export const LITECOIN_REGTEST: UtxoChain = {
  ...TEST_LITECOIN,
  name: 'Litecoin regtest',
  nodeChain: 'regtest',
  genesisHash: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
  bech32Prefix: 'rltc',
  followsPeers: false,
};

export const UTXO_CHAINS: readonly UtxoChain[] = [
  BITCOIN_MAIN,
  BITCOIN_TEST,
  BITCOIN_TESTNET4,
  BITCOIN_SIGNET,
  BITCOIN_REGTEST,
  LITECOIN_MAIN,
  LITECOIN_TEST,
  LITECOIN_REGTEST,
];

// What the operator of a node should change so that less goes wrong.

/** As getnetworkinfo gives it: 210201 is 0.21.2.1, 270100 is 27.1. */
type OldestVersion = { readonly version: number; readonly name: string; readonly reason: string };

const OLDEST_VERSIONS: Readonly<Record<string, OldestVersion>> = {
  'BTC:NATIVE': {
    version: 250000,
    name: 'Bitcoin Core 25',
    reason: 'peers can stop an older one (CVE-2024-35202)',
  },
  'LTC:NATIVE': {
    version: 210200,
    name: 'Litecoin Core 0.21.2',
    reason: 'an older one does not know the rules of MWEB',
  },
};

/** `version`: undefined before the node was asked. */
export function nodeAdvice(assetId: string, version: number | undefined): string[] {
  const oldest = OLDEST_VERSIONS[assetId];
  if (oldest === undefined || version === undefined || version >= oldest.version) return [];
  return [`update the node to ${oldest.name} or newer: ${oldest.reason}`];
}
