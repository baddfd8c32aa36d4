import { createHash } from 'node:crypto';
import { newApiSecret } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import type { DataKey, Keyring } from './keyring.ts';
import { sealText, unsealText } from './merchant-secret.ts';

/** The `X-Basic` value of service.md: lower-case hex SHA-256 over `<API_KEY>:<API_SECRET>`. */
export function basicValue(key: string, secret: string): string {
  return createHash('sha256').update(`${key}:${secret}`).digest('hex');
}

/** The value is a credential like the secret itself: only its keyed hash is stored. */
export function basicHash(keyring: Keyring, value: string): Uint8Array {
  return keyring.mac('basic', Buffer.from(value));
}

export type SealedApiSecret = { readonly sealedSecret: Uint8Array; readonly basicHash: Uint8Array };

type KeyOwner = { readonly merchantId: string; readonly key: string };

export function newSealedSecret(
  keyring: Keyring,
  random: Random,
  dataKey: DataKey,
  owner: KeyOwner,
): { readonly secret: string; readonly sealed: SealedApiSecret } {
  const secret = newApiSecret(random);
  const hash = basicHash(keyring, basicValue(owner.key, secret));
  const sealedSecret = sealText(keyring, dataKey, labelOf(owner, hash), secret);
  return { secret, sealed: { sealedSecret, basicHash: hash } };
}

/** @throws UnsealFailure */
export function openSecret(
  keyring: Keyring,
  dataKey: DataKey,
  owner: KeyOwner,
  { sealedSecret, basicHash }: SealedApiSecret,
): string {
  return unsealText(keyring, dataKey, labelOf(owner, basicHash), sealedSecret);
}

/** The hash differs from secret to secret of the same key: two of them cannot be swapped either. */
function labelOf({ merchantId, key }: KeyOwner, hash: Uint8Array): readonly string[] {
  return [merchantId, 'api-secret', key, hash.toHex()];
}
