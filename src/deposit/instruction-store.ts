// SQL of address_source and deposit_instruction, private to this folder.

import type { ChainId } from '#catalog/chain.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import type { DepositInstruction, DepositPurpose } from './deposit-instruction.ts';

/** The row is locked until the transaction ends: two takers never get the same index (AD2). */
export async function takeIndex(
  tx: Tx,
  source: {
    readonly chain: ChainId;
    readonly descriptor: string;
    /** Where it begins if it is new. */
    readonly first: bigint;
    readonly now: Temporal.Instant;
  },
): Promise<{ sourceId: bigint; index: bigint }> {
  const [taken] = await tx.query<{ sourceId: bigint; index: bigint }>(sql`
    insert into address_source (chain, descriptor, first_index, next_index, created_at)
    values (${source.chain}, ${source.descriptor}, ${source.first}, ${source.first + 1n},
      ${source.now})
    on conflict (chain, descriptor) do update set next_index = address_source.next_index + 1
    returning id as "sourceId", next_index - 1 as index`);
  return taken as { sourceId: bigint; index: bigint };
}

export function insertInstructionRow(
  tx: Tx,
  instruction: DepositInstruction,
  isAddressInvoice: boolean,
): void {
  tx.send(sql`
    insert into deposit_instruction (id, chain, merchant_id, purpose, purpose_id, asset_id,
      destination, address, memo, memo_type, destination_tag, source_id, source_index,
      integrity_mac, created_at, is_address_invoice)
    values (${instruction.id}, ${instruction.chain}, ${instruction.merchantId},
      ${instruction.purpose}, ${instruction.purposeId}, ${instruction.assetId},
      ${instruction.destination}, ${instruction.address}, ${instruction.memo ?? null},
      ${instruction.memoType ?? null}, ${instruction.destinationTag ?? null},
      ${instruction.sourceId ?? null}, ${instruction.sourceIndex ?? null},
      ${instruction.integrityMac}, ${instruction.createdAt}, ${isAddressInvoice})`);
}

type InstructionRow = {
  id: string;
  chain: ChainId;
  merchant_id: string;
  purpose: DepositPurpose;
  purpose_id: string;
  asset_id: string;
  destination: string;
  address: string;
  memo: string | null;
  memo_type: string | null;
  destination_tag: bigint | null;
  source_id: bigint | null;
  source_index: bigint | null;
  integrity_mac: Uint8Array;
  created_at: Temporal.Instant;
};

const COLUMNS = sql`id, chain, merchant_id, purpose, purpose_id, asset_id, destination, address,
  memo, memo_type, destination_tag, source_id, source_index, integrity_mac, created_at`;

export function listInstructionRows(
  reader: Reader,
  purpose: DepositPurpose,
  purposeId: string,
): Promise<DepositInstruction[]> {
  return read(
    reader,
    sql`select ${COLUMNS} from deposit_instruction
      where purpose = ${purpose} and purpose_id = ${purposeId} and not is_address_invoice
      order by created_at, id`,
  );
}

export function listInstructionRowsOf(
  reader: Reader,
  purpose: DepositPurpose,
  purposeIds: readonly string[],
): Promise<DepositInstruction[]> {
  return read(
    reader,
    sql`select ${COLUMNS} from deposit_instruction
      where purpose = ${purpose} and purpose_id = any(${purposeIds}::text[])
        and not is_address_invoice
      order by created_at, id`,
  );
}

export async function listUnpaidRows(
  reader: Reader,
  chain: ChainId,
  since: Temporal.Instant,
): Promise<{ destination: string; createdAt: Temporal.Instant }[]> {
  return reader.query<{ destination: string; createdAt: Temporal.Instant }>(sql`
    select i.destination, i.created_at as "createdAt" from deposit_instruction i
    where i.chain = ${chain} and i.created_at >= ${since}
      and (i.purpose = 'checkout' or i.is_address_invoice)
      and not exists (select 1 from receipt r
        where r.chain = i.chain and r.credit_key = i.destination)
    order by i.created_at`);
}

