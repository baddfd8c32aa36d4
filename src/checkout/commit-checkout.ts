// The customer chose a way to pay: fixes amounts and window for that network and asset, once, and
// hands out where to pay. Repeating a commit changes nothing and answers the same while the window
// is open (C7, S7). After its end a commit opens a fresh window at the amounts of that moment, on
// the same address, memo or tag; where a node makes an invoice, on a new one. The window that ended
// is kept: money belongs to the window that was open when it was first seen (decision 29).
//
// Order: lock the checkout, look whether the commitment exists, take an index, derive, store. The
// unique keys of commitment and deposit_instruction are the last word.
// Where a node must be asked (Lightning) that is done between two transactions: the first fixes
// what is asked for, the second records the answer. A crash between them loses nothing: asking
// again is asking for the same invoice, and one that was never recorded was shown to nobody.

import type { Caller } from '#account/caller.ts';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { shownAsset } from '#catalog/asset.ts';
import { chainOf, environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Db, Tx } from '#db/db.ts';
import type { InstructionKeys } from '#deposit/deposit-instruction.ts';
import type { Destination, Network } from '#deposit/network.ts';
import { openDeposit } from '#deposit/open-deposit.ts';
import { type ExposureApp, requireCover } from '#rates/exposure.ts';
import { quotePayment, type RateBook } from '#rates/quote.ts';
import { askedUnits } from './asked-units.ts';
import {
  type Checkout,
  type Commitment,
  type Offer,
  PAYMENT_WINDOW_MINUTES,
  type PastWindow,
} from './checkout.ts';
import { checkoutFromRow, chooseSource, lockCheckoutRow } from './checkout-store.ts';
import { commitmentFromRow } from './commitment.ts';
import {
  type CommitmentRow,
  insertCommitment,
  listCommitmentRows,
  listPastWindowRows,
  replaceWindow,
} from './commitment-store.ts';
import { arrivingBy, conversionOf, reasonNotRelayed, sentUnitsOf } from './create-checkout.ts';
import { takeDestinationRequest } from './destination-request-store.ts';

export type CommitCheckoutApp = ExposureApp & {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly rates: RateBook;
  readonly networks: ReadonlyMap<string, Network>;
  readonly keyring: InstructionKeys;
};

export type CommitRequest = {
  readonly checkoutId: string;
  /** 'page' when the customer acts on the hosted page, which was opened by its token. */
  readonly owner: Pick<Caller, 'merchantId' | 'environment'> | 'page';
  readonly network?: string | undefined;
  readonly asset?: string | undefined;
  /** Older clients name the payment method by its asset code alone. */
  readonly assetCode?: string | undefined;
};

/** With the data of the merchant that its checkout was created with. */
export type Committed = Commitment & { readonly meta: string | undefined };

/**
 * Refuses: missing (unknown checkout, or of another merchant), invalid (network or asset not
 * offered), conflict (completed, cancelled, more than the network can receive at once, or a live
 * conversion beyond the exposure limit). Outage when the network or rate is away.
 */
export async function commitCheckout(
  app: CommitCheckoutApp,
  request: CommitRequest,
): Promise<Committed> {
  const first = await commitOnce(app, request, undefined);
  if (first.kind === 'made') return { ...first.commitment, meta: first.meta };
  const destination = await askNode(first.prepared);
  const second = await commitOnce(app, request, { ...first.prepared, destination });
  assert(second.kind === 'made', 'a node is asked once');
  return { ...second.commitment, meta: second.meta };
}

/**
 * Whether committing may mean asking a node, before the checkout is read: for a caller who is about
 * to open a transaction around `commitCheckout`, and then has to commit before that.
 */
export function mayAskNode(
  { networks }: Pick<CommitCheckoutApp, 'networks'>,
  { network: id, owner }: CommitRequest & { readonly owner: Pick<Caller, 'environment'> },
): boolean {
  return [...networks.values()].some(
    ({ chain, asksNode }) =>
      asksNode === true &&
      environmentOf(chain) === owner.environment &&
      (id === undefined || networkOf(chain) === id),
  );
}

/** What a node is asked for: instruction, amounts and begin of the lock are fixed. */
type Prepared = {
  readonly network: Network;
  readonly offer: Offer;
  readonly instructionId: string;
  readonly committedAt: Temporal.Instant;
};
type Asked = Prepared & { readonly destination: Destination };
type CommitOutcome =
  | { readonly kind: 'made'; readonly commitment: Commitment; readonly meta: string | undefined }
  | { readonly kind: 'ask'; readonly prepared: Prepared };

