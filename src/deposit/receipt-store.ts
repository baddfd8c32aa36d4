// SQL of the receipt table, private to this folder.

import type { ChainId } from '#catalog/chain.ts';
import { listInvoiceChains } from '#catalog/network.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import type { KnownReceipt, ReceiptChange } from './decide-receipts.ts';
import type { DepositPurpose } from './deposit-instruction.ts';
import {
  confirmationsNeeded,
  confirmationsOf,
  isReversalDue,
  type Receipt,
  type ReceiptStatus,
} from './receipt.ts';

export type ReceiptRow = {
  id: bigint;
  chain: ChainId;
  credit_key: string;
  instruction_id: string | null;
  merchant_id: string | null;
  purpose: DepositPurpose | null;
  purpose_id: string | null;
  asset_id: string;
  units: bigint;
  transaction: string;
  destination: string;
  spends: string[];
  status: ReceiptStatus;
  generation: number;
  seen_at: Temporal.Instant;
  block_height: bigint | null;
  block_hash: string | null;
  mined_at: Temporal.Instant | null;
  confirmations_required: number | null;
  held_at: Temporal.Instant | null;
  final_at: Temporal.Instant | null;
  gone_at: Temporal.Instant | null;
  gone_height: bigint | null;
  replaced_by: string | null;
  conflict_height: bigint | null;
  credited_generation: number | null;
  reversed_generation: number | null;
  unasked_settlement_asset_id: string | null;
};

export const RECEIPT_COLUMNS = sql`
  r.id, r.chain, r.credit_key, r.instruction_id, r.merchant_id, r.purpose, r.purpose_id,
  r.asset_id, r.units, r.transaction, r.destination, r.spends, r.status, r.generation, r.seen_at,
  r.block_height, r.block_hash, r.mined_at, r.confirmations_required, r.held_at, r.final_at,
  r.gone_at, r.gone_height, r.replaced_by, r.conflict_height, r.credited_generation,
  r.reversed_generation, r.unasked_settlement_asset_id`;

export function knownFromRow(row: ReceiptRow): KnownReceipt {
  return {
    id: row.id,
    chain: row.chain,
    creditKey: row.credit_key,
    instructionId: row.instruction_id ?? undefined,
    merchantId: row.merchant_id ?? undefined,
    purpose: row.purpose ?? undefined,
    purposeId: row.purpose_id ?? undefined,
    assetId: row.asset_id,
    units: row.units,
    transaction: row.transaction,
    destination: row.destination,
    spends: row.spends,
    status: row.status,
    generation: row.generation,
    seenAt: row.seen_at,
    blockHeight: row.block_height ?? undefined,
    blockHash: row.block_hash ?? undefined,
    minedAt: row.mined_at ?? undefined,
    confirmationsRequired: row.confirmations_required ?? undefined,
    heldAt: row.held_at ?? undefined,
    finalAt: row.final_at ?? undefined,
    goneAt: row.gone_at ?? undefined,
    goneHeight: row.gone_height ?? undefined,
    replacedBy: row.replaced_by ?? undefined,
    conflictHeight: row.conflict_height ?? undefined,
    creditedGeneration: row.credited_generation ?? undefined,
    reversedGeneration: row.reversed_generation ?? undefined,
    unaskedSettlementAssetId: row.unasked_settlement_asset_id ?? undefined,
  };
}

/** Receipts with the height of their chain at this moment. */
async function readReceipts(reader: Reader, tail: Statement): Promise<Receipt[]> {
  const rows = await reader.query<ReceiptRow & { chain_height: bigint; is_braked: boolean }>(sql`
    select ${RECEIPT_COLUMNS}, c.height as chain_height, c.brake is not null as is_braked
    from receipt r join chain_cursor c on c.chain = r.chain ${tail}`);
  return rows.map(({ chain_height: chainHeight, is_braked: isBraked, ...row }) => {
    const receipt = knownFromRow(row);
    return {
      ...receipt,
      chainHeight,
      confirmations: confirmationsOf(receipt, chainHeight),
      confirmationsNeeded: confirmationsNeeded(receipt, isBraked),
      reversalDue: isReversalDue(receipt, chainHeight),
    };
  });
}

export function listReceiptsOfPurpose(
  reader: Reader,
  purpose: DepositPurpose,
  purposeIds: readonly string[],
): Promise<Receipt[]> {
  return readReceipts(
    reader,
    sql`where r.purpose = ${purpose} and r.purpose_id = any(${purposeIds}::text[]) order by r.id`,
  );
}

export function listReceiptsById(reader: Reader, ids: readonly bigint[]): Promise<Receipt[]> {
  return readReceipts(reader, sql`where r.id = any(${ids}::bigint[]) order by r.id`);
}

