// Money of ours on its way to where it is collected, coins that pay for that, or what owners of a
// Safe have signed on its way to the Safe; and the SQL of its table. One that has not ended is
// there at most once for each address and asset, or for what is carried out.
import type { ChainId } from '#catalog/chain.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  defineTable,
  flag,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  texts,
  units,
} from '#db/table.ts';
import type { DraftedPayment, SignedSending } from '#deposit/money-out.ts';

export const SWEEP_MOVE = defineTable('sweep_move', {
  id: text(),
  chain: text<ChainId>(),
  kind: text<'SWEEP' | 'TOP_UP' | 'CARRY_OUT'>(),
  source: text(),
  receiver: text(),
  assetId: text(),
  units,
  state: text<'PLANNED' | 'ASKED' | 'SIGNED' | 'MOVED' | 'GONE'>(),
  plannedBy: text(),
  plannedAt: moment,
  /** Of CARRY_OUT: what is carried out. */
  attemptId: optional(bigInteger),
  /** Of CARRY_OUT: nothing is carried out any more. */
  isGivenUp: selectOnly(flag),
  /** Of the adapter of the chain. */
  terms: selectOnly(optional(text())),
  spends: selectOnly(optional(texts())),
  /** What the signer is asked, until it has answered. */
  question: selectOnly(optional(text())),
  refusedAt: selectOnly(optional(moment)),
  signedTransaction: selectOnly(optional(text())),
  /** Of all that was signed for it, the newest last. */
  transactions: selectOnly(texts()),
  signedAt: selectOnly(optional(moment)),
  heldUp: selectOnly(optional(text())),
  endedAt: selectOnly(optional(moment)),
});
export type SweepMove = Row<typeof SWEEP_MOVE>;
type PlannedMove = Pick<
  SweepMove,
  'id' | 'chain' | 'kind' | 'source' | 'receiver' | 'assetId' | 'units' | 'plannedBy' | 'plannedAt'
> & { readonly attemptId?: bigint };

/** One that is under way already stays as it is. */
export function insertPlanned(tx: Tx, moves: readonly PlannedMove[]): void {
  if (moves.length === 0) return;
  const rows = moves.map((move) => {
    return { ...move, attemptId: move.attemptId, state: 'PLANNED' as const };
  });
  tx.send(SWEEP_MOVE.insert(rows, sql`on conflict do nothing`));
}

/** Those that have not ended, the oldest first. */
export function listOpenMoves(reader: Reader, chain: ChainId): Promise<SweepMove[]> {
  return SWEEP_MOVE.select(
    reader,
    sql`where chain = ${chain} and ended_at is null order by planned_at, id`,
  );
}

/** The nonces of those that may be signed. */
export async function listMoveSpends(reader: Reader, chain: ChainId): Promise<string[]> {
  const open = await listOpenMoves(reader, chain);
  return open.flatMap(({ spends = [] }) => spends);
}

type Asked = Pick<DraftedPayment, 'terms' | 'spends'> & {
  readonly units: bigint;
  readonly question: string;
  /** Of CARRY_OUT. */
  readonly attemptId?: bigint;
  readonly isGivenUp?: boolean;
};

/**
 * What takes the place of a signed one leaves it signed until it is signed itself. False when it
 * was asked or signed since it was read.
 */
export async function markAsked(
  tx: Tx,
  { id, signedAt }: Pick<SweepMove, 'id' | 'signedAt'>,
  { terms, spends, units, question, attemptId, isGivenUp = false }: Asked,
): Promise<boolean> {
  const marked = await tx.query(sql`
    update sweep_move set terms = ${terms}, spends = ${spends}::text[], units = ${units},
      question = ${question}, state = case when state = 'PLANNED' then 'ASKED' else state end,
      attempt_id = coalesce(${attemptId ?? null}::bigint, attempt_id), is_given_up = ${isGivenUp}
    where id = ${id} and ended_at is null and question is null
      and signed_at is not distinct from ${signedAt ?? null}::timestamptz
    returning id`);
  return marked.length === 1;
}

/** Nobody has it signed: the nonce is free again, unless one before it was signed. */
export async function markRefused(db: Db, id: string, now: Temporal.Instant): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`
      update sweep_move set question = null, refused_at = ${now},
        state = case when state = 'ASKED' then 'PLANNED' else state end,
        spends = case when state = 'ASKED' then null else spends end
      where id = ${id}`),
  );
}

export async function storeSignedMove(
  db: Db,
  id: string,
  { signedTransaction, transaction }: SignedSending,
  now: Temporal.Instant,
): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`
      update sweep_move set state = 'SIGNED', question = null, signed_at = ${now},
        signed_transaction = ${signedTransaction},
        transactions = array_remove(transactions, ${transaction}) || ${transaction}::text
      where id = ${id} and ended_at is null`),
  );
}

export async function endMove(
  db: Db,
  id: string,
  { state, heldUp }: { readonly state: 'MOVED' | 'GONE'; readonly heldUp: string | undefined },
  now: Temporal.Instant,
): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`
      update sweep_move set state = ${state}, held_up = ${heldUp ?? null}, ended_at = ${now}
      where id = ${id} and ended_at is null`),
  );
}

/** How often it was tried to carry it out, and that has ended. */
export async function countCarried(reader: Reader, attemptId: bigint): Promise<number> {
  const ended = await SWEEP_MOVE.select(
    reader,
    sql`where attempt_id = ${attemptId} and ended_at is not null and signed_at is not null`,
  );
  return ended.length;
}

/** What is on its way to carry it out. */
export function findCarrying(reader: Reader, attemptId: bigint): Promise<SweepMove | undefined> {
  return SWEEP_MOVE.find(reader, sql`where attempt_id = ${attemptId} and ended_at is null`);
}

/** What was carried out for it can land no more, and these do not take the place of that. */
export async function wasSignedAnew(
  reader: Reader,
  transferId: string,
  spends: readonly string[],
): Promise<boolean> {
  const found = await SWEEP_MOVE.find(
    reader,
    sql`where signed_at is not null and attempt_id in (
      select id from attempt where transfer_ids @> array[${transferId}]
        and over_at is not null and not spends && ${spends}::text[]) limit 1`,
  );
  return found !== undefined;
}

export async function noteMoveHeldUp(
  db: Db,
  { id, heldUp: known }: Pick<SweepMove, 'id' | 'heldUp'>,
  heldUp: string | undefined,
): Promise<void> {
  if (heldUp === known) return;
  await db.single((tx) =>
    tx.query(sql`
      update sweep_move set held_up = ${heldUp ?? null} where id = ${id} and ended_at is null`),
  );
}
