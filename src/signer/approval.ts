// A second person's agreement: an Ed25519 signature over what an order is for, by a key that only
// that person's passphrase opens.

import { ed25519 } from '@noble/curves/ed25519.js';
import type { Random } from '#base/random.ts';

type ApproverPair = { readonly publicKey: string; readonly secret: string };

/** Both in hexadecimal. */
export function newApproverPair(random: Random): ApproverPair {
  const secret = random.bytes(32);
  return { secret: secret.toHex(), publicKey: ed25519.getPublicKey(secret).toHex() };
}

export function approve(digest: string, secret: string): string {
  return ed25519.sign(messageOf(digest), Buffer.from(secret, 'hex')).toHex();
}

export function isApproval(signature: string, digest: string, publicKey: string): boolean {
  try {
    const [bytes, key] = [signature, publicKey].map((text) => Buffer.from(text, 'hex'));
    return (
      bytes !== undefined && key !== undefined && ed25519.verify(bytes, messageOf(digest), key)
    );
  } catch {
    // No signature, or no point of the curve.
    return false;
  }
}

/** What a person types; of two orders with one code the person sees which it is. */
export function codeOf(digest: string): string {
  return (digest.slice(0, 16).match(/.{4}/g) ?? []).join('-');
}

function messageOf(digest: string): Buffer {
  return Buffer.from(`quittance signer: approved ${digest}`);
}
