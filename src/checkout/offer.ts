// The ways to pay a checkout that are offered and those that are not, and both as the text that is
// stored with it. There are some 25 of them in each checkout, so the text is put together of parts
// that are kept: all but the amounts of a way to pay is the same each time. It says nothing twice:
// of money that is credited as it arrives, what is credited follows from what arrives.

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
  readonly sentUnits?: string;
  readonly netUnits: string;
  readonly rateIds: readonly string[];
} & (StoredSettlement | { readonly [Name in keyof StoredSettlement]?: undefined });

/** All of it stands there, or nothing: then what arrives is credited, less the fee. */
type StoredSettlement = {
  readonly settlementAssetId: string;
  readonly settlementUnits: string;
  readonly feeUnits: string;
  readonly paymentToSettlement: readonly [numerator: string, denominator: string];
};

/**
 * Also the longer text, which says of each offer what is credited: checkouts of earlier versions
 * have it. A text that says half of it is of nobody: an amount taken for another would be credited.
 */
export function parseOffered(stored: string): Offered {
  const { offers, withheld } = JSON.parse(stored) as {
    offers: StoredOffer[];
    withheld: WithheldOffer[];
  };
  return { offers: offers.map(parseOffer), withheld };
}

function parseOffer(stored: StoredOffer): Offer {
  const { network, assetId, sentUnits, rateIds } = stored;
  const arrivingUnits = unitsOf(stored, 'paymentUnits', stored.paymentUnits);
  const netUnits = unitsOf(stored, 'netUnits', stored.netUnits);
  const credited = parseSettlement(stored, arrivingUnits, netUnits);
  if (!Array.isArray(rateIds)) throw unreadable(stored, 'rateIds');
  return {
    network,
    assetId,
    askedUnits: sentUnits === undefined ? arrivingUnits : unitsOf(stored, 'sentUnits', sentUnits),
    arrivingUnits,
    settlementAssetId: credited.settlementAssetId,
    settlementUnits: credited.settlementUnits,
    netUnits,
    feeUnits: credited.feeUnits,
    rateIds: rateIds.map((id) => unitsOf(stored, 'rateIds', id)),
    paymentToSettlement: credited.paymentToSettlement,
  };
}

function parseSettlement(
  stored: StoredOffer,
  arrivingUnits: bigint,
  netUnits: bigint,
): Pick<Offer, keyof StoredSettlement> {
  const { settlementAssetId, settlementUnits, feeUnits, paymentToSettlement } = stored;
  if (
    settlementAssetId === undefined &&
    settlementUnits === undefined &&
    feeUnits === undefined &&
    paymentToSettlement === undefined
  ) {
    if (netUnits > arrivingUnits) throw unreadable(stored, 'netUnits');
    return {
      settlementAssetId: stored.assetId,
      settlementUnits: arrivingUnits,
      feeUnits: arrivingUnits - netUnits,
      paymentToSettlement: EQUAL,
    };
  }
  if (typeof settlementAssetId !== 'string') throw unreadable(stored, 'settlementAssetId');
  if (!Array.isArray(paymentToSettlement)) throw unreadable(stored, 'paymentToSettlement');
  const [numerator, denominator] = paymentToSettlement.map((part) =>
    unitsOf(stored, 'paymentToSettlement', part),
  );
  // A rate has both, above zero.
  if (!numerator || !denominator) throw unreadable(stored, 'paymentToSettlement');
  return {
    settlementAssetId,
    settlementUnits: unitsOf(stored, 'settlementUnits', settlementUnits),
    feeUnits: unitsOf(stored, 'feeUnits', feeUnits),
    paymentToSettlement: { numerator, denominator },
  };
}

const DIGITS = /^[0-9]+$/;

/** BigInt alone takes a text of nothing for 0. */
function unitsOf(of: StoredOffer, field: keyof StoredOffer, stored: unknown): bigint {
  if (typeof stored !== 'string' || !DIGITS.test(stored)) throw unreadable(of, field);
  return BigInt(stored);
}

function unreadable({ network, assetId }: StoredOffer, field: keyof StoredOffer): Error {
  return new Error(`the stored offer of ${assetId} on ${network} cannot be read: ${field}`);
}

/** What JSON.stringify would write of it. */
export function offeredText({ offers, withheld }: Offered): string {
  let text = '';
  for (const offer of offers) text += text === '' ? storedOffer(offer) : `,${storedOffer(offer)}`;
  return `{"offers":[${text}],"withheld":${JSON.stringify(withheld)}}`;
}

function storedOffer(offer: Offer): string {
  const { askedUnits, arrivingUnits, netUnits } = offer;
  const { begin, settlement } = partsOf(offer);
  const sent = askedUnits === arrivingUnits ? '' : `"sentUnits":"${unitsText(askedUnits)}",`;
  const due = `${begin}${unitsText(arrivingUnits)}",${sent}`;
  const net = `"netUnits":"${unitsText(netUnits)}"`;
  if (isCreditedAsItArrives(offer)) return `${due}${net}${endOf(offer.rateIds)}`;
  const { settlementUnits, feeUnits, paymentToSettlement } = offer;
  const { numerator, denominator } = paymentToSettlement;
  return (
    `${due}${settlement}${unitsText(settlementUnits)}",${net},"feeUnits":"${unitsText(feeUnits)}"` +
    `,${rateIdsText(offer.rateIds)},"paymentToSettlement":` +
    `["${unitsText(numerator)}","${unitsText(denominator)}"]}`
  );
}

/** What a reader makes of an offer that does not say what is credited (`parseSettlement`). */
function isCreditedAsItArrives(offer: Offer): boolean {
  return (
    offer.settlementAssetId === offer.assetId &&
    offer.settlementUnits === offer.arrivingUnits &&
    offer.paymentToSettlement === EQUAL &&
    offer.feeUnits === offer.arrivingUnits - offer.netUnits
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

/** By the list of rates, which is one as long as its prices are. */
const ENDS = new WeakMap<readonly bigint[], string>();

function endOf(rateIds: readonly bigint[]): string {
  const known = ENDS.get(rateIds);
  if (known !== undefined) return known;
  const text = `,${rateIdsText(rateIds)}}`;
  ENDS.set(rateIds, text);
  return text;
}

function rateIdsText(rateIds: readonly bigint[]): string {
  return `"rateIds":[${rateIds.map((id) => `"${id}"`).join(',')}]`;
}

const EXACT_MOST = BigInt(Number.MAX_SAFE_INTEGER);

/** The same digits; of a number that is exact as one they are found in half the time. */
function unitsText(units: bigint): string {
  return units >= 0n && units <= EXACT_MOST ? String(Number(units)) : String(units);
}
