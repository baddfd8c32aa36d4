// The wire forms of a checkout. `checkoutView` is both `checkout` of GET /checkout and
// `data.checkout` of every event: one function, so the two cannot differ (service.md, Events;
// api-contract.md 6). Amounts are text; the request is echoed with the text of its numbers.

import type { AnchorDeposit } from '#anchor/anchor-deposit.ts';
import { askView } from '#ask/ask.ts';
import { timestamp } from '#base/instant.ts';
import { getAsset, shownAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Receipt } from '#chain/receipt.ts';
import type { CheckoutRecord, Commitment, Offer } from '#checkout/checkout.ts';
import { checkoutRefundView } from '#checkout/checkout-refund.ts';
import type { Credit } from '#checkout/credit.ts';
import {
  hostedCheckoutUrl,
  type PageTokenKeys,
  pageOrigin,
  pageToken,
} from '#checkout/page-token.ts';
import type { Payee } from '#deposit/network.ts';
import { answersOf } from '#event/event.ts';
import { amountToText } from '#money/asset-amount.ts';
import { decimalToText } from '#money/decimal.ts';
import { type ExactObject, parseStoredObject } from '#money/exact-json.ts';
import {
  commitmentOf,
  commitmentOfInstruction,
  isStanding,
  unaskedReceipts,
  unaskedRequired,
} from './payment-progress.ts';

export type CheckoutViewApp = {
  readonly publicUrl: string;
  readonly keyring: PageTokenKeys;
  readonly networks: ReadonlyMap<string, Payee>;
};

/** `paymentMethods` of service.md. */
export function paymentMethodsView(offers: readonly Offer[]) {
  return offers.map((offer) => {
    const shown = shownAsset(offer.network, offer.assetId);
    return {
      assetCode: shown.assetCode,
      blockchain: getNetwork(offer.network).blockchain,
      network: offer.network,
      relatedAssetId: offer.assetId,
      paymentAmount: amountToText(offer.askedUnits, shown.decimals),
      ...anchorFeeView(offer, shown.decimals),
      settlement: settlementView(offer),
    };
  });
}

function settlementView(amounts: Offer | Commitment) {
  const { decimals } = getAsset(amounts.settlementAssetId);
  return {
    assetId: amounts.settlementAssetId,
    amount: amountToText(amounts.settlementUnits, decimals),
    netAmount: amountToText(amounts.netUnits, decimals),
    fee: amountToText(amounts.feeUnits, decimals),
  };
}

/** `depositInstructions` of service.md, with `destinationTag` and `paymentUri` added. */
function depositInstructionsView(commitment: Commitment) {
  const shown = shownAsset(commitment.network, commitment.assetId);
  const { instruction } = commitment;
  return {
    assetCode: shown.assetCode,
    blockchain: getNetwork(commitment.network).blockchain,
    network: commitment.network,
    amount: amountToText(commitment.askedUnits, shown.decimals),
    ...anchorFeeView(commitment, shown.decimals),
    address: instruction.address,
    memo: instruction.memo ?? null,
    memoType: instruction.memoType ?? null,
    ...(instruction.destinationTag === undefined
      ? {}
      : { destinationTag: Number(instruction.destinationTag) }),
    ...payeeView(commitment),
    paymentUri: commitment.paymentUri || null,
  };
}

/** How much of what is sent an anchor keeps; nothing where it arrives whole. */
function anchorFeeView(
  amounts: Offer | Commitment,
  decimals: number,
): { readonly anchorFee?: string } {
  const feeUnits = amounts.askedUnits - amounts.arrivingUnits;
  return feeUnits === 0n ? {} : { anchorFee: amountToText(feeUnits, decimals) };
}

function payeeView({ payee }: Commitment): { readonly holder?: string; readonly bic?: string } {
  if (payee === undefined) return {};
  return { holder: payee.holder, ...(payee.bic === undefined ? {} : { bic: payee.bic }) };
}

