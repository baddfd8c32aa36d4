// SQL of anchor_deposit, private to this folder.
import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import type { DepositPurpose } from './deposit-instruction.ts';

export type AnchorDeposit = {
  readonly instructionId: string;
  readonly chain: ChainId;
  /** Home domain of the anchor. */
  readonly domain: string;
  /** Id of the transfer at the anchor. */
  readonly anchorTransaction: string;
  /** In the words of SEP-6. */
  readonly status: string;
  /** What the anchor says it received, in whole coins. */
  readonly amountIn: string | undefined;
  /** What the anchor says it paid us. */
  readonly amountOut: string | undefined;
  readonly externalTransaction: string | undefined;
  readonly stellarTransaction: string | undefined;
  /** When the anchor first named the one and the other. */
  readonly externalSeenAt?: Temporal.Instant | undefined;
  readonly stellarSeenAt?: Temporal.Instant | undefined;
  /** When the anchor was asked last. */
  readonly checkedAt: Temporal.Instant;
  readonly isOver: boolean;
};

type AnchorDepositRow = {
  readonly instruction_id: string;
  readonly chain: ChainId;
  readonly domain: string;
  readonly anchor_transaction: string;
  readonly status: string;
  readonly amount_in: string | null;
  readonly amount_out: string | null;
  readonly external_transaction: string | null;
  readonly stellar_transaction: string | null;
  readonly external_seen_at: Temporal.Instant | null;
  readonly stellar_seen_at: Temporal.Instant | null;
  readonly checked_at: Temporal.Instant;
  readonly is_over: boolean;
};

const columns = sql`a.instruction_id, a.chain, a.domain, a.anchor_transaction, a.status,
  a.amount_in, a.amount_out, a.external_transaction, a.stellar_transaction,
  a.external_seen_at, a.stellar_seen_at, a.checked_at, a.is_over`;

function fromRow(row: AnchorDepositRow): AnchorDeposit {
  return {
    instructionId: row.instruction_id,
    chain: row.chain,
    domain: row.domain,
    anchorTransaction: row.anchor_transaction,
    status: row.status,
    amountIn: row.amount_in ?? undefined,
    amountOut: row.amount_out ?? undefined,
    externalTransaction: row.external_transaction ?? undefined,
    stellarTransaction: row.stellar_transaction ?? undefined,
    externalSeenAt: row.external_seen_at ?? undefined,
    stellarSeenAt: row.stellar_seen_at ?? undefined,
    checkedAt: row.checked_at,
    isOver: row.is_over,
  };
}

export function upsertAnchorDeposit(tx: Tx, deposit: AnchorDeposit): void {
  tx.send(sql`
    insert into anchor_deposit (instruction_id, chain, domain, anchor_transaction, status,
      amount_in, amount_out, external_transaction, stellar_transaction, asked_at, checked_at,
      is_over)
    values (${deposit.instructionId}, ${deposit.chain}, ${deposit.domain},
      ${deposit.anchorTransaction}, ${deposit.status}, ${deposit.amountIn ?? null},
      ${deposit.amountOut ?? null}, ${deposit.externalTransaction ?? null},
      ${deposit.stellarTransaction ?? null},
      ${deposit.checkedAt}, ${deposit.checkedAt}, ${deposit.isOver})
    on conflict (instruction_id) do update set
      anchor_transaction = excluded.anchor_transaction, status = excluded.status,
      amount_in = excluded.amount_in, amount_out = excluded.amount_out,
      external_transaction = excluded.external_transaction,
      stellar_transaction = excluded.stellar_transaction, checked_at = excluded.checked_at,
      is_over = excluded.is_over,
      external_seen_at = coalesce(anchor_deposit.external_seen_at,
        case when excluded.external_transaction is not null then excluded.checked_at end),
      stellar_seen_at = coalesce(anchor_deposit.stellar_seen_at,
        case when excluded.stellar_transaction is not null then excluded.checked_at end)`);
}

export async function findRow(
  reader: Reader,
  instructionId: string,
): Promise<AnchorDeposit | undefined> {
  const [row] = await reader.query<AnchorDepositRow>(sql`
    select ${columns} from anchor_deposit a where a.instruction_id = ${instructionId}`);
  return row && fromRow(row);
}

export type OpenAnchorDeposits = {
  readonly chain: ChainId;
  readonly checkedBefore: Temporal.Instant;
  readonly askedSince: Temporal.Instant;
  readonly most: number;
};

export async function listOpenRows(
  reader: Reader,
  { chain, checkedBefore, askedSince, most }: OpenAnchorDeposits,
): Promise<AnchorDeposit[]> {
  const rows = await reader.query<AnchorDepositRow>(sql`
    select ${columns} from anchor_deposit a
    join deposit_instruction i on i.id = a.instruction_id
    where a.chain = ${chain} and not a.is_over and a.checked_at <= ${checkedBefore}
      and a.asked_at >= ${askedSince}
    order by a.checked_at limit ${most}`);
  return rows.map(fromRow);
}

export async function listRowsOfPurpose(
  reader: Reader,
  purpose: DepositPurpose,
  purposeIds: readonly string[],
): Promise<AnchorDeposit[]> {
  const rows = await reader.query<AnchorDepositRow>(sql`
    select ${columns} from anchor_deposit a
    join deposit_instruction i on i.id = a.instruction_id
    where i.purpose = ${purpose} and i.purpose_id = any(${purposeIds}::text[])
      and not i.is_address_invoice`);
  return rows.map(fromRow);
}
