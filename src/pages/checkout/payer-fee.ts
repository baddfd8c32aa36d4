// What the network of a way to pay takes from whoever pays, in the currency of the bill: for people
// who choose, never for a decision. What our own nodes said last counts; where none was asked, a
// plain payment of the day this was written.

import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import { chainOf, type Environment } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Offer } from '#checkout/checkout.ts';
import type { AssetAmount } from '#money/asset-amount.ts';
import { type Decimal, decimalFromUnits, divideToScale, multiply } from '#money/decimal.ts';
import type { RateBook } from '#rates/rate-book.ts';

type PlainFee = {
  readonly coin: string;
  /** Of a payment in the coin of the network. */
  readonly units: bigint;
  /** Of a payment in a token; as above when absent. */
  readonly tokenUnits?: bigint;
};

/**
 * Bitcoin: 141 virtual bytes (BIP-141, one input, two outputs) at 5 satoshi each; Litecoin at 10.
 * EVM: 21,000 gas for coins (Yellow Paper), 65,000 for tokens, at common prices of gas: 1 gwei,
 * 0.01 on rollups with their part for Ethereum, 50 on Polygon. Stellar: 100 stroops. XRP Ledger: 12
 * drops.
 */
const PLAIN_FEES: Readonly<Record<string, PlainFee>> = {
  BITCOIN: { coin: 'BTC:NATIVE', units: 705n },
  LITECOIN: { coin: 'LTC:NATIVE', units: 1_410n },
  ETHEREUM: { coin: 'ETH:NATIVE', units: 21_000n * 10n ** 9n, tokenUnits: 65_000n * 10n ** 9n },
  BASE: { coin: 'ETH:NATIVE', units: 5n * 10n ** 11n, tokenUnits: 10n ** 12n },
  ARBITRUM: { coin: 'ETH:NATIVE', units: 5n * 10n ** 11n, tokenUnits: 12n * 10n ** 11n },
  OPTIMISM: { coin: 'ETH:NATIVE', units: 4n * 10n ** 11n, tokenUnits: 9n * 10n ** 11n },
  POLYGON: {
    coin: 'POL:NATIVE',
    units: 21_000n * 50n * 10n ** 9n,
    tokenUnits: 65_000n * 50n * 10n ** 9n,
  },
  STELLAR: { coin: 'XLM:NATIVE', units: 100n },
  XRP_LEDGER: { coin: 'XRP:NATIVE', units: 12n },
};
/** A route over Lightning is asked for three thousandths at most by usual wallets. */
const LIGHTNING_PER_MILLE = 3n;

/** What our nodes say. @throws Refusal where they were not asked, or do not answer. */
type SaidFees = { most(assetId: string, units: bigint): AssetAmount | undefined };

type FeeApp = {
  readonly rates: Pick<RateBook, 'price'>;
  readonly networks: ReadonlyMap<string, { readonly sendingFees?: SaidFees }>;
};
type FeeOf = {
  readonly environment: Environment;
  readonly billingCurrency: string;
  readonly now: Temporal.Instant;
};
type PaidWay = Pick<Offer, 'network' | 'assetId' | 'askedUnits'>;

/** Undefined where it is not known: a bank says it itself, and a price may be missing. */
export function payerFee(app: FeeApp, of: FeeOf, way: PaidWay): Decimal | undefined {
  const fee = saidFee(app, of, way) ?? plainFee(way);
  if (fee === undefined) return undefined;
  const { assetCode, decimals } = getAsset(fee.assetId);
  const priceOf = (code: string) => app.rates.price(of.environment, code, of.now)?.usdPrice;
  const [coinPrice, moneyPrice] = [priceOf(assetCode), priceOf(of.billingCurrency)];
  if (coinPrice === undefined || moneyPrice === undefined) return undefined;
  const worth = multiply(decimalFromUnits(fee.units, decimals), coinPrice);
  return divideToScale(worth, moneyPrice, FEE_DIGITS, 'up');
}

/** Enough to put the cheapest first. */
const FEE_DIGITS = 12;

/** Of chains that simulate nothing: their nodes know what others pay. */
function saidFee(
  { networks }: FeeApp,
  { environment }: FeeOf,
  { network, assetId, askedUnits }: PaidWay,
): AssetAmount | undefined {
  if (getNetwork(network).family !== 'utxo' && getNetwork(network).family !== 'evm')
    return undefined;
  try {
    return networks.get(chainOf(environment, network))?.sendingFees?.most(assetId, askedUnits);
  } catch {
    // Its node was not asked yet, or does not answer.
    return undefined;
  }
}

function plainFee({ network, assetId, askedUnits }: PaidWay): AssetAmount | undefined {
  if (network === 'LIGHTNING') {
    const units = (askedUnits * LIGHTNING_PER_MILLE + 999n) / 1000n;
    return { assetId, units };
  }
  const plain = PLAIN_FEES[network];
  if (plain === undefined) return undefined;
  const isCoin = getAsset(assetId).assetIssuer === NATIVE_ISSUER;
  const { coin, units, tokenUnits = units } = plain;
  return { assetId: coin, units: isCoin ? units : tokenUnits };
}
