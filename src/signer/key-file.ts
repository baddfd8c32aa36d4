// The signer's key file: the keys that can spend, those who may approve, and the key that seals the
// log, all under one passphrase. Beside them stands what each approver opens with a passphrase of
// their own. Guarantees: the file is only read when nobody but its owner can read it; what was
// changed in it without the passphrase is refused.

import { existsSync } from 'node:fs';
import { z } from 'zod';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { readPrivateFile, replacePrivateFile } from '#runtime/private-file.ts';
import {
  openSealedText,
  SEALED_TEXT,
  type SealCost,
  sealWithPassphrase,
} from '#runtime/sealed-text.ts';
import { SIGNER_KEY } from './open-key.ts';

const APPROVER = z.object({ name: z.string(), publicKey: z.string() });
/** A second person, with the Ed25519 key (hexadecimal) that proves an approval. */
export type Approver = z.infer<typeof APPROVER>;

const SECRETS = z.object({
  /** 32 bytes in hexadecimal: whoever lacks it cannot write a line of the log. */
  logKey: z.string(),
  keys: z.array(SIGNER_KEY),
  approvers: z.array(APPROVER),
});
export type SignerSecrets = z.infer<typeof SECRETS>;

const KEY_FILE = z.object({
  version: z.literal(1),
  sealed: SEALED_TEXT,
  approvers: z.array(z.object({ name: z.string(), sealed: SEALED_TEXT })),
});
type KeyFile = z.infer<typeof KEY_FILE>;

type Sealing = { readonly random: Random; readonly cost: SealCost };

const SIZE_MAX = 1024 * 1024;
const LABEL = 'keys';

/** @throws Refusal when it is missing, open to others, changed, or under another passphrase. */
export function openSignerKeys(path: string, passphrase: string): SignerSecrets {
  const { sealed } = readFile(path);
  return SECRETS.parse(JSON.parse(openSealedText(sealed, passphrase, LABEL)));
}

/** An empty one. @throws Refusal when there is a file already. */
export function createSignerKeys(path: string, passphrase: string, sealing: Sealing): void {
  if (existsSync(path)) {
    throw new Refusal('conflict', 'signer_file', `there is a key file already: ${path}`);
  }
  const secrets = { logKey: sealing.random.bytes(32).toHex(), keys: [], approvers: [] };
  writeFile(path, { version: 1, approvers: [], sealed: seal(secrets, passphrase, sealing) });
}

/**
 * Opens it, lets `change` make another one of it, and writes that. `newPassphrase`: where it is to
 * be another one from now on.
 * @throws Refusal
 */
export function changeSignerKeys(
  path: string,
  passphrase: string,
  sealing: Sealing,
  change: (secrets: SignerSecrets) => SignerSecrets,
  newPassphrase: string = passphrase,
): SignerSecrets {
  const file = readFile(path);
  const secrets = change(openSignerKeys(path, passphrase));
  const names = new Set(secrets.approvers.map(({ name }) => name));
  const approvers = file.approvers.filter(({ name }) => names.has(name));
  writeFile(path, { ...file, approvers, sealed: seal(secrets, newPassphrase, sealing) });
  return secrets;
}

/** The approver's own secret, which the passphrase of the file does not open. */
export function sealApproverSecret(
  path: string,
  name: string,
  secret: string,
  passphrase: string,
  sealing: Sealing,
): void {
  const file = readFile(path);
  const others = file.approvers.filter((one) => one.name !== name);
  const sealed = sealWithPassphrase(secret, passphrase, approverLabel(name), sealing);
  writeFile(path, { ...file, approvers: [...others, { name, sealed }] });
}

/** @throws Refusal when there is no such approver, or the passphrase is another one. */
export function openApproverSecret(path: string, name: string, passphrase: string): string {
  const found = readFile(path).approvers.find((one) => one.name === name);
  if (found !== undefined) return openSealedText(found.sealed, passphrase, approverLabel(name));
  throw new Refusal('missing', 'approver_missing', `there is no approver ${name}`);
}

function approverLabel(name: string): string {
  return `approver ${name}`;
}

function seal(secrets: SignerSecrets, passphrase: string, sealing: Sealing) {
  return sealWithPassphrase(JSON.stringify(secrets), passphrase, LABEL, sealing);
}

function readFile(path: string): KeyFile {
  const text = readPrivateFile(path, SIZE_MAX);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The cause is left out, because it would quote the file.
    throw malformed(path);
  }
  const read = KEY_FILE.safeParse(content);
  if (!read.success) throw malformed(path);
  return read.data;
}

function writeFile(path: string, file: KeyFile): void {
  replacePrivateFile(path, `${JSON.stringify(file, undefined, 2)}\n`);
}

function malformed(path: string): Refusal {
  return new Refusal('conflict', 'signer_file', `${path} is no key file of the signer`);
}
