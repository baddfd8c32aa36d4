// SQL of bank_log, bank_entry and bank_statement, private to this folder.

import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import type { BlockReference } from '#deposit/network.ts';
import type { KnownEntry, NewRow, OpenRow } from './decide-entries.ts';
import { LOG_START } from './log-hash.ts';

/** One importer a bank at a time. */
export async function lockLog(tx: Tx, chain: ChainId): Promise<BlockReference> {
  await tx.query(sql`
    insert into bank_log (chain, height, hash) values (${chain}, 0, ${LOG_START.hash})
    on conflict (chain) do nothing`);
  const [row] = await tx.query<{ height: bigint; hash: string }>(
    sql`select height, hash from bank_log where chain = ${chain} for update`,
  );
  return row ?? LOG_START;
}

export function setLogEnd(tx: Tx, chain: ChainId, { height, hash }: BlockReference): void {
  tx.send(sql`update bank_log set height = ${height}, hash = ${hash} where chain = ${chain}`);
}

type KnownRow = Omit<KnownEntry, 'entryReference'> & { readonly entryReference: string | null };

/** Bookings that may be the same as one of these. */
export async function listKnownEntries(
  reader: Reader,
  chain: ChainId,
  account: string,
  wanted: { readonly references: readonly string[]; readonly fingerprints: readonly string[] },
): Promise<KnownEntry[]> {
  const rows = await reader.query<KnownRow>(sql`
    select distinct entry_key as "entryKey", entry_reference as "entryReference",
      entry_units as "entryUnits", fingerprint, details
    from bank_entry where chain = ${chain} and account = ${account}
      and (entry_reference = any(${wanted.references}::text[])
        or fingerprint = any(${wanted.fingerprints}::text[]))
    order by entry_key`);
  return rows.map((row) => ({ ...row, entryReference: row.entryReference ?? undefined }));
}

type OpenRowColumns = {
  readonly height: bigint;
  readonly units: bigint;
  readonly currency: string;
  readonly transaction: string;
  readonly reference: string | null;
  readonly endToEndId: string | null;
};

const openColumns = sql`height, units, currency, transaction, reference, end_to_end_id as "endToEndId"`;

/** Credits of these amounts that stand, lowest first. */
export async function listStandingCredits(
  reader: Reader,
  chain: ChainId,
  account: string,
  amounts: readonly bigint[],
): Promise<OpenRow[]> {
  if (amounts.length === 0) return [];
  const rows = await reader.query<OpenRowColumns>(sql`
    select ${openColumns} from bank_entry
    where chain = ${chain} and account = ${account}
      and kind = 'CREDIT' and undone_by is null and units = any(${amounts}::numeric[])
    order by height`);
  return rows.map(toOpenRow);
}

/** Reversals of which nobody knows what they take back, lowest first. */
export async function listOpenReversals(
  reader: Reader,
  chain: ChainId,
  account: string,
): Promise<OpenRow[]> {
  const rows = await reader.query<OpenRowColumns>(sql`
    select ${openColumns} from bank_entry
    where chain = ${chain} and kind = 'REVERSAL' and undoes is null
      and account = ${account}
    order by height`);
  return rows.map(toOpenRow);
}

export async function countOpenReversals(reader: Reader, chain: ChainId): Promise<bigint> {
  const [row] = await reader.query<{ count: bigint }>(sql`
    select count(*) from bank_entry
    where chain = ${chain} and kind = 'REVERSAL' and undoes is null`);
  return row?.count ?? 0n;
}

function toOpenRow(row: OpenRowColumns): OpenRow {
  return {
    ...row,
    reference: row.reference ?? undefined,
    endToEndId: row.endToEndId ?? undefined,
  };
}

type InsertedRow = NewRow & { readonly hash: string; readonly parentHash: string };

