// What an observation can touch, found by index: the reads of recordObservation, private to this
// folder.

import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import { type BlockIncome, WINDOW_BLOCKS } from './chain-policy.ts';
import type { InstructionMatch, KnownReceipt } from './decide-receipts.ts';
import { hasHashOf } from './instruction-store.ts';
import { knownFromRow, RECEIPT_COLUMNS, type ReceiptRow } from './receipt-store.ts';

type MatchRow = InstructionMatch & { readonly destination: string };

/** Costs what the list holds, not what is watched. */
export async function matchInstructions(
  reader: Reader,
  chain: ChainId,
  destinations: readonly string[],
): Promise<ReadonlyMap<string, InstructionMatch>> {
  if (destinations.length === 0) return new Map();
  const rows = await reader.query<MatchRow>(sql`
    select destination, id as "instructionId", merchant_id as "merchantId", purpose,
      purpose_id as "purposeId"
    from deposit_instruction
    where chain = ${chain} and ${hasHashOf(destinations)}`);
  // Two destinations may have one hash.
  const wanted = new Set(destinations);
  const matches = rows.filter(({ destination }) => wanted.has(destination));
  return new Map(matches.map(({ destination, ...match }) => [destination, match]));
}

export type Touched = {
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
  const rows = await reader.query<ReceiptRow>(sql`
    with touched as (${touchedIds})
    select ${RECEIPT_COLUMNS} from touched t join receipt r on r.id = t.id order by r.id`);
  return rows.map(knownFromRow);
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
