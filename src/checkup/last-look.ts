// How things were found that answer slowly or elsewhere, when they were looked at last: so that a
// room can say it without asking anybody. And the SQL of their table.

import { type Reader, sql, type Tx } from '#db/db.ts';
import { defineTable, flag, moment, optional, type Row, text } from '#db/table.ts';
import type { Finding } from './finding.ts';

type LookKind = 'signer' | 'gas' | 'backup';

export const LAST_LOOK = defineTable('last_look', {
  kind: text<LookKind>(),
  /** Of which chain; of backups `place`, and `increments` of the log. */
  subject: text(),
  ok: flag,
  detail: text(),
  lookedAt: moment,
  /** When it was in order last. */
  wellAt: optional(moment),
  /** Of a backup: when it was made. */
  madeAt: optional(moment),
});
type LastLook = Row<typeof LAST_LOOK>;

type Look = Finding & { readonly madeAt?: Temporal.Instant | undefined };

export function listLooks(reader: Reader): Promise<LastLook[]> {
  return LAST_LOOK.select(reader, sql`order by kind, subject`);
}

/** `found`: everything of the kind there is now, by its subject; what is gone is forgotten. */
export function noteLooks(
  tx: Tx,
  kind: LookKind,
  found: readonly Look[],
  now: Temporal.Instant,
): void {
  const subjects = found.map(({ what }) => what);
  tx.send(sql`
    delete from last_look where kind = ${kind} and subject <> all(${subjects}::text[])`);
  if (found.length > 0) noteLook(tx, kind, found, now);
}

/** Of what was found of the kind; the rest of it stays. */
export function noteLook(
  tx: Tx,
  kind: LookKind,
  found: readonly Look[],
  now: Temporal.Instant,
): void {
  const rows = found.map(({ what: subject, ok, detail, madeAt }) => ({
    ...{ kind, subject, ok, detail, lookedAt: now, madeAt },
    wellAt: ok ? now : undefined,
  }));
  tx.send(
    LAST_LOOK.insert(
      rows,
      sql`on conflict (kind, subject) do update set ok = excluded.ok, detail = excluded.detail,
        looked_at = excluded.looked_at, made_at = excluded.made_at,
        well_at = coalesce(excluded.well_at, last_look.well_at)`,
    ),
  );
}
