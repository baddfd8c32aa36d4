// Which page a checkout has now: a pure function of what is known, what the customer asked to see,
// and the time. The page never says more than the facts: it says `expired` only when the window is
// over and we have heard from its network since.
import { unreachable } from '#base/assert.ts';
import { shownAsset } from '#catalog/asset.ts';
import { networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { CheckoutRecord, Commitment, Offer } from '#checkout/checkout.ts';
import {
  isStanding,
  isWrongAsset,
  type PaymentProgress,
  paymentProgress,
} from '#checkout-settlement/payment-progress.ts';
import { isTakenBack, isUnderWay, type Notice, noticesOf } from './decide-notices.ts';
import { type PaymentView, paymentView } from './payment-view.ts';
import { unifiableOffer, unifiedUri } from './unified-code.ts';

export const PAGE_KINDS = [
  'ask',
  'choose',
  'pay',
  'seen',
  'partial',
  'paid',
  'expired',
  'cancelled',
  'trouble',
] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/** What the QR code holds. `both`: one code for Bitcoin and Lightning, where there is one. */
export const QR_WISHES = ['link', 'address', 'both'] as const;
export type QrWish = (typeof QR_WISHES)[number];

/** What the address of the page says beside the token. */
export type PageQuery = {
  readonly network: string | undefined;
  readonly asset: string | undefined;
  readonly group: string | undefined;
  readonly qr: QrWish;
  readonly choose: boolean;
  /** The customer goes back to what he answered. */
  readonly ask: boolean;
  /** The customer has just cancelled on this page. */
  readonly leave: boolean;
};

/** An amount that is to be sent now, and where to. */
export type Due = {
  readonly commitment: Commitment;
  readonly units: bigint;
  /** How much of it an anchor keeps; 0 where all of it arrives. */
  readonly anchorFeeUnits: bigint;
  /** Empty when the network is not configured any more. */
  readonly paymentUri: string;
  /** Bitcoin and Lightning in one. */
  readonly unifiedUri: string | undefined;
  /** What can be locked as well to get such a code. */
  readonly unifiable: Offer | undefined;
};

export type PageState = {
  readonly notices: readonly Notice[];
  readonly payments: readonly PaymentView[];
} /** What the shop asks first. */ & (
  | { readonly kind: 'ask' }
  | {
      readonly kind: 'choose';
      readonly offers: readonly Offer[];
      readonly group: string | undefined;
      /** A commitment that the customer can go back to. */
      readonly isChange: boolean;
      /** Networks among them whose newest payments we cannot see now. */
      readonly slow: readonly string[];
    }
  | { readonly kind: 'pay'; readonly due: Due; readonly canChange: boolean }
  | {
      readonly kind: 'seen';
      readonly progress: PaymentProgress | undefined;
      readonly isShort: boolean;
      /** What is missing, while its price holds. */
      readonly rest: Due | undefined;
    }
  | {
      readonly kind: 'partial';
      readonly progress: PaymentProgress;
      readonly rest: Due;
      readonly isWindowOver: boolean;
      /** The same again, at the price of now; undefined while the price of the rest holds. */
      readonly renewal: Offer | undefined;
      /** All of it goes back: nothing is asked for. */
      readonly isReturned: boolean;
      readonly canChange: boolean;
    }
  | { readonly kind: 'paid' }
  | {
      readonly kind: 'expired';
      readonly commitment: Commitment | undefined;
      /** The same again, at the price of now. */
      readonly renewal: Offer | undefined;
      readonly canChooseAgain: boolean;
    }
  | { readonly kind: 'cancelled' }
  /** `behind`: the window is over, and whether it was paid we cannot see now. */
  | { readonly kind: 'trouble'; readonly cause: 'behind'; readonly commitment: Commitment }
  /** It was paid, and the network took it back. */
  | { readonly kind: 'trouble'; readonly cause: 'taken-back' }
);

type PageFacts = {
  readonly record: CheckoutRecord;
  readonly query: PageQuery;
  readonly now: Temporal.Instant;
  /** Networks whose chain we have not read up to now. */
  readonly behind: ReadonlySet<string>;
  paymentUri(commitment: Commitment, units: bigint): string;
  /** What has to be sent so that so much arrives. */
  askedUnits(commitment: Commitment, units: bigint): bigint;
};

export function decidePage(facts: PageFacts): PageState {
  const { record } = facts;
  const shown = shownCommitment(record, facts.query);
  const base = {
    notices: noticesOf(facts, shown),
    payments: record.receipts.filter(isStanding).map((receipt) => paymentView(record, receipt)),
  };
  switch (record.state) {
    case 'NEW':
      return { ...base, ...unpaidPage(facts, undefined) };
    case 'AWAITING_PAYMENT':
      // A payment is recorded and will be decided in a moment: nobody is asked to pay again.
      if (hasNewPayment(record)) return { ...base, ...seenPage(facts, shown) };
      return { ...base, ...unpaidPage(facts, shown) };
    case 'PENDING':
      if (hasOnlyWrongAssets(record)) return { ...base, ...unpaidPage(facts, shown) };
      return { ...base, ...seenPage(facts, shown) };
    case 'UNDERPAID':
      return { ...base, ...partialPage(facts, shown) };
    case 'COMPLETED':
      if (isTakenBack(record.flags)) return { ...base, kind: 'trouble', cause: 'taken-back' };
      return { ...base, kind: 'paid' };
    case 'EXPIRED':
      if (facts.query.choose && canChange(facts)) return { ...base, ...choosePage(facts, true) };
      if (shown !== undefined && isTimeless(record, shown)) {
        return { ...base, ...unpaidPage(facts, shown) };
      }
      return { ...base, ...expiredPage(facts, shown) };
    case 'CANCELLED':
      return { ...base, kind: 'cancelled' };
    default:
      return unreachable(record.state);
  }
}

function hasNewPayment(record: CheckoutRecord): boolean {
  return record.receipts.some(
    (receipt) =>
      isStanding(receipt) &&
      !isWrongAsset(record, receipt) &&
      receipt.creditedGeneration !== receipt.generation,
  );
}

/** Money in another asset does not count as a payment, so the page still asks for the amount. */
function hasOnlyWrongAssets(record: CheckoutRecord): boolean {
  const standing = record.receipts.filter(isStanding);
  return standing.length > 0 && standing.every((receipt) => isWrongAsset(record, receipt));
}

/** The way to pay that the address names, else the one that money came by or was chosen last. */
export function shownCommitment(
  record: CheckoutRecord,
  query: Pick<PageQuery, 'network' | 'asset'>,
): Commitment | undefined {
  const { commitments } = record;
  const named = commitments.find(
    ({ network, assetId }) => network === query.network && assetId === query.asset,
  );
  const source = commitments.find(
    ({ network, assetId }) => network === record.sourceNetwork && assetId === record.sourceAssetId,
  );
  return named ?? source ?? commitments.at(-1);
}

type Body<State> = State extends PageState ? Omit<State, 'notices' | 'payments'> : never;
type PageBody = Body<PageState>;

function unpaidPage(facts: PageFacts, shown: Commitment | undefined): PageBody {
  const { record, query, now } = facts;
  if (shown === undefined) {
    const isOver = Temporal.Instant.compare(now, record.expiresAt) >= 0;
    return isOver ? expiredPage(facts, undefined) : choosePage(facts, false);
  }
  if (query.choose && canChange(facts)) return choosePage(facts, true);
  if (!isOver(facts, shown)) {
    return {
      kind: 'pay',
      due: dueOf(facts, shown, shown.arrivingUnits),
      canChange: canChange(facts),
    };
  }
  if (facts.behind.has(shown.network))
    return { kind: 'trouble', cause: 'behind', commitment: shown };
  return expiredPage(facts, shown);
}

function seenPage(facts: PageFacts, shown: Commitment | undefined): PageBody {
  if (shown === undefined) {
    return { kind: 'seen', progress: undefined, isShort: false, rest: undefined };
  }
  const progress = paymentProgress(facts.record, shown);
  const isShort = isBelowTolerance(facts.record, progress);
  const isAsked = isShort && !isOver(facts, shown);
  const rest = isAsked ? restOf(facts, shown, progress) : undefined;
  return { kind: 'seen', progress, isShort, rest };
}

function partialPage(facts: PageFacts, shown: Commitment | undefined): PageBody {
  if (shown === undefined) return expiredPage(facts, undefined);
  if (facts.query.choose && canChange(facts)) return choosePage(facts, true);
  const progress = paymentProgress(facts.record, shown);
  const isWindowOver = isOver(facts, shown);
  const isReturned = progress.receivedUnits === 0n && facts.record.refunds.some(isUnderWay);
  // While we cannot see the network, the rest may have arrived already.
  const isRenewable = isWindowOver && !isReturned && !facts.behind.has(shown.network);
  return {
    kind: 'partial',
    progress,
    rest: restOf(facts, shown, progress),
    isWindowOver,
    renewal: isRenewable ? renewalOf(facts, shown) : undefined,
    isReturned,
    canChange: canChange(facts),
  };
}

function choosePage(facts: PageFacts, isChange: boolean): PageBody {
  const { record, query, behind } = facts;
  const { offers, asking, answeredAt, commitments } = record;
  // Once a way was chosen, nothing of it changes any more.
  const isAsked = asking !== undefined && commitments.length === 0;
  if (isAsked && (answeredAt === undefined || query.ask)) return { kind: 'ask' };
  const networks = new Set(offers.map(({ network }) => network));
  const slow = [...networks].filter((network) => behind.has(network));
  return { kind: 'choose', offers, group: query.group, isChange, slow };
}

function expiredPage(facts: PageFacts, commitment: Commitment | undefined): PageBody {
  const { cancelledAt, offers } = facts.record;
  const isOpen = cancelledAt === undefined;
  const renewal = renewalOf(facts, commitment);
  return {
    kind: 'expired',
    commitment,
    renewal,
    canChooseAgain: isOpen && (renewal === undefined || offers.length > 1),
  };
}

/** The way whose window is over, where it can be had again. */
function renewalOf(
  { record: { cancelledAt, offers } }: PageFacts,
  commitment: Commitment | undefined,
): Offer | undefined {
  if (cancelledAt !== undefined) return undefined;
  return offers.find(
    ({ network, assetId }) => network === commitment?.network && assetId === commitment.assetId,
  );
}

function restOf(facts: PageFacts, shown: Commitment, progress: PaymentProgress): Due {
  return dueOf(facts, shown, progress.remainingUnits);
}

function dueOf(facts: PageFacts, commitment: Commitment, units: bigint): Due {
  const isWhole = units === commitment.arrivingUnits;
  const isKnown = isWhole || units === 0n;
  const askedUnits = isWhole
    ? commitment.askedUnits
    : units === 0n
      ? 0n
      : facts.askedUnits(commitment, units);
  const paymentUri = isKnown ? commitment.paymentUri : facts.paymentUri(commitment, askedUnits);
  const { record, now } = facts;
  return {
    commitment,
    units: askedUnits,
    anchorFeeUnits: askedUnits - units,
    paymentUri,
    unifiedUri: isWhole ? unifiedUri(record, commitment, now) : undefined,
    unifiable: isWhole ? unifiableOffer(record, commitment, now) : undefined,
  };
}

/** A rest within the merchant's tolerance is not asked for. */
function isBelowTolerance(record: CheckoutRecord, progress: PaymentProgress): boolean {
  const tolerated = progress.requiredUnits * BigInt(record.underpaidTolerancePartsPerMillion);
  return progress.remainingUnits * 1_000_000n > tolerated;
}

function isOver({ record, now }: PageFacts, commitment: Commitment): boolean {
  return !isTimeless(record, commitment) && hasEnded(commitment, now);
}

function hasEnded({ expiresAt }: Commitment, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(now, expiresAt) >= 0;
}

/** For a bank transfer in the currency of the bill no price can change, so no time runs out. */
export function isTimeless(
  { billingCurrency }: Pick<CheckoutRecord, 'billingCurrency'>,
  { network, assetId }: Pick<Commitment, 'network' | 'assetId'>,
): boolean {
  return (
    getNetwork(network).type === 'BANK' &&
    shownAsset(network, assetId).assetCode === billingCurrency
  );
}

/** Another way to pay, or (when the window is over) the same at the price of today. */
function canChange({ record, now }: PageFacts): boolean {
  if (record.cancelledAt !== undefined) return false;
  const { offers, commitments } = record;
  return (
    offers.length > 1 ||
    commitments.length === 0 ||
    commitments.some((commitment) => hasEnded(commitment, now))
  );
}

/** Every network of a checkout that could be shown as behind. */
export function watchedNetworks(record: CheckoutRecord): string[] {
  const paid = record.receipts.map(({ chain }) => networkOf(chain));
  const ways = [...record.offers, ...record.commitments].map(({ network }) => network);
  return [...new Set([...ways, ...paid])];
}
