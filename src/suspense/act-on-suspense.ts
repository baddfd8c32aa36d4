// What a person does with money in suspense: assigns it, writes it off, or says how it was returned
// by hand. Guarantees: each act is one ledger entry with who and why under a cause of its own; the
// same act twice, or twenty at once, happens once; nothing is done with money whose transaction the
// network is taking back. What is assigned to a checkout is a payment of it, decided by its
// settlement. Lock order: the chain, the checkouts, then the row, then ledger accounts.

import { noteAct } from '#audit/act.ts';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { chainOf } from '#catalog/chain.ts';
import { lockCursor } from '#chain/chain-status.ts';
import { listReceiptsByIds, type Receipt } from '#chain/receipt.ts';
import type { Checkout } from '#checkout/checkout.ts';
import { findAnyCheckout, lockCheckout } from '#checkout/find-checkout.ts';
import { settleAtOnce } from '#checkout-settlement/settle-checkout.ts';
import {
  type AssignedWay,
  lockNamedCheckout,
  noteAssignment,
  requireTakesMoney,
  type TakeAssignedApp,
  takeAssigned,
  wayOfAssigned,
} from '#checkout-settlement/take-assigned.ts';
import type { Db, Tx } from '#db/db.ts';
import { reverseDepositCredit } from '#deposit-address/deposit-address.ts';
import { accountsOf } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { isMerchant } from '#merchant/merchant.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { Wake } from '#runtime/loop.ts';
import { requestSettlement } from '#settle/queue.ts';
import {
  findSuspense,
  lockSuspense,
  type Suspense,
  type SuspenseState,
  updateSuspense,
} from '#settle/suspense.ts';
import {
  insertSuspenseAct,
  listSuspenseActs,
  type SuspenseAct,
  suspenseActEntry,
} from '#settle/suspense-act.ts';
import { type ApprovalApp, requireSecondPerson } from '#spending/approval.ts';
import { tellResolved } from './suspense-view.ts';

export type SuspenseApp = TakeAssignedApp &
  ApprovalApp & {
    readonly db: Db;
    readonly clock: Clock;
    readonly random: Random;
    readonly wakes?:
      | { readonly settle?: Wake | undefined; readonly deliver?: Wake | undefined }
      | undefined;
  };

export type SuspenseRequest = {
  readonly id: bigint;
  readonly actor: string;
  /** Why; stored, and part of the ledger entry. */
  readonly reason: string;
} & (
  | { readonly kind: 'ASSIGN'; readonly merchantId?: string; readonly checkoutId?: string }
  | { readonly kind: 'RETURN'; readonly transaction: string }
  | { readonly kind: 'WRITE_OFF' }
);

const STATE_AFTER: Record<SuspenseRequest['kind'], SuspenseState> = {
  ASSIGN: 'ASSIGNED',
  RETURN: 'RETURNED',
  WRITE_OFF: 'WRITTEN_OFF',
};

export async function actOnSuspense(app: SuspenseApp, request: SuspenseRequest): Promise<Suspense> {
  requireWords(request);
  const found = await requireSuspense(app, request.id);
  if (found.state === 'OPEN' && request.kind !== 'ASSIGN') await requireTwo(app, found, request);
  const target = await targetOf(app, found, request);
  const draft = actOf(found, request, target, app.clock.now());
  await ensureAccounts(app.db, accountsOf([suspenseActEntry(found, draft)]));
  const done = await app.db.transact(async (tx) => {
    if (target?.checkoutId !== undefined) {
      await lockCursor(tx, chainOf(found.environment, found.network));
    }
    const { suspense, named } = await lockWithNamed(tx, found, target?.checkoutId);
    if (await isSameAct(tx, suspense, draft)) return suspense;
    const receipt = await requireOpen(tx, suspense);
    const now = app.clock.now();
    const isPayment = await payCheckout(app, tx, { suspense, receipt, target }, now);
    const act = { ...actOf(suspense, request, target, now), isPayment };
    const state = STATE_AFTER[request.kind];
    insertSuspenseAct(tx, act);
    noteSuspense(tx, suspense, act);
    updateSuspense(tx, suspense.id, { state, resolvedAt: now });
    const resolved: Suspense = {
      ...suspense,
      state,
      actCount: act.number,
      resolvedAt: now,
      merchantId: act.merchantId ?? suspense.merchantId,
      purpose: target?.checkoutId === undefined ? suspense.purpose : 'checkout',
      purposeId: target?.checkoutId ?? suspense.purposeId,
    };
    if (named !== undefined) noteAssignment(tx, named, request.kind === 'ASSIGN', now);
    // The checkout or address that asked for the money is no longer told about it.
    const { purpose, purposeId } = suspense;
    if (purpose !== undefined && purposeId !== undefined) {
      requestSettlement(tx, [{ purpose, purposeId }], now);
    }
    await tellResolved(app, tx, resolved, act, named);
    postEntries(tx, [suspenseActEntry(suspense, act)]);
    return resolved;
  });
  if (target?.checkoutId !== undefined) await settleAtOnce(app, target.checkoutId);
  app.wakes?.settle?.wake();
  app.wakes?.deliver?.wake();
  return done;
}