function commitOnce(
  app: CommitCheckoutApp,
  request: CommitRequest,
  asked: Asked | undefined,
): Promise<CommitOutcome> {
  return app.db.transact(async (tx) => {
    const [row, commitments, windows] = await Promise.all([
      lockCheckoutRow(tx, request.checkoutId),
      listCommitmentRows(tx, [request.checkoutId]),
      listPastWindowRows(tx, [request.checkoutId]),
    ]);
    if (row === undefined || !isOwner(request.owner, row.merchant_id, row.environment)) {
      throw new Refusal('missing', 'checkout_missing', 'checkoutId: no such checkout');
    }
    const checkout = checkoutFromRow(row);
    const offer = chooseOffer(checkout, request);
    const network = getAdapter(app, checkout, offer.network);
    const made = commitments.find(
      (commitment) => commitment.network === offer.network && commitment.asset_id === offer.assetId,
    );
    refuseEnded(checkout);
    const { meta } = checkout;
    const now = app.clock.now();
    const before = made && (await commitmentFromRow(app, tx, network, made, windows));
    if (before !== undefined && made !== undefined && !isOver(checkout, made, now)) {
      return { kind: 'made', commitment: before, meta };
    }
    const fixed: Prepared | Asked = asked ?? {
      network,
      offer: bindingAmounts(app, checkout, network, offer, now),
      instructionId: newId(app.random),
      committedAt: now,
    };
    const conversion = conversionOf(offer.assetId, fixed.offer);
    await requireCover(app, tx, checkout.environment, conversion, now);
    if (network.asksNode && asked === undefined) {
      return { kind: 'ask', prepared: await prepareRequest(tx, checkout, fixed) };
    }
    const commitment = await openCommitment(app, tx, checkout, fixed, before);
    return { kind: 'made', commitment, meta };
  });
}

/** A request this old is not repeated: what was asked for would end too soon. */
const REQUEST_REPEATED_MINUTES = 5;

/** The same request again for a moment, so that a crash loses nothing; a new one afterwards. */
async function prepareRequest(tx: Tx, checkout: Checkout, fixed: Prepared): Promise<Prepared> {
  const { instructionId, askedAt } = await takeDestinationRequest(tx, {
    checkoutId: checkout.id,
    network: fixed.offer.network,
    assetId: fixed.offer.assetId,
    instructionId: fixed.instructionId,
    units: fixed.offer.paymentUnits,
    askedAt: fixed.committedAt,
    repeatedSince: fixed.committedAt.subtract({ minutes: REQUEST_REPEATED_MINUTES }),
  });
  return { ...fixed, instructionId, committedAt: askedAt };
}

async function askNode({
  network,
  offer,
  instructionId,
  committedAt,
}: Prepared): Promise<Destination> {
  const most = await network.receivableUnitsMost?.(offer.assetId);
  if (most !== undefined && offer.paymentUnits > most) {
    throw new Refusal('conflict', 'amount_not_receivable', [
      `network: ${offer.network} can receive less than that at once right now; choose another`,
    ]);
  }
  return network.openDestination({
    index: 0n,
    assetId: offer.assetId,
    units: offer.paymentUnits,
    sentUnits: askedUnits(offer),
    instructionId,
    expiresAt: lockEnd(committedAt),
  });
}

function lockEnd(committedAt: Temporal.Instant): Temporal.Instant {
  return committedAt.add({ minutes: PAYMENT_WINDOW_MINUTES });
}

function isOwner(owner: CommitRequest['owner'], merchantId: string, environment: string): boolean {
  if (owner === 'page') return true;
  return owner.merchantId === merchantId && owner.environment === environment;
}

/** The offered method that the request names; several that fit need the asset as well. */
function chooseOffer(checkout: Checkout, request: CommitRequest): Offer {
  const { network, asset, assetCode } = request;
  const fitting = checkout.offers.filter(
    (offer) =>
      (network === undefined || offer.network === network) &&
      (asset === undefined || offer.assetId === asset) &&
      (assetCode === undefined || isCalled(offer, assetCode)),
  );
  if (fitting.length === 1 && fitting[0] !== undefined) return fitting[0];
  if (network !== undefined && asset === undefined && fitting.length > 1) {
    const usual = defaultAsset(network);
    // Where its anchor is preferred, the same coin comes as another asset.
    const preferred =
      fitting.find((offer) => offer.assetId === usual) ??
      fitting.find((offer) => isCalled(offer, shownAsset(network, usual).assetCode));
    if (preferred !== undefined) return preferred;
  }
  if (network === undefined && assetCode !== undefined && fitting[0] !== undefined) {
    return fitting[0];
  }
  throw unknownMethod(checkout, request, fitting.length);
}

function isCalled(offer: Offer, assetCode: string): boolean {
  return shownAsset(offer.network, offer.assetId).assetCode === assetCode;
}

function defaultAsset(network: string): string {
  return getNetwork(network).defaultAssetId;
}

function unknownMethod(checkout: Checkout, request: CommitRequest, fitting: number): Refusal {
  const offered = checkout.offers.map((offer) => `${offer.network} ${offer.assetId}`).join(', ');
  if (fitting > 1) {
    return new Refusal('invalid', 'asset_required', [
      `asset: the network supports several assets, name one of: ${offered}`,
    ]);
  }
  const field = request.network === undefined ? 'assetCode' : 'network';
  return new Refusal('invalid', 'payment_method_unknown', [
    `${field}: not a payment method of this checkout; offered are: ${offered}`,
  ]);
}

function getAdapter(app: CommitCheckoutApp, checkout: Checkout, id: string): Network {
  const network = app.networks.get(chainOf(checkout.environment, id));
  if (network === undefined) throw new Outage(`network ${id}`);
  return network;
}

