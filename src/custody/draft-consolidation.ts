// Small coins of ours brought together in one transaction that a person signs, and hands back or
// sends himself. It reserves nothing until it comes back: what it may spend is what nothing spends
// that is signed, asked of a signer or drafted for transfers that wait, and of two drafts only one
// can land. The watcher sees it as a move of ours.
import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import type { ConsolidationOrder, DraftedPsbt } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import { insertOwnMove, listDraftedSpends } from '#sending/attempt.ts';
import { listFree } from '#sending/draft-sending.ts';

type ConsolidationApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'consolidate'>>;
};

type Wish = Omit<ConsolidationOrder, 'unspent'> & {
  /** Who asks for it. */
  readonly actor: string;
};

/** @throws Refusal conflict that says why there is nothing to be done. @throws Outage */
export async function draftConsolidation(
  { db, clock, networks }: ConsolidationApp,
  chain: ChainId,
  { actor, ...wish }: Wish,
): Promise<DraftedMove> {
  const network = networks.get(chain);
  if (network?.consolidate === undefined) {
    throw new Refusal('conflict', 'draft_refused', [
      `${chain} is not watched here, or has no coins that could be brought together: this is for ` +
        'Bitcoin and Litecoin',
    ]);
  }
  const [{ unspent }, drafted] = await Promise.all([
    listFree(db, chain, undefined),
    listDraftedSpends(db, chain, []),
  ]);
  const free = unspent.filter(({ creditKey }) => !drafted.others.has(creditKey));
  const made = await network.consolidate({ ...wish, unspent: free });
  const now = clock.now();
  return db.transact(async (tx) => {
    const id = await insertOwnMove(tx, { chain, kind: 'OWN' }, made, now);
    noteAct(tx, {
      ...{ actor, actedAt: now, verb: 'consolidate-draft', subject: `chain:${chain}` },
      environment: environmentOf(chain),
      details: { draft: `${id}`, inputs: `${made.inputs}`, feeUnits: `${made.feeUnits}` },
    });
    return { ...made, id };
  });
}

/** `id`: by which it is named when it comes back signed. */
export type DraftedMove = DraftedPsbt & { readonly id: bigint };
