// What owners of a contract of ours (a Safe) have signed, carried out by an account of ours that
// pays the gas: a transaction with a nonce of its own, signed by whoever signs our own moves.
// Guarantees: it is tried by a node before it is asked for; what takes its place, for a higher fee
// or because something else was decided, has the same nonce; what can land no more is replaced by
// nothing, so that the account is not held up. Whether the transfer is paid is not known here: the
// contract says so (release-attempts.ts). Not guaranteed: that nobody else carries it out first;
// then ours does nothing, and costs its gas.

import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { findChainStatus } from '#chain/chain-status.ts';
import { listSpenders, type RecordedDeparture } from '#chain/departure.ts';
import { findSourceIndex } from '#deposit/deposit-instruction.ts';
import type { DraftedPayment, SignedExecution } from '#deposit/money-out.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { noteHeldUp } from '#transfer/send-by-hand.ts';
import { listTransfersByIds } from '#transfer/transfer.ts';
import { orderedPayment, readAskedOrder, writeAskedOrder } from './asked-order.ts';
import { findAttempt, isSigned, listLiveOf, listRivals, type SignedAttempt } from './attempt.ts';
import { reasonOf, saysNo } from './draft-for-signer.ts';
import { paymentOf } from './draft-sending.ts';
import { findOpenAct } from './sending-act.ts';
import {
  askWith,
  BUMP_AFTER,
  isPast,
  isRefused,
  listTaken,
  requireSender,
  type SignMoveApp,
} from './sign-move.ts';
import {
  countCarried,
  endMove,
  insertPlanned,
  listOpenMoves,
  markAsked,
  type SweepMove,
  wasSignedAnew,
} from './sweep-move.ts';

type CarryOutApp = SignMoveApp & { readonly random: Random };

/** Tried so often, and each time the gas was lost or something else had the nonce. */
const TIMES_MOST = 3;

/** From now on what is signed and can be carried out now is, one after the other. @throws Outage */
export async function planCarrying(app: CarryOutApp, chain: ChainId): Promise<void> {
  const { db, networks, random, clock } = app;
  const { carriesFrom: source, sender } = networks.get(chain) ?? {};
  if (source === undefined || sender?.executionOf === undefined) return;
  const live = await listLiveOf(db, chain);
  const open = (await listOpenMoves(db, chain)).filter(({ kind }) => kind === 'CARRY_OUT');
  const carried = await Promise.all(open.map(({ attemptId }) => findAttempt(db, attemptId ?? 0n)));
  const carriedSpends = carried.flatMap((one) => one?.spends ?? []);
  for (const attempt of live) {
    if (attempt.spends.some((turn) => carriedSpends.includes(turn))) continue;
    const execution = await sender.executionOf(attempt.terms, attempt);
    // Signed by a key of one of our addresses: a node takes it as it is.
    if (execution === undefined) continue;
    const isInVain = (await countCarried(db, attempt.id)) >= TIMES_MOST;
    const heldUp = isInVain
      ? 'it was sent to the Safe in vain: carry it out by hand (npx quittance send signed)'
      : execution.against;
    for (const transfer of await listTransfersByIds(db, attempt.transferIds)) {
      await noteHeldUp(db, transfer, heldUp);
    }
    if (heldUp !== undefined) continue;
    const { defaultAssetId: assetId } = getNetwork(networkOf(chain));
    const move = { id: newId(random), chain, kind: 'CARRY_OUT' as const, source };
    const about = { receiver: execution.turn.address, assetId, units: 0n, attemptId: attempt.id };
    const planned = { plannedBy: 'the owners of the Safe', plannedAt: clock.now() };
    await db.transact(async (tx) => insertPlanned(tx, [{ ...move, ...about, ...planned }]));
    carriedSpends.push(...attempt.spends);
  }
}

/** One step. Answers why it does not go on now. @throws Refusal, Outage */
export async function carryOn(app: CarryOutApp, move: SweepMove): Promise<string | undefined> {
  const { db } = app;
  const attempt = await findAttempt(db, move.attemptId ?? 0n);
  if (attempt === undefined || !isSigned(attempt)) return 'what it carries was not signed';
  const heldUp = await step(app, move, attempt).catch((error: unknown) => {
    if (saysNo(error)) return reasonOf(error);
    throw error;
  });
  for (const transfer of await listTransfersByIds(db, attempt.transferIds)) {
    await noteHeldUp(db, transfer, heldUp);
  }
  return heldUp;
}

