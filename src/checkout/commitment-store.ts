// SQL of the commitments, private to this folder.

import type { Reader, Tx } from '#db/db.ts';
import { sql } from '#db/db.ts';

export type CommitmentRow = {
  checkout_id: string;
  network: string;
  asset_id: string;
  instruction_id: string;
  payment_units: bigint;
  sent_units: bigint | null;
  settlement_asset_id: string;
  settlement_units: bigint;
  net_units: bigint;
  fee_units: bigint;
  committed_at: Temporal.Instant;
  expires_at: Temporal.Instant;
};

export type PastWindowRow = Pick<
  CommitmentRow,
  | 'checkout_id'
  | 'network'
  | 'asset_id'
  | 'instruction_id'
  | 'payment_units'
  | 'settlement_units'
  | 'net_units'
  | 'committed_at'
  | 'expires_at'
>;

export async function listCommitmentRows(
  reader: Reader,
  checkoutIds: readonly string[],
): Promise<CommitmentRow[]> {
  return reader.query<CommitmentRow>(sql`
    select checkout_id, network, asset_id, instruction_id, payment_units, sent_units,
      settlement_asset_id, settlement_units, net_units, fee_units, committed_at, expires_at
    from commitment where checkout_id = any(${checkoutIds}::text[])
    order by committed_at, network, asset_id`);
}

export async function listPastWindowRows(
  reader: Reader,
  checkoutIds: readonly string[],
): Promise<PastWindowRow[]> {
  return reader.query<PastWindowRow>(sql`
    select checkout_id, network, asset_id, instruction_id, payment_units, settlement_units,
      net_units, committed_at, expires_at
    from past_window where checkout_id = any(${checkoutIds}::text[])
    order by committed_at`);
}

export type NewCommitment = {
  readonly checkoutId: string;
  readonly network: string;
  readonly assetId: string;
  readonly instructionId: string;
  readonly paymentUnits: bigint;
  readonly sentUnits: bigint | undefined;
  readonly settlementAssetId: string;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
  readonly feeUnits: bigint;
  readonly rates: string;
  readonly committedAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
};

export function insertCommitment(tx: Tx, made: NewCommitment): void {
  tx.send(sql`
    insert into commitment (checkout_id, network, asset_id, instruction_id, payment_units,
      sent_units, settlement_asset_id, settlement_units, net_units, fee_units, rates, committed_at,
      expires_at)
    values (${made.checkoutId}, ${made.network}, ${made.assetId}, ${made.instructionId},
      ${made.paymentUnits}, ${made.sentUnits ?? null}, ${made.settlementAssetId},
      ${made.settlementUnits}, ${made.netUnits}, ${made.feeUnits}, ${made.rates},
      ${made.committedAt}, ${made.expiresAt})`);
}

/** The window that ended is kept, and the fresh one takes its place: one statement. */
export function replaceWindow(tx: Tx, made: NewCommitment): void {
  tx.send(sql`
    with ended as (
      insert into past_window (checkout_id, network, asset_id, instruction_id, payment_units,
        sent_units, settlement_asset_id, settlement_units, net_units, fee_units, rates,
        committed_at, expires_at)
      select checkout_id, network, asset_id, instruction_id, payment_units, sent_units,
        settlement_asset_id, settlement_units, net_units, fee_units, rates, committed_at, expires_at
      from commitment where checkout_id = ${made.checkoutId} and network = ${made.network}
        and asset_id = ${made.assetId})
    update commitment set instruction_id = ${made.instructionId},
      payment_units = ${made.paymentUnits}, sent_units = ${made.sentUnits ?? null},
      settlement_asset_id = ${made.settlementAssetId}, settlement_units = ${made.settlementUnits},
      net_units = ${made.netUnits}, fee_units = ${made.feeUnits}, rates = ${made.rates},
      committed_at = ${made.committedAt}, expires_at = ${made.expiresAt}
    where checkout_id = ${made.checkoutId} and network = ${made.network}
      and asset_id = ${made.assetId}`);
}