/**
 * What left, or is given up, is so above the limit on the word of two. What is assigned stays here.
 * @throws Refusal conflict `second_person`
 */
async function requireTwo(
  app: SuspenseApp,
  { id, environment, merchantId, network, assetId, units }: Suspense,
  request: SuspenseRequest,
): Promise<void> {
  const transaction = request.kind === 'RETURN' ? request.transaction : '';
  const done = request.kind === 'RETURN' ? `returned by ${transaction}` : 'written off';
  const amount = `${amountToText(units, getAsset(assetId).decimals)} ${assetId}`;
  await requireSecondPerson(app, {
    ...{ subject: `suspense:${id}`, environment, merchantId, actor: request.actor },
    about: `${amount} on ${network} in suspense is ${done}`,
    ...{ amount: { assetId, units }, words: [request.kind, transaction] },
  });
}

/** In the trail of acts, for whoever asks later who did it. */
export function noteSuspense(tx: Tx, { assetId, units, ...suspense }: Suspense, act: SuspenseAct) {
  const { suspenseId, kind, actor, actedAt, reason, checkoutId, address, transaction } = act;
  const verb = `suspense-${kind.toLowerCase().replaceAll('_', '-')}`;
  noteAct(tx, {
    ...{ actor, actedAt, verb, subject: `suspense:${suspenseId}` },
    environment: suspense.environment,
    merchantId: act.merchantId ?? suspense.merchantId,
    details: {
      amount: `${amountToText(units, getAsset(assetId).decimals)} ${assetId}`,
      ...{ reason, checkout: checkoutId, address, transaction, transfer: act.transferId },
    },
  });
}

export async function requireSuspense(
  { db }: Pick<SuspenseApp, 'db'>,
  id: bigint,
): Promise<Suspense> {
  const found = await findSuspense(db, id);
  if (found !== undefined) return found;
  throw new Refusal('missing', 'suspense_missing', `nothing in suspense has the number ${id}`);
}

/** Whether it pays for the checkout it is assigned to: then it is a payment of it from now on. */
async function payCheckout(
  app: SuspenseApp,
  tx: Tx,
  assigned: {
    readonly suspense: Suspense;
    readonly receipt: Receipt;
    readonly target: Target | undefined;
  },
  now: Temporal.Instant,
): Promise<boolean> {
  const { suspense, receipt, target } = assigned;
  if (target?.checkoutId === undefined) return false;
  const owner = { merchantId: target.merchantId, environment: suspense.environment };
  const record = await lockCheckout(app, tx, owner, target.checkoutId);
  assert(record !== undefined, 'a checkout is never removed');
  requireTakesMoney(record);
  const way: AssignedWay | undefined = await wayOfAssigned(app, tx, record, receipt, now);
  if (way === undefined) return false;
  if (suspense.purpose === 'deposit-address') reverseDepositCredit(tx, suspense, now);
  takeAssigned(tx, record, receipt, way, now);
  return true;
}

