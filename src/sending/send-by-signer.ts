// Transfers that the signer sends: it is asked for a signature as a person would be, and what it
// signs goes the way of what comes back from a person (send-signed.ts). Guarantees: one process at
// a time drafts for a chain; what the signer is asked is stored before it is asked, and asked again
// in the same bytes until it has answered, so that an answer which was lost is given again; nothing
// is drafted that could land beside what was signed before; nobody else was told how to send it.
// What waits at the same time goes in one transaction where a chain has such (decide-batch.ts).
// Not guaranteed: that it signs. It has its own rules, and its reasons stand beside the transfer.

import { Outage, Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { listSpenders } from '#chain/departure.ts';
import { listForSigner, noteHeldUp } from '#transfer/send-by-hand.ts';
import { listTransfersByIds, type Transfer } from '#transfer/transfer.ts';
import { readAskedOrder } from './asked-order.ts';
import {
  type AskedAttempt,
  findAnswered,
  findNewestAsked,
  findOwnMove,
  isSigned,
  listAskedEver,
  listAskedSince,
  markAnswered,
  markOver,
  type SendAttempt,
  type SignedAttempt,
  storeSigned,
} from './attempt.ts';
import { decideBatch } from './decide-batch.ts';
import {
  type DraftForSignerApp,
  draftForSigner,
  draftTogether,
  holdEach,
  reasonOf,
  type SentOrHeld,
  saysNo,
} from './draft-for-signer.ts';
import { releaseAttempts } from './release-attempts.ts';
import { sendSigned } from './send-signed.ts';
import { findOpenAct, type SendingAct } from './sending-act.ts';
import type { SigningPort } from './signing-port.ts';
import { type TurnApp, takeTurn } from './signing-turn.ts';

export type SendBySignerApp = DraftForSignerApp &
  TurnApp & {
    /** Of the chain. */
    readonly signer: Pick<SigningPort, 'sign'>;
  };

/** What was sent and the network does not show after this is drafted again with a higher fee. */
const BUMP_AFTER = { minutes: 10 };
/** What the network shows and takes into no block; longer than a fee is estimated for. */
const BUMP_SHOWN_AFTER = { minutes: 60 };
/** Rules of the signer change with a restart, and approvals take a person. */
const ASK_AGAIN_AFTER = { seconds: 30 };

/**
 * One step for a chain: each transfer that waits there, the oldest first. Answers how many were
 * sent, also once more. @throws Outage when the signer or the node is away; the next step goes on.
 */
export async function sendBySigner(app: SendBySignerApp, chain: ChainId): Promise<number> {
  const { db } = app;
  const waiting = new Map<string, Transfer>();
  for (const transfer of await listForSigner(db, environmentOf(chain), networkOf(chain))) {
    waiting.set(transfer.id, transfer);
  }
  let sent = 0;
  for (const transfer of waiting.values()) {
    if (!(await takeTurn(app, chain))) break;
    for (const { id, heldUp } of await sendNext(app, chain, transfer, [...waiting.values()])) {
      const told = waiting.get(id);
      // What goes together has its end together; what ended otherwise is told by its state.
      if (told === undefined) continue;
      waiting.delete(id);
      if (heldUp === undefined) sent += 1;
      await noteHeldUp(db, told, heldUp);
    }
    waiting.delete(transfer.id);
  }
  return sent;
}

/** It, and what goes with it. @throws Outage */
async function sendNext(
  app: SendBySignerApp,
  chain: ChainId,
  transfer: Transfer,
  waiting: readonly Transfer[],
): Promise<readonly SentOrHeld[]> {
  try {
    return await sendOne(app, chain, transfer, waiting);
  } catch (error) {
    if (!saysNo(error)) throw error;
    return tell([transfer.id], reasonOf(error));
  }
}

function tell(ids: readonly string[], heldUp: string | undefined): SentOrHeld[] {
  return ids.map((id) => ({ id, heldUp }));
}

/** @throws Refusal that says why it is not sent. @throws Outage */
async function sendOne(
  app: SendBySignerApp,
  chain: ChainId,
  transfer: Transfer,
  waiting: readonly Transfer[],
): Promise<readonly SentOrHeld[]> {
  const { id, heldUp } = transfer;
  const act = await findOpenAct(app.db, id);
  if (transfer.state === 'SUBMITTED' && act === undefined && !isShownForLong(app, transfer)) {
    // A block that held it was undone: no node is bound to keep it.
    return tell([id], transfer.undoneCount > 0 ? await sendAgain(app, id) : undefined);
  }
  const [live] = await releaseAttempts(app, [id]);
  // Whatever becomes of the one that takes its place: until then it may land.
  const refused = live === undefined ? undefined : await sendAgain(app, id);
  if (live !== undefined && !isDue(app, transfer, live, act)) {
    return tell(live.transferIds, refused);
  }
  const asked = await findAskedFor(app, id, { live, act });
  const answered = await findAnswered(app.db, id);
  // What is not signed together is asked for one by one, and not a while later.
  const isAlone = live === undefined && answered !== undefined && answered.transferIds.length > 1;
  const isTooSoon = answered !== undefined && !isPast(app, answered.answeredAt, ASK_AGAIN_AFTER);
  if (isTooSoon && !(isAlone && asked === undefined)) {
    return tell(live?.transferIds ?? [id], heldUp);
  }
  if (asked !== undefined) {
    const again = await askAgain(app, chain, transfer, { asked, isAlone });
    if (again !== undefined) return again;
  }
  if (live === undefined && act === undefined) return sendFresh(app, chain, transfer, waiting);
  const instead = { replaced: live, act };
  const ids = live?.transferIds ?? [id];
  try {
    await draftForSigner(app, chain, await listTransfersByIds(app.db, ids), instead);
  } catch (error) {
    // It ends by itself, or being included costs more than is allowed now.
    if (live === undefined || act !== undefined || !saysNo(error)) throw error;
    return tell(ids, refused);
  }
  return ask(app, id);
}

/** With all that waits like it. */
async function sendFresh(
  app: SendBySignerApp,
  chain: ChainId,
  transfer: Transfer,
  waiting: readonly Transfer[],
): Promise<readonly SentOrHeld[]> {
  const most = getNetwork(networkOf(chain)).paymentsMost;
  const ids = waiting.map(({ id }) => id);
  const known = most > 1 ? await listAskedEver(app.db, ids) : new Set(ids);
  const facts = waiting.map((one) => {
    const isFresh = one.state === 'TO_SEND' && !known.has(one.id);
    return { id: one.id, assetId: one.assetId, isFresh };
  });
  const first = facts.find(({ id }) => id === transfer.id) ?? { ...transfer, isFresh: false };
  const together = await listTransfersByIds(app.db, decideBatch(first, facts, most));
  const { drafted, fallen } = await draftTogether(app, chain, together);
  const [one] = drafted;
  return one === undefined ? fallen : [...fallen, ...(await ask(app, one))];
}

type Known = {
  readonly live: SignedAttempt | undefined;
  readonly act: SendingAct | undefined;
};

/** What was asked before something else was signed, or a person decided otherwise, is no more. */
async function findAskedFor({ db }: SendBySignerApp, id: string, { live, act }: Known) {
  const asked = await findNewestAsked(db, [id]);
  if (live !== undefined && asked !== undefined && asked.id < live.id) return undefined;
  return (asked?.kind === 'CANCEL') === (act?.act === 'CANCEL') ? asked : undefined;
}

type AskedBefore = { readonly asked: AskedAttempt; readonly isAlone: boolean };

/**
 * What was asked and not answered is asked again, unless one of those that it pays may not be sent
 * any more: then the others are asked for anew, out of the same coins, since it may have been
 * signed. Undefined when it can land no more.
 */
async function askAgain(
  app: SendBySignerApp,
  chain: ChainId,
  { id }: Transfer,
  { asked, isAlone }: AskedBefore,
): Promise<readonly SentOrHeld[] | undefined> {
  const { transferIds, kind, spends } = asked;
  if (transferIds.length === 1 || kind === 'CANCEL') return ask(app, id);
  const transfers = await listTransfersByIds(app.db, transferIds);
  // Since then they were asked for without what had fallen out.
  const newer = await listAskedSince(app.db, transferIds, asked.id);
  const { standing, fallen } = await holdEach(
    app,
    chain,
    transfers.filter((one) => !newer.has(one.id)),
  );
  if (standing.length === transferIds.length) return ask(app, id);
  const own = fallen.find((one) => one.id === id);
  if (own !== undefined) return [own];
  const spenders = await listSpenders(app.db, { chain, transaction: '', spends });
  if (spenders.some(({ isFinal }) => isFinal)) {
    await app.db.transact(async (tx) => markOver(tx, asked.id, app.clock.now()));
    return undefined;
  }
  const left = isAlone ? standing.filter((one) => one.id === id) : standing;
  await draftForSigner(app, chain, left, { replaced: asked, act: undefined });
  return [...fallen, ...(await ask(app, id))];
}

/** What the node says against it; undefined when it was taken. @throws Outage */
async function sendAgain(app: SendBySignerApp, id: string): Promise<string | undefined> {
  try {
    await sendSigned(app, id, undefined);
    return undefined;
  } catch (error) {
    if (!saysNo(error)) throw error;
    return reasonOf(error);
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
  { clock }: Pick<SendBySignerApp, 'clock'>,
  since: Temporal.Instant,
  after: Temporal.DurationLike,
): boolean {
  return Temporal.Instant.compare(clock.now(), since.add(after)) >= 0;
}

/** Asks what was stored last, and sends what is signed. @throws Outage */
async function ask(app: SendBySignerApp, id: string): Promise<readonly SentOrHeld[]> {
  const asked = await findNewestAsked(app.db, [id]);
  if (asked === undefined) return tell([id], 'nothing was drafted');
  const outcome = await app.signer.sign(readAskedOrder(asked.question));
  switch (outcome.outcome) {
    case 'SIGNED':
      try {
        await sendSigned(app, id, Buffer.from(outcome.signedTransaction), { bySigner: true });
        return tell(asked.transferIds, undefined);
      } catch (error) {
        if (!saysNo(error)) throw error;
        return tell(asked.transferIds, reasonOf(error));
      }
    case 'AWAY':
      throw new Outage(`the signer: ${outcome.reason}`);
    case 'NOT_NOW':
      await markAnswered(app.db, asked.id, app.clock.now());
      return tell(asked.transferIds, outcome.reason);
  }
}

export type OwnMoveApp = TurnApp & Pick<SendBySignerApp, 'networks' | 'signer'>;

/**
 * One step for what goes back to ourselves and the signer was to be asked for: asked in the same
 * bytes until it is signed, then sent, as often as this is called. Of what is given up nobody is
 * asked any more: RELEASED where the signer had said no, so that nobody has it signed. Undefined
 * where nobody is to be asked, or another process asks.
 * @throws Outage
 */
export async function signOwnMove(
  app: OwnMoveApp,
  id: bigint,
  isGivenUp: boolean,
): Promise<'RELEASED' | { readonly heldUp: string | undefined } | undefined> {
  const found = await findOwnMove(app.db, id);
  if (found?.question === undefined || found.overAt !== undefined) return undefined;
  if (!(await takeTurn(app, found.chain))) return undefined;
  // Read again, since whoever had the turn before may have signed it.
  const move = await findOwnMove(app.db, id);
  if (move === undefined) return undefined;
  const isRefused = move.answeredAt !== undefined;
  if (isGivenUp && !isSigned(move)) return isRefused ? 'RELEASED' : undefined;
  if (isRefused && !isPast(app, move.answeredAt, ASK_AGAIN_AFTER)) return undefined;
  try {
    return { heldUp: isSigned(move) ? await sendMove(app, move) : await askForMove(app, move) };
  } catch (error) {
    if (!saysNo(error)) throw error;
    return { heldUp: reasonOf(error) };
  }
}

async function sendMove(app: OwnMoveApp, move: SignedAttempt): Promise<undefined> {
  await requireSender(app, move).broadcast(move);
}

/** Why it is not signed. @throws Refusal, Outage */
async function askForMove(
  app: OwnMoveApp,
  { id, chain, terms, question = '' }: SendAttempt,
): Promise<string | undefined> {
  const sender = requireSender(app, { chain });
  // An answer that is lost may be a signature.
  await markAnswered(app.db, id, undefined);
  const outcome = await app.signer.sign(readAskedOrder(question));
  switch (outcome.outcome) {
    case 'SIGNED': {
      const returned = Buffer.from(outcome.signedTransaction);
      const signed = await sender.readSigned({ payments: [], terms, returned });
      await app.db.transact((tx) => storeSigned(tx, id, signed, app.clock.now()));
      await sender.broadcast(signed);
      return undefined;
    }
    case 'AWAY':
      throw new Outage(`the signer: ${outcome.reason}`);
    case 'NOT_NOW':
      await markAnswered(app.db, id, app.clock.now());
      return outcome.reason;
  }
}

function requireSender({ networks }: OwnMoveApp, { chain }: Pick<SendAttempt, 'chain'>) {
  const sender = networks.get(chain)?.sender;
  if (sender !== undefined) return sender;
  throw new Refusal('unavailable', 'network_missing', `${chain} takes no signed transactions now`);
}
