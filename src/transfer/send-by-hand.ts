// Transfers that a person sends: which wait for it, how each is sent, and what that person says of
// them. Guarantees: nobody is told to send what may not be sent any more or may have been sent;
// what was changed in the database is not shown, given back or done; money goes back to the
// merchant only when a person says that it was not sent, once anybody was told how to send it; the
// watcher, and not a word of a merchant, says that it has left.
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { chainOf, type Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { SealKeys } from '#people/beneficiary.ts';
import { requireSecondPerson } from '#spending/approval.ts';
import { transferToApprove } from './book-transfer.ts';
import { claimableOf } from './claimable.ts';
import { type ConcludeTransferApp, concludeTransfer, type Said } from './conclude-transfer.ts';
import { type Executors, isByHand, type SendingInstruction } from './executor.ts';
import {
  type HoldToSendApp,
  holdToSend,
  requireNotCancelled,
  requireSameBeneficiary,
  requireUnchanged,
  requireUnsigned,
} from './hold-to-send.ts';
import {
  hasNotEnded,
  lockTransfer,
  noteTransfer,
  OPEN_TRANSFER,
  type Transfer,
  type TransferSealKeys,
  transferView,
} from './transfer.ts';

export type SendByHandApp = ConcludeTransferApp &
  HoldToSendApp & {
    readonly executors: Executors;
    readonly keyring: SealKeys & TransferSealKeys;
  };

/** Oldest first: what waits for a person, and what that person has sent and is not final yet. */
export function listToSend(
  { db }: { readonly db: Reader },
  { owner, most }: { readonly owner?: Owner | undefined; readonly most: number },
): Promise<Transfer[]> {
  const owned = owner === undefined ? sql`true` : ownedBy(owner);
  return OPEN_TRANSFER.select(
    db,
    sql`where by_hand and state in ('TO_SEND', 'SUBMITTED') and ${owned}
      order by committed_at, id limit ${most}`,
  );
}

export type Sending = SendingInstruction & { readonly transfer: Transfer };

type ShowWish = {
  /** What takes the place of a signed transaction, so that one of both lands. */
  readonly instead?: boolean;
  /** What takes its place pays nobody. */
  readonly isCancelled?: boolean;
};

/**
 * How it is sent. From now on it may have been sent, so it ends only by what the chain shows or by
 * what a person says.
 * @throws Refusal missing; conflict when it does not wait to be sent, may not be sent (now), was
 * signed, or was changed in the database.
 */
export async function showSending(
  app: SendByHandApp,
  id: string,
  { actor = 'operator', ...wish }: ShowWish & { readonly actor?: string } = {},
): Promise<Sending> {
  const seen = await requireTransfer(app.db, id);
  const transfer = await app.db.transact((tx) => showHeld(app, tx, seen, { ...wish, actor }));
  return { transfer, ...instructionOf(app.executors, transfer) };
}

/**
 * As showSending, when the transaction of the caller is kept: until then nobody may be told.
 * @throws Refusal conflict
 */
export async function showHeld(
  app: SendByHandApp,
  tx: Tx,
  seen: Transfer,
  { actor, ...wish }: ShowWish & { readonly actor: string },
): Promise<Transfer> {
  const held = await holdToShow(app, tx, seen, wish);
  const shownAt = held.shownAt ?? app.clock.now();
  tx.send(sql`update transfer set shown_at = ${shownAt} where id = ${seen.id}`);
  noteTransfer(tx, held, { verb: 'send-show', actor, actedAt: app.clock.now() });
  return { ...held, shownAt };
}

/** Somebody may be told how, as far as the transaction lasts. @throws Refusal conflict */
export async function holdToShow(
  app: SendByHandApp,
  tx: Tx,
  seen: Transfer,
  { instead = false, isCancelled = false }: ShowWish,
): Promise<Transfer> {
  const held = await (isCancelled
    ? holdCancelled(tx, seen)
    : holdSending(app, tx, seen, { instead }));
  if (!instead) requireUnsigned(held);
  return held;
}

/**
 * It waits to be sent, may be, and is as it was written, as far as the transaction lasts.
 * `instead`: what takes the place of what the network shows on its way is for it as well. `isMade`:
 * what somebody has signed is stored and sent, also when it was decided since that it is not paid.
 * @throws Refusal conflict
 */
export async function holdSending(
  app: SendByHandApp,
  tx: Tx,
  seen: Transfer,
  { instead = false, isMade = false } = {},
): Promise<Transfer> {
  const verdict = await holdToSend(app, tx, seen);
  const locked = await lockTransfer(tx, seen.id);
  const isOnItsWay = instead && locked?.byHand === true && locked.state === 'SUBMITTED';
  if (locked === undefined || (locked.state !== 'TO_SEND' && !isOnItsWay)) {
    throw notWaiting(locked ?? seen);
  }
  if (verdict.kind === 'never' || verdict.kind === 'lapsed') {
    throw new Refusal('conflict', 'transfer_void', verdict.reason);
  }
  if (verdict.kind === 'wait') {
    throw new Refusal('conflict', 'transfer_waits', `${verdict.reason}: wait, and do not send`);
  }
  if (!isMade) await requireNotCancelled(tx, locked);
  await requireUnchanged(tx, app, locked);
  await requireSameBeneficiary(app, locked);
  return locked;
}

/**
 * What pays it may be replaced by what pays nobody, whatever became of what it rests on.
 * @throws Refusal conflict
 */
export async function holdCancelled(tx: Tx, seen: Transfer): Promise<Transfer> {
  const locked = await lockTransfer(tx, seen.id);
  const isOnItsWay = locked?.state === 'TO_SEND' || locked?.state === 'SUBMITTED';
  if (locked === undefined || !isOnItsWay || !locked.byHand) throw notWaiting(locked ?? seen);
  return locked;
}

function instructionOf(executors: Executors, transfer: Transfer): SendingInstruction {
  const { id: transferId, merchantId, assetId, account, targetUnits: units } = transfer;
  const executor = executors.get(chainOf(transfer.environment, transfer.network));
  if (executor === undefined || !isByHand(executor) || account === undefined) {
    return { link: undefined };
  }
  return executor.instruct({ transferId, merchantId, assetId, account, units });
}

/**
 * A person says that it was paid with money held elsewhere, where the watcher sees nothing of it.
 * @throws Refusal missing; conflict when it does not wait to be sent or was changed, and
 * `second_person`.
 */
export async function confirmSentOutside(
  app: SendByHandApp,
  id: string,
  { transaction, ...said }: Said & { readonly transaction: string },
): Promise<Transfer> {
  const seen = await requireTransfer(app.db, id);
  if (seen.state !== 'TO_SEND') throw notWaiting(seen);
  requireUnsigned(seen);
  await requireUnchanged(app.db, app, seen);
  const { about, amount, environment, merchantId } = transferToApprove(app.keyring, seen);
  await requireSecondPerson(app, {
    ...{ subject: `confirm:${id}`, environment, merchantId, amount, actor: said.actor },
    ...{ about: `said to be paid by ${transaction}: ${about}`, words: [transaction] },
  });
  const landing = { transaction, feeTakenUnits: 0n, paidOutside: true };
  const isDone = await concludeTransfer(app, seen, { kind: 'completed', landing, said });
  if (!isDone) throw notWaiting(await requireTransfer(app.db, id));
  return requireTransfer(app.db, id);
}

/**
 * It is not sent, and the money is the merchant's again. `isNotSent`: whoever was told how to send
 * it has said that it was not. @throws Refusal missing or conflict
 */
export async function cancelSending(
  app: SendByHandApp,
  id: string,
  { isNotSent, ...said }: Said & { readonly isNotSent: boolean },
  owner?: Owner,
): Promise<Transfer> {
  const seen = await requireTransfer(app.db, id, owner);
  // Before it is handed to anybody as well: while it rests, or waits for its payer.
  if (seen.state !== 'TO_SEND' && seen.state !== 'RESERVED') throw notWaiting(seen);
  const toldAt = seen.shownAt ?? seen.askedAt;
  if (toldAt !== undefined && !isNotSent) {
    throw new Refusal('conflict', 'transfer_shown', [
      `somebody was told at ${toldAt} how to send it: make sure that it was not sent, and say so`,
    ]);
  }
  requireUnsigned(seen);
  await requireUnchanged(app.db, app, seen);
  const reason = `cancelled: ${said.reason}`;
  const isDone = await concludeTransfer(app, seen, { kind: 'failed', reason, said });
  if (!isDone) throw notWaiting(await requireTransfer(app.db, id));
  return requireTransfer(app.db, id);
}

/** @throws Refusal missing */
export async function requireTransfer(
  reader: Reader,
  id: string,
  owner?: Owner,
): Promise<Transfer> {
  // What carries a refund or a return is not a transfer of the merchant.
  const owned = owner === undefined ? sql`true` : sql`${ownedBy(owner)} and kind = 'TRANSFER'`;
  const found = await OPEN_TRANSFER.find(reader, sql`where id = ${id} and ${owned}`);
  if (found === undefined) throw new Refusal('missing', 'transfer_missing', 'no such transfer');
  return found;
}

function notWaiting(transfer: Transfer): Refusal {
  const { state, byHand, transaction } = transfer;
  const sent = transaction === undefined ? '' : ` (${transaction})`;
  const how = hasNotEnded(transfer) && !byHand ? ', and no person sends it' : sent;
  return new Refusal('conflict', 'transfer_not_to_send', [
    `the transfer does not wait to be sent: it is ${state}${how}`,
  ]);
}

/** What a person has to send there, oldest first. */
export function listByHand(
  reader: Reader,
  environment: Environment,
  network: string,
): Promise<Transfer[]> {
  return OPEN_TRANSFER.select(
    reader,
    sql`where state = 'TO_SEND' and environment = ${environment} and network = ${network}
      order by committed_at, id`,
  );
}

/** The same, and what the signer was asked for and the network shows, in no block or in one. */
export function listForSigner(
  reader: Reader,
  environment: Environment,
  network: string,
): Promise<Transfer[]> {
  return OPEN_TRANSFER.select(
    reader,
    sql`where (state = 'TO_SEND' or state = 'SUBMITTED' and asked_at is not null)
      and environment = ${environment} and network = ${network} order by committed_at, id`,
  );
}

/** The signer is asked: it may be sent from now on. */
export function noteAsked(tx: Tx, id: string, now: Temporal.Instant): void {
  tx.send(sql`update transfer set asked_at = coalesce(asked_at, ${now}) where id = ${id}`);
}

/** Undefined: it goes on. */
export async function noteHeldUp(
  db: Db,
  { id, heldUp: before }: Pick<Transfer, 'id' | 'heldUp'>,
  heldUp: string | undefined,
): Promise<void> {
  if (heldUp === before) return;
  await db.single((tx) =>
    tx.query(sql`update transfer set held_up = ${heldUp ?? null} where id = ${id}`),
  );
}

type Shown = Parameters<typeof claimableOf>[0] & { readonly transaction: string };

/** The chain shows it on its way. False when it does not wait to be sent any more. */
export async function noteSent(
  tx: Tx,
  id: string,
  shown: Shown,
  now: Temporal.Instant,
): Promise<boolean> {
  const claimable = claimableOf(shown);
  const noted = await tx.query(sql`
    update transfer set state = 'SUBMITTED', transaction = ${shown.transaction},
      claimable = ${claimable === undefined ? null : JSON.stringify(claimable)},
      submitted_at = coalesce(submitted_at, ${now}),
      leaving_since = coalesce(leaving_since, ${now}),
      -- What the signer sent is for the signer to send again.
      shown_at = case when asked_at is null then coalesce(shown_at, ${now}) else shown_at end
    where id = ${id} and state = 'TO_SEND' returning id`);
  return noted.length === 1;
}

/** Somebody signed what pays them: until that can land no more, nothing else is sent. */
export function noteSigned(
  tx: Tx,
  ids: readonly string[],
  transaction: string,
  now: Temporal.Instant,
): void {
  tx.send(sql`
    update transfer set transaction = ${transaction},
      leaving_since = coalesce(leaving_since, ${now})
    where id = any(${ids}::text[]) and state = 'TO_SEND'`);
}

/** What was signed for them can land no more; `other`: this still can. */
export function noteUnsigned(
  tx: Tx,
  ids: readonly string[],
  transaction: string,
  other: string | undefined,
): void {
  tx.send(sql`
    update transfer set transaction = ${other ?? null},
      leaving_since = case when ${other !== undefined} then leaving_since end
    where id = any(${ids}::text[]) and state = 'TO_SEND' and transaction = ${transaction}`);
}

/**
 * The network does not show the transaction any more: it waits to be sent again. `canLand`: what
 * was signed here may land all the same, so nothing else is signed beside it.
 */
export function noteUnsent(
  tx: Tx,
  { id, transaction, canLand }: { id: string; transaction: string; canLand: boolean },
  now: Temporal.Instant,
): void {
  const kept = canLand ? transaction : null;
  tx.send(sql`
    update transfer set state = 'TO_SEND', transaction = ${kept}, next_step_at = ${now},
      claimable = null,
      leaving_since = case when ${canLand} then leaving_since end
    where id = ${id} and state = 'SUBMITTED' and by_hand and transaction = ${transaction}`);
}

/**
 * What has been on its way since `before` and is in no block is stuck, once; what is in one is not.
 * `isMined`: of a transfer `transfer`. Answers those that are new.
 */
export async function noteStuck(
  db: Db,
  { before, now, isMined }: NoteStuck,
): Promise<readonly Transfer[]> {
  return db.transact(async (tx) => {
    tx.send(sql`
      update transfer set stuck_at = null
      where stuck_at is not null and state in ('TO_SEND', 'SUBMITTED')
        and (leaving_since is null or ${isMined})`);
    const rows = await tx.query<object>(sql`
      update transfer set stuck_at = ${now}
      where stuck_at is null and state in ('TO_SEND', 'SUBMITTED') and by_hand
        and leaving_since <= ${before} and not (${isMined})
      returning ${OPEN_TRANSFER.columns}`);
    return rows.map((row) => OPEN_TRANSFER.parse(row));
  });
}

type NoteStuck = {
  readonly before: Temporal.Instant;
  readonly now: Temporal.Instant;
  readonly isMined: Statement;
};

/** `sending` of api-contract.md: the transfer, where it goes, and how a person sends it. */
export function sendingView({
  transfer,
  link,
  fields,
}: Pick<Sending, 'transfer'> & Partial<Sending>) {
  const { decimals, assetCode } = getAsset(transfer.assetId);
  return {
    ...transferView(transfer),
    kind: transfer.kind,
    account: transfer.account ?? null,
    heldUp: transfer.heldUp ?? null,
    send: `${amountToText(transfer.targetUnits, decimals)} ${assetCode}`,
    link: link ?? null,
    fields: fields ?? null,
  };
}