/** The answer of POST /checkout/commit. */
export function commitmentView(commitment: Commitment & { readonly meta: string | undefined }) {
  return {
    depositInstructions: depositInstructionsView(commitment),
    settlement: settlementView(commitment),
    expirationTime: timestamp(commitment.expiresAt),
    quoteExpirationTime: timestamp(commitment.expiresAt),
    checkoutId: commitment.checkoutId,
    paymentUri: commitment.paymentUri || null,
    ...metaView(commitment.meta),
  };
}

/** The merchant's own data, in every answer that names the checkout (service.md, `meta`). */
export function metaView(metaText: string | undefined): { readonly meta?: ExactObject } {
  return metaText === undefined ? {} : { meta: parseStoredObject(metaText) };
}

export function checkoutView(app: CheckoutViewApp, record: CheckoutRecord) {
  const source = sourceOf(record);
  const shown = source?.commitment ?? record.commitments.at(-1);
  const origin = pageOrigin(app, record);
  const url = hostedCheckoutUrl(origin, record.language, pageToken(app.keyring, record.id));
  return {
    id: record.id,
    timestamp: timestamp(record.stateHistory.at(-1)?.changedAt ?? record.createdAt),
    state: record.state,
    type: record.type,
    origin: record.origin,
    ...settlementTotals(record, source),
    ...sourceTotals(record, source),
    blockchainTransactions: [
      ...record.anchorDeposits.flatMap((deposit) => anchorTransactions(record, deposit)),
      ...record.receipts
        .filter((receipt) => receipt.status !== 'GONE' || receipt.creditedGeneration !== undefined)
        .map((receipt) => transactionView(record, receipt)),
    ],
    payload: payloadView(record),
    hostedCheckoutUrl: url,
    total: decimalToText(record.total),
    billingCurrency: record.billingCurrency,
    ...askedView(record),
    stateHistory: record.stateHistory.map(({ state, changedAt }) => ({
      state,
      timestamp: timestamp(changedAt),
    })),
    flags: record.flags,
    paymentMethods: paymentMethodsView(record.offers),
    depositInstructions: shown === undefined ? null : depositInstructionsView(shown),
    expirationTime: record.commitments.length === 0 ? null : timestamp(record.expiresAt),
    quoteExpirationTime: timestamp(record.quotedUntil),
    ...metaView(record.meta),
    refunds: record.refunds.map(checkoutRefundView),
  };
}

/**
 * In an event: what was answered stands with the checkout alone (src/event/told-answers.ts). Before
 * a way to pay was chosen it may still change, and an event has one text always: it tells none.
 */
export function toldView(app: CheckoutViewApp, record: CheckoutRecord) {
  const hasAnswers = Object.keys(record.answers ?? {}).length > 0;
  if (!hasAnswers) return checkoutView(app, record);
  const answers = record.commitments.length > 0 ? answersOf(record.id) : undefined;
  return checkoutView(app, { ...record, answers });
}

/** Only of a checkout that asks something. */
function askedView({ asking, answers, answeredAt, termsAcceptedAt, tip }: CheckoutRecord) {
  if (asking === undefined) return {};
  return {
    asks: asking.asks.map(askView),
    answers: { ...answers },
    answeredAt: answeredAt === undefined ? null : timestamp(answeredAt),
    termsUrl: asking.termsUrl ?? null,
    termsAcceptedAt: termsAcceptedAt === undefined ? null : timestamp(termsAcceptedAt),
    tip: decimalToText(tip),
  };
}

/** What is always there in the request as it is echoed; the rest is there as it came. */
type Payload = {
  readonly charge: ExactObject;
  readonly settlementAsset: string;
  readonly webhook: string | null;
  readonly links: { readonly cancelUrl: string | null; readonly returnUrl: string | null };
};

/** Its only writer is checkout-request.ts. */
function payloadView({ payload }: CheckoutRecord): Payload {
  return parseStoredObject(payload) as ExactObject & Payload;
}

/** A way of paying, as the totals show it. */
type Source = {
  readonly network: string;
  readonly assetId: string;
  /** Undefined for money that nobody asked for. */
  readonly commitment: Commitment | undefined;
  /** What the whole charge cost in it. */
  readonly requiredUnits: bigint | undefined;
  readonly address: string | undefined;
  readonly settlementAssetId: string;
  /** What the merchant was to be credited for the whole charge. */
  readonly settlementUnits: bigint | undefined;
};