async function step(
  app: CarryOutApp,
  move: SweepMove,
  attempt: SignedAttempt,
): Promise<string | undefined> {
  if (move.question !== undefined) return ask(app, move, attempt, move.question);
  if (move.signedAt !== undefined) return follow(app, move, attempt);
  const end = { state: 'GONE', heldUp: 'it can land no more, or has landed' } as const;
  if (await isNeedless(app, move, attempt)) await endMove(app.db, move.id, end, app.clock.now());
  else if (!isRefused(app, move)) return askFor(app, move, await instead(app, attempt));
  else return move.heldUp;
  return undefined;
}

/** Sent once more until it is final, or something else has its nonce. */
async function follow(
  app: CarryOutApp,
  move: SweepMove,
  attempt: SignedAttempt,
): Promise<string | undefined> {
  const { db, clock } = app;
  const { id, chain, terms = '', transactions, signedTransaction = '', signedAt, isGivenUp } = move;
  // Before what left is looked at: then all of it up to this height is there.
  const cursor = await findChainStatus(db, chain);
  const landed = await findLanded(app, move);
  if (landed !== undefined) {
    if (landed.isFinal) await endMove(db, id, endOf(landed, attempt), clock.now());
    return undefined;
  }
  const sender = requireSender(app, move);
  if (cursor !== undefined && (await sender.isOver?.(terms, cursor.height)) === true) {
    const heldUp = 'another transaction has used its nonce';
    await endMove(db, id, { state: 'GONE', heldUp }, clock.now());
    return undefined;
  }
  if (isRefused(app, move)) return move.heldUp;
  const isOver = await isNeedless(app, move, attempt);
  const other = await instead(app, attempt);
  // Other than what is signed now: at once.
  if (isOver !== isGivenUp) return askFor(app, move, isOver ? undefined : other);
  if (!isOver && other.id !== attempt.id) return askFor(app, move, other);
  await sender.broadcast({ signedTransaction, transaction: transactions.at(-1) ?? '' });
  const isLate = signedAt !== undefined && isPast(app, signedAt, BUMP_AFTER);
  if (!isLate && !(await isBumped(app, move, attempt))) return undefined;
  return askFor(app, move, isOver ? undefined : other);
}

async function findLanded(
  { db }: CarryOutApp,
  { chain, transactions }: SweepMove,
): Promise<RecordedDeparture | undefined> {
  for (const transaction of transactions) {
    const seen = await listSpenders(db, { chain, transaction, spends: [] });
    const landed = seen.find((one) => one.transaction === transaction);
    if (landed !== undefined) return landed;
  }
  return undefined;
}

function endOf({ spends, transaction }: RecordedDeparture, attempt: SignedAttempt) {
  if (spends.includes(attempt.transaction)) return { state: 'MOVED', heldUp: undefined } as const;
  return { state: 'GONE', heldUp: `${transaction} did nothing, and cost its gas` } as const;
}

/** What it carries can land no more, or somebody else has carried it out. */
async function isNeedless(
  { db }: CarryOutApp,
  { transactions }: SweepMove,
  { chain, overAt, transaction: digest }: SignedAttempt,
): Promise<boolean> {
  if (overAt !== undefined) return true;
  const seen = await listSpenders(db, { chain, transaction: '', spends: [digest] });
  return seen.some((one) => one.isFinal && !transactions.includes(one.transaction));
}

/** What owners signed last under the same nonce of the Safe. */
async function instead({ db }: CarryOutApp, attempt: SignedAttempt): Promise<SignedAttempt> {
  const rivals = await listRivals(db, attempt);
  const newer = rivals.filter(
    ({ id, spends }) => id > attempt.id && spends.some((turn) => attempt.spends.includes(turn)),
  );
  return newer.at(-1) ?? attempt;
}

/** A person wants it dearer, and has said so since it was signed. */
async function isBumped(
  { db }: CarryOutApp,
  { signedAt }: SweepMove,
  { transferIds: [id = ''] }: SignedAttempt,
): Promise<boolean> {
  const act = await findOpenAct(db, id);
  if (act?.act !== 'BUMP' || signedAt === undefined) return false;
  return Temporal.Instant.compare(act.decidedAt, signedAt) > 0;
}

