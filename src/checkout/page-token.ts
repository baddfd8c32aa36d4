// The token in the address of a hosted page: 192 bits, derived from the id under the key file, so
// the database holds only its hash and a copy of the database opens no page (H4).

import { hash } from 'node:crypto';

export type PageTokenKeys = { mac(purpose: 'page-token', bytes: Uint8Array): Uint8Array };

const TOKEN_BYTES = 24;
const encoder = new TextEncoder();

/** 32 characters of base64url. */
export function pageToken(keyring: PageTokenKeys, checkoutId: string): string {
  const mac = keyring.mac('page-token', encoder.encode(checkoutId));
  return Buffer.from(mac.subarray(0, TOKEN_BYTES)).toString('base64url');
}

export function pageTokenHash(token: string): Uint8Array {
  return hash('sha256', token, 'buffer');
}

/**
 * Where the pages of a checkout are: decided when it is created, so that every answer and webhook
 * names the same address.
 */
export function pageOrigin(
  app: { readonly publicUrl: string },
  checkout: { readonly pageOrigin: string | undefined },
): string {
  return checkout.pageOrigin ?? app.publicUrl;
}

/** api-contract.md 9. */
export function hostedCheckoutUrl(origin: string, language: string, token: string): string {
  return `${origin}/${language}/checkout/${token}`;
}
