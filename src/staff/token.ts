// Tokens that a person carries (the cookie of a session, the link of an invitation, a recovery
// code): the database holds their keyed hash alone, so that a copy of it opens nothing.

import { createHash } from 'node:crypto';
import type { Random } from '#base/random.ts';
import type { Keyring } from '#installation/keyring.ts';

export type TokenKeys = Pick<Keyring, 'mac'>;

/** What each is for: the same text is another token elsewhere. */
type TokenKind =
  | 'session'
  | 'step'
  | 'link'
  | 'invitation'
  | 'recovery'
  | 'guess'
  | 'form'
  | 'device';

const TOKEN_BYTES = 32;

/** 256 bits, base64url. */
export function newToken(random: Random): string {
  return random.bytes(TOKEN_BYTES).toBase64({ alphabet: 'base64url', omitPadding: true });
}

export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

export function tokenHash(keyring: TokenKeys, kind: TokenKind, token: string): Uint8Array {
  return keyring.mac('staff', new TextEncoder().encode(JSON.stringify([kind, token])));
}

/** For what is shown in place of one: the first digits of a plain hash. */
export function shortName(hash: Uint8Array): string {
  return createHash('sha256').update(hash).digest('hex').slice(0, 12);
}
