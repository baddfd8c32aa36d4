// A mail that could not be written waits here for a person, with the reason, and keeps nobody
// else's mail back. Guarantees: of one fact there is one row; it goes in the transaction in which
// its mail is written after all, or when a person gives it up.

import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { defineTable, moment, optional, type Row, selectOnly, text } from '#db/table.ts';

/** Who writes: see follow-events.ts. */
export type Source = 'customers' | 'people' | 'payers' | 'claims' | 'summaries' | 'bills';

const UNWRITTEN_MAIL = defineTable('unwritten_mail', {
  id: text(),
  source: text<Source>(),
  /** What it tells of, as its source finds it again. */
  fact: text(),
  reason: text(),
  parkedAt: moment,
  againAt: selectOnly(optional(moment)),
});
type UnwrittenMail = Row<typeof UNWRITTEN_MAIL>;

/** A fact, and why there is no mail of it. */
export type Unwritten = Pick<UnwrittenMail, 'source' | 'fact' | 'reason'>;

const REASON_MOST = 300;

/** The first line: where in the program it was stands in the log. */
export function faultLine(error: unknown): string {
  const [line = ''] = String(error).split('\n');
  return line.replaceAll('\0', '').slice(0, REASON_MOST);
}

export function parkUnwritten(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  tx: Tx,
  unwritten: readonly Unwritten[],
): void {
  if (unwritten.length === 0) return;
  const parkedAt = clock.now();
  tx.send(
    UNWRITTEN_MAIL.insert(
      unwritten.map((one) => ({ ...one, id: newId(random), parkedAt })),
      sql`on conflict (source, fact) do update set
        reason = excluded.reason, parked_at = excluded.parked_at, again_at = null`,
    ),
  );
}

/** Those that a person asked for again, the first first. */
export function listToWriteAgain(reader: Reader, most: number): Promise<UnwrittenMail[]> {
  return UNWRITTEN_MAIL.select(
    reader,
    sql`where again_at is not null order by again_at, id limit ${most}`,
  );
}

/** It is written. Answers false when another process was faster, or a person gave it up. */
export async function takeUnwritten(tx: Tx, { id }: Pick<UnwrittenMail, 'id'>): Promise<boolean> {
  const taken = await tx.query(sql`
    delete from unwritten_mail where id = ${id} and again_at is not null returning id`);
  return taken.length > 0;
}

/** As `npx quittance parked list` shows them. */
export function selectUnwritten(): Statement {
  return sql`
    select 'letter' as kind, id, parked_at as since, source || ' ' || fact || ': ' || reason as why,
      false as "isMended"
    from unwritten_mail where again_at is null`;
}

/** Due at once. Answers no row when it does not wait. */
export function retryUnwritten(id: string, now: Temporal.Instant): Statement {
  return sql`
    update unwritten_mail set again_at = ${now}
    where id = ${id} and again_at is null returning id`;
}

/** Nobody is mailed of it. Answers no row when it does not wait. */
export function discardUnwritten(id: string): Statement {
  return sql`delete from unwritten_mail where id = ${id} and again_at is null returning id`;
}
