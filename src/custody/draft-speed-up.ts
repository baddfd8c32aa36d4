// A payment to us that waits with too low a fee, spent back to us with a fee for both (CPFP). The
// payment stays what it is, and what spends it is a move of ours. Where that pays too little itself
// another one takes its place, so that at most one of them lands.
import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf } from '#catalog/chain.ts';
import { listSpenders, listUnspent, listWaitingArrivals } from '#chain/departure.ts';
import type { Db } from '#db/db.ts';
import type { SpeedUpOrder, UnspentOutput } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import { insertOwnMove, listLiveOf } from '#sending/attempt.ts';
import type { DraftedMove } from './draft-consolidation.ts';

type SpeedUpApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'speedUp'>>;
};

type Wish = Pick<SpeedUpOrder, 'transaction' | 'feeRate'> & {
  /** Who asks for it. */
  readonly actor: string;
};

/** @throws Refusal conflict that says why it cannot be, or need not be. @throws Outage */
export async function draftSpeedUp(
  { db, clock, networks }: SpeedUpApp,
  chain: ChainId,
  { transaction, feeRate, actor }: Wish,
): Promise<DraftedMove> {
  const network = networks.get(chain);
  if (network?.speedUp === undefined) {
    throw refused(`${chain} is not watched here, or is not Bitcoin or Litecoin`);
  }
  const [own] = await listSpenders(db, { chain, transaction, spends: [] });
  if (own !== undefined) {
    throw refused('you sent it yourself: npx quittance send bump puts another one in its place');
  }
  const outputs = await listWaitingArrivals(db, chain, transaction);
  if (outputs.length === 0) {
    throw refused('no payment to you waits in it: it is in a block, or unknown here');
  }
  const replaces = await listChildren(db, chain, outputs);
  const unspent = await listUnspent(db, chain, []);
  const made = await network.speedUp({ transaction, outputs, replaces, unspent, feeRate });
  const now = clock.now();
  return db.transact(async (tx) => {
    const id = await insertOwnMove(tx, { chain, kind: 'OWN' }, made, now);
    noteAct(tx, {
      ...{ actor, actedAt: now, verb: 'speed-up-draft', subject: `chain:${chain}` },
      environment: environmentOf(chain),
      details: { draft: `${id}`, transaction, feeUnits: `${made.feeUnits}` },
    });
    return { ...made, id };
  });
}

/**
 * What spends them and waits: drafted here and signed, or seen. @throws Refusal conflict where that
 * does more than to bring them back to us.
 */
async function listChildren(
  db: Db,
  chain: ChainId,
  outputs: readonly UnspentOutput[],
): Promise<readonly string[]> {
  const spends = outputs.map(({ creditKey }) => creditKey);
  const seen = await listSpenders(db, { chain, transaction: '', spends });
  const other = seen.find(({ parts }) => parts.some(({ purpose }) => purpose !== 'OWN'));
  if (other !== undefined) {
    throw refused(`${other.transaction} spends it already, and not back to you alone`);
  }
  const signed = await listLiveOf(db, chain);
  const children = signed.filter((one) => one.spends.some((spent) => spends.includes(spent)));
  return [...new Set([...seen, ...children].map((one) => one.transaction))];
}

function refused(sentence: string): Refusal {
  return new Refusal('conflict', 'draft_refused', [sentence]);
}
