// Searches of the checkouts that people of a shop keep under a name, each for himself or for the
// whole shop, and the SQL of their table. What is asked for is kept as the address of the page says
// it: whoever opens a view asks that anew.

import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { codePointLength, hasLoneSurrogate, hasNul } from '#base/text.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { defineTable, moment, optional, type Row, text } from '#db/table.ts';

export const SAVED_VIEW = defineTable('saved_view', {
  id: text(),
  merchantId: text(),
  environment: text<Environment>(),
  /** Undefined: everybody of the shop sees it. */
  personId: optional(text()),
  name: text(),
  asked: text(),
  createdAt: moment,
});
export type SavedView = Row<typeof SAVED_VIEW>;

export const VIEW_NAME_MAX = 40;
/** Of one person, and of the shop: as many as can be found at a glance. */
export const VIEWS_MOST = 20;

/** Whose: of the shop, or of one person alone. */
export type ViewOwner = Owner & { readonly personId: string | undefined };

/** Those of the shop first, then those of the person. */
export function listViews(reader: Reader, owner: Owner, personId: string): Promise<SavedView[]> {
  return SAVED_VIEW.select(
    reader,
    sql`where ${ownedBy(owner)} and (person_id is null or person_id = ${personId})
      order by person_id nulls first, lower(name), id`,
  );
}

type App = { readonly db: Db; readonly clock: Clock; readonly random: Random };

/** @throws Refusal invalid `view_name`; conflict `view_name_taken`, `views_too_many` */
export function saveView(
  app: App,
  owner: ViewOwner,
  { name: typed, asked }: Pick<SavedView, 'name' | 'asked'>,
): Promise<SavedView> {
  const { merchantId, environment, personId } = owner;
  const name = readName(typed);
  const view = {
    ...{ id: newId(app.random), merchantId, environment, personId, name, asked },
    createdAt: app.clock.now(),
  };
  return app.db.transact(async (tx) => {
    const known = await lockViews(tx, owner);
    if (known.length >= VIEWS_MOST) {
      throw new Refusal('conflict', 'views_too_many', `at most ${VIEWS_MOST} views`);
    }
    requireFree(known, name);
    await tx.query(SAVED_VIEW.insert([view]));
    return view;
  });
}

/** @throws Refusal invalid `view_name`; conflict `view_name_taken`; missing `view_missing` */
export function renameView(
  { db }: Pick<App, 'db'>,
  owner: ViewOwner,
  { id, name: typed }: Pick<SavedView, 'id' | 'name'>,
): Promise<void> {
  const name = readName(typed);
  return db.transact(async (tx) => {
    const known = await lockViews(tx, owner);
    if (!known.some((view) => view.id === id)) {
      throw new Refusal('missing', 'view_missing', 'no such view');
    }
    requireFree(
      known.filter((view) => view.id !== id),
      name,
    );
    tx.send(sql`update saved_view set name = ${name} where id = ${id} and ${heldBy(owner)}`);
  });
}

/** One that is not there is gone already. */
export async function removeView(
  { db }: Pick<App, 'db'>,
  owner: ViewOwner,
  id: string,
): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`delete from saved_view where id = ${id} and ${heldBy(owner)}`),
  );
}

/** Whoever changes them too waits until this transaction ends. */
async function lockViews(tx: Tx, owner: ViewOwner): Promise<SavedView[]> {
  const lock = `views ${owner.merchantId} ${owner.environment} ${owner.personId ?? ''}`;
  const [, known] = await Promise.all([
    tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`),
    SAVED_VIEW.select(tx, sql`where ${heldBy(owner)}`),
  ]);
  return known;
}

function heldBy({ merchantId, environment, personId }: ViewOwner): Statement {
  const isTheirs = personId === undefined ? sql`person_id is null` : sql`person_id = ${personId}`;
  return sql`${ownedBy({ merchantId, environment })} and ${isTheirs}`;
}

function readName(typed: string): string {
  const name = typed.replaceAll(/\s+/gu, ' ').trim();
  const isName = name !== '' && codePointLength(name) <= VIEW_NAME_MAX;
  if (isName && !hasNul(name) && !hasLoneSurrogate(name)) return name;
  throw new Refusal('invalid', 'view_name', `a name has 1 to ${VIEW_NAME_MAX} characters`);
}

function requireFree(known: readonly SavedView[], name: string): void {
  const isTaken = known.some((view) => view.name.toLowerCase() === name.toLowerCase());
  if (isTaken) throw new Refusal('conflict', 'view_name_taken', 'another view has this name');
}