/** The way of paying that money arrived by last, else the one chosen last. */
function sourceOf(record: CheckoutRecord): Source | undefined {
  const commitment = record.commitments.find(
    ({ network, assetId }) => network === record.sourceNetwork && assetId === record.sourceAssetId,
  );
  if (commitment !== undefined) return askedSource(commitment);
  const last = record.commitments.at(-1);
  return unaskedSource(record) ?? (last && askedSource(last));
}

function askedSource(commitment: Commitment): Source {
  const { network, assetId, settlementAssetId, settlementUnits } = commitment;
  return {
    ...{ network, assetId, commitment, settlementAssetId, settlementUnits },
    requiredUnits: commitment.arrivingUnits,
    address: commitment.instruction.address,
  };
}

/** Assigned by a person: what came last is in an asset or by a network that nobody asked for. */
function unaskedSource(record: CheckoutRecord): Source | undefined {
  const { sourceNetwork: network, sourceAssetId: assetId } = record;
  if (network === undefined || assetId === undefined) return undefined;
  const receipt = unaskedReceipts(record, network, assetId).at(-1);
  const settlementAssetId = receipt?.unaskedSettlementAssetId;
  if (settlementAssetId === undefined) return undefined;
  const requiredUnits = unaskedRequired(record, network, assetId);
  const isSameAsset = settlementAssetId === assetId;
  const asked = record.commitments.findLast((one) => one.settlementAssetId === settlementAssetId);
  const named = record.commitments.find(
    ({ instruction }) => instruction.destination === receipt?.destination,
  );
  return {
    ...{ network, assetId, requiredUnits, settlementAssetId },
    commitment: undefined,
    address: named?.instruction.address,
    settlementUnits: isSameAsset ? requiredUnits : asked?.settlementUnits,
  };
}

function settlementTotals(record: CheckoutRecord, source: Source | undefined) {
  if (source === undefined) {
    return {
      settlementAssetId: record.settlementAsset === 'ORIGIN' ? null : record.settlementAsset,
      settlementAmountRequired: null,
      settlementAmountReceived: '0',
      settlementAmountFeePaid: '0',
    };
  }
  const { settlementAssetId: assetId, settlementUnits } = source;
  const { decimals } = getAsset(assetId);
  const settled = record.credits.filter(isEarned);
  const sameAsset = settled.filter((credit) => credit.settlementAssetId === assetId);
  const sum = (units: (credit: Credit) => bigint) =>
    amountToText(
      sameAsset.reduce((total, credit) => total + units(credit), 0n),
      decimals,
    );
  return {
    settlementAssetId: assetId,
    settlementAmountRequired: amountOrNull(settlementUnits, decimals),
    settlementAmountReceived: sum((credit) => credit.settlementUnits),
    settlementAmountFeePaid: sum((credit) => credit.feeUnits),
  };
}

function amountOrNull(units: bigint | undefined, decimals: number): string | null {
  return units === undefined ? null : amountToText(units, decimals);
}

/** Credited to the merchant's available balance and not taken back. */
function isEarned(credit: Credit): boolean {
  if (credit.reversedAt !== undefined) return false;
  return credit.account === 'available' || credit.releasedAt !== undefined;
}

function sourceTotals(record: CheckoutRecord, source: Source | undefined) {
  if (source === undefined) {
    return {
      sourceAssetId: null,
      sourceAmountRequired: null,
      sourceAmountReceived: '0',
      sourceNetwork: null,
      sourceNetworkName: null,
      depositAddress: null,
    };
  }
  const { network, assetId, commitment } = source;
  const { decimals } = shownAsset(network, assetId);
  const asked = record.receipts.filter(
    (receipt) =>
      commitment !== undefined &&
      receipt.assetId === assetId &&
      commitmentOf(record, receipt) === commitment,
  );
  const received = [...asked, ...unaskedReceipts(record, network, assetId)]
    .filter((receipt) => isStanding(receipt) && receipt.status === 'FINAL')
    .reduce((sum, receipt) => sum + receipt.units, 0n);
  return {
    sourceAssetId: assetId,
    sourceAmountRequired: amountOrNull(source.requiredUnits, decimals),
    sourceAmountReceived: amountToText(received, decimals),
    sourceNetwork: network,
    sourceNetworkName: getNetwork(network).name,
    depositAddress: source.address ?? null,
  };
}

