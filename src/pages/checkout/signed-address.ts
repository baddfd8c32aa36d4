// Where to pay, signed with the key of this installation, so that whoever has its public key can
// tell an address of ours from one that somebody put in its place. Pure. Guarantees: network,
// address and memo or tag are signed together, each on a line of its own, so that no two of them
// are the same text; a signature is good for exactly one of them.

import { createPublicKey, verify } from 'node:crypto';
import type { Commitment } from '#checkout/checkout.ts';

export type SignedPlace = {
  readonly network: string;
  readonly address: string;
  /** Or a destination tag; empty where there is none. */
  readonly memo: string;
};

type SigningKeys = { sign(bytes: Uint8Array): Uint8Array };

export function placeToPay({ network, instruction }: Commitment): SignedPlace {
  const { address, memo, destinationTag } = instruction;
  return { network, address, memo: destinationTag?.toString() ?? memo ?? '' };
}

/** In base64url: 86 signs. */
export function signPlace(keyring: SigningKeys, place: SignedPlace): string {
  return Buffer.from(keyring.sign(textOf(place))).toString('base64url');
}

/** `publicKey`: 32 bytes (RFC 8032). */
export function isSignedPlace(
  publicKey: Uint8Array,
  place: SignedPlace,
  signature: string,
): boolean {
  if (!/^[A-Za-z0-9_-]{86}$/.test(signature)) return false;
  if (Object.values(place).some((part) => part.includes('\n'))) return false;
  const x = Buffer.from(publicKey).toString('base64url');
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
  return verify(null, textOf(place), key, Buffer.from(signature, 'base64url'));
}

function textOf({ network, address, memo }: SignedPlace): Uint8Array {
  return new TextEncoder().encode(`quittance address v1\n${network}\n${address}\n${memo}\n`);
}

export function verifyAddressPath(place: SignedPlace, signature: string): string {
  return `/verify/address?${new URLSearchParams({ ...place, signature })}`;
}
