// What anchors say about payments that go through them (SEP-6), and the SQL of their table. It is
// kept beside our own facts and shown; it never decides whether anything was paid.

import type { ChainId } from '#catalog/chain.ts';
import { type Db, type Reader, type Statement, sql } from '#db/db.ts';
import {
  defineTable,
  flag,
  insertOnly,
  moment,
  type NewRow,
  optional,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';
import {
  type DepositPurpose,
  instructionIds,
  isInstruction,
} from '#deposit/deposit-instruction.ts';

export const ANCHOR_DEPOSIT = defineTable('anchor_deposit', {
  instructionId: text(),
  chain: text<ChainId>(),
  /** Home domain of the anchor. */
  domain: text(),
  /** Id of the transfer at the anchor. */
  anchorTransaction: text(),
  /** In the words of SEP-6. */
  status: text(),
  /** What the anchor says it received, in whole coins. */
  amountIn: optional(text()),
  /** What the anchor says it paid us. */
  amountOut: optional(text()),
  externalTransaction: optional(text()),
  stellarTransaction: optional(text()),
  /** When the anchor first named the one and the other. */
  externalSeenAt: selectOnly(optional(moment)),
  stellarSeenAt: selectOnly(optional(moment)),
  askedAt: insertOnly(moment),
  /** When the anchor was asked last. */
  checkedAt: moment,
  isOver: flag,
});
export type AnchorDeposit = Row<typeof ANCHOR_DEPOSIT>;

const COLUMNS = ANCHOR_DEPOSIT.columnsOf('a');

/** Asked again for the same instruction, an anchor may name another transfer: the last holds. */
export function recordAnchorDeposit(
  db: Db,
  deposit: Omit<NewRow<typeof ANCHOR_DEPOSIT>, 'askedAt'>,
): Promise<void> {
  const row = { ...deposit, askedAt: deposit.checkedAt };
  return db.transact(async (tx) => {
    tx.send(
      ANCHOR_DEPOSIT.insert(
        [row],
        sql`on conflict (instruction_id) do update set
          anchor_transaction = excluded.anchor_transaction, status = excluded.status,
          amount_in = excluded.amount_in, amount_out = excluded.amount_out,
          external_transaction = excluded.external_transaction,
          stellar_transaction = excluded.stellar_transaction, checked_at = excluded.checked_at,
          is_over = excluded.is_over,
          external_seen_at = coalesce(anchor_deposit.external_seen_at,
            case when excluded.external_transaction is not null then excluded.checked_at end),
          stellar_seen_at = coalesce(anchor_deposit.stellar_seen_at,
            case when excluded.stellar_transaction is not null then excluded.checked_at end)`,
      ),
    );
  });
}

/** Whether or not the instruction was recorded. */
export function findAnchorDeposit(
  reader: Reader,
  instructionId: string,
): Promise<AnchorDeposit | undefined> {
  return ANCHOR_DEPOSIT.find(reader, sql`where instruction_id = ${instructionId}`);
}

/** Recorded instructions whose transfer may still change, those looked at longest ago first. */
export async function listOpenAnchorDeposits(
  reader: Reader,
  wanted: {
    readonly chain: ChainId;
    readonly checkedBefore: Temporal.Instant;
    readonly askedSince: Temporal.Instant;
    readonly most: number;
  },
): Promise<AnchorDeposit[]> {
  const rows = await reader.query<object>(sql`
    select ${COLUMNS} from anchor_deposit a
    where a.chain = ${wanted.chain} and not a.is_over and a.checked_at <= ${wanted.checkedBefore}
      and a.asked_at >= ${wanted.askedSince} and ${isInstruction(sql`a.instruction_id`)}
    order by a.checked_at limit ${wanted.most}`);
  return rows.map(ANCHOR_DEPOSIT.parse);
}

export async function listAnchorDepositsByPurpose(
  reader: Reader,
  purpose: DepositPurpose,
  purposeIds: readonly string[],
): Promise<AnchorDeposit[]> {
  const rows = await reader.query<object>(sql`
    select ${COLUMNS} from anchor_deposit a
    where a.instruction_id in ${instructionIds(purpose, sql`= any(${purposeIds}::text[])`)}`);
  return rows.map(ANCHOR_DEPOSIT.parse);
}

/** A text that is another one after any change. `thing`: its id, as the statement around has it. */
export function anchorDepositsVersion(purpose: DepositPurpose, thing: Statement): Statement {
  return sql`(
    select string_agg(concat(a.xmin::text, a.ctid::text), '') from anchor_deposit a
    where a.instruction_id in ${instructionIds(purpose, sql`= ${thing}`)})`;
}
