// What a person decided about a transfer that was signed and has not landed, and the SQL of its
// table. Who and why is kept; what is decided is carried out by carry-out-acts.ts, and by whoever
// signs.
import { type Reader, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  defineTable,
  flag,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  units,
} from '#db/table.ts';

const SENDING_ACT = defineTable('sending_act', {
  id: selectOnly(bigInteger),
  transferId: text(),
  /** What had been signed last. */
  attemptId: bigInteger,
  act: text<'BUMP' | 'CANCEL'>(),
  /** As `DraftOrder` has it. */
  feeRate: optional(units),
  /** Of a cancellation that landed: the transfer waits again. Otherwise its money goes back. */
  isSentAgain: flag,
  decidedBy: text(),
  reason: text(),
  decidedAt: moment,
  endedAt: selectOnly(optional(moment)),
});
export type SendingAct = Row<typeof SENDING_ACT>;

export function insertAct(tx: Tx, act: Omit<SendingAct, 'id' | 'endedAt'>): void {
  tx.send(SENDING_ACT.insert([act]));
}

/** A cancellation before everything else. */
export function findOpenAct(reader: Reader, transferId: string): Promise<SendingAct | undefined> {
  return SENDING_ACT.find(
    reader,
    sql`where transfer_id = ${transferId} and ended_at is null
      order by act = 'CANCEL' desc, id limit 1`,
  );
}

/** Oldest first. */
export function listOpenActs(reader: Reader, most: number): Promise<SendingAct[]> {
  return SENDING_ACT.select(reader, sql`where ended_at is null order by id limit ${most}`);
}

export function endAct(tx: Tx, id: bigint, now: Temporal.Instant): void {
  tx.send(sql`update sending_act set ended_at = ${now} where id = ${id} and ended_at is null`);
}

/** What was decided of them before is no more: another decision took its place. */
export function endActs(tx: Tx, transferIds: readonly string[], now: Temporal.Instant): void {
  tx.send(sql`
    update sending_act set ended_at = ${now}
    where transfer_id = any(${transferIds}::text[]) and ended_at is null`);
}

/** Where the last decision was that it is not paid, that holds on. Whether it was. */
export async function resumeCancellation(tx: Tx, transferId: string): Promise<boolean> {
  const resumed = await tx.query(sql`
    update sending_act set ended_at = null
    where id = (select max(id) from sending_act where transfer_id = ${transferId})
      and act = 'CANCEL' and not is_sent_again returning id`);
  return resumed.length === 1;
}
