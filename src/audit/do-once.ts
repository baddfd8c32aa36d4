// What a person orders by a form. Guarantees: a form is carried out once, however often and from
// how many clicks at once it comes, because what it does and that it was done are one transaction;
// whoever sends it again gets what was made the first time. What was refused left nothing behind,
// so the same form may be corrected and sent again. Not guaranteed: anything about what an act does
// outside the database handed to it.

import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { type Db, sql } from '#db/db.ts';
import { dbWithin } from '#db/db-within.ts';
import { bytes, defineTable, moment, text } from '#db/table.ts';

export const FORM_ORDER = defineTable('form_order', {
  actor: text(),
  /** Which form. */
  token: text(),
  digest: bytes,
  /** What came of it. */
  made: text(),
  orderedAt: moment,
});

const KEPT_HOURS = 30 * 24;
const FORGOTTEN_AT_ONCE = 100;

type FormOrder = {
  /** As the trail names him. */
  readonly actor: string;
  readonly token: string;
  /** All that the form said, and of what: another content is another order. */
  readonly said: readonly string[];
};

/**
 * What `work` answered, now or when the same form came first. `work` does all it does through the
 * Db it is given.
 * @throws Refusal invalid `form_token`; conflict `form_used` for a form that said something else.
 */
export function doOnce<App extends { readonly db: Db; readonly clock: Clock }>(
  app: App,
  { actor, token, said }: FormOrder,
  work: (within: App) => Promise<string>,
): Promise<string> {
  if (!/^[\w-]{8,64}$/.test(token)) {
    throw new Refusal('invalid', 'form_token', 'the form has no token of its own');
  }
  const digest = createHash('sha256').update(JSON.stringify(said)).digest();
  return app.db.transact(async (tx) => {
    const now = app.clock.now();
    // The lock comes first in the same packet: a second click waits for the first one here.
    const [, known] = await Promise.all([
      tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`form ${actor} ${token}`}, 0))`),
      FORM_ORDER.find(tx, sql`where actor = ${actor} and token = ${token}`),
    ]);
    if (known !== undefined) {
      if (Buffer.compare(known.digest, digest) === 0) return known.made;
      throw new Refusal('conflict', 'form_used', 'this form was sent before with other words');
    }
    const made = await work({ ...app, db: dbWithin(tx) });
    const oldest = now.subtract({ hours: KEPT_HOURS });
    tx.send(sql`
      delete from form_order where ctid in (
        select ctid from form_order where ordered_at <= ${oldest}::timestamptz
        order by ordered_at limit ${FORGOTTEN_AT_ONCE} for update skip locked)`);
    tx.send(FORM_ORDER.insert([{ actor, token, digest, made, orderedAt: now }]));
    return made;
  });
}
