// The assets as data: what GET /assets shows, and how many decimals each has on its network. The
// same code on another network with another issuer is another asset with another id: USDC has 6
// decimals as an ERC-20 token and 7 on Stellar. Which networks carry an asset is said in network.ts
// alone.

import { assert } from '#base/assert.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from './chain.ts';
import { FIAT_MONEY, type FiatMoney } from './fiat.ts';
import { listNetworks } from './network.ts';

export const RISK_LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/**
 * What `checkouts`, `deposits` ... say is what the asset can be used for once a network is set up.
 */
export type Asset = {
  /** `<assetCode>:<assetIssuer>` */
  readonly id: string;
  readonly assetCode: string;
  /** NATIVE, FIAT, a Stellar account or an ERC-20 contract with the checksum of EIP-55. */
  readonly assetIssuer: string;
  readonly decimals: number;
  readonly name: string;
  /** Assets of one group are worth the same. */
  readonly group: string;
  readonly groupImageSrc: string;
  readonly issuerName: string;
  readonly issuerDomain: string;
  readonly issuerAddress: string;
  readonly imageSrc: string;
  readonly checkouts: boolean;
  readonly deposits: boolean;
  readonly settlement: boolean;
  readonly swaps: boolean;
  readonly transfers: boolean;
  readonly hexColor: string;
  readonly riskLevel: RiskLevel;
  readonly bridge: boolean;
  readonly networks: readonly string[];
};

export const NATIVE_ISSUER = 'NATIVE';
export const FIAT_ISSUER = 'FIAT';

type Issuer = Pick<Asset, 'issuerName' | 'issuerDomain' | 'issuerAddress'>;

function openNetwork(issuerName: string, issuerDomain: string): Issuer {
  return { issuerName, issuerDomain, issuerAddress: 'Public network without an issuer' };
}

const CIRCLE: Issuer = {
  issuerName: 'Circle',
  issuerDomain: 'circle.com',
  issuerAddress: 'One World Trade Center, New York, NY 10007, United States',
};
const TETHER: Issuer = {
  issuerName: 'Tether',
  issuerDomain: 'tether.to',
  issuerAddress: 'San Salvador, El Salvador',
};
const SKY: Issuer = {
  issuerName: 'Sky Protocol (formerly MakerDAO)',
  issuerDomain: 'sky.money',
  issuerAddress: 'Decentralised protocol without a registered office',
};

type Coin = Pick<Asset, 'name' | 'group' | 'hexColor' | 'riskLevel'> & { readonly issuer: Issuer };

const COINS: Readonly<Record<string, Coin>> = {
  BTC: {
    name: 'Bitcoin',
    group: 'BTC',
    hexColor: '#f7931a',
    riskLevel: 'LOW',
    issuer: openNetwork('Bitcoin', 'bitcoin.org'),
  },
  LTC: {
    name: 'Litecoin',
    group: 'LTC',
    hexColor: '#345d9d',
    riskLevel: 'LOW',
    issuer: openNetwork('Litecoin', 'litecoin.org'),
  },
  ETH: {
    name: 'Ether',
    group: 'ETH',
    hexColor: '#627eea',
    riskLevel: 'LOW',
    issuer: openNetwork('Ethereum', 'ethereum.org'),
  },
  XLM: {
    name: 'Lumen',
    group: 'XLM',
    hexColor: '#0f0f0f',
    riskLevel: 'LOW',
    issuer: openNetwork('Stellar', 'stellar.org'),
  },
  XRP: {
    name: 'XRP',
    group: 'XRP',
    hexColor: '#23292f',
    riskLevel: 'LOW',
    issuer: openNetwork('XRP Ledger', 'xrpl.org'),
  },
  POL: {
    name: 'POL',
    group: 'POL',
    hexColor: '#8247e5',
    riskLevel: 'LOW',
    issuer: openNetwork('Polygon', 'polygon.technology'),
  },
  USDC: { name: 'USD Coin', group: 'USD', hexColor: '#2775ca', riskLevel: 'LOW', issuer: CIRCLE },
  EURC: { name: 'Euro Coin', group: 'EUR', hexColor: '#1a4fb8', riskLevel: 'LOW', issuer: CIRCLE },
  USDT: {
    name: 'Tether USD',
    group: 'USD',
    hexColor: '#26a17b',
    riskLevel: 'MEDIUM',
    issuer: TETHER,
  },
  // Only few can redeem it for bitcoin, and only through its custodian.
  WBTC: {
    name: 'Wrapped Bitcoin',
    group: 'BTC',
    hexColor: '#5a4a7a',
    riskLevel: 'HIGH',
    issuer: {
      issuerName: 'WBTC DAO, held by BitGo',
      issuerDomain: 'wbtc.network',
      issuerAddress: 'Decentralised organisation without a registered office',
    },
  },
  DAI: { name: 'Dai', group: 'USD', hexColor: '#f5ac37', riskLevel: 'MEDIUM', issuer: SKY },
};

