// What people of a shop write on a checkout for themselves, and the SQL of its table. No customer
// is told of it, and no answer of the API holds it. Rows are only added: what was noted stays so.

import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { codePointLength, hasLoneSurrogate, hasNul } from '#base/text.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { defineTable, moment, type Row, text } from '#db/table.ts';

export const CHECKOUT_NOTE = defineTable('checkout_note', {
  id: text(),
  merchantId: text(),
  environment: text<Environment>(),
  checkoutId: text(),
  actor: text(),
  note: text(),
  writtenAt: moment,
});
export type CheckoutNote = Row<typeof CHECKOUT_NOTE>;

export const NOTE_MAX = 1_000;
/** On one checkout. */
export const NOTES_MOST = 100;

/** Oldest first. */
export function listNotes(
  reader: Reader,
  owner: Owner,
  checkoutId: string,
): Promise<CheckoutNote[]> {
  return CHECKOUT_NOTE.select(
    reader,
    sql`where checkout_id = ${checkoutId} and ${ownedBy(owner)}
      order by written_at, id limit ${NOTES_MOST}`,
  );
}

/**
 * `checkoutId`: of the owner. Lines end as forms or others end them.
 * @throws Refusal invalid `note`; conflict `notes_too_many`
 */
export async function writeNote(
  app: { readonly db: Db; readonly clock: Clock; readonly random: Random },
  { merchantId, environment }: Owner,
  given: Pick<CheckoutNote, 'checkoutId' | 'actor' | 'note'>,
): Promise<CheckoutNote> {
  const { checkoutId, actor } = given;
  const note = given.note.replaceAll('\r\n', '\n').trim();
  const isText = !hasNul(note) && !hasLoneSurrogate(note) && codePointLength(note) <= NOTE_MAX;
  if (note === '' || !isText) {
    throw new Refusal('invalid', 'note', `a note has 1 to ${NOTE_MAX} characters`);
  }
  const id = newId(app.random);
  const row = {
    ...{ id, merchantId, environment, checkoutId, actor, note },
    writtenAt: app.clock.now(),
  };
  await app.db.transact(async (tx) => {
    // Whoever writes another one waits until this one is counted.
    await tx.query(
      sql`select pg_advisory_xact_lock(hashtextextended(${`notes ${checkoutId}`}, 0))`,
    );
    const [known] = await tx.query<{ readonly count: number }>(sql`
      select count(*)::int as count from checkout_note where checkout_id = ${checkoutId}`);
    if ((known?.count ?? 0) >= NOTES_MOST) {
      throw new Refusal('conflict', 'notes_too_many', `a checkout has ${NOTES_MOST} notes at most`);
    }
    await tx.query(CHECKOUT_NOTE.insert([row]));
  });
  return row;
}
