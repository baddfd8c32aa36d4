// Whether two names of the trail may be one person. A key of the API is nobody by itself: it is
// whoever knows its secret, and the dashboard shows that to whoever makes a key or renews it, as
// the trail has it. Guarantees: who was ever shown the secret of a key is never the second person
// for what the key made, nor the key for what he made, nor one key of his for another. Not
// guaranteed: anything about secrets that were shown at the command line or passed on.

import { listActors } from '#audit/act.ts';
import type { Reader } from '#db/db.ts';

const KEY = 'key ';
const PERSON = 'person ';
const SHOWS_SECRET = ['key-create', 'key-rotate'];

export async function isSamePerson(reader: Reader, one: string, other: string): Promise<boolean> {
  if (nameOf(one) === nameOf(other)) return true;
  const [ones, others] = await Promise.all([listHolders(reader, one), listHolders(reader, other)]);
  return !ones.isDisjointFrom(others);
}

/** Himself; of a key also everybody who knows its secret, as far as the dashboard showed it. */
async function listHolders(reader: Reader, actor: string): Promise<ReadonlySet<string>> {
  const name = actor.trim();
  if (!name.startsWith(KEY)) return new Set([nameOf(name)]);
  const shownTo = await listActors(reader, `key:${name.slice(KEY.length)}`, SHOWS_SECRET);
  return new Set([name, ...shownTo.filter((one) => one.startsWith(PERSON))].map(nameOf));
}

function nameOf(actor: string): string {
  return actor.trim().toLowerCase();
}
