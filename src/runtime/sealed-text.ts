// A text under a passphrase: argon2id (RFC 9106) makes the key, AES-256-GCM seals. The figures
// stand beside what is sealed and are sealed with it, so that they can be raised later and not
// lowered by anybody who has the file alone.

import { argon2Sync, createCipheriv, createDecipheriv } from 'node:crypto';
import { z } from 'zod';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { codePointLength } from '#base/text.ts';

/** What one guess costs whoever has the file. */
export type SealCost = { readonly memoryKib: number; readonly passes: number };

/** A quarter of a gigabyte and about a second: RFC 9106 asks for at least 64 MiB and 3 passes. */
export const STRONG_SEAL: SealCost = { memoryKib: 256 * 1024, passes: 3 };

export const SEALED_TEXT = z.object({
  kdf: z.literal('argon2id'),
  memoryKib: z
    .int()
    .min(8)
    .max(4 * 1024 * 1024),
  passes: z.int().min(1).max(100),
  salt: z.base64(),
  nonce: z.base64(),
  sealed: z.base64(),
});
type SealedText = z.infer<typeof SEALED_TEXT>;

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PASSPHRASE_LEAST = 12;

/**
 * `label` says what it is: sealed for one place, it does not open in another.
 * @throws Refusal invalid `passphrase_weak`
 */
export function sealWithPassphrase(
  text: string,
  passphrase: string,
  label: string,
  { random, cost }: { readonly random: Random; readonly cost: SealCost },
): SealedText {
  if (codePointLength(passphrase) < PASSPHRASE_LEAST) {
    throw new Refusal('invalid', 'passphrase_weak', [
      `a passphrase has at least ${PASSPHRASE_LEAST} characters: five random words are good`,
    ]);
  }
  const salt = base64Of(random.bytes(SALT_BYTES));
  const nonce = random.bytes(NONCE_BYTES);
  const figures = { kdf: 'argon2id', ...cost, salt } as const;
  const cipher = createCipheriv(CIPHER, keyOf(passphrase, figures), nonce);
  cipher.setAAD(labelOf(label, figures));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { ...figures, nonce: base64Of(nonce), sealed: body.toString('base64') };
}

/** @throws Refusal forbidden `passphrase_wrong`, also when the file was changed. */
export function openSealedText(
  { nonce, sealed, ...figures }: SealedText,
  passphrase: string,
  label: string,
): string {
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const key = keyOf(passphrase, figures);
    const iv = Buffer.from(nonce, 'base64');
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
    decipher.setAAD(labelOf(label, figures));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const opened = Buffer.concat([
      decipher.update(bytes.subarray(0, -TAG_BYTES)),
      decipher.final(),
    ]);
    return opened.toString('utf8');
  } catch (error) {
    throw new Refusal(
      'forbidden',
      'passphrase_wrong',
      'the passphrase is wrong, or the key file was changed',
      { cause: error },
    );
  }
}

type Figures = Omit<SealedText, 'nonce' | 'sealed'>;

function keyOf(passphrase: string, { memoryKib, passes, salt }: Figures): Buffer {
  return argon2Sync('argon2id', {
    // The same letters can be typed as one character or as two.
    message: passphrase.normalize('NFKC'),
    nonce: Buffer.from(salt, 'base64'),
    parallelism: 1,
    memory: memoryKib,
    passes,
    tagLength: KEY_BYTES,
  });
}

function labelOf(label: string, { kdf, memoryKib, passes, salt }: Figures): Buffer {
  return Buffer.from(JSON.stringify(['quittance signer', 1, label, kdf, memoryKib, passes, salt]));
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
