// The ways to pay a checkout that are offered and those that are not, and both as the text that is
// stored with it. There are some 25 of them in each checkout, so the text is put together of parts
// that are kept: all but the amounts of a way to pay is the same each time.

import { EQUAL, type Rate } from '#money/rate.ts';

/** What is to be paid, in two parts that differ where an anchor keeps something. */
export type DueAmount = {
  /** What the customer is told to send. */
  readonly askedUnits: bigint;
  /** What of it has to arrive: it pays in full. */
  readonly arrivingUnits: bigint;
};

/** One way to pay, as quoted when the checkout was created. */
export type Offer = DueAmount & {
  readonly network: string;
  readonly assetId: string;
  readonly settlementAssetId: string;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
  readonly feeUnits: bigint;
  readonly rateIds: readonly bigint[];
  /** Settlement units per unit that arrives, exactly. */
  readonly paymentToSettlement: Rate;
};

/** A way to pay that could not be offered, and why: never guessed, never 1:1. */
export type WithheldOffer = {
  readonly network: string;
  readonly assetId: string;
  readonly reason: string;
};

export type Offered = {
  readonly offers: readonly Offer[];
  readonly withheld: readonly WithheldOffer[];
};

type StoredOffer = {
  readonly network: string;
  readonly assetId: string;
  /** What has to arrive. */
  readonly paymentUnits: string;
  /** What is asked for, where that is more. */
  readonly sentUnits?: string | undefined;
  /** Absent, as are the units and the rate: credited is what arrives. */
  readonly settlementAssetId?: string | undefined;
  readonly settlementUnits?: string | undefined;
  readonly netUnits: string;
  /** Absent: what `netUnits` leaves of the settlement. */
  readonly feeUnits?: string | undefined;
  readonly rateIds: readonly string[];
  readonly paymentToSettlement?: readonly [numerator: string, denominator: string] | undefined;
};

/** Also the shorter text, which a later version is to write (decision 97). */
export function parseOffered(stored: string): Offered {
  const { offers, withheld } = JSON.parse(stored) as {
    offers: StoredOffer[];
    withheld: WithheldOffer[];
  };
  return { offers: offers.map(parseOffer), withheld };
}

function parseOffer(stored: StoredOffer): Offer {
  const { network, assetId, paymentUnits, paymentToSettlement } = stored;
  const arrivingUnits = BigInt(paymentUnits);
  const settlementUnits = BigInt(stored.settlementUnits ?? paymentUnits);
  const netUnits = BigInt(stored.netUnits);
  return {
    network,
    assetId,
    askedUnits: BigInt(stored.sentUnits ?? paymentUnits),
    arrivingUnits,
    settlementAssetId: stored.settlementAssetId ?? assetId,
    settlementUnits,
    netUnits,
    feeUnits: stored.feeUnits === undefined ? settlementUnits - netUnits : BigInt(stored.feeUnits),
    rateIds: stored.rateIds.map((id) => BigInt(id)),
    paymentToSettlement:
      paymentToSettlement === undefined
        ? EQUAL
        : {
            numerator: BigInt(paymentToSettlement[0]),
            denominator: BigInt(paymentToSettlement[1]),
          },
  };
}

/** What JSON.stringify would write of it. */
export function offeredText({ offers, withheld }: Offered): string {
  let text = '';
  for (const offer of offers) text += text === '' ? storedOffer(offer) : `,${storedOffer(offer)}`;
  return `{"offers":[${text}],"withheld":${JSON.stringify(withheld)}}`;
}

function storedOffer(offer: Offer): string {
  const { askedUnits, arrivingUnits, settlementUnits } = offer;
  const { begin, settlement } = partsOf(offer);
  const arriving = unitsText(arrivingUnits);
  const sent = askedUnits === arrivingUnits ? '' : `"sentUnits":"${askedUnits}",`;
  // Who is credited in what arrives is credited the same number.
  const credited = settlementUnits === arrivingUnits ? arriving : unitsText(settlementUnits);
  return (
    `${begin}${arriving}",${sent}${settlement}${credited}","netUnits":"` +
    `${unitsText(offer.netUnits)}","feeUnits":"${unitsText(offer.feeUnits)}${endOf(offer)}`
  );
}

/** What stands around the amounts of a way to pay. */
type Parts = { readonly begin: string; readonly settlement: string };

/** By network, asset and what is credited: names of the catalogue. */
const PARTS = new Map<string, Map<string, Map<string, Parts>>>();
let partsKept = 0;
const PARTS_MOST = 10_000;

function partsOf({ network, assetId, settlementAssetId }: Offer): Parts {
  const known = PARTS.get(network)?.get(assetId)?.get(settlementAssetId);
  if (known !== undefined) return known;
  const asset = JSON.stringify(assetId);
  const parts = {
    begin: `{"network":${JSON.stringify(network)},"assetId":${asset},"paymentUnits":"`,
    settlement: `"settlementAssetId":${JSON.stringify(settlementAssetId)},"settlementUnits":"`,
  };
  if (partsKept >= PARTS_MOST) PARTS.clear();
  partsKept = PARTS.size === 0 ? 1 : partsKept + 1;
  const ofNetwork = PARTS.getOrInsertComputed(network, () => new Map());
  ofNetwork.getOrInsertComputed(assetId, () => new Map()).set(settlementAssetId, parts);
  return parts;
}

/** By the list of rates, which is one as long as its prices are: where credited is what arrives. */
const ENDS = new WeakMap<readonly bigint[], string>();

function endOf({ rateIds, paymentToSettlement }: Offer): string {
  if (paymentToSettlement !== EQUAL) return endText(rateIds, paymentToSettlement);
  const known = ENDS.get(rateIds);
  if (known !== undefined) return known;
  const text = endText(rateIds, paymentToSettlement);
  ENDS.set(rateIds, text);
  return text;
}

function endText(rateIds: readonly bigint[], { numerator, denominator }: Rate): string {
  const ids = rateIds.map((id) => `"${id}"`).join(',');
  const rate = `"${unitsText(numerator)}","${unitsText(denominator)}"`;
  return `","rateIds":[${ids}],"paymentToSettlement":[${rate}]}`;
}

const EXACT_MOST = BigInt(Number.MAX_SAFE_INTEGER);

/** The same digits; of a number that is exact as one they are found in half the time. */
function unitsText(units: bigint): string {
  return units >= 0n && units <= EXACT_MOST ? String(Number(units)) : String(units);
}
