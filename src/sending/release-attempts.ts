// What was signed for a transfer and can land no more: from then on something else may be signed
// for it, or its money goes back to the merchant. Guarantees: only what the network proves ends an
// attempt (its nonce, sequence number or outputs are spent finally, its last ledger or its time has
// passed in a block that was read, it failed); one that landed is left to the departure.

import type { Clock } from '#base/clock.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { findChainStatus } from '#chain/chain-status.ts';
import { isSpentByAnother, isSpentForGood, listSpenders } from '#chain/departure.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import type { Watcher } from '#deposit/network.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { noteUnsigned } from '#transfer/send-by-hand.ts';
import { writeAskedOrder } from './asked-order.ts';
import {
  ATTEMPT,
  insertOwnMove,
  isSigned,
  listLive,
  listOverBy,
  markOver,
  type SignedAttempt,
} from './attempt.ts';
import { decideSeen } from './decide-seen.ts';
import { listSameTurn, listTakingBack, requireUnreserved } from './reserved-turn.ts';

type ReleaseApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly networks: ReadonlyMap<ChainId, Pick<Watcher, 'sender'>>;
};

/** Answers what can still land, newest first. @throws Outage */
export async function releaseAttempts(
  app: ReleaseApp,
  transferIds: readonly string[],
): Promise<readonly SignedAttempt[]> {
  const attempts = await listLive(app.db, transferIds);
  const verdicts = await Promise.all(attempts.map((attempt) => isOver(app, attempt)));
  const live = attempts.filter((_, at) => verdicts[at] === false);
  const over = attempts.filter((_, at) => verdicts[at] === true);
  if (over.length === 0) return live;
  const now = app.clock.now();
  await app.db.transact(async (tx) => {
    for (const { id, transferIds: paid, transaction } of over) {
      markOver(tx, id, now);
      // What it took the place of, or what took its place, may land all the same.
      const other = live.find((one) => one.transferIds.some((paidToo) => paid.includes(paidToo)));
      noteUnsigned(tx, paid, transaction, other?.transaction);
    }
  });
  return live;
}

/**
 * A transaction is in no block any more: what was signed last for each transfer that it had proven
 * not to be paid, and that nothing else proves to be over.
 */
export async function listAlive(
  reader: Reader,
  undone: Pick<SignedAttempt, 'chain' | 'transaction' | 'spends'>,
): Promise<ReadonlyMap<string, SignedAttempt>> {
  const alive = new Map<string, SignedAttempt>();
  for (const attempt of await listOverBy(reader, undone)) {
    if (decideSeen(attempt, await listSpenders(reader, attempt)) === true) continue;
    for (const id of attempt.transferIds) if (!alive.has(id)) alive.set(id, attempt);
  }
  return alive;
}

/**
 * What spends the same for transfers, and can land no more, as the network shows: also what nobody
 * brought back signed. @throws Outage
 */
export async function listEnded(
  { db, networks }: ReleaseApp,
  chain: ChainId,
  spends: readonly string[],
): Promise<ReadonlySet<bigint>> {
  const cursor = await findChainStatus(db, chain);
  const sender = networks.get(chain)?.sender;
  const ended = new Set<bigint>();
  for (const { id, terms } of await listSameTurn(db, chain, spends)) {
    const isOver = cursor && (await sender?.isOver?.(terms, cursor.height));
    if (isOver === true) ended.add(id);
  }
  return ended;
}

type Reserving = {
  readonly chain: ChainId;
  readonly kind: 'CONVERSION' | 'TAKE_BACK';
  /** Known to be over (`listEnded`), asked for before. */
  readonly ended: ReadonlySet<bigint>;
  /** What the signer is to be asked; undefined of what a person is given. */
  readonly asks?: SignOrder | undefined;
};

/**
 * From now on nothing that spends the same is drafted, or sent as signed, until it has landed or
 * ended. Answers by which number it is named.
 * @throws Refusal conflict `draft_open`, `draft_refused`
 */
export async function reserveTurn(
  tx: Tx,
  { chain, kind, ended, asks }: Reserving,
  drafted: Pick<SignedAttempt, 'terms' | 'spends'>,
  now: Temporal.Instant,
): Promise<bigint> {
  const { spends } = drafted;
  await requireUnreserved(tx, { chain, spends });
  const same = await listSameTurn(tx, chain, spends);
  const other = same.find(({ id }) => !ended.has(id));
  if (other === undefined) {
    const question = asks === undefined ? {} : { question: writeAskedOrder(asks) };
    return insertOwnMove(tx, { chain, kind }, { ...drafted, ...question }, now);
  }
  throw new Refusal('conflict', 'draft_open', [
    `what was drafted for ${other.transferIds.join(' ')} may land before it: draft it again when ` +
      'that is over',
  ]);
}

/** What takes back what nobody claimed, and can land no more: its turn is free. */
export async function freeTurns(app: ReleaseApp): Promise<void> {
  for (const { id, chain, terms } of await listTakingBack(app.db)) {
    const cursor = await findChainStatus(app.db, chain);
    try {
      const isOver =
        cursor && (await app.networks.get(chain)?.sender?.isOver?.(terms, cursor.height));
      if (isOver === true) await app.db.transact(async (tx) => markOver(tx, id, app.clock.now()));
    } catch (error) {
      // The next round asks again.
      if (!(error instanceof Outage)) throw error;
    }
  }
}

async function isOver({ db, networks }: ReleaseApp, attempt: SignedAttempt): Promise<boolean> {
  const { chain, terms } = attempt;
  // Before what left is looked at: then all of it up to this height is there.
  const cursor = await findChainStatus(db, chain);
  const seen = await listSpenders(db, attempt);
  const shown = decideSeen(attempt, seen);
  if (shown !== undefined || cursor === undefined) return shown === true;
  return (await networks.get(chain)?.sender?.isOver?.(terms, cursor.height)) ?? false;
}

type WaitingMove = SignedAttempt & {
  /** Whether something else was signed for the same coins since. */
  readonly isReplaced: boolean;
};

/** What moves coins of ours to ourselves and has not landed, on every chain, the oldest first. */
export async function listWaitingMoves(reader: Reader, most: number): Promise<WaitingMove[]> {
  const found = await ATTEMPT.select(
    reader,
    sql`where kind = 'OWN' and signed_at is not null and over_at is null
      and not ${isSpentForGood(sql`attempt.chain`, sql`attempt.spends`)} order by id limit ${most}`,
  );
  const moves = found.filter(isSigned);
  return moves.map((move) => {
    const isReplaced = moves.some(
      ({ id, chain, spends }) =>
        id > move.id && chain === move.chain && spends.some((one) => move.spends.includes(one)),
    );
    return { ...move, isReplaced };
  });
}

/** Of these, whose coins something else has spent for good: nothing of it is sent again. */
export async function endSpentMoves({
  db,
  clock,
}: Pick<ReleaseApp, 'db' | 'clock'>): Promise<void> {
  const spent = isSpentByAnother(sql`attempt.chain`, sql`attempt.spends`, sql`attempt.transaction`);
  await db.single((tx) =>
    tx.query(sql`
      update attempt set over_at = ${clock.now()}
      where kind = 'OWN' and signed_at is not null and over_at is null and ${spent}`),
  );
}
