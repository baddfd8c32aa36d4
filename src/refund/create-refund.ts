// Refunds a checkout. Guarantees: what was recorded before is decided before it looks; the checkout
// is locked while it is decided, and the money is out
// of the merchant's reach when this returns, also where the payer has yet to say where it goes; all
// refunds of a checkout together never come to more than was paid.

import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { REFUND } from '#checkout/checkout-refund.ts';
import { refundCredits } from '#checkout/credit.ts';
import { type FindCheckoutApp, findCheckout, lockCheckout } from '#checkout/find-checkout.ts';
import type { PageTokenKeys } from '#checkout/page-token.ts';
import { actOnDecided } from '#checkout-settlement/act-on-checkout.ts';
import type { SettleCheckoutApp } from '#checkout-settlement/settle-checkout.ts';
import type { Db, Tx } from '#db/db.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';
import type { Wake } from '#runtime/loop.ts';
import {
  requireWithinLimits,
  restsUntil,
  type SpendingApp,
} from '#spending/require-within-limits.ts';
import {
  ensureTransferAccounts,
  refuseOverdraft,
  reserveTransfer,
} from '#transfer/book-transfer.ts';
import { type Executors, requireExecutor } from '#transfer/executor.ts';
import {
  makerOf,
  openTransfer,
  type Transfer,
  type TransferSealKeys,
  type TransferTerms,
} from '#transfer/transfer.ts';
import { decideRefund, type RefundPlan, type RefundWish } from './decide-refund.ts';
import {
  claimToken,
  claimTokenHash,
  type Refund,
  restingRefundView,
  tellRefund,
} from './refund.ts';
import { type RefundAccountApp, type RefundDetails, refundAccount } from './refund-account.ts';

export type CreateRefundApp = Omit<FindCheckoutApp, 'db' | 'keyring'> &
  SettleCheckoutApp &
  SpendingApp &
  RefundAccountApp & {
    readonly db: Db;
    readonly clock: Clock;
    readonly random: Random;
    readonly keyring: FindCheckoutApp['keyring'] & PageTokenKeys & TransferSealKeys;
    readonly executors: Executors;
    readonly wakes?: { readonly transfer?: Wake | undefined } | undefined;
  };

export type RefundRequest = RefundWish &
  RefundDetails & {
    readonly checkoutId: string;
    /** Where the payer wants it; a link for the payer to say so when absent. */
    readonly address: string | undefined;
    /** What somebody looked at before he said so: nothing else is done. */
    readonly agreed?: Pick<RefundPlan, 'units' | 'networkFeeUnits'> | undefined;
  };

/** After this time a refund that nobody claimed goes back to the merchant. */
const CLAIMABLE_DAYS = 90;

/** A key, or a person, as the trail names him. */
type RefundCaller = Owner & Pick<Transfer, 'apiKey'> & Partial<Pick<Transfer, 'maker'>>;

export async function createRefund(
  app: CreateRefundApp,
  caller: RefundCaller,
  request: RefundRequest,
): Promise<Refund> {
  const record = await findCheckout(app, caller, request.checkoutId);
  if (record === undefined) throw missingCheckout();
  // What came is not always what was asked for: a person may have assigned it.
  const arrived = [...record.commitments, ...record.credits].map(({ assetId }) => assetId);
  for (const assetId of new Set(arrived)) {
    await ensureTransferAccounts(app.db, { ...caller, assetId });
  }
  const refund = await refuseOverdraft(
    actOnDecided(app, request.checkoutId, async (tx) => {
      const locked = await lockCheckout(app, tx, caller, request.checkoutId);
      if (locked === undefined) throw missingCheckout();
      return refundLocked(app, tx, locked, caller, request);
    }),
  );
  app.wakes?.transfer?.wake();
  return refund;
}

/**
 * What would be done, for somebody to look at; nothing is moved.
 * @throws Refusal as createRefund does, but for limits and the balance.
 */
export async function previewRefund(
  app: CreateRefundApp,
  owner: Owner,
  request: RefundRequest,
): Promise<ReturnType<typeof planRefund>> {
  const record = await findCheckout(app, owner, request.checkoutId);
  if (record === undefined) throw missingCheckout();
  return planRefund(app, record, owner, request);
}

function missingCheckout(): Refusal {
  return new Refusal('missing', 'checkout_missing', 'checkoutId: no such checkout');
}

