// A higher fee for what waits with too low a one. A payment to us is spent back to us with a fee
// for both (CPFP): it stays what it is, and what spends it is a move of ours; where that pays too
// little itself another one takes its place. A move of ours that was signed is replaced by another
// one of the same coins (RBF). So at most one of them lands. What hangs from the first would go
// with it, so there is none then.
import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf } from '#catalog/chain.ts';
import { listSpenders, listUnspent, listWaitingArrivals } from '#chain/departure.ts';
import type { Db } from '#db/db.ts';
import type { SpeedUpOrder, UnspentOutput } from '#deposit/money-out.ts';
import type { Watcher } from '#deposit/network.ts';
import {
  findOwnMove,
  insertOwnMove,
  isSigned,
  listAskedSpends,
  listLiveOf,
  listRivals,
  type SignedAttempt,
} from '#sending/attempt.ts';
import { listFree } from '#sending/draft-sending.ts';
import type { DraftedMove } from './draft-consolidation.ts';

type SpeedUpApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'speedUp' | 'replaceMove'>>;
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

/** @throws Refusal missing; conflict that says why it cannot be, or need not be. @throws Outage */
export async function draftReplacement(
  { db, clock, networks }: SpeedUpApp,
  moveId: bigint,
  { feeRate, actor }: Pick<Wish, 'feeRate' | 'actor'>,
): Promise<DraftedMove & { readonly chain: ChainId }> {
  const move = await requireWaiting(db, moveId);
  const { chain, transaction, terms: replaces } = move;
  const network = networks.get(chain);
  if (network?.replaceMove === undefined) {
    throw refused(`${chain} is not watched here, or is not Bitcoin or Litecoin`);
  }
  const { unspent } = await listFree(db, chain, move);
  const made = await network.replaceMove({ transaction, replaces, unspent, feeRate });
  const now = clock.now();
  return db.transact(async (tx) => {
    const id = await insertOwnMove(tx, { chain, kind: 'OWN' }, made, now);
    noteAct(tx, {
      ...{ actor, actedAt: now, verb: 'replace-draft', subject: `chain:${chain}` },
      environment: environmentOf(chain),
      details: { draft: `${id}`, transaction, feeUnits: `${made.feeUnits}` },
    });
    return { ...made, id, chain };
  });
}

/** Signed, the last one of its coins, in no block, and nothing hangs from it. @throws Refusal */
async function requireWaiting(db: Db, moveId: bigint): Promise<SignedAttempt> {
  const move = await findOwnMove(db, moveId);
  if (move === undefined) {
    throw new Refusal('missing', 'draft_missing', 'nothing was drafted under this number');
  }
  if (!isSigned(move))
    throw refused('it was not signed: draft it again, nothing is to be replaced');
  const { chain, transaction, spends, overAt } = move;
  const seen = await listSpenders(db, { chain, transaction, spends });
  const mined = seen.find(({ status }) => status === 'INCLUDED');
  if (mined?.transaction === transaction) throw refused('it is in a block already');
  if (mined !== undefined || overAt !== undefined) {
    const by = mined === undefined ? 'something else' : mined.transaction;
    throw refused(`its coins are spent by ${by}: it can land no more`);
  }
  const newer = (await listRivals(db, move)).findLast(({ id }) => id > moveId);
  if (newer !== undefined) {
    throw refused(`${newer.transaction} took its place: replace that one, number ${newer.id}`);
  }
  const child = await findChild(db, move);
  if (child === undefined) return move;
  throw refused(
    `${child} spends what it brings, and would be lost with it: wait until it is mined`,
  );
}

/** What spends an output of it: seen, signed, or asked for. */
async function findChild(db: Db, { chain, transaction }: SignedAttempt) {
  const isOutput = (coin: string) => coin.startsWith(`${transaction}:`);
  const live = await listLiveOf(db, chain);
  const signed = live.find(({ spends }) => spends.some(isOutput));
  if (signed !== undefined) return signed.transaction;
  const asked = await listAskedSpends(db, chain);
  if (asked.some(isOutput)) return 'what the signer was asked for';
  // It has one output, or none before it came to be.
  const outputs = [`${transaction}:0`];
  const [seen] = await listSpenders(db, { chain, transaction: '', spends: outputs });
  return seen?.transaction;
}

function refused(sentence: string): Refusal {
  return new Refusal('conflict', 'draft_refused', [sentence]);
}
