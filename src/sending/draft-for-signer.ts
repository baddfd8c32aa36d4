// What the signer is to be asked, put together and stored. Guarantees: the facts of each transfer
// are asked under its lock before a node is asked anything, and again, all in one transaction, when
// the question is stored; nothing is stored beside what could land too. A transfer that may not be
// sent any more falls out of what is drafted together, and holds up no other.
import { Outage, Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import { findSourceIndex } from '#deposit/deposit-instruction.ts';
import type { DraftedTransaction } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import {
  holdCancelled,
  holdSending,
  noteAsked,
  type SendByHandApp,
} from '#transfer/send-by-hand.ts';
import type { Transfer } from '#transfer/transfer.ts';
import { orderedPayment, writeAskedOrder } from './asked-order.ts';
import {
  dropAnswered,
  findNewestAsked,
  insertAttempt,
  isSignedAnew,
  listRivals,
  type SendAttempt,
} from './attempt.ts';
import { decideRivals } from './decide-rivals.ts';
import { listFree, paymentOf, requireNotMined } from './draft-sending.ts';
import { requireNotLeft } from './left-already.ts';
import { requireUnreserved } from './reserved-turn.ts';
import { requireNotShown, requireSeenAs } from './send-signed.ts';
import type { SendingAct } from './sending-act.ts';

export type DraftForSignerApp = SendByHandApp & {
  readonly db: Db;
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'draft' | 'sender'>>;
};

/** Why a transfer does not go now; undefined: it goes. */
export type SentOrHeld = { readonly id: string; readonly heldUp: string | undefined };

type Instead = {
  /** What was signed, or may have been: what is drafted spends the same. */
  readonly replaced: SendAttempt | undefined;
  readonly act: SendingAct | undefined;
  /** A moment ago each of them could be sent. */
  readonly isHeld?: boolean;
};

const ASKED_MEANWHILE = 'another process has drafted it a moment ago: that is asked for';

export function saysNo(error: unknown): error is Refusal {
  return error instanceof Refusal && !(error instanceof Outage);
}

/**
 * As many of them as can go together. Answers those that may not be sent, or cannot be paid, with
 * the reason; of those that it does not name and that are not drafted nothing is known yet.
 * @throws Outage
 */
export async function draftTogether(
  app: DraftForSignerApp,
  chain: ChainId,
  transfers: readonly Transfer[],
): Promise<{ readonly drafted: readonly string[]; readonly fallen: readonly SentOrHeld[] }> {
  const { standing, fallen } =
    transfers.length === 1
      ? { standing: transfers, fallen: [] }
      : await holdEach(app, chain, transfers);
  const isHeld = transfers.length > 1;
  let left = standing;
  while (left.length > 0) {
    try {
      await draftForSigner(app, chain, left, { replaced: undefined, act: undefined, isHeld });
      return { drafted: left.map(({ id }) => id), fallen };
    } catch (error) {
      if (!saysNo(error)) throw error;
      const [only, ...others] = left;
      if (only !== undefined && others.length === 0) {
        return { drafted: [], fallen: [...fallen, { id: only.id, heldUp: reasonOf(error) }] };
      }
      // One of them is against it, or all of them are too much: half of them may go.
      left = left.slice(0, left.length >> 1);
    }
  }
  return { drafted: [], fallen };
}

export function reasonOf({ details }: Refusal): string {
  return details.join('; ');
}

/** Which of them may be sent now, each asked for by itself. */
export async function holdEach(
  app: DraftForSignerApp,
  chain: ChainId,
  transfers: readonly Transfer[],
): Promise<{ readonly standing: readonly Transfer[]; readonly fallen: readonly SentOrHeld[] }> {
  const standing: Transfer[] = [];
  const fallen: SentOrHeld[] = [];
  for (const transfer of transfers) {
    try {
      await hold(app, [transfer], { chain, kind: 'PAY' });
      standing.push(transfer);
    } catch (error) {
      if (!saysNo(error)) throw error;
      fallen.push({ id: transfer.id, heldUp: reasonOf(error) });
    }
  }
  return { standing, fallen };
}

/** Stores what the signer is to be asked for all of them. @throws Refusal, Outage */
export async function draftForSigner(
  app: DraftForSignerApp,
  chain: ChainId,
  transfers: readonly Transfer[],
  { replaced, act, isHeld = false }: Instead,
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
  if (!isHeld) await hold(app, transfers, { chain, kind });
  if (replaced !== undefined) await requireNotMined(app.db, replaced);
  const ids = transfers.map(({ id }) => id);
  const askedBefore = (await findNewestAsked(app.db, ids))?.id;
  const drafted = await network.draft({
    payments: isCancel ? [] : transfers.map(paymentOf),
    ...(await listFree(app.db, chain, replaced)),
    feeRate: act?.feeRate,
    from: undefined,
    replaces: replaced?.terms,
  });
  const order = await orderOf(app, chain, { transfers, kind, drafted });
  const question = writeAskedOrder(order);
  await hold(app, transfers, { chain, kind, made: { ...drafted, question, askedBefore } });
}

type Held = {
  readonly chain: ChainId;
  readonly kind: 'PAY' | 'CANCEL';
  /** Then it is stored in the same transaction. */
  readonly made?: DraftedTransaction & {
    readonly question: string;
    /** What was asked last when it was drafted. */
    readonly askedBefore: bigint | undefined;
  };
};

/** Still to be sent, each of them, and by nobody else. @throws Refusal */
async function hold(
  app: DraftForSignerApp,
  transfers: readonly Transfer[],
  { chain, kind, made }: Held,
): Promise<void> {
  const now = app.clock.now();
  const transferIds = transfers.map(({ id }) => id);
  await app.db.transact(async (tx) => {
    const held: Transfer[] = [];
    for (const transfer of transfers) {
      const one =
        kind === 'CANCEL'
          ? await holdCancelled(tx, transfer)
          : await holdSending(app, tx, transfer, { instead: true });
      requireNotShown(one);
      held.push(one);
    }
    if (made === undefined) return;
    const { spends } = made;
    await requireUnreserved(tx, { chain, spends });
    const rivals = await listRivals(tx, { id: 0n, chain, transferIds, spends });
    for (const one of held) requireSeenAs(one, rivals);
    const against = decideRivals({ transferIds, spends }, rivals);
    if (against !== undefined) throw new Refusal('conflict', 'transfer_signed', against);
    if (kind === 'PAY') await requireNotLeft(tx, { chain, transferIds, spends }, held);
    // By whoever had the turn before and is gone: what it stored is asked, and nothing beside it.
    if ((await findNewestAsked(tx, transferIds))?.id !== made.askedBefore) {
      throw new Refusal('conflict', 'transfer_asked', ASKED_MEANWHILE);
    }
    for (const id of transferIds) noteAsked(tx, id, now);
    dropAnswered(tx, transferIds);
    insertAttempt(tx, { chain, transferIds, kind }, made, now);
  });
}

type Ordered = {
  readonly transfers: readonly Transfer[];
  readonly kind: SignOrder['kind'];
  readonly drafted: DraftedTransaction;
};

/** The first order, and the ids of those beside it. */
async function orderOf(
  { db }: DraftForSignerApp,
  chain: ChainId,
  { transfers, kind, drafted }: Ordered,
): Promise<SignOrder> {
  const [first, ...others] = transfers;
  if (first === undefined) throw new Refusal('conflict', 'draft_refused', 'nothing is to be sent');
  const { id, environment, network } = first;
  const turn =
    drafted.format === 'PSBT'
      ? { spends: drafted.spends }
      : {
          source: drafted.from,
          sequence: drafted.sequence,
          index: await findSourceIndex(db, chain, drafted.from),
        };
  const isAlone = others.length === 0;
  const isAnew = kind === 'PAY' && isAlone && (await isSignedAnew(db, id, drafted.spends));
  const payments =
    kind === 'CANCEL'
      ? []
      : await Promise.all(transfers.map((one) => orderedPayment(db, chain, paymentOf(one))));
  return {
    id,
    ...(isAlone ? {} : { beside: others.map((one) => one.id) }),
    ...{ environment, network, kind, payments },
    feeUnits: drafted.feeUnits,
    facts: isAnew ? { ...turn, isAnew } : turn,
    unsigned: drafted.text,
  };
}