export function insertEntries(
  tx: Tx,
  place: { readonly chain: ChainId; readonly account: string },
  rows: readonly InsertedRow[],
  statementId: bigint,
  now: Temporal.Instant,
): void {
  const column = <Value>(of: (row: InsertedRow) => Value) => rows.map(of);
  tx.send(sql`
    insert into bank_entry (chain, account, statement_id, recorded_at, height, kind, currency,
      remark, credit_key, units, reference, end_to_end_id, transaction, entry_key, entry_reference,
      entry_units, fingerprint, details, hash, parent_hash)
    select ${place.chain}, ${place.account}, ${statementId}, ${now}::timestamptz, e.*
    from unnest(${column(({ height }) => height)}::bigint[], ${column(({ kind }) => kind)}::text[],
      ${column(({ currency }) => currency)}::text[],
      ${column(({ remark }) => remark ?? null)}::text[],
      ${column(({ creditKey }) => creditKey)}::text[], ${column(({ units }) => units)}::numeric[],
      ${column(({ reference }) => reference ?? null)}::text[],
      ${column(({ endToEndId }) => endToEndId ?? null)}::text[],
      ${column(({ transaction }) => transaction)}::text[],
      ${column(({ entryKey }) => entryKey)}::text[],
      ${column(({ entryReference }) => entryReference ?? null)}::text[],
      ${column(({ entryUnits }) => entryUnits)}::numeric[],
      ${column(({ fingerprint }) => fingerprint)}::text[],
      ${column(({ details }) => details)}::text[], ${column(({ hash }) => hash)}::text[],
      ${column(({ parentHash }) => parentHash)}::text[]) as e`);
}

/**
 * After many rows at once: what the database knows of a short log makes it read all of a long one
 * for every booking, and the next statement of the same file comes before it looks by itself.
 */
export function analyzeEntries(tx: Tx): void {
  tx.send(sql`analyze bank_entry`);
}

export function joinRows(
  tx: Tx,
  chain: ChainId,
  undone: readonly { readonly credit: bigint; readonly reversal: bigint }[],
): void {
  const credits = undone.map(({ credit }) => credit);
  const reversals = undone.map(({ reversal }) => reversal);
  const pairs = sql`unnest(${credits}::bigint[], ${reversals}::bigint[]) as p(credit, reversal)`;
  tx.send(sql`update bank_entry e set undone_by = p.reversal from ${pairs}
    where e.chain = ${chain} and e.height = p.credit`);
  tx.send(sql`update bank_entry e set undoes = p.credit from ${pairs}
    where e.chain = ${chain} and e.height = p.reversal`);
}

export type LogRow = {
  readonly height: bigint;
  readonly kind: 'CREDIT' | 'REVERSAL';
  readonly creditKey: string;
  readonly account: string;
  readonly currency: string;
  readonly units: bigint;
  readonly reference: string | null;
  readonly transaction: string;
  readonly remark: string | null;
  readonly undoneBy: bigint | null;
  /** REVERSAL: credit key of what it takes back. */
  readonly undoneKey: string | null;
  readonly hash: string;
  readonly parentHash: string;
  readonly recordedAt: Temporal.Instant;
};

/** Without `most`: to the end. */
export function listLogRows(
  reader: Reader,
  chain: ChainId,
  above: bigint,
  most: number | null,
): Promise<LogRow[]> {
  return reader.query<LogRow>(sql`
    select e.height, e.kind, e.credit_key as "creditKey", e.account, e.currency, e.units,
      e.reference, e.transaction, e.remark,
      e.undone_by as "undoneBy", u.credit_key as "undoneKey", e.hash,
      e.parent_hash as "parentHash", e.recorded_at as "recordedAt"
    from bank_entry e left join bank_entry u on u.chain = e.chain and u.height = e.undoes
    where e.chain = ${chain} and e.height > ${above} order by e.height limit ${most}::bigint`);
}

/** Hashes of those rows that there are. */
export async function listLogHashes(
  reader: Reader,
  chain: ChainId,
  heights: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  const rows = await reader.query<{ height: bigint; hash: string }>(sql`
    select height, hash from bank_entry
    where chain = ${chain} and height = any(${heights}::bigint[])`);
  return new Map([
    [LOG_START.height, LOG_START.hash],
    ...rows.map(({ height, hash }) => [height, hash] as const),
  ]);
}

/** Below it no row ever changed. */
export async function lowestUndone(reader: Reader, chain: ChainId): Promise<bigint | undefined> {
  const [row] = await reader.query<{ height: bigint | null }>(sql`
    select min(height) as height from bank_entry
    where chain = ${chain} and undone_by is not null`);
  return row?.height ?? undefined;
}

export function writeHashes(
  tx: Tx,
  chain: ChainId,
  rows: readonly { readonly height: bigint; readonly hash: string; readonly parentHash: string }[],
): void {
  tx.send(sql`
    update bank_entry e set hash = h.hash, parent_hash = h.parent_hash
    from unnest(${rows.map(({ height }) => height)}::bigint[],
      ${rows.map(({ hash }) => hash)}::text[],
      ${rows.map(({ parentHash }) => parentHash)}::text[]) as h(height, hash, parent_hash)
    where e.chain = ${chain} and e.height = h.height`);
}
