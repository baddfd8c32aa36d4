// The link that somebody asked for to sign in without typing a password: mailed to him, opened
// once, within a quarter of an hour. An address that nobody has gets a row as well, so that asking
// does the same work for everybody.

import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import { bytes, defineTable, moment, optional, type Row, text } from '#db/table.ts';
import { isToken, newToken, type TokenKeys, tokenHash } from './token.ts';

export const SIGN_IN_LINK = defineTable('sign_in_link', {
  hash: bytes,
  /** Undefined: nobody has the address that was typed. */
  personId: optional(text()),
  expiresAt: moment,
});
type SignInLink = Row<typeof SIGN_IN_LINK>;

const MINUTES = 15;

type LinkApp = { readonly clock: Clock; readonly random: Random; readonly keyring: TokenKeys };

/** Those that were sent to him before open nothing any more. */
export function newLink(
  { clock, random, keyring }: LinkApp,
  tx: Tx,
  personId: string | undefined,
): { readonly token: string; readonly hash: Uint8Array; readonly expiresAt: Temporal.Instant } {
  const token = newToken(random);
  const now = clock.now();
  const hash = tokenHash(keyring, 'link', token);
  const expiresAt = now.add({ minutes: MINUTES });
  tx.send(sql`
    delete from sign_in_link where person_id = ${personId ?? null} or expires_at < ${now}`);
  tx.send(SIGN_IN_LINK.insert([{ hash, personId, expiresAt }]));
  return { token, hash, expiresAt };
}

/** Whose it is; undefined when it was used, is over, or was never made. */
export async function takeLink(
  { db, clock, keyring }: Omit<LinkApp, 'random'> & { readonly db: Db },
  token: string,
): Promise<string | undefined> {
  if (!isToken(token)) return undefined;
  const hash = tokenHash(keyring, 'link', token);
  const [taken] = await db.single((tx) =>
    tx.query<SignInLink>(sql`
      delete from sign_in_link where hash = ${hash} returning ${SIGN_IN_LINK.columns}`),
  );
  if (taken === undefined) return undefined;
  const { personId, expiresAt } = SIGN_IN_LINK.parse(taken);
  return Temporal.Instant.compare(expiresAt, clock.now()) > 0 ? personId : undefined;
}

/** Of whoever changed how he signs in. */
export function endLinks(tx: Tx, personId: string): void {
  tx.send(sql`delete from sign_in_link where person_id = ${personId}`);
}
