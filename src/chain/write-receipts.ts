// SQL of what an observation reads and writes of receipts (record-observation.ts). Each read costs
// what the observation holds, not what is watched.

import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { type BlockIncome, WINDOW_BLOCKS } from './chain-policy.ts';
import type { ReceiptChange } from './decide-receipts.ts';
import { type KnownReceipt, RECEIPT } from './receipt.ts';

type Touched = {
  readonly creditKeys: readonly string[];
  /** Blocks above it are no longer in the best chain; undefined when none was undone. */
  readonly rollbackHeight: bigint | undefined;
  readonly transactions: readonly string[];
  readonly outpoints: readonly string[];
  /** Height at which depth is measured. */
  readonly height: bigint;
};

/** Every receipt an observation can change, and credited ones that are missing from the chain. */
export async function listTouched(
  reader: Reader,
  chain: ChainId,
  touched: Touched,
): Promise<KnownReceipt[]> {
  const { creditKeys, rollbackHeight, transactions, outpoints, height } = touched;
  // Parts that cannot find anything are left out: each part is one index scan.
  const parts = [
    sql`select id from receipt where chain = ${chain} and status = 'INCLUDED'
        and block_height + confirmations_required - 1 <= ${height}`,
    sql`select id from receipt where chain = ${chain} and held_at is not null`,
    sql`select id from receipt where chain = ${chain} and status in ('SEEN', 'GONE')
        and credited_generation is not null
        and (reversed_generation is null or reversed_generation < credited_generation)`,
  ];
  if (creditKeys.length > 0) {
    parts.push(sql`select id from receipt
      where chain = ${chain} and credit_key = any(${creditKeys}::text[])`);
  }
  if (rollbackHeight !== undefined) {
    parts.push(
      sql`select id from receipt where chain = ${chain} and block_height > ${rollbackHeight}`,
      sql`select id from receipt where chain = ${chain} and conflict_height > ${rollbackHeight}`,
    );
  }
  if (transactions.length > 0) {
    parts.push(sql`select id from receipt where chain = ${chain} and status = 'SEEN'
        and transaction = any(${transactions}::text[])`);
  }
  if (outpoints.length > 0) {
    parts.push(sql`select id from receipt where (status = 'SEEN' or status = 'GONE')
        and spends && ${outpoints}::text[] and chain = ${chain}`);
  }
  const touchedIds = parts.reduce((left, right) => sql`${left} union ${right}`);
  const rows = await reader.query<object>(sql`
    with touched as (${touchedIds})
    select ${RECEIPT.columnsOf('r')} from touched t join receipt r on r.id = t.id order by r.id`);
  return rows.map((row) => RECEIPT.parse(row));
}

type IncomeRow = {
  readonly merchantId: string | null;
  readonly assetId: string;
  readonly blockHeight: bigint;
  readonly units: bigint;
  readonly lowest: number | null;
};

export type RecordedIncome = BlockIncome & {
  /** Lowest depth stored for what is not final yet; undefined when all of it is. */
  readonly lowestRequired: number | undefined;
};

/** What stands in the blocks from `from` to `to`. */
export async function listIncome(
  reader: Reader,
  chain: ChainId,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<RecordedIncome[]> {
  const rows = await reader.query<IncomeRow>(sql`
    select merchant_id as "merchantId", asset_id as "assetId", block_height as "blockHeight",
      sum(units) as units,
      min(confirmations_required) filter (where status = 'INCLUDED') as lowest
    from receipt where chain = ${chain} and block_height between ${from} and ${to}
    group by merchant_id, asset_id, block_height`);
  return rows.map(({ merchantId, lowest, ...row }) => ({
    ...row,
    merchantId: merchantId ?? undefined,
    lowestRequired: lowest ?? undefined,
  }));
}

/** What stands in these blocks and in those around them, up to the height `to`. */
export async function listIncomeAround(
  reader: Reader,
  chain: ChainId,
  { heights, to }: { readonly heights: readonly bigint[]; readonly to: bigint },
): Promise<BlockIncome[]> {
  if (heights.length === 0) return [];
  const rows = await reader.query<Omit<IncomeRow, 'lowest'>>(sql`
    select merchant_id as "merchantId", asset_id as "assetId", block_height as "blockHeight",
      sum(units) as units
    from receipt where chain = ${chain} and block_height <= ${to} and block_height in (
      select height + distance from unnest(${heights}::bigint[]) as height,
        generate_series(${-WINDOW_BLOCKS}::bigint, ${WINDOW_BLOCKS}::bigint) as distance)
    group by merchant_id, asset_id, block_height`);
  return rows.map(({ merchantId, ...row }) => ({ ...row, merchantId: merchantId ?? undefined }));
}

type RaisedRequirement = {
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
  if (added.length > 0) tx.send(RECEIPT.insert(added.map(({ receipt }) => receipt)));
  if (changed.length > 0) updateReceipts(tx, changed, now);
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
    ...receipt,
    id: String(id),
    wasGone,
    appears,
    missingAt: missingSince?.at,
    missingHeight: missingSince && String(missingSince.height),
  }));
  const given = RECEIPT.recordset(rows, {
    id: 'bigint',
    wasGone: 'boolean',
    appears: 'boolean',
    missingAt: 'timestamptz',
    missingHeight: 'bigint',
  });
  tx.send(sql`
    update receipt r set instruction_id = given.instruction_id, merchant_id = given.merchant_id,
      purpose = given.purpose, purpose_id = given.purpose_id, asset_id = given.asset_id,
      units = given.units, destination = given.destination, spends = given.spends,
      status = given.status, block_height = given.block_height,
      block_hash = given.block_hash, mined_at = given.mined_at,
      confirmations_required =
        greatest(r.confirmations_required, given.confirmations_required),
      held_at = given.held_at, final_at = given.final_at,
      gone_at = coalesce(given.gone_at, case when r.credited_generation = r.generation
        and r.reversed_generation is distinct from r.generation then given.missing_at end),
      gone_height = coalesce(given.gone_height, case when r.credited_generation = r.generation
        and r.reversed_generation is distinct from r.generation then given.missing_height end),
      replaced_by = given.replaced_by, conflict_height = given.conflict_height,
      generation = case when given.appears and r.reversed_generation = r.generation
        then r.generation + 1 else r.generation end,
      seen_at = case
        when given.appears and r.reversed_generation = r.generation then ${now}
        when given.was_gone and r.credited_generation is distinct from r.generation then ${now}
        when r.destination <> given.destination then ${now}
        else r.seen_at end
    from ${given} where r.id = given.id`);
}
