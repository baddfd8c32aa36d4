// What was drafted here and signed elsewhere comes back, and is sent through our node. Guarantees:
// it is decoded and held against the draft and the transfers it was made for before anything is
// stored; the facts are asked again, locked, when it is stored and whenever it is sent; it is
// stored before it is sent, and sent any number of times; nothing is sent beside another one that
// could pay the same transfers too. Where several owners sign, each signature is stored by itself,
// and it is signed once enough of them have. What moves coins of ours to ourselves comes back the
// same way, for no transfer. Not guaranteed: that it lands. The watcher says that it left.
import { noteAct } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf } from '#catalog/chain.ts';
import { listSpenders } from '#chain/departure.ts';
import type { Db, Reader } from '#db/db.ts';
import type {
  Cosigned,
  ReturnedDraft,
  Sender,
  SignedExecution,
  SignedSending,
} from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import {
  holdCancelled,
  holdSending,
  noteSigned,
  requireTransfer,
  type SendByHandApp,
} from '#transfer/send-by-hand.ts';
import { listTransfersByIds, noteTransfer, type Transfer } from '#transfer/transfer.ts';
import {
  findOwnMove,
  isSigned,
  listDrafts,
  listLive,
  listRivals,
  lockOver,
  type SendAttempt,
  type SignedAttempt,
  storeSigned,
} from './attempt.ts';
import { decideRivals } from './decide-rivals.ts';
import { paymentOf } from './draft-sending.ts';
import { requireNotLeft } from './left-already.ts';
import { insertOwnerSignatures, listOwnerSignatures } from './owner-signature.ts';
import { releaseAttempts } from './release-attempts.ts';
import { requireUnreserved } from './reserved-turn.ts';

type SendSignedApp = SendByHandApp & {
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'sender'>>;
};

type SentTransaction = {
  readonly transfers: readonly Transfer[];
  /** Undefined while more owners have to sign it. */
  readonly transaction: string | undefined;
  /** Where several owners sign it. */
  readonly cosigned?: Cosigned | undefined;
  /** How it is carried out, where no node takes it as it is. */
  readonly execution?: SignedExecution | undefined;
};

/** Drafts of one transfer that what came back is held against, the newest first. */
const DRAFTS_MOST = 20;

/**
 * `returned`: as it lay in the file; what was signed before is sent again when absent. `actor`: the
 * person who says so.
 * @throws Refusal missing; invalid `signed_transaction_invalid`; conflict that says what stands
 * against it, or what the node says. @throws Outage
 */
export async function sendSigned(
  app: SendSignedApp,
  transferId: string,
  returned: Uint8Array | undefined,
  { bySigner = false, actor }: { readonly bySigner?: boolean; readonly actor?: string } = {},
): Promise<SentTransaction> {
  const transfer = await requireTransfer(app.db, transferId);
  const { attempt, signed, cosigned } =
    returned === undefined
      ? await findSigned(app, transfer)
      : await recogniseSigned(app, transfer, returned);
  const transaction = signed?.transaction;
  const transfers = await listTransfersByIds(app.db, attempt.transferIds);
  const isSeen = transfers.every((one) => one.state !== 'TO_SEND');
  if (isSeen && transfers.every((one) => one.transaction === transaction)) {
    // A block shows it, or all of it has ended: then there is nothing to be done any more.
    const isWaiting = transfers.every((one) => one.state === 'SUBMITTED');
    if (!isWaiting || !(await isUnmined(app.db, attempt.chain, transaction))) {
      return { transaction, transfers };
    }
  }
  await releaseAttempts(app, attempt.transferIds);
  await store(app, { attempt, signed, cosigned }, { transfers, bySigner, actor });
  const execution = signed && (await sendOrShow(app, attempt, signed));
  const now = await listTransfersByIds(app.db, attempt.transferIds);
  return { transaction, transfers: now, cosigned, execution };
}

async function isUnmined(
  reader: Reader,
  chain: ChainId,
  transaction: string | undefined,
): Promise<boolean> {
  if (transaction === undefined) return false;
  const [seen] = await listSpenders(reader, { chain, transaction, spends: [] });
  return seen?.status === 'SEEN';
}

/** How somebody else carries it out; undefined of what our node has taken. */
async function sendOrShow(
  app: SendSignedApp,
  { chain, terms }: SendAttempt,
  signed: SignedSending,
): Promise<SignedExecution | undefined> {
  const sender = requireSender(app, chain);
  const execution = await sender.executionOf?.(terms, signed);
  if (execution === undefined) await sender.broadcast(signed);
  return execution;
}