/** Stores what is asked, and asks it. Undefined: nothing, in the place of what was signed. */
async function askFor(
  app: CarryOutApp,
  move: SweepMove,
  attempt: SignedAttempt | undefined,
): Promise<string | undefined> {
  const { db, networks } = app;
  const { chain, source, signedAt, terms } = move;
  const carried = attempt ?? (await requireAttempt(app, move));
  const execution = attempt && (await executionOf(app, move, attempt));
  if (execution?.against !== undefined) return execution.against;
  const network = networks.get(chain);
  if (network?.draft === undefined) return `no transaction is put together for ${chain}`;
  const replaces = signedAt === undefined ? undefined : terms;
  const taken = replaces === undefined ? await listTaken(app, chain) : new Set<string>();
  const act = await findOpenAct(db, carried.transferIds[0] ?? '');
  const wish = { payments: [], unspent: [], taken, from: source, replaces };
  const call = { carries: execution?.call, feeRate: act?.feeRate };
  const drafted = await network.draft({ ...wish, ...call });
  if (drafted.format !== 'transaction') return `nothing is carried out on ${chain}`;
  const isTaken = drafted.spends.some((turn) => taken.has(turn));
  if (isTaken) return 'another payment has its nonce: it goes when that has landed';
  const question = writeAskedOrder(await orderOf(app, { move, carried, execution, drafted }));
  const isGivenUp = attempt === undefined;
  const more = { attemptId: carried.id, isGivenUp, units: 0n };
  const asked = { terms: drafted.terms, spends: drafted.spends, question, ...more };
  await db.transact(async (tx) => {
    const isMarked = await markAsked(tx, move, asked);
    if (!isMarked) throw new Refusal('conflict', 'sweep_refused', 'it was asked for meanwhile');
  });
  return ask(app, { ...move, ...asked }, carried, question);
}

async function requireAttempt({ db }: CarryOutApp, { attemptId }: SweepMove) {
  const attempt = await findAttempt(db, attemptId ?? 0n);
  if (attempt !== undefined && isSigned(attempt)) return attempt;
  throw new Refusal('conflict', 'sweep_refused', 'what it carries was not signed');
}

async function executionOf(
  app: CarryOutApp,
  move: SweepMove,
  attempt: SignedAttempt,
): Promise<SignedExecution | undefined> {
  return requireSender(app, move).executionOf?.(attempt.terms, attempt);
}

async function ask(
  app: CarryOutApp,
  move: SweepMove,
  attempt: SignedAttempt,
  question: string,
): Promise<string | undefined> {
  const isOfSafe = readAskedOrder(question).facts.spends !== undefined;
  const execution = isOfSafe ? await executionOf(app, move, attempt) : undefined;
  return askWith(app, move, question, { payments: [], carries: execution?.call });
}

type Ordered = {
  readonly move: SweepMove;
  readonly carried: SignedAttempt;
  /** Undefined: nothing is carried out. */
  readonly execution: SignedExecution | undefined;
  readonly drafted: DraftedPayment;
};

/** The order is the transfer's: whoever signs pays it once, whichever way. */
async function orderOf(
  { db }: CarryOutApp,
  { move, carried, execution, drafted }: Ordered,
): Promise<SignOrder> {
  const { chain, source } = move;
  const [transfer] = await listTransfersByIds(db, carried.transferIds);
  if (transfer === undefined) throw new Refusal('missing', 'transfer_missing', 'no such transfer');
  const kind = execution !== undefined && carried.kind === 'PAY' ? 'PAY' : 'CANCEL';
  const payments = kind === 'PAY' ? [await orderedPayment(db, chain, paymentOf(transfer))] : [];
  const isAnew = kind === 'PAY' && (await wasSignedAnew(db, transfer.id, carried.spends));
  const index = await findSourceIndex(db, chain, source);
  const facts = {
    ...{ source, sequence: drafted.sequence, index },
    ...(execution && { spends: [`${execution.turn.address}/${execution.turn.nonce}`] }),
    ...(isAnew && { isAnew }),
  };
  return {
    id: transfer.id,
    ...{ environment: environmentOf(chain), network: networkOf(chain), kind, payments },
    feeUnits: drafted.feeUnits,
    facts,
    unsigned: drafted.text,
  };
}