const DECIMALS_BY_ID: ReadonlyMap<string, number> = new Map([
  ['BTC:NATIVE', 8],
  ['LTC:NATIVE', 8],
  ['ETH:NATIVE', 18],
  ['XLM:NATIVE', 7],
  ['XRP:NATIVE', 6],
  ['POL:NATIVE', 18],
  ['USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN', 7],
  ['EURC:GDHU6WRG4IEQXM5NZ4BMPKOXHW76MZM4Y2IEMFDVXBSDP6SJY4ITNPP2', 7],
  ['USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 6],
  ['USDT:0xdAC17F958D2ee523a2206206994597C13D831ec7', 6],
  ['EURC:0x1aBaEA1f7C830bD89Acc67eC4af516284b1bC33c', 6],
  ['DAI:0x6B175474E89094C44Da98b954EedeAC495271d0F', 18],
  ['WBTC:0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 8],
  ['USDC:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 6],
  ['USDC:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 6],
  ['USDC:0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 6],
  ['USDC:0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', 6],
]);

const ASSETS: readonly Asset[] = [
  ...Array.from(DECIMALS_BY_ID, ([id, decimals]) => toAsset(id, decimals)),
  ...Object.entries(FIAT_MONEY).map(([code, money]) => toFiatAsset(code, money)),
];
const ASSETS_BY_ID = new Map(ASSETS.map((asset) => [asset.id, asset]));
/** The first one listed of each code. */
const ASSETS_BY_CODE = new Map(ASSETS.toReversed().map((asset) => [asset.assetCode, asset]));

/** Assets of anchors that are configured (announceAnchoredAsset), by id. */
const anchoredById = new Map<string, Asset>();

/**
 * An asset that an anchor issues on Stellar for what it holds on another network. Known from then
 * on in this process; announcing it again changes nothing.
 */
export function announceAnchoredAsset(id: string, network: string, domain: string): void {
  anchoredById.set(id, toAnchoredAsset(id, [network], domain));
}

/** Assets of the simulated anchor, which are promises of nobody: only test keys know them. */
const sandboxIds = new Set<string>();

/** As an anchored asset; nothing is settled in it or swapped for it that was not paid in it. */
export function announceSandboxAsset(id: string, network: string, domain: string): void {
  const asset = toAnchoredAsset(id, [network], domain);
  anchoredById.set(id, Object.freeze({ ...asset, settlement: false, swaps: false }));
  sandboxIds.add(id);
}

export function findAsset(id: string): Asset | undefined {
  return ASSETS_BY_ID.get(id) ?? anchoredById.get(id);
}

/** For ids that we stored or listed ourselves: an unknown one is our bug. */
export function getAsset(id: string): Asset {
  // We may still hold what an anchor issued after the anchor is no longer configured.
  const asset = findAsset(id) ?? (isAnchored(id) ? toAnchoredAsset(id, [], '') : undefined);
  // A text for each time that one is found would be made for nothing.
  if (asset === undefined) assert(false, `no such asset: ${id}`);
  return asset;
}

/** Those of the environment, or of all. */
export function listAssets(environment?: Environment): readonly Asset[] {
  if (anchoredById.size === 0) return ASSETS;
  const anchored = anchoredById
    .values()
    .filter(({ id }) => environment !== 'live' || !sandboxIds.has(id));
  return [...ASSETS, ...anchored];
}

/** What a bare code of the older layout means (api-contract.md 5): USDC is the one on Stellar. */
export function findAssetByCode(assetCode: string): Asset | undefined {
  return ASSETS_BY_CODE.get(assetCode);
}

/** How an asset is written where a payer reads it. Its units stay the same. */
type ShownAsset = { readonly assetCode: string; readonly decimals: number };

/** Lightning counts in satoshi (api-contract.md 8): 0.00001 BTC is shown as 1000 SAT. */
export function shownAsset(network: string, assetId: string): ShownAsset {
  if (network === 'LIGHTNING' && assetId === 'BTC:NATIVE') return { assetCode: 'SAT', decimals: 0 };
  const { assetCode, decimals } = getAsset(assetId);
  return { assetCode, decimals };
}

/** Everything on Stellar has seven digits after the point. */
const ANCHORED_DECIMALS = 7;

function isAnchored(id: string): boolean {
  const [assetCode = '', assetIssuer = ''] = id.split(':');
  return assetCode in COINS && /^G[A-Z2-7]{55}$/.test(assetIssuer);
}

function toAnchoredAsset(id: string, networks: readonly string[], domain: string): Asset {
  const asset = toAsset(id, ANCHORED_DECIMALS);
  return Object.freeze({
    ...asset,
    name: `${asset.name} (${domain || 'anchored'})`,
    issuerName: domain,
    issuerDomain: domain,
    issuerAddress: 'Not published',
    riskLevel: 'MEDIUM',
    deposits: false,
    transfers: false,
    bridge: true,
    networks: Object.freeze(networks),
  });
}

function toAsset(id: string, decimals: number): Asset {
  const [assetCode = '', assetIssuer = ''] = id.split(':');
  const coin = COINS[assetCode];
  assert(coin !== undefined, `nothing is known about ${assetCode}`);
  const { issuer, ...facts } = coin;
  const networks = listNetworks().filter((network) => network.assets.includes(id));
  return Object.freeze({
    id,
    assetCode,
    assetIssuer,
    decimals,
    ...facts,
    ...issuer,
    groupImageSrc: `/images/groups/${coin.group.toLowerCase()}.svg`,
    imageSrc: `/images/assets/${assetCode.toLowerCase()}.svg`,
    checkouts: true,
    deposits: true,
    settlement: true,
    swaps: true,
    transfers: true,
    bridge: false,
    networks: Object.freeze(networks.map((network) => network.id)),
  });
}

/**
 * Every money of a state is credited and swapped; it is paid and paid out where a bank network
 * carries it. What no network pays out is redeemed over the counter.
 */
function toFiatAsset(assetCode: string, { decimals, ...facts }: FiatMoney): Asset {
  const id = `${assetCode}:${FIAT_ISSUER}`;
  const networks = listNetworks().filter((network) => network.assets.includes(id));
  const isCarried = networks.length > 0;
  return Object.freeze({
    id,
    assetCode,
    assetIssuer: FIAT_ISSUER,
    decimals,
    group: assetCode,
    riskLevel: isCarried ? 'LOW' : 'MEDIUM',
    ...facts,
    groupImageSrc: `/images/groups/${assetCode.toLowerCase()}.svg`,
    imageSrc: `/images/assets/${assetCode.toLowerCase()}.svg`,
    checkouts: isCarried,
    deposits: isCarried,
    settlement: true,
    swaps: true,
    transfers: isCarried,
    bridge: false,
    networks: Object.freeze(networks.map((network) => network.id)),
  });
}

// Which assets an account takes: those of its tolerance and below (specification, Risk levels).
export function isWithinRisk({ riskLevel }: Pick<Asset, 'riskLevel'>, most: RiskLevel): boolean {
  return RISK_LEVELS.indexOf(riskLevel) <= RISK_LEVELS.indexOf(most);
}

/** @throws Refusal `validation_failed`: the account would hold something riskier than it takes. */
export function requireTolerated(
  field: string,
  { id, riskLevel }: Pick<Asset, 'id' | 'riskLevel'>,
  most: RiskLevel,
): void {
  if (isWithinRisk({ riskLevel }, most)) return;
  throw new Refusal('invalid', 'validation_failed', [
    `${field}: ${id} has risk level ${riskLevel}, this account takes assets ` +
      `up to ${most} (PUT /account-settings, or npx quittance merchant set --risk-tolerance)`,
  ]);
}