/** What goes back, where to, and what the network takes for it. */
function planRefund(
  app: CreateRefundApp,
  record: CheckoutRecord,
  { environment }: Owner,
  request: RefundRequest,
) {
  const executorOf = (network: string) =>
    requireExecutor(app.executors, chainOf(environment, network));
  const plan = decideRefund(record, request, (network, assetId, units) =>
    executorOf(network).networkFeeUnits(assetId, units),
  );
  const account =
    request.address === undefined
      ? undefined
      : refundAccount(app, {
          ...request,
          network: plan.network,
          environment,
          address: request.address,
          units: plan.units,
        });
  const gasFee = executorOf(plan.network).gasFee?.(plan.assetId, plan.units);
  return { plan, account, gasFee };
}

async function refundLocked(
  app: CreateRefundApp,
  tx: Tx,
  record: CheckoutRecord,
  caller: RefundCaller,
  request: RefundRequest,
): Promise<Refund> {
  const { environment } = caller;
  const { plan, account, gasFee } = planRefund(app, record, caller, request);
  requireAgreed(plan, request);
  const now = app.clock.now();
  const amount = { assetId: plan.assetId, units: plan.units };
  const rests = account && (await restsUntil(app, tx, caller, amount, now));
  const terms = { ...termsOf(caller, plan, account, now), restsUntil: rests, gasFee };
  await requireWithinLimits(app, tx, caller, { ...terms, isConversion: false }, now);
  const transfer = openTransfer(app, tx, terms);
  const id = newId(app.random);
  const refund: Refund = {
    id,
    merchantId: caller.merchantId,
    environment,
    checkoutId: record.id,
    kind: request.kind,
    context: plan.context,
    state: account === undefined ? 'AWAITING_ADDRESS' : 'UNDER_WAY',
    payment: 'STANDING',
    network: plan.network,
    assetId: plan.assetId,
    units: plan.units,
    address: request.address,
    transferId: transfer.id,
    account,
    networkFeeUnits: transfer.networkFeeUnits,
    feeTakenUnits: undefined,
    undoneCount: 0,
    gasFee,
    claimable: undefined,
    transaction: undefined,
    submittedAt: undefined,
    failure: undefined,
    apiKey: caller.apiKey,
    createdAt: now,
    finishedAt: undefined,
    language: record.language,
    webhookUrl: record.webhookUrl,
    pageOrigin: record.pageOrigin,
    checkoutApiKey: record.apiKey,
    checkoutState: record.state,
    checkoutMeta: record.meta,
    claimableUntil: transfer.expiresAt,
    restsUntil: rests,
    eventSequence: 0,
  };
  const hash = claimTokenHash(claimToken(app.keyring, id));
  tx.send(REFUND.insert([{ ...refund, claimTokenHash: account === undefined ? hash : undefined }]));
  if (rests !== undefined) {
    tellRefund(app, tx, refund, 'REFUND_RESTS', restingRefundView(refund, rests));
  }
  if (plan.source === 'merchant:pending') {
    refundCredits(tx, { ...plan, refundId: id, checkoutId: record.id }, now);
  }
  noteAct(tx, {
    ...{ actedAt: now, actor: makerOf(transfer), verb: 'refund-create' },
    ...{ subject: `transfer:${transfer.id}`, environment, merchantId: caller.merchantId },
    details: { refund: id, checkout: record.id, address: request.address },
  });
  // Posted last, because everybody who is paid in this asset waits for these accounts until COMMIT.
  reserveTransfer(tx, transfer, now);
  return refund;
}

/** Less may be taken by the network than was agreed to, and nothing else may differ. */
function requireAgreed(plan: RefundPlan, { agreed }: RefundRequest): void {
  if (agreed === undefined) return;
  if (plan.units === agreed.units && plan.networkFeeUnits <= agreed.networkFeeUnits) return;
  const message = 'what would be refunded, or what it costs, is not what was looked at: look again';
  throw new Refusal('conflict', 'refund_changed', message);
}

function termsOf(
  { merchantId, environment, apiKey, maker }: RefundCaller,
  { network, assetId, units, networkFeeUnits, source }: RefundPlan,
  account: ReceivingAccount | undefined,
  now: Temporal.Instant,
): TransferTerms {
  const expiresAt = now.add({ hours: CLAIMABLE_DAYS * 24 });
  return {
    merchantId,
    environment,
    kind: 'REFUND',
    beneficiaryId: undefined,
    network,
    assetId,
    account,
    units: units + networkFeeUnits,
    networkFeeUnits,
    feeUnits: 0n,
    targetUnits: units,
    source,
    state: 'RESERVED',
    apiKey,
    maker,
    createdAt: now,
    expiresAt,
    committedAt: now,
    restsUntil: undefined,
    nextStepAt: account === undefined ? expiresAt : now,
  };
}
