// A transaction that a person was given, or the signer was asked, to carry out an order of the
// house at the market of a network, and the SQL of its table. Of one account there is one at a
// time: two have two sequence numbers, and both could land.
import { type ChainId, networkOf } from '#catalog/chain.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  defineTable,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  units,
} from '#db/table.ts';
import { markOver } from '#sending/attempt.ts';

export const MARKET_DRAFT = defineTable('market_draft', {
  id: selectOnly(bigInteger),
  orderId: text(),
  chain: text<ChainId>(),
  units,
  leastUnits: units,
  /** Of the adapter of the chain. */
  terms: text(),
  /** What nothing else is drafted beside. */
  attemptId: optional(bigInteger),
  actor: text(),
  draftedAt: moment,
  /** No ledger that closes later takes it. */
  landsUntil: moment,
  endState: selectOnly(optional(text<'LANDED' | 'OVER'>())),
  endedAt: selectOnly(optional(moment)),
  /** Why whoever signs has not sent it yet. */
  heldUp: selectOnly(optional(text())),
});
export type MarketDraft = Row<typeof MARKET_DRAFT>;

/** The one that may land. */
export function findOpenDraft(reader: Reader, chain: ChainId): Promise<MarketDraft | undefined> {
  return MARKET_DRAFT.find(reader, sql`where chain = ${chain} and ended_at is null`);
}

export function listOpenDrafts(reader: Reader): Promise<MarketDraft[]> {
  return MARKET_DRAFT.select(reader, sql`where ended_at is null order by id`);
}

/** Of an order, the newest. */
export function findNewestDraft(reader: Reader, orderId: string): Promise<MarketDraft | undefined> {
  return MARKET_DRAFT.find(reader, sql`where order_id = ${orderId} order by id desc limit 1`);
}

/** What ends it before its time, where nobody has signed it. */
export function freeingText({ orderId }: Pick<MarketDraft, 'orderId'>): string {
  return `npx quittance treasury cancel ${orderId} --reason TEXT frees its turn, unless it is signed`;
}

export async function noteDraftHeldUp(
  db: Db,
  { id, heldUp: known }: Pick<MarketDraft, 'id' | 'heldUp'>,
  heldUp: string | undefined,
): Promise<void> {
  if (heldUp === known) return;
  await db.single((tx) =>
    tx.query(sql`update market_draft set held_up = ${heldUp ?? null} where id = ${id}`),
  );
}

/** From now on its turn is free. */
export async function endDraft(
  tx: Tx,
  orderId: string,
  endState: 'LANDED' | 'OVER',
  now: Temporal.Instant,
): Promise<void> {
  const ended = await tx.query<{ attemptId: bigint | null }>(sql`
    update market_draft set end_state = ${endState}, ended_at = ${now}
    where order_id = ${orderId} and ended_at is null returning attempt_id as "attemptId"`);
  for (const { attemptId } of ended) if (attemptId !== null) markOver(tx, attemptId, now);
}

/** What stands behind one that whoever signs does not sign. */
export function blockingText(draft: MarketDraft): string {
  return `nothing else leaves the account until then: ${freeingText(draft)}`;
}

/** Those that can land, at a look at the whole: bad where one is not signed. */
export function marketDraftFindings(drafts: readonly MarketDraft[]) {
  return drafts.map((draft) => {
    const { orderId, chain, landsUntil, heldUp } = draft;
    const about = `order ${orderId}, drafted at ${draft.draftedAt}, can land until ${landsUntil}`;
    return {
      ok: heldUp === undefined,
      what: `market ${networkOf(chain)}`,
      detail: heldUp === undefined ? about : `${about}: ${heldUp}; ${blockingText(draft)}`,
    };
  });
}
