// The ways to pay of a checkout as people name them: Bitcoin, Lightning, USDC ..., each with the
// networks that carry it, and transfers by bank by themselves. Pure. What the shop put in order
// stays in its order; else the coins that are named most come first. What it recommends comes
// before all else, in its order. Networks of a coin: what is recommended, then the cheapest first.

import { getAsset } from '#catalog/asset.ts';
import { findNetwork, getNetwork, listNetworks } from '#catalog/network.ts';
import { wayName } from '#catalog/way.ts';
import type { Offer } from '#checkout/checkout.ts';
import { compare, type Decimal } from '#money/decimal.ts';

export type CoinWays = {
  /** The code of the asset, or LIGHTNING: as it stands in the address of the page. */
  readonly key: string;
  readonly imageSrc: string;
  /** Of what is the cheapest here. */
  readonly offers: readonly [Offer, ...Offer[]];
  readonly isRecommended: boolean;
};

export type PayWays = { readonly coins: readonly CoinWays[]; readonly banks: readonly Offer[] };

type Wishes = {
  readonly feeOf: (offer: Offer) => Decimal | undefined;
  /** The best first, as `wayName` writes them. */
  readonly recommended: readonly string[];
};

/** As often as they are asked for. */
const NAMED_MOST: readonly string[] = [
  'BTC',
  'LIGHTNING',
  'USDC',
  'USDT',
  'ETH',
  'LTC',
  'XRP',
  'XLM',
];

export function listPayWays(offers: readonly Offer[], wishes: Wishes): PayWays {
  const isBank = ({ network }: Offer) => getNetwork(network).type === 'BANK';
  const byCoin = Map.groupBy(
    offers.filter((offer) => !isBank(offer)),
    coinKey,
  );
  const coins = Array.from(byCoin, ([key, ways]) => toCoin(key, ways, wishes));
  const ordered = isOrderOfShop(offers) ? coins : coins.toSorted(byName);
  return {
    coins: ordered.toSorted(
      (one, other) => placeOfWay(one.offers[0], wishes) - placeOfWay(other.offers[0], wishes),
    ),
    banks: offers
      .filter(isBank)
      .toSorted((one, other) => placeOfWay(one, wishes) - placeOfWay(other, wishes)),
  };
}

function coinKey({ network, assetId }: Pick<Offer, 'network' | 'assetId'>): string {
  return network === 'LIGHTNING' ? network : getAsset(assetId).assetCode;
}

function toCoin(key: string, ways: readonly Offer[], wishes: Wishes): CoinWays {
  const { feeOf, recommended } = wishes;
  const [first, ...others] = ways.toSorted(
    (one, other) =>
      placeOfWay(one, wishes) - placeOfWay(other, wishes) || compareFees(feeOf(one), feeOf(other)),
  ) as [Offer, ...Offer[]];
  return {
    key,
    imageSrc: (findNetwork(key) ?? getAsset(first.assetId)).imageSrc,
    offers: [first, ...others],
    isRecommended: recommended.includes(wayName(first)),
  };
}

/** What is not recommended comes after all that is. */
function placeOfWay(offer: Offer, { recommended }: Wishes): number {
  return placeOf(recommended, wayName(offer));
}

/** What is not known comes last. */
function compareFees(one: Decimal | undefined, other: Decimal | undefined): number {
  if (one === undefined || other === undefined) {
    return Number(one === undefined) - Number(other === undefined);
  }
  return compare(one, other);
}

function byName(one: CoinWays, other: CoinWays): number {
  return placeOf(NAMED_MOST, one.key) - placeOf(NAMED_MOST, other.key);
}

/** Offers stand in the order of the catalogue where the shop wished for none. */
function isOrderOfShop(offers: readonly Offer[]): boolean {
  const networks = listNetworks().map(({ id }) => id);
  const places = offers.map(({ network }) => placeOf(networks, network));
  return places.some((place, at) => place < (places[at - 1] ?? 0));
}

function placeOf(names: readonly string[], name: string): number {
  const place = names.indexOf(name);
  return place === -1 ? names.length : place;
}