/** While money is on its way nobody is asked for another amount. */
function isOver(checkout: Checkout, window: CommitmentRow, now: Temporal.Instant): boolean {
  return checkout.state !== 'PENDING' && Temporal.Instant.compare(now, window.expires_at) >= 0;
}

function refuseEnded(checkout: Checkout): void {
  if (checkout.state === 'COMPLETED') {
    throw new Refusal('conflict', 'checkout_completed', 'the checkout is paid already');
  }
  if (checkout.cancelledAt !== undefined) {
    throw new Refusal('conflict', 'checkout_cancelled', 'the checkout was cancelled');
  }
}

async function openCommitment(
  app: CommitCheckoutApp,
  tx: Tx,
  checkout: Checkout,
  fixed: Prepared | Asked,
  before: Commitment | undefined,
): Promise<Commitment> {
  const { network, offer: amounts, committedAt } = fixed;
  const now = app.clock.now();
  const expiresAt = lockEnd(committedAt);
  // An invoice ends with its window; everything else is watched for ever.
  const isInvoice = network.asksNode === true || getNetwork(amounts.network).hasInvoices;
  const isKept = before !== undefined && !isInvoice;
  const instruction = isKept
    ? before.instruction
    : await openDeposit(app, tx, network, {
        id: fixed.instructionId,
        merchantId: checkout.merchantId,
        purpose: 'checkout',
        purposeId: checkout.id,
        assetId: amounts.assetId,
        units: amounts.paymentUnits,
        createdAt: now,
        expiresAt,
        destination: 'destination' in fixed ? fixed.destination : undefined,
      });
  const commitment = {
    checkoutId: checkout.id,
    network: amounts.network,
    assetId: amounts.assetId,
    paymentUnits: amounts.paymentUnits,
    sentUnits: amounts.sentUnits,
    settlementAssetId: amounts.settlementAssetId,
    settlementUnits: amounts.settlementUnits,
    netUnits: amounts.netUnits,
    feeUnits: amounts.feeUnits,
    committedAt,
    expiresAt,
  };
  const rates = {
    rateIds: amounts.rateIds.map(String),
    numerator: String(amounts.paymentToSettlement.numerator),
    denominator: String(amounts.paymentToSettlement.denominator),
  };
  const store = before === undefined ? insertCommitment : replaceWindow;
  store(tx, { ...commitment, instructionId: instruction.id, rates: JSON.stringify(rates) });
  const isStateChange = checkout.state === 'NEW' || checkout.state === 'EXPIRED';
  chooseSource(tx, {
    checkoutId: checkout.id,
    version: checkout.version + 1,
    state: isStateChange ? 'AWAITING_PAYMENT' : checkout.state,
    network: amounts.network,
    assetId: amounts.assetId,
    // A lock replaces the 24 hours that an uncommitted checkout lives.
    expiresAt,
    // Money of an earlier window may pay all of it at the price of this one.
    settleAt: before === undefined ? expiresAt : now,
    isStateChange,
    now,
  });
  const paymentUri = network.paymentUri(instruction, amounts.assetId, askedUnits(amounts));
  return {
    ...commitment,
    instruction,
    pastWindows: before === undefined ? [] : [...before.pastWindows, windowOf(before)],
    paymentUri,
    payee: network.accountHolder,
  };
}

function windowOf({ instruction, ...window }: Commitment): PastWindow {
  const { paymentUnits, settlementUnits, netUnits, committedAt, expiresAt } = window;
  const instructionId = instruction.id;
  return { instructionId, paymentUnits, settlementUnits, netUnits, committedAt, expiresAt };
}

/** The amounts shown at creation while they hold, then those of now (money.md, Quotes). */
function bindingAmounts(
  app: CommitCheckoutApp,
  checkout: Checkout,
  network: Network,
  offer: Offer,
  now: Temporal.Instant,
): Offer {
  if (Temporal.Instant.compare(now, checkout.quotedUntil) <= 0) return offer;
  const quote = quotePayment({
    environment: checkout.environment,
    total: checkout.total,
    billingCurrency: checkout.billingCurrency,
    paymentAssetId: offer.assetId,
    settlementAsset: checkout.settlementAsset,
    feePartsPerMillion: checkout.feePartsPerMillion,
    arrivingUnits: arrivingBy(network, offer.assetId),
    book: app.rates,
    now,
  });
  if (quote.kind === 'unavailable') throw new Outage(`rate (${quote.reason})`);
  assert(quote.netUnits > 0n, 'a quoted method credits something');
  const passage = network.passage?.(offer.assetId, quote.paymentUnits);
  const refused =
    passage?.kind === 'refused'
      ? passage.reason
      : reasonNotRelayed(offer.network, quote.paymentUnits);
  if (refused !== undefined) {
    throw new Refusal('conflict', 'amount_not_receivable', [`network: ${refused}`]);
  }
  const sentUnits = sentUnitsOf(passage, quote.paymentUnits);
  return { ...offer, ...quote, sentUnits, network: offer.network, assetId: offer.assetId };
}
