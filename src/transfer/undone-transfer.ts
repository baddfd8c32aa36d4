// The ends of transfers that reorganisations undid, and the SQL of their table: what was booked
// then is kept, because its entries stay.
import { sql, type Tx } from '#db/db.ts';
import { defineTable, integer, moment, optional, text, units } from '#db/table.ts';
import type { Transfer } from './transfer.ts';

const UNDONE_TRANSFER = defineTable('undone_transfer', {
  transferId: text(),
  number: integer,
  /** How it had ended. */
  state: text<'COMPLETED' | 'FAILED'>(),
  /** What had paid it; of one that failed, what had proven that nothing pays it. */
  transaction: text(),
  feeTakenUnits: optional(units),
  completedAt: moment,
  undoneAt: moment,
});

type Reopening = {
  /** How it had ended. */
  readonly state: 'COMPLETED' | 'FAILED';
  /** As `UNDONE_TRANSFER` has it. */
  readonly transaction: string;
  readonly undoneAt: Temporal.Instant;
};

/** What ended it is in no block any more. `reopened`: as it is from now on. */
export function noteReopened(
  tx: Tx,
  { id: transferId, feeTakenUnits, finishedAt }: Transfer,
  reopened: Transfer,
  { state, transaction, undoneAt }: Reopening,
): void {
  const { undoneCount: number, eventSequence, submittedAt } = reopened;
  const undone = { transferId, number, state, transaction, feeTakenUnits, undoneAt };
  tx.send(UNDONE_TRANSFER.insert([{ ...undone, completedAt: finishedAt ?? undoneAt }]));
  tx.send(sql`
    update transfer set state = ${reopened.state}, finished_at = null, fee_taken_units = null,
      failure = null, transaction = ${reopened.transaction ?? null}, undone_count = ${number},
      event_sequence = ${eventSequence}, submitted_at = ${submittedAt ?? null},
      leaving_since = ${undoneAt}, next_step_at = ${undoneAt}
    where id = ${transferId} and state = ${state}`);
}
