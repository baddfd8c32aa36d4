// One drafted transaction for transfers that a person has to send. What it may spend is what no
// departure spends yet, so two drafts made at once may spend the same: only one of them can land,
// and the transfers of the other wait to be sent again. A draft is kept, so that what comes back
// signed is known again (send-signed.ts).
import { Refusal } from '#base/refusal.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { listSpenders, listUnspent } from '#chain/departure.ts';
import type { Reader } from '#db/db.ts';
import type { DraftedTransaction, DraftOrder, DraftPayment } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import {
  holdToShow,
  requireTransfer,
  type SendByHandApp,
  showHeld,
} from '#transfer/send-by-hand.ts';
import { noteTransfer, type Transfer } from '#transfer/transfer.ts';
import {
  insertAttempt,
  listAskedSpends,
  listDraftedSpends,
  listLiveOf,
  type SendAttempt,
  type SignedAttempt,
} from './attempt.ts';
import { requireNotLeft } from './left-already.ts';
import { releaseAttempts } from './release-attempts.ts';
import { requireUnreserved } from './reserved-turn.ts';
import { listMoveSpends } from './sweep-move.ts';

type DraftApp = SendByHandApp & {
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'draft' | 'sender'>>;
};

type DraftWish = {
  /** CANCEL: one that pays nobody but us takes the place of what was signed. */
  readonly kind?: 'PAY' | 'CANCEL';
  /** As `DraftOrder` has them. */
  readonly feeRate: bigint | undefined;
  readonly from: string | undefined;
  /** Who asks for it. */
  readonly actor: string;
};

type Drafted = {
  readonly transfers: readonly Transfer[];
  readonly drafted: DraftedTransaction;
};

/**
 * They are shown by it, once there is a draft.
 * @throws Refusal as showSending, and conflict when one transaction cannot pay them all.
 */
export async function draftSending(
  app: DraftApp,
  ids: readonly string[],
  { kind = 'PAY', actor, ...wish }: DraftWish,
): Promise<Drafted> {
  const wanted = [...new Set(ids)];
  const [replaced] = await releaseAttempts(app, wanted);
  const show = { instead: replaced !== undefined, isCancelled: kind === 'CANCEL' };
  const transfers: Transfer[] = [];
  for (const id of wanted) {
    const seen = await requireTransfer(app.db, id);
    transfers.push(await app.db.transact((tx) => holdToShow(app, tx, seen, show)));
  }
  if (replaced !== undefined) await requireNotMined(app.db, replaced);
  const chains = new Set(
    transfers.map(({ environment, network }) => chainOf(environment, network)),
  );
  const [chain, another] = chains;
  if (chain === undefined || another !== undefined) {
    throw new Refusal('conflict', 'draft_refused', ['name transfers of one network']);
  }
  const network = app.networks.get(chain);
  if (network?.draft === undefined) {
    throw new Refusal('conflict', 'draft_refused', [
      `no transaction is put together here for ${chain}: send each by itself (npx quittance send ` +
        'show), or to a bank as one file (npx quittance send draft --bank)',
    ]);
  }
  const drafted = await network.draft({
    ...wish,
    payments: kind === 'CANCEL' ? [] : transfers.map(paymentOf),
    ...(await listFree(app.db, chain, replaced)),
    drafted: await listDraftedSpends(app.db, chain, wanted),
    replaces: replaced?.terms,
  });
  const now = app.clock.now();
  await app.db.transact(async (tx) => {
    const { spends } = drafted;
    // Nobody is told of what the network or anything above refused: then the signer goes on.
    for (const transfer of transfers.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      await showHeld(app, tx, transfer, { ...show, actor });
    }
    await requireUnreserved(tx, { chain, spends });
    if (kind === 'PAY') await requireNotLeft(tx, { chain, transferIds: wanted, spends }, transfers);
    insertAttempt(tx, { chain, transferIds: wanted, kind }, drafted, now);
    for (const transfer of transfers) {
      const verb = kind === 'PAY' ? 'send-draft' : 'send-draft-cancel';
      noteTransfer(tx, transfer, { verb, actor, actedAt: now });
    }
  });
  return { transfers, drafted };
}

/** @throws Refusal conflict: then nothing can take its place. */
export async function requireNotMined(
  db: Reader,
  { chain, transaction = '', spends }: Pick<SendAttempt, 'chain' | 'transaction' | 'spends'>,
): Promise<void> {
  const seen = await listSpenders(db, { chain, transaction, spends });
  const mined = seen.find(({ status }) => status === 'INCLUDED');
  if (mined === undefined) return;
  throw new Refusal('conflict', 'draft_refused', [
    `${mined.transaction} is in a block already: wait until it is final`,
  ]);
}

/**
 * What nothing spends that may be signed, but for what is to be replaced, and for what that one
 * took the place of: of all of these one lands.
 */
export async function listFree(
  db: Reader,
  chain: ChainId,
  replaced: Pick<SendAttempt, 'spends'> | undefined,
): Promise<Pick<DraftOrder, 'unspent' | 'taken'>> {
  const live = await listLiveOf(db, chain);
  const isReplaced = ({ spends }: SignedAttempt) =>
    spends.some((one) => replaced?.spends.includes(one));
  const others = live.filter((one) => !isReplaced(one)).flatMap(({ spends }) => spends);
  const asked = await listAskedSpends(db, chain);
  // The signer was asked for what takes the place of the same.
  const askedElse = asked.filter((one) => !replaced?.spends.includes(one));
  const taken = new Set([...others, ...askedElse, ...(await listMoveSpends(db, chain))]);
  const replacedOnes = live.filter(isReplaced).map(({ transaction }) => transaction);
  const unspent = await listUnspent(db, chain, replacedOnes);
  return { taken, unspent: unspent.filter(({ creditKey }) => !taken.has(creditKey)) };
}

export function paymentOf(transfer: Transfer): DraftPayment {
  const { id: transferId, account = {}, assetId, targetUnits: units } = transfer;
  return { transferId, account, assetId, units };
}
