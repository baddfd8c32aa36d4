import { listActs } from '#audit/act.ts';
import type { Reader } from '#db/db.ts';

/** The newest acts, oldest first, as `<who>: <verb>`. */
export async function notedActs(db: Reader, most: number): Promise<string[]> {
  return (await listActs(db, {}, most)).map(({ actor, verb }) => `${actor}: ${verb}`);
}
