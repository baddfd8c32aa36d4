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
import { ConstraintViolation, type Db, type Reader } from '#db/db.ts';
import {
  findLastSeal,
  findRemaining,
  findWriters,
  insertSeal,
  listEntriesAfter,
  type PostedRow,
  type SealRow,
} from './ledger-store.ts';

/** What to write down outside the database. `hash` is 32 bytes as hexadecimal digits. */
export type SealHead = {
  readonly number: bigint;
  readonly lastEntry: bigint;
  readonly hash: string;
};

export type Sealed = {
  /** How many entries this call sealed: fewer than `limit` when none are left or writers linger. */
  readonly sealed: number;
  readonly head: SealHead | undefined;
};

export const firstPreviousHash = new Uint8Array(32);
const waitsMax = 100;
const waitMs = 10;

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
  const previousHash = last?.hash ?? firstPreviousHash;
  const hash = hashEntries(number, previousHash, rows);
  const seal = { number, lastEntry: lastRow.id, entryCount: rows.length, previousHash, hash };
  try {
    await db.single((tx) => insertSeal(tx, seal, clock.now()));
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
  rows: readonly PostedRow[],
): Uint8Array {
  const hash = createHash('sha256');
  hash.update(`quittance-seal-1 ${number} ${previousHash.toHex()}\n`);
  for (const row of rows) hash.update(`${canonicalText(row)}\n`);
  return new Uint8Array(hash.digest());
}

/** All of an entry, and whose accounts it moved, so that moving a line elsewhere shows as well. */
function canonicalText(row: PostedRow): string {
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
function correctionText({ correctsEntry, isReversal }: PostedRow): string | null {
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
    if (waits === waitsMax) return undefined;
    await clock.sleep(waitMs);
    remaining = await findRemaining(db, remaining);
  }
  return top;
}

function headOf(seal: SealRow | undefined): SealHead | undefined {
  if (seal === undefined) return undefined;
  return { number: seal.number, lastEntry: seal.lastEntry, hash: seal.hash.toHex() };
}
