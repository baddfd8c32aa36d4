// What a person decided about transfers that were signed and do not land, and what follows once the
// network shows what became of them. Guarantees: money of a cancelled transfer goes back, or it
// waits to be sent anew, only when nothing that was signed for it can land any more; one that
// landed all the same is paid, and its cancellation came too late.
import type { Log } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { isMined } from '#chain/departure.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import type { Watcher } from '#deposit/network.ts';
import type { Said } from '#transfer/conclude-transfer.ts';
import {
  cancelSending,
  noteStuck,
  requireTransfer,
  type SendByHandApp,
} from '#transfer/send-by-hand.ts';
import {
  hasNotEnded,
  listTransfersByIds,
  noteTransfer,
  type Transfer,
} from '#transfer/transfer.ts';
import { listLive, type SignedAttempt } from './attempt.ts';
import { releaseAttempts } from './release-attempts.ts';
import {
  endAct,
  endActs,
  insertAct,
  listOpenActs,
  resumeCancellation,
  type SendingAct,
} from './sending-act.ts';

type ActsApp = SendByHandApp & {
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'sender'>>;
};

type Decision = Said & Pick<SendingAct, 'act' | 'feeRate' | 'isSentAgain'>;

/**
 * What was signed last for these transfers and can still land, and whom it pays.
 * @throws Refusal conflict when there is none, or when it pays others who would be cancelled too.
 */
export async function requireDecidable(
  app: ActsApp & { readonly db: Db },
  transferIds: readonly string[],
  act: SendingAct['act'],
): Promise<{ readonly live: SignedAttempt; readonly paid: readonly Transfer[] }> {
  const [live] = await releaseAttempts(app, transferIds);
  const named = await listTransfersByIds(app.db, transferIds);
  if (named.length < new Set(transferIds).size) {
    throw new Refusal('missing', 'transfer_missing', 'no such transfer');
  }
  const ended = named.find((one) => !hasNotEnded(one));
  if (ended !== undefined) {
    throw new Refusal('conflict', 'transfer_not_signed', [
      `${ended.id} is ${ended.state}: nothing that was signed for it waits to land`,
    ]);
  }
  if (live === undefined) {
    throw new Refusal('conflict', 'transfer_not_signed', [
      'nothing that was signed for it can land: npx quittance send draft, or send cancel',
    ]);
  }
  const others = live.transferIds.filter((id) => !transferIds.includes(id));
  if (others.length > 0 && act === 'CANCEL') {
    throw new Refusal('conflict', 'transfer_signed', [
      `${live.transaction} pays others too: name all of them, ${live.transferIds.join(' ')}`,
    ]);
  }
  return { live, paid: await listTransfersByIds(app.db, live.transferIds) };
}

/**
 * Of a transfer, and of those that the same transaction pays: they are cancelled together. Answers
 * what was signed last. @throws as `requireDecidable`
 */
export async function decideSending(
  app: ActsApp & { readonly db: Db },
  transferIds: readonly string[],
  { actor: decidedBy, reason, ...decision }: Decision,
): Promise<SignedAttempt> {
  const { live, paid } = await requireDecidable(app, transferIds, decision.act);
  const decidedAt = app.clock.now();
  await app.db.transact(async (tx) => {
    endActs(tx, live.transferIds, decidedAt);
    for (const transferId of live.transferIds) {
      insertAct(tx, { transferId, attemptId: live.id, decidedBy, reason, decidedAt, ...decision });
    }
    const verb = decision.act === 'BUMP' ? 'send-bump' : 'send-cancel';
    const details = { reason, transaction: live.transaction };
    for (const transfer of paid) {
      noteTransfer(tx, transfer, { verb, actor: decidedBy, actedAt: decidedAt, details });
    }
  });
  return live;
}

type Ended = Pick<SendingAct, 'transferId'> & {
  /** Of one that had failed: what can land now, and why it had, as the transfer has it. */
  readonly failed?: Pick<SendingAct, 'attemptId'> & { readonly failure: string | undefined };
};

/**
 * A reorganisation undid what had ended it: a decision not to pay it holds on, and what had failed
 * is as little to be paid as before.
 */
export async function cancelAgain(
  tx: Tx,
  { transferId, failed }: Ended,
  decidedAt: Temporal.Instant,
): Promise<void> {
  const isResumed = await resumeCancellation(tx, transferId);
  if (isResumed || failed === undefined) return;
  const { attemptId, failure = 'it had failed' } = failed;
  const reason = failure.replace(/^cancelled: /, '');
  const cancelled = { act: 'CANCEL', feeRate: undefined, isSentAgain: false } as const;
  const act = { transferId, attemptId, ...cancelled, decidedBy: 'service', reason, decidedAt };
  insertAct(tx, act);
}

const ACTS_MOST = 100;

/** How many transfers ended. @throws Outage of one chain; the others are looked at before. */
export async function carryOutActs(app: ActsApp): Promise<number> {
  let ended = 0;
  const outages: unknown[] = [];
  for (const act of await listOpenActs(app.db, ACTS_MOST)) {
    try {
      if (await carryOut(app, act)) ended += 1;
    } catch (error) {
      outages.push(error);
    }
  }
  if (outages.length > 0) throw outages[0];
  return ended;
}

async function carryOut(app: ActsApp, act: SendingAct): Promise<boolean> {
  const transfer = await requireTransfer(app.db, act.transferId);
  const isOpen = hasNotEnded(transfer);
  const live = isOpen ? await releaseAttempts(app, [transfer.id]) : [];
  const isDone = act.act === 'BUMP' && live.some(({ id }) => id > act.attemptId);
  if (isOpen && live.length > 0 && !isDone) return false;
  const isGivenBack = act.act === 'CANCEL' && isOpen && !act.isSentAgain;
  if (isGivenBack) {
    if (transfer.state !== 'TO_SEND') return false;
    const said = { actor: act.decidedBy, reason: act.reason, isNotSent: true };
    await cancelSending(app, transfer.id, said);
  }
  await app.db.transact(async (tx) => endAct(tx, act.id, app.clock.now()));
  return isGivenBack;
}

type StuckApp = Pick<ActsApp, 'db' | 'clock'> & {
  readonly log: Log;
  readonly config: { readonly stuckAfterMinutes: number };
};

/** What was sent so long ago and is in no block is said aloud, once. */
export async function findStuck({ db, clock, log, config }: StuckApp): Promise<void> {
  const now = clock.now();
  const before = now.subtract({ minutes: config.stuckAfterMinutes });
  const stuck = await noteStuck(db, { before, now, isMined: isMined(sql`transfer.id`) });
  for (const transfer of stuck) await say(db, log, transfer);
}

async function say(db: Db, log: StuckApp['log'], { id, network, leavingSince }: Transfer) {
  const [live] = await listLive(db, [id]);
  log.warn('a transfer was sent and does not land: npx quittance send bump, or send cancel', {
    transferId: id,
    network,
    since: String(leavingSince),
    transaction: live?.transaction,
  });
}
