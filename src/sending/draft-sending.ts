// One drafted transaction for transfers that a person has to send. What it may spend is what no
// departure spends yet, so two drafts made at once may spend the same: only one of them can land,
// and the transfers of the other wait to be sent again. A draft is kept, so that what comes back
// signed is known again (send-signed.ts).
import { Refusal } from '#base/refusal.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { listUnspent } from '#chain/departure.ts';
import type { Reader } from '#db/db.ts';
import type { DraftedTransaction, DraftOrder, DraftPayment, Watcher } from '#deposit/network.ts';
import { type SendByHandApp, showSending } from '#transfer/send-by-hand.ts';
import type { Transfer } from '#transfer/transfer.ts';
import { insertAttempt, listLiveOf, type SignedAttempt } from './attempt.ts';
import { releaseAttempts } from './release-attempts.ts';

type DraftApp = SendByHandApp & {
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'draft' | 'sender'>>;
};

type DraftWish = {
  /** As `DraftOrder` has them. */
  readonly feeRate: bigint | undefined;
  readonly from: string | undefined;
};

type Drafted = {
  readonly transfers: readonly Transfer[];
  readonly drafted: DraftedTransaction;
};

/** @throws Refusal as showSending, and conflict when one transaction cannot pay them all. */
export async function draftSending(
  app: DraftApp,
  ids: readonly string[],
  wish: DraftWish,
): Promise<Drafted> {
  const wanted = [...new Set(ids)];
  const [replaced] = await releaseAttempts(app, wanted);
  const transfers: Transfer[] = [];
  for (const id of wanted) {
    transfers.push((await showSending(app, id, { instead: replaced !== undefined })).transfer);
  }
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
    payments: transfers.map(paymentOf),
    ...(await listFree(app.db, chain, replaced)),
    replaces: replaced?.terms,
  });
  const now = app.clock.now();
  await app.db.transact(async (tx) => insertAttempt(tx, chain, wanted, drafted, now));
  return { transfers, drafted };
}

/** What nothing that was signed spends, but for what is to be replaced. */
export async function listFree(
  db: Reader,
  chain: ChainId,
  replaced: SignedAttempt | undefined,
): Promise<Pick<DraftOrder, 'unspent' | 'taken'>> {
  const live = (await listLiveOf(db, chain)).filter(({ id }) => id !== replaced?.id);
  const taken = new Set(live.flatMap(({ spends }) => spends));
  const unspent = await listUnspent(db, chain);
  return { taken, unspent: unspent.filter(({ creditKey }) => !taken.has(creditKey)) };
}

export function paymentOf(transfer: Transfer): DraftPayment {
  const { id: transferId, account = {}, assetId, targetUnits: units } = transfer;
  return { transferId, account, assetId, units };
}
