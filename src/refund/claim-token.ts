// The token in the link by which a payer claims a refund: 192 bits, derived from the id under the
// key file, so the database holds only its hash and a copy of the database claims nothing.

import { createHash } from 'node:crypto';
import type { PageTokenKeys } from '#checkout/page-token.ts';

const TOKEN_BYTES = 24;

/** 32 characters of base64url. What is derived from never is an id of a checkout. */
export function claimToken(keyring: PageTokenKeys, refundId: string): string {
  const mac = keyring.mac('page-token', new TextEncoder().encode(`refund/${refundId}`));
  return Buffer.from(mac.subarray(0, TOKEN_BYTES)).toString('base64url');
}

export function claimTokenHash(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}

export function claimUrl(origin: string, language: string, token: string): string {
  return `${origin}/${language}/refund/${token}`;
}
