// The events of a test, kept as they were told: examples of the contract are made of them. Only where
// KEEP_EVENTS names a file, one line each.
import { appendFile } from 'node:fs/promises';
import { env } from 'node:process';
import { type Db, sql } from '#db/db.ts';

/** One that a receiver was sent, from a process with a database of its own. */
export async function keepEvent(body: string): Promise<void> {
  const file = env.KEEP_EVENTS;
  if (file !== undefined) await appendFile(file, `${body}\n`);
}

/** Of a database that is about to be dropped; one that has no such table yet told nothing. */
export async function keepEvents(db: Db): Promise<void> {
  if (env.KEEP_EVENTS === undefined) return;
  const rows = await db
    .query<{ body: string }>(sql`select body from event order by number`)
    .catch(() => []);
  for (const { body } of rows) await keepEvent(body);
}