async function read(reader: Reader, statement: Statement): Promise<DepositInstruction[]> {
  const rows = await reader.query<InstructionRow>(statement);
  return rows.map((row) => ({
    id: row.id,
    chain: row.chain,
    merchantId: row.merchant_id,
    purpose: row.purpose,
    purposeId: row.purpose_id,
    assetId: row.asset_id,
    destination: row.destination,
    address: row.address,
    memo: row.memo ?? undefined,
    memoType: row.memo_type ?? undefined,
    destinationTag: row.destination_tag ?? undefined,
    sourceId: row.source_id ?? undefined,
    sourceIndex: row.source_index ?? undefined,
    integrityMac: row.integrity_mac,
    createdAt: row.created_at,
  }));
}

/** In no destination: one long text travels faster than an array of many. */
const SEPARATOR = '\u001f';

/**
 * Of rows of deposit_instruction: one of many destinations, or one with the same hash. By the hash,
 * because the many of a block are mostly nobody's, and its index is small enough to be read whole.
 */
export function hasHashOf(destinations: readonly string[]): Statement {
  return sql`hashtextextended(destination, 0) = any(array(
    select hashtextextended(wanted, 0)
    from string_to_table(${destinations.join(SEPARATOR)}, ${SEPARATOR}) wanted))`;
}

export async function findDestinationRows(
  reader: Reader,
  chains: readonly ChainId[],
  destinations: readonly string[],
): Promise<{ chain: ChainId; destination: string }[]> {
  const rows = await reader.query<{ chain: ChainId; destination: string }>(sql`
    select chain, destination from deposit_instruction
    where chain = any(${chains}::text[]) and ${hasHashOf(destinations)}`);
  const wanted = new Set(destinations);
  return rows.filter(({ destination }) => wanted.has(destination));
}

/**
 * The owners of destinations. A destination that was handed out for several things is listed once
 * for each.
 */
export async function findOwnerRows(
  reader: Reader,
  chain: ChainId,
  destinations: readonly string[],
): Promise<{ destination: string; merchantId: string; purposeId: string }[]> {
  if (destinations.length === 0) return [];
  const rows = await reader.query<{ destination: string; merchantId: string; purposeId: string }>(
    sql`select destination, merchant_id as "merchantId", purpose_id as "purposeId"
      from deposit_instruction where chain = ${chain} and ${hasHashOf(destinations)}`,
  );
  const wanted = new Set(destinations);
  return rows.filter(({ destination }) => wanted.has(destination));
}

export type InspectionPage = {
  readonly chain: ChainId;
  /** Whose destinations are newest, or were never looked at. */
  readonly source: { readonly owner: ChainId; readonly descriptor: string };
  readonly newest: number;
  /** In order of the destination, those behind it: to go round all of them in turns. */
  readonly after: string;
  readonly inTurn: number;
  /** In order of the index, those behind it: to leave none of them out. */
  readonly afterIndex: bigint;
  readonly inOrder: number;
};

export type InspectedRow = {
  readonly destination: string;
  readonly sourceIndex: bigint | null;
  readonly why: 'newest' | 'inTurn' | 'inOrder';
};

export async function listInspectedRows(
  reader: Reader,
  { chain, source, newest, after, inTurn, afterIndex, inOrder }: InspectionPage,
): Promise<InspectedRow[]> {
  const sourceId = sql`(
    select id from address_source
    where chain = ${source.owner} and descriptor = ${source.descriptor})`;
  return reader.query(sql`
    (select destination, source_index as "sourceIndex", 'newest' as why from deposit_instruction
      where chain = ${chain} and source_id = ${sourceId}
      order by source_index desc limit ${newest})
    union all
    (select destination, source_index, 'inTurn' from deposit_instruction
      where chain = ${chain} and destination > ${after} order by destination limit ${inTurn})
    union all
    (select destination, source_index, 'inOrder' from deposit_instruction
      where chain = ${chain} and source_id = ${sourceId} and source_index > ${afterIndex}
      order by source_index limit ${inOrder})`);
}