/** The checkouts it names first, in order of id. */
export async function lockWithNamed(
  tx: Tx,
  found: Suspense,
  checkoutId: string | undefined,
): Promise<{ readonly suspense: Suspense; readonly named: Checkout | undefined }> {
  const own = found.purpose === 'checkout' ? found.purposeId : undefined;
  const namedId = checkoutId ?? own;
  const ids = [...new Set([namedId, own])].filter((id) => id !== undefined).sort();
  let named: Checkout | undefined;
  for (const id of ids) {
    const locked = await lockNamedCheckout(tx, id);
    if (id === namedId) named = locked;
  }
  const suspense = await lockSuspense(tx, found.id);
  return { suspense: suspense ?? found, named };
}

/** @throws Refusal conflict when it is no longer there, or the network may take it back. */
export async function requireOpen(tx: Tx, suspense: Suspense): Promise<Receipt> {
  if (suspense.state !== 'OPEN') {
    throw new Refusal('conflict', 'suspense_closed', [
      `${suspense.id} is ${suspense.state}: only what is OPEN can be assigned, returned or written off`,
    ]);
  }
  const [receipt] = await listReceiptsByIds(tx, [suspense.receiptId]);
  if (receipt?.status === 'FINAL' && receipt.generation === suspense.generation) return receipt;
  throw new Refusal('conflict', 'payment_uncertain', [
    'the network is taking this payment back: wait until it is certain',
  ]);
}

export function requireWords({ actor, reason }: { actor: string; reason: string }): void {
  if (reason.trim() === '' || reason.length > 1_000) {
    throw new Refusal('invalid', 'usage', ['--reason: say why, in 1 to 1000 characters']);
  }
  if (actor.trim() === '' || actor.length > 200) {
    throw new Refusal('invalid', 'usage', ['--by: who does it, in 1 to 200 characters']);
  }
}

type Target = { readonly merchantId: string; readonly checkoutId: string | undefined };

async function targetOf(
  app: SuspenseApp,
  found: Suspense,
  request: SuspenseRequest,
): Promise<Target | undefined> {
  if (request.kind !== 'ASSIGN') return undefined;
  const { merchantId, checkoutId } = request;
  if (checkoutId === undefined) {
    if (merchantId !== undefined && (await isMerchant(app.db, merchantId))) {
      return { merchantId, checkoutId: undefined };
    }
    throw new Refusal('missing', 'merchant_missing', `no merchant has the id ${merchantId}`);
  }
  const record = await findAnyCheckout(app, checkoutId);
  if (record === undefined || record.environment !== found.environment) {
    throw new Refusal('missing', 'checkout_missing', [
      `no ${found.environment} checkout has the id ${checkoutId}`,
    ]);
  }
  if (merchantId !== undefined && merchantId !== record.merchantId) {
    throw new Refusal('conflict', 'checkout_of_another', [
      `checkout ${checkoutId} is not of merchant ${merchantId}`,
    ]);
  }
  if (found.merchantId !== undefined && found.merchantId !== record.merchantId) {
    throw new Refusal('conflict', 'checkout_of_another', [
      `what came for merchant ${found.merchantId} pays for no checkout of another`,
    ]);
  }
  return { merchantId: record.merchantId, checkoutId };
}

function actOf(
  suspense: Suspense,
  request: SuspenseRequest,
  target: Target | undefined,
  actedAt: Temporal.Instant,
): SuspenseAct {
  const { kind, actor, reason } = request;
  return {
    suspenseId: suspense.id,
    number: suspense.actCount + 1,
    kind,
    actor,
    reason,
    merchantId: target?.merchantId,
    checkoutId: target?.checkoutId,
    address: undefined,
    transaction: kind === 'RETURN' ? request.transaction : undefined,
    transferId: undefined,
    isPayment: false,
    actedAt,
  };
}

/** The same act was done before. */
async function isSameAct(tx: Tx, suspense: Suspense, wanted: SuspenseAct): Promise<boolean> {
  const last = (await listSuspenseActs(tx, [suspense.id])).at(-1);
  if (last === undefined || last.kind === 'CAME_BACK') return false;
  if (suspense.state !== STATE_AFTER[last.kind]) return false;
  return (
    last.kind === wanted.kind &&
    last.transaction === wanted.transaction &&
    last.merchantId === wanted.merchantId &&
    last.checkoutId === wanted.checkoutId
  );
}
