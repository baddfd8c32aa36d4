// What things are worth, computed from docs/money.md and the specification alone: nothing here
// imports a file that decides or values in the product.
import { getAsset } from '#catalog/asset.ts';
import { down, type Exact, exact, fromText, lessFee, over, times, up } from './exact.ts';
import type { Market } from './market.ts';

/** A lock guarantees its rate for so long, and a block that comes as much later still counts. */
export const WINDOW_MINUTES = 60;
/** For so long after its creation a checkout is committed at the amounts that it was shown with. */
export const QUOTE_MINUTES = 60;

type Prices = Pick<Market, 'priceAt'>;

/** Units of one thing for a unit of another; undefined while one of them has no price. */
export function ratio(
  market: Prices,
  from: { readonly code: string; readonly decimals: number },
  to: { readonly code: string; readonly decimals: number },
  at: Temporal.Instant,
): Exact | undefined {
  const scale = exact(10n ** BigInt(to.decimals), 10n ** BigInt(from.decimals));
  if (from.code === to.code) return scale;
  const [given, got] = [market.priceAt(from.code, at), market.priceAt(to.code, at)];
  return given && got && times(over(given, got), scale);
}

export function assetOf(assetId: string) {
  const { assetCode: code, decimals } = getAsset(assetId);
  return { code, decimals };
}

export type Terms = {
  readonly total: string;
  readonly currency: string;
  readonly settlementAsset: string;
  readonly feeParts: number;
};

export type Amounts = {
  readonly arrivingUnits: bigint;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
};

/** What the customer pays rounds up, what the merchant is promised down. */
export function amountsOf(
  market: Prices,
  { total, currency, settlementAsset, feeParts }: Terms,
  assetId: string,
  at: Temporal.Instant,
): Amounts | undefined {
  const whole = fromText(total);
  const billing = { code: currency, decimals: 0 };
  const toPayment = ratio(market, billing, assetOf(assetId), at);
  if (toPayment === undefined) return undefined;
  const arrivingUnits = up(times(whole, toPayment));
  const isConverted = settlementAsset !== 'ORIGIN' && settlementAsset !== assetId;
  const toSettlement = isConverted
    ? ratio(market, billing, assetOf(settlementAsset), at)
    : undefined;
  if (isConverted && toSettlement === undefined) return undefined;
  const settlementUnits = toSettlement ? down(times(whole, toSettlement)) : arrivingUnits;
  const netUnits = down(times(exact(settlementUnits), lessFee(feeParts)));
  return { arrivingUnits, settlementUnits, netUnits };
}

export type Lock = Amounts & {
  readonly assetId: string;
  readonly settlementAssetId: string;
  /** What earlier money took of it. */
  readonly used: bigint;
};

export type Worth = {
  /** What the lock covers of it. */
  readonly locked: bigint;
  readonly gross: bigint;
  readonly net: bigint;
};

/**
 * Of what is under the lock: the difference of two running totals, each rounded down, so that the
 * parts of a lock add up to what was guaranteed. The rest at the rate of the moment, down. The net
 * amount is never above the gross one. Undefined while a price that it needs is missing.
 */
export function worthOf(
  market: Prices,
  units: bigint,
  lock: Lock,
  isLate: boolean,
  feeParts: number,
  at: Temporal.Instant,
): Worth | undefined {
  const free = lock.arrivingUnits > lock.used ? lock.arrivingUnits - lock.used : 0n;
  const locked = isLate ? 0n : least(units, free);
  const rest = units - locked;
  const isConverted = lock.settlementAssetId !== lock.assetId;
  const rate = isConverted
    ? ratio(market, assetOf(lock.assetId), assetOf(lock.settlementAssetId), at)
    : exact(1n);
  if (rest > 0n && rate === undefined) return undefined;
  const part = (promised: bigint) =>
    down(exact((lock.used + locked) * promised, lock.arrivingUnits)) -
    down(exact(lock.used * promised, lock.arrivingUnits));
  const guaranteed = locked === 0n ? 0n : part(lock.settlementUnits);
  const guaranteedNet = locked === 0n ? 0n : part(lock.netUnits);
  const current = rest > 0n && rate !== undefined ? down(times(exact(rest), rate)) : 0n;
  const currentNet = down(times(exact(current), lessFee(feeParts)));
  return {
    locked,
    gross: guaranteed + current,
    net: least(guaranteed, guaranteedNet) + currentNet,
  };
}

export type Swapped = { readonly source: bigint; readonly target: bigint; readonly fee: bigint };

/** What is given up rounds up, what is received down; the fee is what is missing to the rate. */
export function swapOf(
  market: Prices,
  assets: { readonly from: string; readonly to: string },
  fixed: { readonly source: bigint } | { readonly target: bigint },
  feeParts: number,
  at: Temporal.Instant,
): Swapped | undefined {
  const rate = ratio(market, assetOf(assets.from), assetOf(assets.to), at);
  if (rate === undefined) return undefined;
  const kept = times(rate, lessFee(feeParts));
  const source = 'source' in fixed ? fixed.source : up(over(exact(fixed.target), kept));
  const target = 'target' in fixed ? fixed.target : down(times(exact(source), kept));
  return { source, target, fee: down(times(exact(source), rate)) - target };
}

/** What the simulated networks take for sending (one size each; Lightning a thousandth and 1). */
export function sendingFee(network: string, assetId: string, units: bigint): bigint {
  if (network === 'LIGHTNING') return 1n + units / 1_000n;
  if (!assetId.endsWith(':NATIVE')) return 10n ** BigInt(getAsset(assetId).decimals - 3);
  const fees: Record<string, bigint> = {
    BITCOIN: 500n,
    LITECOIN: 500n,
    ETHEREUM: 21_000_000_000_000n,
    STELLAR: 100n,
  };
  const fee = fees[network];
  if (fee === undefined) throw new Error(`nobody said what ${network} takes`);
  return fee;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
