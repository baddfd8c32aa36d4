// Opens windows of checkouts, of one or of several in one transaction that holds them: destinations
// nobody was given before, amounts and end fixed once, the state that follows. Nothing here decides
// whether a window may be opened.

import { mustAnswer } from '#ask/ask.ts';
import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import type { LanguageCode } from '#catalog/language.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Owner } from '#catalog/owner.ts';
import { sql, type Tx } from '#db/db.ts';
import type { InstructionKeys } from '#deposit/deposit-instruction.ts';
import type { Destination, Network } from '#deposit/network.ts';
import { openDeposits } from '#deposit/open-deposit.ts';
import {
  type Checkout,
  type Commitment,
  type Offer,
  PAYMENT_WINDOW_MINUTES,
  type PastWindow,
  requireOwn,
} from './checkout.ts';
import { insertCommitments, replaceWindow } from './commitment.ts';
import { chooseOffer, type OfferChoice } from './quote-offers.ts';

export type CommitRequest = OfferChoice & {
  readonly checkoutId: string;
  /** 'page' when the customer acts on the hosted page, which was opened by its token. */
  readonly owner: Owner | 'page';
  /** In which the customer chose. */
  readonly pageLanguage?: LanguageCode | undefined;
};

/** With the data of the merchant that its checkout was created with. */
export type Committed = Commitment & { readonly meta: string | undefined };

/**
 * What a request means for the checkout that it names, under its lock.
 * @throws Refusal or Outage, as `commitCheckout` says.
 */
export function chooseWay(
  { networks }: { readonly networks: ReadonlyMap<string, Network> },
  locked: Checkout | undefined,
  request: CommitRequest,
): { readonly checkout: Checkout; readonly offer: Offer; readonly network: Network } {
  const checkout = requireUnended(locked, request.owner);
  const offer = chooseOffer(checkout, request);
  const network = networks.get(chainOf(checkout.environment, offer.network));
  if (network === undefined) throw new Outage(`network ${offer.network}`);
  refuseUnanswered(checkout);
  return { checkout, offer, network };
}

/** @throws Refusal missing `checkout_missing`; conflict `checkout_completed`, `checkout_cancelled` */
export function requireUnended(locked: Checkout | undefined, owner: Owner | 'page'): Checkout {
  const checkout = requireOwn(locked, owner);
  if (checkout.state === 'COMPLETED') {
    throw new Refusal('conflict', 'checkout_completed', 'the checkout is paid already');
  }
  if (checkout.cancelledAt !== undefined) {
    throw new Refusal('conflict', 'checkout_cancelled', 'the checkout was cancelled');
  }
  return checkout;
}

/** Nobody pays before he accepted the terms and answered what he has to. */
function refuseUnanswered({ asking, answeredAt }: Checkout): void {
  if (asking === undefined || answeredAt !== undefined || !mustAnswer(asking)) return;
  throw new Refusal('conflict', 'answers_missing', [
    'answers: the checkout asks something that has to be answered before a way to pay is chosen',
  ]);
}

export type Opening = {
  readonly checkout: Checkout;
  readonly network: Network;
  readonly offer: Offer;
  readonly instructionId: string;
  readonly committedAt: Temporal.Instant;
  readonly pageLanguage: LanguageCode | undefined;
  /** What the node answered, where one had to be asked. */
  readonly destination?: Destination | undefined;
  /** The window that ended, of the same way to pay. */
  readonly before?: Commitment | undefined;
};

type OpenApp = {
  readonly clock: Clock;
  readonly random: Random;
  readonly keyring: InstructionKeys;
};

/** In the order of `openings`; each is of another checkout. The last writes travel with COMMIT. */
export async function openCommitments(
  app: OpenApp,
  tx: Tx,
  openings: readonly Opening[],
): Promise<Commitment[]> {
  const now = app.clock.now();
  const fresh = openings.filter((opening) => keptInstruction(opening) === undefined);
  const opened = await openDeposits(
    app,
    tx,
    fresh.map((opening) => ({ network: opening.network, request: depositOf(opening, now) })),
  );
  const instructions = new Map(fresh.map((opening, index) => [opening, opened[index]!]));
  const made = openings.map((opening) => {
    const { network, offer, before } = opening;
    const instruction = keptInstruction(opening) ?? instructions.get(opening)!;
    return {
      ...windowOf(opening),
      instruction,
      pastWindows: before === undefined ? [] : [...before.pastWindows, pastWindowOf(before)],
      paymentUri: network.paymentUri(instruction, offer.assetId, offer.askedUnits),
      payee: network.accountHolder,
    };
  });
  const rows = openings.map((opening, index) => ({
    opening,
    row: {
      ...windowOf(opening),
      instructionId: made[index]!.instruction.id,
      rates: ratesText(opening.offer),
    },
  }));
  insertCommitments(
    tx,
    rows.filter(({ opening }) => !opening.before).map(({ row }) => row),
  );
  for (const { opening, row } of rows) if (opening.before) replaceWindow(tx, row);
  writeChosen(tx, openings, now);
  return made;
}

