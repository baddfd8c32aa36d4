// Sealing: batches of entries, in the order of their row numbers, go into a hash chain. Whoever
// keeps a copy of the head can prove later that nothing up to it was changed, added or removed
// (L11).
//
// Transactions commit out of the order of their numbers, so an entry may appear below one that is
// visible already. It is therefore sealed only up to a number below which nothing can appear any
// more: the highest entry seen, once every transaction that was writing entries at that moment is
// over (`findWriters`). Writers are never blocked, and a plain "above the last seal" is a safe
// watermark. Transaction ids (pg_snapshot_xmin) would not do: a number is drawn before the
// transaction gets its id, and after a restore from a dump the ids begin again.
import { createHash } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { ConstraintViolation, type Db, type Reader, sql } from '#db/db.ts';
import {
  bigInteger,
  bytes,
  defineTable,
  insertOnly,
  integer,
  moment,
  type Row,
} from '#db/table.ts';
import { listEntriesAfter, type PostedEntry } from './posted-entry.ts';

export const LEDGER_SEAL = defineTable('ledger_seal', {
  number: bigInteger,
  lastEntry: bigInteger,
  entryCount: integer,
  previousHash: bytes,
  hash: bytes,
  sealedAt: insertOnly(moment),
});
export type Seal = Row<typeof LEDGER_SEAL>;

/** What to write down outside the database. `hash` is 32 bytes as hexadecimal digits. */
export type SealHead = {
  readonly number: bigint;
  readonly lastEntry: bigint;
  readonly hash: string;
};

type Sealed = {
  /** How many entries this call sealed: fewer than `limit` when none are left or writers linger. */
  readonly sealed: number;
  readonly head: SealHead | undefined;
};

export const FIRST_PREVIOUS_HASH = new Uint8Array(32);
const WAITS_MAX = 100;
const WAIT_MS = 10;

/**
 * One batch of at most `limit` entries. Several processes may call it: one of them gets the batch.
 */
export async function sealEntries(
  app: { readonly db: Db; readonly clock: Clock },
  { limit }: { readonly limit: number },
): Promise<Sealed> {
  const { db, clock } = app;
  assert(limit >= 1, `cannot seal ${limit} entries`);
  const last = await findLastSeal(db);
  const after = last?.lastEntry ?? 0n;
  const upTo = await findSettledTop(app, after);
  const rows = upTo === undefined ? [] : await listEntriesAfter(db, { after, upTo, limit });
  const lastRow = rows.at(-1);
  if (lastRow === undefined) return { sealed: 0, head: headOf(last) };
  const number = (last?.number ?? 0n) + 1n;
  const previousHash = last?.hash ?? FIRST_PREVIOUS_HASH;
  const hash = hashEntries(number, previousHash, rows);
  const seal = { number, lastEntry: lastRow.id, entryCount: rows.length, previousHash, hash };
  try {
    await db.single((tx) => tx.query(LEDGER_SEAL.insert([{ ...seal, sealedAt: clock.now() }])));
  } catch (error) {
    const isTaken = error instanceof ConstraintViolation && error.code === '23505';
    if (!isTaken) throw error;
    return { sealed: 0, head: await findSealHead(db) };
  }
  return { sealed: rows.length, head: headOf(seal) };
}

/** The end of the chain; undefined while nothing is sealed. */
export async function findSealHead(reader: Reader): Promise<SealHead | undefined> {
  return headOf(await findLastSeal(reader));
}

/** SHA-256 over the number, the hash before and the canonical text of each entry, a line each. */
export function hashEntries(
  number: bigint,
  previousHash: Uint8Array,
  rows: readonly PostedEntry[],
): Uint8Array {
  const hash = createHash('sha256');
  hash.update(`quittance-seal-1 ${number} ${previousHash.toHex()}\n`);
  for (const row of rows) hash.update(`${canonicalText(row)}\n`);
  return new Uint8Array(hash.digest());
}

/** All of an entry, and whose accounts it moved, so that moving a line elsewhere shows as well. */
function canonicalText(row: PostedEntry): string {
  return JSON.stringify([
    `${row.id}`,
    row.causeKey,
    row.kind,
    row.environment,
    row.merchantId,
    row.subjectId,
    correctionText(row),
    row.evidence,
    row.occurredAt.toString(),
    (row.units ?? []).map((units, index) => [
      row.positions?.[index],
      row.environments?.[index],
      row.merchantIds?.[index],
      row.codes?.[index],
      row.assetIds?.[index],
      `${units}`,
    ]),
  ]);
}

/** A correction is a reversal unless it says otherwise: entries before the word was kept were. */
function correctionText({ correctsEntry, isReversal }: PostedEntry): string | null {
  if (correctsEntry === null) return null;
  return isReversal ? `${correctsEntry}` : `${correctsEntry} corrected`;
}

/**
 * The highest entry below which none can appear any more. Undefined when it is not above `after`,
 * and when a transaction that is writing takes too long: the next call tries again.
 */
export async function findSettledTop(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  after: bigint,
): Promise<bigint | undefined> {
  const { top, writers } = await findWriters(db);
  if (top <= after) return undefined;
  let remaining = writers;
  for (let waits = 0; remaining.length > 0; waits += 1) {
    if (waits === WAITS_MAX) return undefined;
    await clock.sleep(WAIT_MS);
    remaining = await findRemaining(db, remaining);
  }
  return top;
}

function headOf(seal: Seal | undefined): SealHead | undefined {
  if (seal === undefined) return undefined;
  return { number: seal.number, lastEntry: seal.lastEntry, hash: seal.hash.toHex() };
}

function findLastSeal(reader: Reader): Promise<Seal | undefined> {
  return LEDGER_SEAL.find(reader, sql`order by number desc limit 1`);
}

export function listSealsAfter(reader: Reader, after: bigint, limit: number): Promise<Seal[]> {
  return LEDGER_SEAL.select(reader, sql`where number > ${after} order by number limit ${limit}`);
}

const WRITERS_NOW = sql`array(
  select distinct virtualtransaction from pg_locks
  where locktype = 'relation' and relation = 'ledger_entry'::regclass and granted
    and pid <> pg_backend_pid() and mode = 'RowExclusiveLock'
    and database = (select oid from pg_database where datname = current_database()))`;

/**
 * The highest entry visible and the transactions that were then writing entries. The locks are read
 * after the snapshot was taken, so whoever has drawn a number up to `top` is finished or is listed:
 * an insert locks the table before it draws its number, and holds the lock until it ends. What the
 * asking transaction wrote itself it sees.
 */
async function findWriters(
  reader: Reader,
): Promise<{ readonly top: bigint; readonly writers: readonly string[] }> {
  const [row] = await reader.query<{ top: bigint; writers: string[] }>(sql`
    with top as materialized (select coalesce(max(id), 0) as id from ledger_entry)
    select top.id as top, ${WRITERS_NOW} as writers from top`);
  assert(row !== undefined, 'an aggregate gives a row');
  return row;
}

async function findRemaining(
  reader: Reader,
  writers: readonly string[],
): Promise<readonly string[]> {
  const [row] = await reader.query<{ writers: string[] }>(sql`
    select array(select unnest(${WRITERS_NOW}) intersect
                 select unnest(${writers}::text[])) as writers`);
  return row?.writers ?? [];
}