const STELLAR = 'STELLAR';

type TransactionView = {
  readonly type: 'CHECKOUT_ORIGIN' | 'CHECKOUT_BRIDGE' | 'CHECKOUT_SETTLEMENT';
  readonly typeDescription: string;
  readonly network: string;
  readonly networkName: string;
  readonly timestamp: string;
  readonly tx: string;
  readonly amount: string;
  readonly amountAssetCode: string;
  readonly exception: string | null;
  readonly confirmations: number;
  readonly confirmationsRequired: number | null;
};

/** What happens before the payment reaches us, as far as the anchor has told. */
function anchorTransactions(record: CheckoutRecord, deposit: AnchorDeposit): TransactionView[] {
  const { externalTransaction, stellarTransaction, amountIn, amountOut } = deposit;
  const commitment = commitmentOfInstruction(record, deposit.instructionId);
  if (commitment === undefined) return [];
  const { assetCode, decimals } = getAsset(commitment.assetId);
  const text = (units: bigint) => amountToText(units, decimals);
  // Once the payment has reached us, we know more than the anchor.
  const arrived = record.receipts.find(({ transaction }) => transaction === stellarTransaction);
  const sent = amountIn ?? text(commitment.askedUnits);
  const passed = arrived ? text(arrived.units) : (amountOut ?? text(commitment.arrivingUnits));
  const told = (
    [type, typeDescription, network]: readonly [TransactionView['type'], string, string],
    tx: string,
    amount: string,
    seenAt: Temporal.Instant | undefined,
  ): TransactionView => ({
    type,
    typeDescription,
    network,
    networkName: getNetwork(network).name,
    timestamp: timestamp(seenAt ?? deposit.checkedAt),
    tx,
    amount,
    amountAssetCode: assetCode,
    exception: null,
    confirmations: 0,
    confirmationsRequired: null,
  });
  const origin = ['CHECKOUT_ORIGIN', 'Payment by the customer', commitment.network] as const;
  const bridge = ['CHECKOUT_BRIDGE', `Transfer by ${deposit.domain} to Stellar`, STELLAR] as const;
  return [
    ...(externalTransaction === undefined
      ? []
      : [told(origin, externalTransaction, sent, deposit.externalSeenAt)]),
    ...(stellarTransaction === undefined
      ? []
      : [told(bridge, stellarTransaction, passed, deposit.stellarSeenAt)]),
  ];
}

function transactionView(record: CheckoutRecord, receipt: Receipt): TransactionView {
  const commitment = commitmentOf(record, receipt);
  const isBridged = getAsset(receipt.assetId).bridge;
  const paidOn = commitment?.network ?? receipt.chain.slice(receipt.chain.indexOf(':') + 1);
  const network = isBridged ? STELLAR : paidOn;
  const shown = shownAsset(network, receipt.assetId);
  return {
    type: isBridged ? 'CHECKOUT_SETTLEMENT' : 'CHECKOUT_ORIGIN',
    typeDescription: isBridged ? 'Payment by the anchor to us' : 'Payment by the customer',
    network,
    networkName: getNetwork(network).name,
    timestamp: timestamp(receipt.minedAt ?? receipt.seenAt),
    tx: receipt.transaction,
    amount: amountToText(receipt.units, shown.decimals),
    amountAssetCode: shown.assetCode,
    exception: exceptionOf(commitment, receipt),
    confirmations: Number(receipt.confirmations),
    confirmationsRequired: receipt.confirmationsNeeded ?? null,
  };
}

function exceptionOf(commitment: Commitment | undefined, receipt: Receipt): string | null {
  if (receipt.reversedGeneration === receipt.generation) return 'REVERSED';
  if (receipt.status === 'GONE') return 'REPLACED';
  if (commitment !== undefined && commitment.assetId !== receipt.assetId) return 'WRONG_ASSET';
  if (receipt.heldAt !== undefined) return 'HELD';
  return null;
}