/** Those a settlement may have to act on: under way, final and not credited, credited and gone. */
export function listUnsettledOfPurpose(
  reader: Reader,
  purpose: DepositPurpose,
  purposeId: string,
): Promise<Receipt[]> {
  return readReceipts(
    reader,
    sql`where r.purpose = ${purpose} and r.purpose_id = ${purposeId} and (
        r.status in ('SEEN', 'INCLUDED')
        or (r.status = 'FINAL' and r.credited_generation is distinct from r.generation)
        or (r.status = 'GONE' and r.credited_generation = r.generation
          and r.reversed_generation is distinct from r.generation)
        or (r.status = 'GONE' and r.credited_generation is null))
      order by r.id`,
  );
}

const unsettledSuspense = (chain: ChainId) => sql`
  r.chain = ${chain} and r.instruction_id is null and r.purpose is null and r.id in (
    select id from receipt where chain = ${chain} and instruction_id is null
      and coalesce(credited_generation, 0) < generation and status = 'FINAL'
    union all
    select id from receipt where chain = ${chain} and instruction_id is null
      and status in ('SEEN', 'GONE') and credited_generation is not null
      and (reversed_generation is null or reversed_generation < credited_generation))`;

/** Nobody's money that is final and not booked, or booked and missing from the chain. */
export function listUnsettledSuspense(
  reader: Reader,
  chain: ChainId,
  most: number,
): Promise<Receipt[]> {
  return readReceipts(reader, sql`where ${unsettledSuspense(chain)} order by r.id limit ${most}`);
}

/** Those of them that still are; others who do the same skip what we hold. */
export function lockUnsettledSuspense(
  tx: Tx,
  chain: ChainId,
  receiptIds: readonly bigint[],
): Promise<Receipt[]> {
  return readReceipts(
    tx,
    sql`where ${unsettledSuspense(chain)} and r.id = any(${receiptIds}::bigint[])
      order by r.id for update of r skip locked`,
  );
}

/** By the index on the hash; a transaction that pays very many destinations is cut off. */
export function listReceiptsOfTransaction(
  reader: Reader,
  transactions: readonly string[],
  most: number,
): Promise<Receipt[]> {
  return readReceipts(
    reader,
    // Who paid an invoice has its payment hash, which is the credit key.
    sql`where r.id in (
        select id from receipt where transaction = any(${transactions}::text[])
        union all
        select id from receipt where chain = any(${listInvoiceChains()}::text[])
          and credit_key = any(${transactions}::text[]))
      order by r.id limit ${most}`,
  );
}

export function listUnmatched(reader: Reader, most: number): Promise<Receipt[]> {
  return readReceipts(reader, sql`where r.purpose is null order by r.id desc limit ${most}`);
}

/** Of chains where the brake holds any. */
export function countHeldReceipts(
  reader: Reader,
): Promise<{ readonly chain: ChainId; readonly count: bigint }[]> {
  return reader.query(sql`
    select chain, count(*) from receipt where held_at is not null group by chain`);
}

export function listPaidRows(
  reader: Reader,
  chain: ChainId,
  most: number,
): Promise<{ readonly destination: string; readonly assetId: string }[]> {
  return reader.query(sql`
    select distinct destination, asset_id as "assetId" from receipt
    where chain = ${chain} and status = 'FINAL' order by destination, asset_id limit ${most}`);
}

/**
 * The compare and set of a credit (R2): unless the receipt is final and this generation is not
 * credited, the update breaks the check `credited_generation <= generation` and with it the
 * transaction.
 */
export function setCredited(tx: Tx, receiptId: bigint, generation: number): void {
  tx.send(sql`
    update receipt set credited_generation = case
      when status = 'FINAL' and generation = ${generation}
        and (credited_generation is null or credited_generation < generation)
      then generation else generation + 1 end
    where id = ${receiptId}`);
}

/** Likewise: only what is credited, missing from the chain, and not reversed. */
export function setReversed(tx: Tx, receiptId: bigint, generation: number): void {
  tx.send(sql`
    update receipt set reversed_generation = ${generation}, credited_generation = case
      when status in ('SEEN', 'GONE') and credited_generation = ${generation}
        and (reversed_generation is null or reversed_generation < ${generation})
      then credited_generation else generation + 1 end
    where id = ${receiptId}`);
}

export type RaisedRequirement = {
  readonly merchantId: string | undefined;
  readonly blockHeight: bigint;
  readonly required: number;
};

/** New payments beside them make earlier ones of the same merchant need more depth. */
export function raiseRequirements(
  tx: Tx,
  chain: ChainId,
  raised: readonly RaisedRequirement[],
): void {
  if (raised.length === 0) return;
  tx.send(sql`
    update receipt r set confirmations_required = n.required
    from unnest(${raised.map(({ merchantId }) => merchantId ?? null)}::text[],
      ${raised.map(({ blockHeight }) => blockHeight)}::bigint[],
      ${raised.map(({ required }) => required)}::int[]) as n(merchant_id, block_height, required)
    where r.chain = ${chain} and r.block_height = n.block_height and r.status = 'INCLUDED'
      and r.merchant_id is not distinct from n.merchant_id
      and r.confirmations_required < n.required`);
}

