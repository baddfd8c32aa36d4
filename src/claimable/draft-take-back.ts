// What was left for a receiver who has no trust line, and was never fetched, comes back to us: a
// transaction for a person to sign and send, or to bring back signed. Guarantees: it fetches what
// the transfer left, to our account; its sequence number is nothing else's. Not guaranteed: that it
// lands, since the receiver may fetch it until then. What comes is seen by the watcher, which knows
// the balance, and booked as any transfer that comes back (suspense/settle-came-back.ts).

import type { Clock } from '#base/clock.ts';
import { timestamp } from '#base/instant.ts';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import type { DraftedPayment } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import { listEnded, reserveTurn } from '#sending/release-attempts.ts';
import { requireTransfer } from '#transfer/send-by-hand.ts';
import { lockTransfer, noteTransfer, type Transfer } from '#transfer/transfer.ts';

type TakeBackApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'draft' | 'sender'>>;
};

type TakeBackDraft = {
  readonly transfer: Transfer;
  readonly drafted: DraftedPayment;
  /** By which what comes back signed is named (custody signed). */
  readonly draft: bigint;
};

/**
 * @throws Refusal missing; conflict `draft_refused` that says why it cannot be taken back (now),
 * `draft_open` while something else may land in its place; unavailable. @throws Outage
 */
export async function draftTakeBack(
  app: TakeBackApp,
  transferId: string,
  actor: string,
): Promise<TakeBackDraft> {
  const now = app.clock.now();
  const transfer = await requireTransfer(app.db, transferId);
  const { id: claimableId } = requireReclaimable(transfer, now);
  const { environment, network, assetId, targetUnits: units } = transfer;
  const chain = chainOf(environment, network);
  const drafted = await app.networks.get(chain)?.draft?.({
    ...{ unspent: [], taken: new Set<string>(), feeRate: undefined, from: undefined },
    payments: [{ transferId, account: {}, assetId, units, takesBack: { claimableId } }],
    replaces: undefined,
  });
  if (drafted?.format !== 'transaction') {
    throw new Refusal('unavailable', 'network_missing', `${chain} is not connected here`);
  }
  const ended = await listEnded(app, chain, drafted.spends);
  const draft = await app.db.transact(async (tx) => {
    const locked = await lockTransfer(tx, transferId);
    requireReclaimable(locked ?? transfer, now);
    const id = await reserveTurn(tx, { chain, kind: 'TAKE_BACK', ended }, drafted, now);
    const details = { claimable: claimableId, until: drafted.until };
    noteTransfer(tx, transfer, { verb: 'send-take-back', actor, actedAt: now, details });
    return id;
  });
  return { transfer, drafted, draft };
}

/** @throws Refusal conflict */
function requireReclaimable(
  { state, claimable }: Pick<Transfer, 'state' | 'claimable'>,
  now: Temporal.Instant,
): NonNullable<Transfer['claimable']> {
  if (claimable === undefined) {
    throw refused('it was not left to be claimed: there is nothing to be taken back');
  }
  if (state !== 'COMPLETED') throw refused(`it is ${state}: nothing of it lies to be claimed`);
  const { reclaimableAt } = claimable;
  if (reclaimableAt === null) {
    throw refused('we are none of those who may claim it: only its receiver can fetch it');
  }
  // The ledger in which it lands closes later than now, and never before.
  if (Temporal.Instant.compare(now, Temporal.Instant.from(reclaimableAt)) >= 0) return claimable;
  throw refused(`its receiver may fetch it until ${reclaimableAt}; it is ${timestamp(now)} now`);
}

function refused(sentence: string): Refusal {
  return new Refusal('conflict', 'draft_refused', [sentence]);
}
