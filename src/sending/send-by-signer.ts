// Transfers that the signer sends: it is asked for a signature as a person would be, and what it
// signs goes the way of what comes back from a person (send-signed.ts). Guarantees: one process at
// a time drafts for a chain; what the signer is asked is stored before it is asked, and asked again
// in the same bytes until it has answered, so that an answer which was lost is given again; nothing
// is drafted that could land beside what was signed before; nobody else was told how to send it.
// Not guaranteed: that it signs. It has its own rules, and its reasons stand beside the transfer.

import { Outage, Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import { findSourceIndex } from '#deposit/deposit-instruction.ts';
import type { DraftedTransaction, Watcher } from '#deposit/network.ts';
import { readQuestion, signQuestion, writeLine } from '#signer/protocol.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { holdSending, type SendByHandApp } from '#transfer/send-by-hand.ts';
import { listByHand, noteAsked, noteHeldUp, type Transfer } from '#transfer/transfer.ts';
import {
  dropAnswered,
  findAnswered,
  findAsked,
  insertAttempt,
  listRivals,
  markAnswered,
  type SendAttempt,
  type SignedAttempt,
} from './attempt.ts';
import { decideRivals } from './decide-rivals.ts';
import { listFree, paymentOf } from './draft-sending.ts';
import { releaseAttempts } from './release-attempts.ts';
import { requireNotShown, sendSigned } from './send-signed.ts';
import type { SigningPort } from './signing-port.ts';
import { type TurnApp, takeTurn } from './signing-turn.ts';

export type SendBySignerApp = SendByHandApp &
  TurnApp & {
    readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'draft' | 'sender'>>;
    /** Of the chain. */
    readonly signer: Pick<SigningPort, 'sign'>;
  };

/** What was sent and is in no block after this is drafted again with a higher fee. */
const BUMP_AFTER = { minutes: 10 };
/** Rules of the signer change with a restart, and approvals take a person. */
const ASK_AGAIN_AFTER = { seconds: 30 };

/**
 * One step for a chain: each transfer that waits there, the oldest first. Answers how many were
 * sent, also once more. @throws Outage when the signer or the node is away; the next step goes on.
 */
export async function sendBySigner(app: SendBySignerApp, chain: ChainId): Promise<number> {
  const { db } = app;
  let sent = 0;
  for (const transfer of await listByHand(db, environmentOf(chain), networkOf(chain))) {
    if (!(await takeTurn(app, chain))) break;
    try {
      const heldUp = await sendOne(app, chain, transfer);
      if (heldUp === undefined) sent += 1;
      await noteHeldUp(db, transfer, heldUp);
    } catch (error) {
      if (!(error instanceof Refusal) || error instanceof Outage) throw error;
      await noteHeldUp(db, transfer, error.details.join('; '));
    }
  }
  return sent;
}

/** Why it is not sent; undefined when it was. @throws Refusal that says the same. @throws Outage */
async function sendOne(
  app: SendBySignerApp,
  chain: ChainId,
  transfer: Transfer,
): Promise<string | undefined> {
  const { id, heldUp } = transfer;
  const answeredAt = await findAnswered(app.db, id);
  if (answeredAt !== undefined && !isPast(app, answeredAt, ASK_AGAIN_AFTER)) return heldUp;
  const [live] = await releaseAttempts(app, [id]);
  if (live !== undefined && !(await isRaised(app, chain, transfer, live))) {
    await sendSigned(app, id, undefined);
    return undefined;
  }
  if ((await findAsked(app.db, id)) === undefined && live === undefined) {
    await draft(app, chain, transfer, undefined);
  }
  const asked = await findAsked(app.db, id);
  return asked === undefined ? 'nothing was drafted' : ask(app, transfer, asked);
}

/** Whether the signer has to be asked for one with a higher fee. */
async function isRaised(
  app: SendBySignerApp,
  chain: ChainId,
  transfer: Transfer,
  live: SignedAttempt,
): Promise<boolean> {
  if (!isPast(app, live.signedAt ?? live.draftedAt, BUMP_AFTER)) return false;
  if ((await findAsked(app.db, transfer.id)) !== undefined) return true;
  try {
    await draft(app, chain, transfer, live);
    return true;
  } catch (error) {
    // It ends by itself, or being included costs more than is allowed now: the one before goes on.
    if (error instanceof Refusal && !(error instanceof Outage)) return false;
    throw error;
  }
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
  const outcome = await app.signer.sign(readOrder(asked.question));
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

function readOrder(question: string): SignOrder {
  const read = readQuestion(question);
  if ('ask' in read && read.ask === 'sign') return read.order;
  throw new Refusal('conflict', 'draft_refused', 'what the signer was asked cannot be read again');
}

/** Stores what the signer is to be asked. */
async function draft(
  app: SendBySignerApp,
  chain: ChainId,
  transfer: Transfer,
  replaced: SignedAttempt | undefined,
): Promise<void> {
  const network = app.networks.get(chain);
  if (network?.draft === undefined || network.sender === undefined) {
    throw new Refusal('conflict', 'draft_refused', `no transaction is put together for ${chain}`);
  }
  // Before a node is asked anything.
  await hold(app, transfer);
  const drafted = await network.draft({
    payments: [paymentOf(transfer)],
    ...(await listFree(app.db, chain, replaced)),
    feeRate: undefined,
    from: undefined,
    replaces: replaced?.terms,
  });
  const order = await orderOf(app, chain, transfer, drafted);
  await hold(app, transfer, { ...drafted, question: writeLine(signQuestion(order)), chain });
}

/** Still to be sent, and by nobody else; `made`: then it is stored in the same transaction. */
async function hold(
  app: SendBySignerApp,
  transfer: Transfer,
  made?: DraftedTransaction & { readonly question: string; readonly chain: ChainId },
): Promise<void> {
  const now = app.clock.now();
  const transferIds = [transfer.id];
  await app.db.transact(async (tx) => {
    requireNotShown(await holdSending(app, tx, transfer));
    if (made === undefined) return;
    const { chain, spends } = made;
    const rivals = await listRivals(tx, { id: 0n, chain, transferIds, spends });
    const against = decideRivals({ transferIds, spends }, rivals);
    if (against !== undefined) throw new Refusal('conflict', 'transfer_signed', against);
    noteAsked(tx, transfer.id, now);
    dropAnswered(tx, transfer.id);
    insertAttempt(tx, chain, transferIds, made, now);
  });
}

async function orderOf(
  { db }: SendBySignerApp,
  chain: ChainId,
  transfer: Transfer,
  drafted: DraftedTransaction,
): Promise<SignOrder> {
  const { id, environment, network, assetId, targetUnits: units, account = {} } = transfer;
  const facts =
    drafted.format === 'PSBT'
      ? { spends: drafted.spends }
      : {
          source: drafted.from,
          sequence: drafted.sequence,
          index: await findSourceIndex(db, chain, drafted.from),
        };
  const payments = [{ assetId, units, account }];
  const { feeUnits, text: unsigned } = drafted;
  return { id, environment, network, kind: 'PAY', payments, feeUnits, facts, unsigned };
}
