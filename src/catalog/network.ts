// The networks as data: what GET /networks shows, and the facts the adapters and the settlement of
// payments rest on. Guarantees: ids never change their meaning, and no row knows what is
// configured: whether a network can be used now is for the caller to find out.
import { assert } from '#base/assert.ts';
import { compare, type Decimal, parseDecimal } from '#money/decimal.ts';
import { type ChainId, chainOf, ENVIRONMENTS, environmentOf, networkOf } from './chain.ts';

/** What the networks of a family have in common, as far as others than its adapter must know. */
type FamilyTraits = {
  /** What tells us whose a payment is. */
  readonly knownBy: 'address' | 'memo' | 'tag' | 'invoice' | 'reference';
  /** What somebody has to type who names an account; an address of the network when absent. */
  readonly accountWords?: string;
  /** An address of ours is the same on every network of the family. */
  readonly sharesAddresses?: boolean;
  /** Mean minutes until a payment is final, where blocks do not say it. */
  readonly minutesToFinal?: number;
  /** Payments of ours that one transaction carries by itself at most; one when absent. */
  readonly paymentsMost?: number;
};

const FAMILIES = {
  // Some 2,000 virtual bytes, of the 100,000 that nodes relay: what fails together stays small.
  utxo: { knownBy: 'address', paymentsMost: 50 },
  evm: {
    knownBy: 'address',
    accountWords: 'an address with the capital letters of its checksum (EIP-55)',
    sharesAddresses: true,
    // Ethereum and its kin are final two epochs after a block, however fast the blocks are.
    minutesToFinal: 15,
  },
  stellar: {
    knownBy: 'memo',
    accountWords: 'an account of Stellar (G...) with a right checksum',
  },
  xrpl: {
    knownBy: 'tag',
    accountWords: 'an account of the XRP Ledger (r...) with a right checksum',
  },
  lightning: { knownBy: 'invoice' },
  bank: { knownBy: 'reference' },
} as const satisfies Record<string, FamilyTraits>;

export type NetworkFamily = keyof typeof FAMILIES;

/**
 * Confirmations for payments worth less than 1,000 USD, less than 50,000 USD, and anything above. 1
 * is the block itself. An adapter that reports final blocks only (EVM, Stellar, XRP Ledger) has 1,
 * and 0 means that what is reported is settled already (Lightning, bank statements).
 */
export type ConfirmationTiers = readonly [small: number, medium: number, large: number];

export type NetworkInfo = {
  readonly id: string;
  readonly name: string;
  readonly type: 'BLOCKCHAIN' | 'BANK';
  readonly family: NetworkFamily;
  readonly knownBy: FamilyTraits['knownBy'];
  readonly accountWords: string;
  readonly sharesAddresses: boolean;
  readonly minutesToFinal: number | undefined;
  readonly paymentsMost: number;
  /** `blockchain` of payment methods and deposit instructions: a name in plain text. */
  readonly blockchain: string;
  readonly imageSrc: string;
  readonly hexColor: string;
  /** Payments can come from it once it is configured; a bank needs a statement import for that. */
  readonly deposits: boolean;
  readonly transfers: boolean;
  readonly bridged: boolean;
  /** The default asset first. */
  readonly assets: readonly string[];
  readonly defaultAssetId: string;
  /**
   * Every payment is asked for by an invoice that a node makes: its payment hash is destination,
   * credit key, and all that the payer knows the payment by.
   */
  readonly hasInvoices: boolean;
  /** Mean time between blocks, to estimate waiting; 0 where there are none. */
  readonly targetBlockSeconds: number;
  /** On the simulated network; undefined where a payment is a block of its own, at once. */
  readonly simulatedBlockSeconds: number | undefined;
  /** Scheme of the payment URI without its colon; undefined where there is no such custom. */
  readonly uriScheme: string | undefined;
  /** EIP-155 number of the live chain. */
  readonly evmChainId: bigint | undefined;
  /** Of the foundation behind the live chain, for the wallet of a payer; we never ask it. */
  readonly publicRpcUrl: string | undefined;
  /** Less than that is not relayed: an output of it is dust. */
  readonly leastUnits: bigint | undefined;
  /** More smallest units than that do not exist, or do not fit a transaction of the network. */
  readonly mostUnits: bigint | undefined;
  readonly confirmations: { readonly live: ConfirmationTiers; readonly test: ConfirmationTiers };
};

const MEDIUM_FROM_USD = parseDecimal('1000');
const LARGE_FROM_USD = parseDecimal('50000');

type Row = Pick<NetworkInfo, 'id' | 'name' | 'family' | 'hexColor' | 'assets'> &
  Partial<
    Pick<
      NetworkInfo,
      | 'blockchain'
      | 'targetBlockSeconds'
      | 'simulatedBlockSeconds'
      | 'uriScheme'
      | 'evmChainId'
      | 'publicRpcUrl'
      | 'mostUnits'
      | 'leastUnits'
    >
  > & {
    readonly live: ConfirmationTiers;
    readonly test: ConfirmationTiers;
  };

