// Transfers that the signer sends: it is asked for a signature as a person would be, and what it
// signs goes the way of what comes back from a person (send-signed.ts). Guarantees: one process at
// a time drafts for a chain; what the signer is asked is stored before it is asked, and asked again
// in the same bytes until it has answered, so that an answer which was lost is given again; nothing
// is drafted that could land beside what was signed before; nobody else was told how to send it.
// Not guaranteed: that it signs. It has its own rules, and its reasons stand beside the transfer.

import { Outage, Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import { findSourceIndex } from '#deposit/deposit-instruction.ts';
import type { DraftedTransaction } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import {
  holdCancelled,
  holdSending,
  listForSigner,
  noteAsked,
  noteHeldUp,
  type SendByHandApp,
} from '#transfer/send-by-hand.ts';
import type { Transfer } from '#transfer/transfer.ts';
import { readAskedOrder, writeAskedOrder } from './asked-order.ts';
import {
  dropAnswered,
  findAnswered,
  findAsked,
  insertAttempt,
  isSignedAnew,
  listRivals,
  markAnswered,
  type SendAttempt,
  type SignedAttempt,
} from './attempt.ts';
import { decideRivals } from './decide-rivals.ts';
import { listFree, paymentOf, requireNotMined } from './draft-sending.ts';
import { releaseAttempts } from './release-attempts.ts';
import { requireNotShown, requireSeenAs, sendSigned } from './send-signed.ts';
import { findOpenAct, type SendingAct } from './sending-act.ts';
import type { SigningPort } from './signing-port.ts';
import { type TurnApp, takeTurn } from './signing-turn.ts';

export type SendBySignerApp = SendByHandApp &
  TurnApp & {
    readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'draft' | 'sender'>>;
    /** Of the chain. */
    readonly signer: Pick<SigningPort, 'sign'>;
  };

/** What was sent and the network does not show after this is drafted again with a higher fee. */
const BUMP_AFTER = { minutes: 10 };
/** What the network shows and takes into no block; longer than a fee is estimated for. */
const BUMP_SHOWN_AFTER = { minutes: 60 };
const ASKED_MEANWHILE = 'another process has drafted it a moment ago: that is asked for';
/** Rules of the signer change with a restart, and approvals take a person. */
const ASK_AGAIN_AFTER = { seconds: 30 };

/**
 * One step for a chain: each transfer that waits there, the oldest first. Answers how many were
 * sent, also once more. @throws Outage when the signer or the node is away; the next step goes on.
 */
export async function sendBySigner(app: SendBySignerApp, chain: ChainId): Promise<number> {
  const { db } = app;
  let sent = 0;
  for (const transfer of await listForSigner(db, environmentOf(chain), networkOf(chain))) {
    if (!(await takeTurn(app, chain))) break;
    try {
      const heldUp = await sendOne(app, chain, transfer);
      if (heldUp === undefined) sent += 1;
      await noteHeldUp(db, transfer, heldUp);
    } catch (error) {
      if (!isRefused(error)) throw error;
      await noteHeldUp(db, transfer, error.details.join('; '));
    }
  }
  return sent;
}

function isRefused(error: unknown): error is Refusal {
  return error instanceof Refusal && !(error instanceof Outage);
}

/** Why it is not sent; undefined when it was. @throws Refusal that says the same. @throws Outage */
async function sendOne(
  app: SendBySignerApp,
  chain: ChainId,
  transfer: Transfer,
): Promise<string | undefined> {
  const { id, heldUp } = transfer;
  const act = await findOpenAct(app.db, id);
  if (transfer.state === 'SUBMITTED' && act === undefined && !isShownForLong(app, transfer)) {
    // A block that held it was undone: no node is bound to keep it.
    return transfer.undoneCount > 0 ? sendAgain(app, id) : undefined;
  }
  const [live] = await releaseAttempts(app, [id]);
  // Whatever becomes of the one that takes its place: until then it may land.
  const refused = live === undefined ? undefined : await sendAgain(app, id);
  if (live !== undefined && !isDue(app, transfer, live, act)) return refused;
  const answeredAt = await findAnswered(app.db, id);
  if (answeredAt !== undefined && !isPast(app, answeredAt, ASK_AGAIN_AFTER)) return heldUp;
  if (!(await isAsked(app, id, act))) {
    try {
      await draft(app, chain, transfer, { replaced: live, act });
    } catch (error) {
      // It ends by itself, or being included costs more than is allowed now.
      if (live === undefined || act !== undefined || !isRefused(error)) throw error;
      return refused;
    }
  }
  const asked = await findAsked(app.db, id);
  return asked === undefined ? 'nothing was drafted' : ask(app, transfer, asked);
}

/** What was asked before a person decided otherwise is not asked any more. */
async function isAsked({ db }: SendBySignerApp, id: string, act: SendingAct | undefined) {
  const asked = await findAsked(db, id);
  return asked !== undefined && (asked.kind === 'CANCEL') === (act?.act === 'CANCEL');
}

/** What the node says against it; undefined when it was taken. @throws Outage */
async function sendAgain(app: SendBySignerApp, id: string): Promise<string | undefined> {
  try {
    await sendSigned(app, id, undefined);
    return undefined;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return error.details.join('; ');
  }
}

function isShownForLong(app: SendBySignerApp, { submittedAt }: Transfer): boolean {
  return submittedAt !== undefined && isPast(app, submittedAt, BUMP_SHOWN_AFTER);
}

/** Whether the signer has to be asked for another one in its place. */
function isDue(
  app: SendBySignerApp,
  { state }: Transfer,
  { id, kind, signedAt, draftedAt }: SignedAttempt,
  act: SendingAct | undefined,
): boolean {
  if (act?.act === 'BUMP' && id === act.attemptId) return true;
  if (act?.act === 'CANCEL' && kind === 'PAY') return true;
  const since = signedAt ?? draftedAt;
  return isPast(app, since, state === 'SUBMITTED' ? BUMP_SHOWN_AFTER : BUMP_AFTER);
}

function isPast(
  { clock }: SendBySignerApp,
  since: Temporal.Instant,
  after: Temporal.DurationLike,
): boolean {
  return Temporal.Instant.compare(clock.now(), since.add(after)) >= 0;
}

async function ask(
  app: SendBySignerApp,
  { id }: Transfer,
  asked: SendAttempt & { readonly question: string },
): Promise<string | undefined> {
  const outcome = await app.signer.sign(readAskedOrder(asked.question));
  switch (outcome.outcome) {
    case 'SIGNED':
      await sendSigned(app, id, Buffer.from(outcome.signedTransaction), { bySigner: true });
      return undefined;
    case 'AWAY':
      throw new Outage(`the signer: ${outcome.reason}`);
    case 'NOT_NOW':
      await markAnswered(app.db, asked.id, app.clock.now());
      return outcome.reason;
  }
}

type Instead = {
  readonly replaced: SignedAttempt | undefined;
  readonly act: SendingAct | undefined;
};

/** Stores what the signer is to be asked. */
async function draft(
  app: SendBySignerApp,
  chain: ChainId,
  transfer: Transfer,
  { replaced, act }: Instead,
): Promise<void> {
  if (replaced === undefined && act?.act === 'CANCEL') {
    throw new Refusal('conflict', 'draft_refused', 'it is cancelled');
  }
  const isCancel = act?.act === 'CANCEL' || replaced?.kind === 'CANCEL';
  const kind = isCancel ? 'CANCEL' : 'PAY';

  const network = app.networks.get(chain);
  if (network?.draft === undefined || network.sender === undefined) {
    throw new Refusal('conflict', 'draft_refused', `no transaction is put together for ${chain}`);
  }
  // Before a node is asked anything.
  await hold(app, transfer, { chain, kind });
  if (replaced !== undefined) await requireNotMined(app.db, replaced);
  const askedBefore = (await findAsked(app.db, transfer.id))?.id;
  const drafted = await network.draft({
    payments: isCancel ? [] : [paymentOf(transfer)],
    ...(await listFree(app.db, chain, replaced)),
    feeRate: act?.feeRate,
    from: undefined,
    replaces: replaced?.terms,
  });
  const order = await orderOf(app, chain, { transfer, kind, drafted });
  const question = writeAskedOrder(order);
  await hold(app, transfer, { chain, kind, made: { ...drafted, question, askedBefore } });
}

type Held = {
  readonly chain: ChainId;
  readonly kind: SendAttempt['kind'];
  /** Then it is stored in the same transaction. */
  readonly made?: DraftedTransaction & {
    readonly question: string;
    /** What was asked last when it was drafted. */
    readonly askedBefore: bigint | undefined;
  };
};

/** Still to be sent, and by nobody else. @throws Refusal */
async function hold(
  app: SendBySignerApp,
  transfer: Transfer,
  { chain, kind, made }: Held,
): Promise<void> {
  const now = app.clock.now();
  const transferIds = [transfer.id];
  await app.db.transact(async (tx) => {
    const held =
      kind === 'CANCEL'
        ? await holdCancelled(tx, transfer)
        : await holdSending(app, tx, transfer, { instead: true });
    requireNotShown(held);
    if (made === undefined) return;
    const { spends } = made;
    const rivals = await listRivals(tx, { id: 0n, chain, transferIds, spends });
    requireSeenAs(held, rivals);
    const against = decideRivals({ transferIds, spends }, rivals);
    if (against !== undefined) throw new Refusal('conflict', 'transfer_signed', against);
    // By whoever had the turn before and is gone: what it stored is asked, and nothing beside it.
    if ((await findAsked(tx, transfer.id))?.id !== made.askedBefore) {
      throw new Refusal('conflict', 'transfer_asked', ASKED_MEANWHILE);
    }
    noteAsked(tx, transfer.id, now);
    dropAnswered(tx, transfer.id);
    insertAttempt(tx, { chain, transferIds, kind }, made, now);
  });
}

type Ordered = {
  readonly transfer: Transfer;
  readonly kind: SendAttempt['kind'];
  readonly drafted: DraftedTransaction;
};

async function orderOf(
  { db }: SendBySignerApp,
  chain: ChainId,
  { transfer, kind, drafted }: Ordered,
): Promise<SignOrder> {
  const { id, environment, network, assetId, targetUnits: units, account = {} } = transfer;
  const turn =
    drafted.format === 'PSBT'
      ? { spends: drafted.spends }
      : {
          source: drafted.from,
          sequence: drafted.sequence,
          index: await findSourceIndex(db, chain, drafted.from),
        };
  const isAnew = kind === 'PAY' && (await isSignedAnew(db, id, drafted.spends));
  const payments = kind === 'CANCEL' ? [] : [{ assetId, units, account }];
  const { feeUnits, text: unsigned } = drafted;
  const facts = isAnew ? { ...turn, isAnew } : turn;
  return { id, environment, network, kind, payments, feeUnits, facts, unsigned };
}
