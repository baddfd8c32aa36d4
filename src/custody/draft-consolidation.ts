// Small coins of ours brought together in one transaction that a person signs. It reserves nothing:
// what it may spend is what nothing spends that is signed, asked of a signer or drafted for
// transfers that wait, and of two drafts only one can land. The watcher sees it as a move of ours.
import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import type { ConsolidationOrder, DraftedPsbt } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import { listDraftedSpends } from '#sending/attempt.ts';
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
): Promise<DraftedPsbt> {
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
  await db.transact(async (tx) =>
    noteAct(tx, {
      ...{ actor, actedAt: clock.now(), verb: 'consolidate-draft', subject: `chain:${chain}` },
      environment: environmentOf(chain),
      details: { inputs: `${made.inputs}`, feeUnits: `${made.feeUnits}` },
    }),
  );
  return made;
}