/** An invoice ends with its window; everything else is watched for ever. */
function keptInstruction({
  network,
  offer,
  before,
}: Opening): Commitment['instruction'] | undefined {
  const isInvoice = network.asksNode === true || getNetwork(offer.network).hasInvoices;
  return isInvoice ? undefined : before?.instruction;
}

function depositOf(
  { checkout, offer, instructionId, committedAt, destination }: Opening,
  now: Temporal.Instant,
) {
  return {
    id: instructionId,
    merchantId: checkout.merchantId,
    purpose: 'checkout',
    purposeId: checkout.id,
    assetId: offer.assetId,
    units: offer.arrivingUnits,
    createdAt: now,
    expiresAt: lockEnd(committedAt),
    destination,
  } as const;
}

function windowOf({ checkout, offer, committedAt }: Opening) {
  return {
    checkoutId: checkout.id,
    network: offer.network,
    assetId: offer.assetId,
    arrivingUnits: offer.arrivingUnits,
    askedUnits: offer.askedUnits,
    settlementAssetId: offer.settlementAssetId,
    settlementUnits: offer.settlementUnits,
    netUnits: offer.netUnits,
    feeUnits: offer.feeUnits,
    committedAt,
    expiresAt: lockEnd(committedAt),
  };
}

export function lockEnd(committedAt: Temporal.Instant): Temporal.Instant {
  return committedAt.add({ minutes: PAYMENT_WINDOW_MINUTES });
}

function ratesText({ rateIds, paymentToSettlement }: Offer): string {
  return JSON.stringify({
    rateIds: rateIds.map(String),
    numerator: String(paymentToSettlement.numerator),
    denominator: String(paymentToSettlement.denominator),
  });
}

/** A lock replaces the 24 hours that an uncommitted checkout lives. */
function writeChosen(tx: Tx, openings: readonly Opening[], now: Temporal.Instant): void {
  const chosen = openings.map(({ checkout, offer, committedAt, before, pageLanguage }) => {
    const { id, state, version } = checkout;
    const isStateChange = state === 'NEW' || state === 'EXPIRED';
    const expiresAt = lockEnd(committedAt);
    // Money of an earlier window may pay all of it at the price of this one, or be on its way.
    const settleAt = before === undefined && state !== 'EXPIRED' ? expiresAt : now;
    return {
      id,
      version: version + 1,
      state: isStateChange ? 'AWAITING_PAYMENT' : state,
      network: offer.network,
      asset_id: offer.assetId,
      expires_at: String(expiresAt),
      settle_at: String(settleAt),
      page_language: pageLanguage,
      is_state_change: isStateChange,
    };
  });
  // The state is decided again at `settle_at` or before.
  tx.send(sql`
    with changed as (
      update checkout set source_network = chosen.network, source_asset_id = chosen.asset_id,
        expires_at = chosen.expires_at, state = chosen.state, version = chosen.version,
        settle_at = least(checkout.settle_at, chosen.settle_at),
        page_language = coalesce(chosen.page_language, checkout.page_language),
        changed_in = pg_current_xact_id()
      from json_to_recordset(${JSON.stringify(chosen)}::json) as chosen (
        id text, version integer, state text, network text, asset_id text, expires_at timestamptz,
        settle_at timestamptz, page_language text, is_state_change boolean)
      where checkout.id = chosen.id
      returning checkout.id, checkout.version, checkout.state, chosen.is_state_change)
    insert into checkout_state_change (checkout_id, version, state, changed_at)
    select id, version, state, ${now}::timestamptz from changed where is_state_change`);
}

function pastWindowOf({ instruction, ...window }: Commitment): PastWindow {
  const { arrivingUnits, settlementUnits, netUnits, committedAt, expiresAt } = window;
  const instructionId = instruction.id;
  return { instructionId, arrivingUnits, settlementUnits, netUnits, committedAt, expiresAt };
}