type Recognised = {
  readonly attempt: SendAttempt;
  /** Undefined while more owners have to sign it. */
  readonly signed: SignedSending | undefined;
  readonly cosigned?: Cosigned | undefined;
};

async function findSigned({ db }: SendSignedApp, { id }: Transfer): Promise<Recognised> {
  const [attempt] = await listLive(db, [id]);
  if (attempt !== undefined) return { attempt, signed: signedOf(attempt) };
  throw notSigned();
}

function notSigned(): Refusal {
  return new Refusal('conflict', 'transfer_not_signed', [
    'nothing that was signed for it can be sent: name the file with the signed transaction, or ' +
      'draft it again',
  ]);
}

/** Which draft it is; when it is none, what is wrong with it, or differs from the newest. */
async function recogniseSigned(
  app: SendSignedApp,
  { id }: Transfer,
  returned: Uint8Array,
): Promise<Recognised> {
  const refused: Refusal[] = [];
  for (const attempt of await listDrafts(app.db, id, DRAFTS_MOST)) {
    const { chain, terms, transferIds, kind } = attempt;
    const transfers = await listTransfersByIds(app.db, transferIds);
    const paid = kind === 'CANCEL' ? [] : transferIds;
    const payments = paid.flatMap((one) =>
      transfers.filter((transfer) => transfer.id === one).map(paymentOf),
    );
    try {
      const read = await readReturned(app, chain, { payments, terms, returned });
      if (read.signed !== undefined) requireSame(attempt, read.signed);
      return { attempt, ...read };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(error);
    }
  }
  const isInvalid = ({ code }: Refusal) => code === 'signed_transaction_invalid';
  throw refused.find(isInvalid) ?? refused[0] ?? notDrafted(id);
}

async function readReturned(
  app: SendSignedApp,
  chain: ChainId,
  draft: ReturnedDraft,
): Promise<Omit<Recognised, 'attempt'>> {
  const sender = requireSender(app, chain);
  const before = (digest: string) => listOwnerSignatures(app.db, chain, digest);
  const cosigned = await sender.cosign?.(draft, before);
  if (cosigned !== undefined) return { signed: cosigned.sending, cosigned };
  return { signed: await sender.readSigned(draft) };
}

/** A second signature over the same would be another transaction beside the stored one. */
function requireSame(attempt: SendAttempt, { transaction }: SignedSending): void {
  if (!isSigned(attempt) || attempt.transaction === transaction) return;
  throw new Refusal('conflict', 'signed_transaction_differs', [
    `what was drafted came back before, signed as ${attempt.transaction}: that is what is sent`,
  ]);
}

function signedOf({ signedTransaction, transaction }: SignedAttempt): SignedSending {
  return { signedTransaction, transaction };
}

type MoveApp = Pick<SendSignedApp, 'networks' | 'clock'> & { readonly db: Db };

/**
 * The same of what moves coins of ours to ourselves, named by its number: for no transfer. Answers
 * the transaction. @throws as sendSigned
 */
export async function sendSignedMove(
  app: MoveApp,
  id: bigint,
  returned: Uint8Array | undefined,
  actor: string,
): Promise<string> {
  const move = await findOwnMove(app.db, id);
  if (move === undefined) {
    throw new Refusal('missing', 'draft_missing', 'nothing was drafted under this number');
  }
  const { chain, terms } = move;
  const sender = requireSender(app, chain);
  const before = isSigned(move) ? signedOf(move) : undefined;
  const read = { payments: [], terms };
  const signed = returned === undefined ? before : await sender.readSigned({ ...read, returned });
  if (signed === undefined) throw notSigned();
  requireSame(move, signed);
  await storeMove(app, move, signed, actor);
  const { transaction } = signed;
  const [seen] = await listSpenders(app.db, { chain, transaction, spends: [] });
  // A block shows it: then there is nothing to be done any more.
  if (seen?.status !== 'INCLUDED') await sender.broadcast(signed);
  return transaction;
}

