// Sealing: batches of entries, in the order of their row numbers, go into a hash chain, and beside
// them the digests of what was told. Whoever keeps a copy of the head can prove later that nothing
// up to it was changed, added or removed (L11, W5).
//
// Transactions commit out of the order of their numbers, so entries are sealed only up to a number
// below which nothing can appear any more (`findSettledTop`). Digests are written in their order.

import { createHash } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { ConstraintViolation, type Db, type Reader, sql } from '#db/db.ts';
import { findSettledTop } from '#db/settled-top.ts';
import {
  bigInteger,
  bytes,
  defineTable,
  integer,
  moment,
  optional,
  type Row,
  text,
} from '#db/table.ts';
import { ENTRY_NUMBERS, listEntriesAfter, type PostedEntry } from './post-entry.ts';

export const LEDGER_SEAL = defineTable('ledger_seal', {
  number: bigInteger,
  /** 0 while there are none. */
  lastEntry: bigInteger,
  entryCount: integer,
  /** Number of a digest; 0 while there are none. */
  lastEvent: bigInteger,
  eventCount: integer,
  /** Undefined in seals of entries alone, from before events were sealed. */
  eventsHash: optional(bytes),
  previousHash: bytes,
  hash: bytes,
  sealedAt: moment,
});
export type Seal = Row<typeof LEDGER_SEAL>;

/** What to write down outside the database. `hash` is 32 bytes as hexadecimal digits. */
export type SealHead = {
  readonly number: bigint;
  readonly lastEntry: bigint;
  readonly hash: string;
};

type Sealed = {
  /**
   * How many entries and events this call sealed: fewer than `limit` when none are left or writers
   * linger.
   */
  readonly sealed: number;
  readonly head: SealHead | undefined;
};

export const FIRST_PREVIOUS_HASH = new Uint8Array(32);

/**
 * One batch of at most `limit` entries and as many events. Several processes may call it: one of
 * them gets the batch.
 */
export async function sealEntries(
  app: { readonly db: Db; readonly clock: Clock },
  { limit }: { readonly limit: number },
): Promise<Sealed> {
  const { db, clock } = app;
  assert(limit >= 1, `cannot seal ${limit} entries`);
  const last = await findLastSeal(db);
  const lastEntry = last?.lastEntry ?? 0n;
  const lastEvent = last?.lastEvent ?? 0n;
  const upTo = await findSettledTop(app, ENTRY_NUMBERS, lastEntry);
  const [entries, digests] = await Promise.all([
    upTo === undefined ? [] : listEntriesAfter(db, { after: lastEntry, upTo, limit }),
    listDigestsAfter(db, { after: lastEvent, limit }),
  ]);
  const sealed = entries.length + digests.length;
  if (sealed === 0) return { sealed, head: headOf(last) };
  const number = (last?.number ?? 0n) + 1n;
  const previousHash = last?.hash ?? FIRST_PREVIOUS_HASH;
  const eventsHash = hashDigests(digests);
  const seal = {
    number,
    lastEntry: entries.at(-1)?.id ?? lastEntry,
    entryCount: entries.length,
    lastEvent: digests.at(-1)?.number ?? lastEvent,
    eventCount: digests.length,
    eventsHash,
    previousHash,
    hash: hashSeal({ number, previousHash, eventsHash }, entries),
    sealedAt: clock.now(),
  };
  try {
    await db.single((tx) => tx.query(LEDGER_SEAL.insert([seal])));
  } catch (error) {
    const isTaken = error instanceof ConstraintViolation && error.code === '23505';
    if (!isTaken) throw error;
    return { sealed: 0, head: await findSealHead(db) };
  }
  return { sealed, head: headOf(seal) };
}

/** The end of the chain; undefined while nothing is sealed. */
export async function findSealHead(reader: Reader): Promise<SealHead | undefined> {
  return headOf(await findLastSeal(reader));
}

/**
 * SHA-256 over the number, the hash before, that of the events and the canonical text of each
 * entry, a line each.
 */
export function hashSeal(
  { number, previousHash, eventsHash }: Pick<Seal, 'number' | 'previousHash' | 'eventsHash'>,
  rows: readonly PostedEntry[],
): Uint8Array {
  const hash = createHash('sha256');
  const before = `${number} ${previousHash.toHex()}`;
  hash.update(
    eventsHash === undefined
      ? `quittance-seal-1 ${before}\n`
      : `quittance-seal-2 ${before} ${eventsHash.toHex()}\n`,
  );
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

// Digests of what was told to merchants. They are sealed together with the entries, and stay when
// their events go. What a digest is made of, and when, says src/event/prove-events.ts.
export const EVENT_DIGEST = defineTable('event_digest', {
  /** Of the event; gaps are possible. */
  number: bigInteger,
  eventId: text(),
  toldAt: moment,
  digest: bytes,
});
export type EventDigest = Row<typeof EVENT_DIGEST>;

/**
 * Several processes may add the same ones. No digest may be missing below the last of them: a seal
 * covers all that it finds.
 */
export async function addDigests(db: Db, digests: readonly EventDigest[]): Promise<void> {
  if (digests.length === 0) return;
  const insert = EVENT_DIGEST.insert(digests, sql`on conflict (number) do nothing`);
  await db.single((tx) => tx.query(insert));
}

/** By number: above `after`, and at most `upTo` where it is given. */
export function listDigestsAfter(
  reader: Reader,
  range: { readonly after: bigint; readonly upTo?: bigint; readonly limit: number },
): Promise<EventDigest[]> {
  const { after, upTo, limit } = range;
  // An end that the index knows. Where one is missing, it would else be looked for in all that
  // come after.
  const isBelow = upTo === undefined ? sql`` : sql`and number <= ${upTo}`;
  return EVENT_DIGEST.select(
    reader,
    sql`where number > ${after} ${isBelow} order by number limit ${limit}`,
  );
}

export async function findTopDigest(reader: Reader): Promise<bigint> {
  const [row] = await reader.query<{ top: bigint }>(sql`
    select coalesce(max(number), 0) as top from event_digest`);
  return row?.top ?? 0n;
}

/** SHA-256 over a line for each. */
export function hashDigests(digests: readonly EventDigest[]): Uint8Array {
  const hash = createHash('sha256');
  for (const { number, eventId, toldAt, digest } of digests) {
    const line = [`${number}`, eventId, toldAt.toString(), digest.toHex()];
    hash.update(`${JSON.stringify(line)}\n`);
  }
  return new Uint8Array(hash.digest());
}