/** One statement for the new ones and one for the changed ones, however many there are. */
export function writeReceipts(
  tx: Tx,
  changes: readonly ReceiptChange[],
  now: Temporal.Instant,
): void {
  const added = changes.filter(({ id }) => id === undefined);
  const changed = changes.filter(({ id }) => id !== undefined);
  if (added.length > 0) insertReceipts(tx, added);
  if (changed.length > 0) updateReceipts(tx, changed, now);
}

function insertReceipts(tx: Tx, added: readonly ReceiptChange[]): void {
  tx.send(sql`
    insert into receipt (chain, credit_key, instruction_id, merchant_id, purpose, purpose_id,
      asset_id, units, transaction, destination, spends, status, seen_at, block_height, block_hash,
      mined_at, confirmations_required, held_at, final_at, gone_at, gone_height, replaced_by,
      conflict_height)
    select * from jsonb_to_recordset(${toJson(added.map(rowOf))}::jsonb) as n(chain text,
      credit_key text, instruction_id text, merchant_id text, purpose text, purpose_id text,
      asset_id text, units numeric, transaction text, destination text, spends text[],
      status text, seen_at timestamptz, block_height bigint, block_hash text,
      mined_at timestamptz, confirmations_required integer, held_at timestamptz,
      final_at timestamptz,
      gone_at timestamptz, gone_height bigint, replaced_by text, conflict_height bigint)`);
}

/**
 * What rests on the ledger (generation, seen_at, gone_height) is computed from the row as it is
 * when it is written: a settlement may have credited or reversed it since we read it. A version
 * that appears after its credit was reversed is a new generation; one that appears after it was
 * gone without a credit is seen for the first time, and its lock is judged by that. One that was
 * credited while we undid its block is missing since then, in the mempool or not.
 */
function updateReceipts(tx: Tx, changed: readonly ReceiptChange[], now: Temporal.Instant): void {
  const rows = changed.map(({ id, wasGone, appears, missingSince, receipt }) => ({
    id: String(id),
    was_gone: wasGone,
    appears,
    missing_at: missingSince?.at,
    missing_height: missingSince?.height,
    ...rowOf({ receipt }),
  }));
  tx.send(sql`
    update receipt r set instruction_id = n.instruction_id, merchant_id = n.merchant_id,
      purpose = n.purpose, purpose_id = n.purpose_id, asset_id = n.asset_id, units = n.units,
      destination = n.destination, spends = n.spends,
      status = n.status, block_height = n.block_height,
      block_hash = n.block_hash, mined_at = n.mined_at,
      confirmations_required =
        greatest(r.confirmations_required, n.confirmations_required),
      held_at = n.held_at, final_at = n.final_at,
      gone_at = coalesce(n.gone_at, case when r.credited_generation = r.generation
        and r.reversed_generation is distinct from r.generation then n.missing_at end),
      gone_height = coalesce(n.gone_height, case when r.credited_generation = r.generation
        and r.reversed_generation is distinct from r.generation then n.missing_height end),
      replaced_by = n.replaced_by, conflict_height = n.conflict_height,
      generation = case when n.appears and r.reversed_generation = r.generation
        then r.generation + 1 else r.generation end,
      seen_at = case
        when n.appears and r.reversed_generation = r.generation then ${now}
        when n.was_gone and r.credited_generation is distinct from r.generation then ${now}
        when r.destination <> n.destination then ${now}
        else r.seen_at end
    from jsonb_to_recordset(${toJson(rows)}::jsonb) as n(id bigint, was_gone boolean,
      appears boolean, missing_at timestamptz, missing_height bigint, instruction_id text,
      merchant_id text, purpose text, purpose_id text, asset_id text, units numeric,
      destination text, spends text[], status text, block_height bigint, block_hash text,
      mined_at timestamptz, confirmations_required integer, held_at timestamptz,
      final_at timestamptz, gone_at timestamptz,
      gone_height bigint, replaced_by text, conflict_height bigint)
    where r.id = n.id`);
}

function rowOf({ receipt }: Pick<ReceiptChange, 'receipt'>): Record<string, unknown> {
  return {
    chain: receipt.chain,
    credit_key: receipt.creditKey,
    instruction_id: receipt.instructionId,
    merchant_id: receipt.merchantId,
    purpose: receipt.purpose,
    purpose_id: receipt.purposeId,
    asset_id: receipt.assetId,
    units: receipt.units,
    transaction: receipt.transaction,
    destination: receipt.destination,
    spends: receipt.spends,
    status: receipt.status,
    seen_at: receipt.seenAt,
    block_height: receipt.blockHeight,
    block_hash: receipt.blockHash,
    mined_at: receipt.minedAt,
    confirmations_required: receipt.confirmationsRequired,
    held_at: receipt.heldAt,
    final_at: receipt.finalAt,
    gone_at: receipt.goneAt,
    gone_height: receipt.goneHeight,
    replaced_by: receipt.replacedBy,
    conflict_height: receipt.conflictHeight,
  };
}

/** Units travel as text: no digit is lost on the way. */
function toJson(rows: readonly Record<string, unknown>[]): string {
  return JSON.stringify(rows, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}