async function storeMove(
  { db, clock }: MoveApp,
  move: SendAttempt,
  signed: SignedSending,
  actor: string,
): Promise<void> {
  const { id, chain } = move;
  const now = clock.now();
  await db.transact(async (tx) => {
    if (await lockOver(tx, id)) throw notSigned();
    const against = decideRivals(move, await listRivals(tx, move));
    if (against !== undefined) throw new Refusal('conflict', 'transfer_signed', against);
    const isStored = isSigned(move) || (await storeSigned(tx, id, signed, now));
    if (!isStored) throw new Refusal('conflict', 'transfer_signed', 'it came back twice at once');
    const { transaction } = signed;
    noteAct(tx, {
      ...{ actor, actedAt: now, verb: 'move-signed', subject: `chain:${chain}` },
      environment: environmentOf(chain),
      details: { draft: `${id}`, transaction },
    });
  });
}

type Sent = {
  readonly transfers: readonly Transfer[];
  readonly bySigner: boolean;
  readonly actor: string | undefined;
};

async function store(
  app: SendSignedApp,
  { attempt, signed, cosigned }: Recognised,
  { transfers, bySigner, actor }: Sent,
): Promise<void> {
  const now = app.clock.now();
  await app.db.transact(async (tx) => {
    if (await lockOver(tx, attempt.id)) throw notSigned();
    const isReplacing = isSigned(attempt) || (await listRivals(tx, attempt)).length > 0;
    const held: Transfer[] = [];
    for (const transfer of transfers) {
      const one =
        attempt.kind === 'CANCEL'
          ? await holdCancelled(tx, transfer)
          : await holdSending(app, tx, transfer, { instead: isReplacing, isMade: true });
      if (bySigner) requireNotShown(one);
      held.push(one);
    }
    await requireUnreserved(tx, attempt);
    // Under the locks of the transfers: another one may have come back at the same moment.
    const rivals = await listRivals(tx, attempt);
    for (const one of held) requireSeenAs(one, [attempt, ...rivals]);
    const against = decideRivals(attempt, rivals);
    if (against !== undefined) throw new Refusal('conflict', 'transfer_signed', against);
    if (attempt.kind === 'PAY') await requireNotLeft(tx, attempt, transfers);
    const who = actor ?? (bySigner ? 'signer' : 'operator');
    if (cosigned !== undefined) {
      const { digest, entered } = cosigned;
      insertOwnerSignatures(tx, { chain: attempt.chain, digest }, entered, now);
      const details = { digest, owners: entered.map(({ owner }) => owner).join(' ') };
      const act = { verb: 'send-cosigned', actor: who, actedAt: now, details };
      for (const one of transfers) noteTransfer(tx, one, act);
    }
    if (signed === undefined) return;
    const isStored = isSigned(attempt) || (await storeSigned(tx, attempt.id, signed, now));
    if (!isStored) throw new Refusal('conflict', 'transfer_signed', 'it came back twice at once');
    if (attempt.kind === 'PAY') noteSigned(tx, attempt.transferIds, signed.transaction, now);
    // The service sends again by itself what it has; a person who says so is noted.
    if (isSigned(attempt) && actor === undefined) return;
    const verb = isSigned(attempt) ? 'send-again' : 'send-signed';
    const details = { attempt: attempt.kind, transaction: signed.transaction };
    for (const one of transfers) noteTransfer(tx, one, { verb, actor: who, actedAt: now, details });
  });
}

/**
 * What the network shows was signed here, so that what is sent beside it takes its place.
 * @throws Refusal conflict
 */
export function requireSeenAs(
  { state, transaction }: Transfer,
  signed: readonly Pick<SendAttempt, 'transaction'>[],
): void {
  if (state !== 'SUBMITTED' || signed.some((one) => one.transaction === transaction)) return;
  throw new Refusal('conflict', 'transfer_signed', [
    `${transaction} pays it already, which was not signed here`,
  ]);
}

/** Nothing is sent by itself that a person may be sending. @throws Refusal conflict */
export function requireNotShown({ shownAt }: Pick<Transfer, 'shownAt'>): void {
  if (shownAt === undefined) return;
  throw new Refusal('conflict', 'transfer_shown', [
    `somebody was told at ${shownAt} how to send it: send it by hand, or cancel it`,
  ]);
}

function requireSender(app: Pick<SendSignedApp, 'networks'>, chain: ChainId): Sender {
  const sender = app.networks.get(chain)?.sender;
  if (sender !== undefined) return sender;
  throw new Refusal('unavailable', 'network_missing', [
    `${chain} takes no signed transactions here now: send it with your wallet`,
  ]);
}

function notDrafted(id: string): Refusal {
  return new Refusal('conflict', 'transfer_not_signed', [
    `nothing was drafted for it that could come back signed: npx quittance send draft ${id}`,
  ]);
}
