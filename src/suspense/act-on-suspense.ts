// What a person does with money in suspense: assigns it, writes it off, or says how it was returned
// by hand. Guarantees: each act is one ledger entry with who and why under a cause of its own; the
// same act twice, or twenty at once, happens once; nothing is done with money whose transaction the
// network is taking back. Lock order: the checkout it names, then the row, then ledger accounts.

import type { Clock } from '#base/clock.ts';
import type { Wake } from '#base/loop.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { findAnyCheckout } from '#checkout/find-checkout.ts';
import {
  lockNamedCheckout,
  type NamedCheckout,
  noteAssignment,
} from '#checkout/note-assignment.ts';
import type { ReadRecordsApp } from '#checkout/read-records.ts';
import type { Db, Tx } from '#db/db.ts';
import { listReceiptsByIds } from '#deposit/list-receipts.ts';
import type { Suspense, SuspenseState } from '#deposit/suspense.ts';
import {
  findSuspenseRow,
  insertSuspenseAct,
  listSuspenseActs,
  lockSuspenseRow,
  type SuspenseAct,
  updateSuspense,
} from '#deposit/suspense-book.ts';
import { suspenseActEntry } from '#deposit/suspense-entries.ts';
import { accountsOf } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';
import { isMerchant } from '#merchant/is-merchant.ts';
import { tellResolved } from './tell-resolved.ts';

export type SuspenseApp = ReadRecordsApp & {
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
  const found = await getSuspense(app, request.id);
  const target = await targetOf(app, found, request);
  const draft = actOf(found, request, target, app.clock.now());
  await ensureAccounts(app.db, accountsOf([suspenseActEntry(found, draft)]));
  const done = await app.db.transact(async (tx) => {
    const { suspense, named } = await lockSuspense(tx, found, target?.checkoutId);
    if (await isSameAct(tx, suspense, draft)) return suspense;
    await requireOpen(tx, suspense);
    const now = app.clock.now();
    const act = actOf(suspense, request, target, now);
    const state = STATE_AFTER[request.kind];
    insertSuspenseAct(tx, act);
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
    await tellResolved(app, tx, resolved, act, named);
    postEntries(tx, [suspenseActEntry(suspense, act)]);
    return resolved;
  });
  app.wakes?.settle?.wake();
  app.wakes?.deliver?.wake();
  return done;
}

export async function getSuspense({ db }: Pick<SuspenseApp, 'db'>, id: bigint): Promise<Suspense> {
  const found = await findSuspenseRow(db, id);
  if (found !== undefined) return found;
  throw new Refusal('missing', 'suspense_missing', `nothing in suspense has the number ${id}`);
}

/** The checkout it names first. */
export async function lockSuspense(
  tx: Tx,
  found: Suspense,
  checkoutId: string | undefined,
): Promise<{ readonly suspense: Suspense; readonly named: NamedCheckout | undefined }> {
  const namedId = checkoutId ?? (found.purpose === 'checkout' ? found.purposeId : undefined);
  const named = namedId === undefined ? undefined : await lockNamedCheckout(tx, namedId);
  const suspense = await lockSuspenseRow(tx, found.id);
  return { suspense: suspense ?? found, named };
}

/** @throws Refusal conflict when it is no longer there, or the network may take it back. */
export async function requireOpen(tx: Tx, suspense: Suspense): Promise<void> {
  if (suspense.state !== 'OPEN') {
    throw new Refusal('conflict', 'suspense_closed', [
      `${suspense.id} is ${suspense.state}: only what is OPEN can be assigned, returned or written off`,
    ]);
  }
  const [receipt] = await listReceiptsByIds(tx, [suspense.receiptId]);
  if (receipt?.status === 'FINAL' && receipt.generation === suspense.generation) return;
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
    transaction: kind === 'RETURN' ? request.transaction : undefined,
    actedAt,
  };
}

/** Somebody did the very same before. */
async function isSameAct(tx: Tx, suspense: Suspense, wanted: SuspenseAct): Promise<boolean> {
  const last = (await listSuspenseActs(tx, [suspense.id])).at(-1);
  if (last === undefined || suspense.state !== STATE_AFTER[last.kind]) return false;
  return (
    last.kind === wanted.kind &&
    last.transaction === wanted.transaction &&
    last.merchantId === wanted.merchantId &&
    last.checkoutId === wanted.checkoutId
  );
}
