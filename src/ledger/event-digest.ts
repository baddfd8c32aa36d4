// Digests of what was told to merchants. They are sealed together with the entries, and stay when
// their events go. What a digest is made of, and when, says src/event/prove-events.ts.
import { createHash } from 'node:crypto';
import { type Db, type Reader, sql } from '#db/db.ts';
import { bigInteger, bytes, defineTable, moment, type Row, text } from '#db/table.ts';

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
  const { after, upTo = null, limit } = range;
  return EVENT_DIGEST.select(
    reader,
    sql`where number > ${after} and number <= coalesce(${upTo}::bigint, number)
      order by number limit ${limit}`,
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
