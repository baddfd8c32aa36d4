// A payment to us that waits with too low a fee, spent back to us with a fee for both (CPFP). The
// payment stays what it is, and what spends it is a move of ours.
import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf } from '#catalog/chain.ts';
import { listSpenders, listUnspent, listWaitingArrivals } from '#chain/departure.ts';
import type { Db } from '#db/db.ts';
import type { DraftedPsbt, SpeedUpOrder } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';

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
): Promise<DraftedPsbt> {
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
    throw refused(
      'no payment to you waits in it: it is in a block, unknown here, or spent already ' +
        '(npx quittance custody list)',
    );
  }
  const unspent = await listUnspent(db, chain, []);
  const made = await network.speedUp({ transaction, outputs, unspent, feeRate });
  await db.transact(async (tx) =>
    noteAct(tx, {
      ...{ actor, actedAt: clock.now(), verb: 'speed-up-draft', subject: `chain:${chain}` },
      environment: environmentOf(chain),
      details: { transaction, feeUnits: `${made.feeUnits}` },
    }),
  );
  return made;
}

function refused(sentence: string): Refusal {
  return new Refusal('conflict', 'draft_refused', [sentence]);
}