const always = (confirmations: number): ConfirmationTiers => [
  confirmations,
  confirmations,
  confirmations,
];

/** EVM adapters count finalized blocks only (money.md), the sandbox counts its own. */
const FINALIZED = { live: always(1), test: always(2) } as const;
const INSTANT = { live: always(0), test: always(0) } as const;

const BITCOINS = 21_000_000n * 10n ** 8n;

const ROWS: readonly Row[] = [
  {
    id: 'BITCOIN',
    name: 'Bitcoin',
    family: 'utxo',
    hexColor: '#f7931a',
    // What Bitcoin Core calls dust of a P2WPKH output: 98 bytes at 3,000 satoshi for 1,000.
    leastUnits: 294n,
    mostUnits: BITCOINS,
    assets: ['BTC:NATIVE'],
    targetBlockSeconds: 600,
    uriScheme: 'bitcoin',
    live: [1, 3, 6],
    test: always(2),
    simulatedBlockSeconds: 6,
  },
  {
    id: 'LITECOIN',
    name: 'Litecoin',
    family: 'utxo',
    hexColor: '#345d9d',
    // Litecoin Core asks for ten times as much.
    leastUnits: 2_940n,
    mostUnits: 84_000_000n * 10n ** 8n,
    assets: ['LTC:NATIVE'],
    targetBlockSeconds: 150,
    uriScheme: 'litecoin',
    live: [12, 24, 48],
    test: always(3),
    simulatedBlockSeconds: 4,
  },
  {
    id: 'ETHEREUM',
    name: 'Ethereum',
    family: 'evm',
    hexColor: '#627eea',
    assets: [
      'ETH:NATIVE',
      'USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      'USDT:0xdAC17F958D2ee523a2206206994597C13D831ec7',
      'EURC:0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c',
      'DAI:0x6B175474E89094C44Da98b954EedeAC495271d0F',
      'WBTC:0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
    ],
    targetBlockSeconds: 12,
    uriScheme: 'ethereum',
    evmChainId: 1n,
    ...FINALIZED,
    simulatedBlockSeconds: 3,
  },
  {
    id: 'STELLAR',
    name: 'Stellar',
    family: 'stellar',
    hexColor: '#0f0f0f',
    mostUnits: 2n ** 63n - 1n,
    assets: [
      'XLM:NATIVE',
      'USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
      'EURC:GDHU6WRG4IEQXM5NZ4BMPKOXHW76MZM4Y2IEMFDVXBSDP6SJY4ITNPP2',
    ],
    targetBlockSeconds: 6,
    uriScheme: 'web+stellar',
    live: always(1),
    test: always(1),
    simulatedBlockSeconds: 2,
  },
  {
    id: 'LIGHTNING',
    name: 'Lightning',
    family: 'lightning',
    blockchain: 'Bitcoin Lightning',
    hexColor: '#792ee5',
    mostUnits: BITCOINS,
    assets: ['BTC:NATIVE'],
    uriScheme: 'lightning',
    ...INSTANT,
  },
  {
    id: 'XRP_LEDGER',
    name: 'XRP Ledger',
    family: 'xrpl',
    hexColor: '#23292f',
    mostUnits: 10n ** 17n,
    assets: ['XRP:NATIVE'],
    targetBlockSeconds: 4,
    uriScheme: 'ripple',
    live: always(1),
    test: always(1),
    simulatedBlockSeconds: 2,
  },
  {
    id: 'BASE',
    name: 'Base',
    family: 'evm',
    hexColor: '#0052ff',
    assets: ['ETH:NATIVE', 'USDC:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
    targetBlockSeconds: 2,
    uriScheme: 'ethereum',
    evmChainId: 8453n,
    publicRpcUrl: 'https://mainnet.base.org',
    ...FINALIZED,
    simulatedBlockSeconds: 2,
  },
  {
    id: 'POLYGON',
    name: 'Polygon',
    family: 'evm',
    hexColor: '#8247e5',
    assets: ['POL:NATIVE', 'USDC:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'],
    targetBlockSeconds: 2,
    uriScheme: 'ethereum',
    evmChainId: 137n,
    publicRpcUrl: 'https://polygon-rpc.com',
    ...FINALIZED,
    simulatedBlockSeconds: 2,
  },
  {
    id: 'ARBITRUM',
    name: 'Arbitrum One',
    family: 'evm',
    hexColor: '#213147',
    assets: ['ETH:NATIVE', 'USDC:0xaf88d065e77c8cC2239327C5EDb3A432268e5831'],
    targetBlockSeconds: 1,
    uriScheme: 'ethereum',
    evmChainId: 42161n,
    publicRpcUrl: 'https://arb1.arbitrum.io/rpc',
    ...FINALIZED,
    simulatedBlockSeconds: 2,
  },
  {
    id: 'OPTIMISM',
    name: 'OP Mainnet',
    family: 'evm',
    hexColor: '#ff0420',
    assets: ['ETH:NATIVE', 'USDC:0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'],
    targetBlockSeconds: 2,
    uriScheme: 'ethereum',
    evmChainId: 10n,
    publicRpcUrl: 'https://mainnet.optimism.io',
    ...FINALIZED,
    simulatedBlockSeconds: 2,
  },
  {
    id: 'SEPA',
    name: 'SEPA',
    family: 'bank',
    hexColor: '#10298e',
    mostUnits: 99_999_999_999n,
    assets: ['EUR:FIAT'],
    ...INSTANT,
  },
  {
    id: 'SWIFT',
    name: 'SWIFT',
    family: 'bank',
    hexColor: '#00566b',
    mostUnits: 10n ** 15n,
    assets: ['USD:FIAT', 'EUR:FIAT', 'GBP:FIAT', 'CHF:FIAT'],
    ...INSTANT,
  },
  {
    id: 'PIX',
    name: 'Pix',
    family: 'bank',
    hexColor: '#1f7a72',
    mostUnits: 999_999_999_999n,
    assets: ['BRL:FIAT'],
    ...INSTANT,
  },
];

const NETWORKS: readonly NetworkInfo[] = ROWS.map(toNetwork);
const NETWORKS_BY_ID = new Map(NETWORKS.map((network) => [network.id, network]));

export function findNetwork(id: string): NetworkInfo | undefined {
  return NETWORKS_BY_ID.get(id);
}

/** For ids that we stored or listed ourselves: an unknown one is our bug. */
export function getNetwork(id: string): NetworkInfo {
  const network = findNetwork(id);
  if (network === undefined) assert(false, `no such network: ${id}`);
  return network;
}

export function listNetworks(): readonly NetworkInfo[] {
  return NETWORKS;
}

/** Chains whose payments are asked for by invoices. */
export function listInvoiceChains(): ChainId[] {
  return NETWORKS.filter(({ hasInvoices }) => hasInvoices).flatMap(({ id }) =>
    ENVIRONMENTS.map((environment) => chainOf(environment, id)),
  );
}

/**
 * How many confirmations make a payment final (money.md, What a payment means). Without a value
 * in US dollars (no price) it is the highest tier. `overrides` replace the tiers of a chain:
 * whoever makes them decides whether they may be lower than the default (only where a block costs
 * nothing: regtest).
 */
export function confirmationsRequired(
  chain: ChainId,
  usdValue: Decimal | undefined,
  overrides?: ReadonlyMap<ChainId, ConfirmationTiers>,
): number {
  const [small, medium, large] = overrides?.get(chain) ?? defaultConfirmations(chain);
  if (usdValue === undefined || compare(usdValue, LARGE_FROM_USD) >= 0) return large;
  return compare(usdValue, MEDIUM_FROM_USD) >= 0 ? medium : small;
}

/** More than anybody waits for. */
export const CONFIRMATIONS_MOST = 1_000;

/** Where a block can be replaced by others (proof of work). */
export function listDeepNetworks(): NetworkInfo[] {
  return listNetworks().filter(({ confirmations: { live } }) => live[2] > live[0]);
}

/** The tiers without overrides, so that a configuration can be held against them. */
export function defaultConfirmations(chain: ChainId): ConfirmationTiers {
  return getNetwork(networkOf(chain)).confirmations[environmentOf(chain)];
}

function toNetwork({ live, test, ...row }: Row): NetworkInfo {
  const defaultAssetId = row.assets[0];
  assert(defaultAssetId !== undefined, `${row.id} has no asset`);
  const traits: FamilyTraits = FAMILIES[row.family];
  const { knownBy, sharesAddresses = false, minutesToFinal, paymentsMost = 1 } = traits;
  const blockchain = row.blockchain ?? row.name;
  return Object.freeze({
    ...row,
    knownBy,
    accountWords: traits.accountWords ?? `an address of ${blockchain} with a right checksum`,
    sharesAddresses,
    minutesToFinal,
    paymentsMost,
    type: knownBy === 'reference' ? 'BANK' : 'BLOCKCHAIN',
    blockchain,
    imageSrc: `/images/networks/${row.id.toLowerCase().replaceAll('_', '-')}.svg`,
    deposits: true,
    transfers: true,
    bridged: false,
    hasInvoices: knownBy === 'invoice',
    defaultAssetId,
    leastUnits: row.leastUnits,
    mostUnits: row.mostUnits,
    targetBlockSeconds: row.targetBlockSeconds ?? 0,
    simulatedBlockSeconds: row.simulatedBlockSeconds,
    uriScheme: row.uriScheme,
    evmChainId: row.evmChainId,
    publicRpcUrl: row.publicRpcUrl,
    confirmations: Object.freeze({ live, test }),
  });
}

export function networkIds(): string[] {
  return listNetworks().map(({ id }) => id);
}
