// Every secret at rest goes through here. The key file holds 32 random bytes outside the database;
// from them come the key that wraps each owner's data key and one key per kind of MAC. A copy of
// the database without the key file gives nothing away (X3); the key file without the database
// neither. Losing the key file loses every sealed secret: it belongs in the backup, apart from the
// database. Not guaranteed: anything against who can read this process' memory.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { makeDirectory } from '#runtime/private-file.ts';

/** Purposes whose MACs must never be interchangeable. */
export const MAC_PURPOSES = [
  'basic',
  'page-token',
  'receipt',
  'instruction',
  'payer-transaction',
  'beneficiary',
  'transfer',
  'settlement-rule',
  'approval',
  'act',
  'key-check',
  'staff',
  'mail',
  'sandbox',
] as const;
type MacPurpose = (typeof MAC_PURPOSES)[number];

/** 32 bytes that seal the secrets of one owner; does not print itself. */
export type DataKey = KeyObject;

/**
 * What a sealed value is for and which row it stands in, for example
 * `[merchantId, 'api-secret', key]`. A value moved to another row does not open.
 */
export type SealLabel = readonly string[];

export type Keyring = {
  /** A fresh data key and its wrapped form for the database, bound to the owner's id. */
  newDataKey(ownerId: string): { readonly dataKey: DataKey; readonly sealed: Uint8Array };
  /** @throws UnsealFailure */
  openDataKey(ownerId: string, sealed: Uint8Array): DataKey;
  /** AES-256-GCM with a random nonce of 96 bits: the same text never seals to the same bytes. */
  seal(dataKey: DataKey, label: SealLabel, plaintext: Uint8Array): Uint8Array;
  /** @throws UnsealFailure when key, label or bytes are not those of `seal`. */
  unseal(dataKey: DataKey, label: SealLabel, sealed: Uint8Array): Uint8Array;
  /** HMAC-SHA256, 32 bytes, under a key of its own for each purpose. */
  mac(purpose: MacPurpose, bytes: Uint8Array): Uint8Array;
  /** Ed25519 (RFC 8032), 64 bytes: for what others check without a secret of ours. */
  sign(bytes: Uint8Array): Uint8Array;
  /** Of `sign`: 32 bytes that may be published. */
  readonly publicKey: Uint8Array;
};

/** Somebody changed or moved a sealed value, or the key file is not the one it was sealed under. */
class UnsealFailure extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`cannot unseal ${what}: changed, moved, or sealed under another key file`, options);
    this.name = 'UnsealFailure';
  }
}

const formatVersion = 1;
const nonceLength = 12;
const tagLength = 16;
const openedKeysMax = 1000;

/**
 * Reads the key file, or makes it when there is none and `create` is given.
 * @throws Refusal with one line when it is missing, malformed, or not private to its owner.
 */
export function openKeyring(
  path: string,
  random: Random,
  options: { readonly create?: boolean } = {},
): Keyring {
  return keyringOf(readKeyFile(path, random, options), random);
}

export function keyringOf(rootKey: Uint8Array, random: Random): Keyring {
  const wrappingKey = deriveKey(rootKey, 'wrap');
  const macKeys = new Map(
    MAC_PURPOSES.map((purpose) => [purpose, deriveKey(rootKey, `mac/${purpose}`)]),
  );
  // Keyed by the wrapped bytes themselves, so an entry can never be stale.
  const opened = new Map<string, DataKey>();
  const wrapLabel = (ownerId: string) => [ownerId, 'data-key'];
  const signingKey = ed25519Key(deriveKey(rootKey, 'sign'));
  const { x = '' } = createPublicKey(signingKey).export({ format: 'jwk' });
  return {
    newDataKey(ownerId) {
      const bytes = random.bytes(32);
      const sealed = encrypt(wrappingKey, wrapLabel(ownerId), bytes, random);
      return { dataKey: createSecretKey(bytes), sealed };
    },
    openDataKey(ownerId, sealed) {
      const cacheKey = `${ownerId}/${sealed.toHex()}`;
      const known = opened.get(cacheKey);
      if (known !== undefined) return known;
      const dataKey = createSecretKey(decrypt(wrappingKey, wrapLabel(ownerId), sealed));
      if (opened.size >= openedKeysMax) opened.delete(opened.keys().next().value ?? '');
      opened.set(cacheKey, dataKey);
      return dataKey;
    },
    seal: (dataKey, label, plaintext) => encrypt(dataKey, label, plaintext, random),
    unseal: (dataKey, label, sealed) => decrypt(dataKey, label, sealed),
    mac: (purpose, bytes) =>
      new Uint8Array(createHmac('sha256', macKeys.get(purpose)!).update(bytes).digest()),
    sign: (bytes) => new Uint8Array(sign(null, bytes, signingKey)),
    publicKey: Uint8Array.fromBase64(x, { alphabet: 'base64url' }),
  };
}

/** RFC 8410: what stands before the 32 bytes of a private key in PKCS #8. */
const PKCS8_HEAD = '302e020100300506032b657004220420';

function ed25519Key(seed: KeyObject): KeyObject {
  const der = Buffer.concat([Buffer.from(PKCS8_HEAD, 'hex'), seed.export()]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

function deriveKey(rootKey: Uint8Array, purpose: string): KeyObject {
  const info = `quittance/v1/${purpose}`;
  return createSecretKey(new Uint8Array(hkdfSync('sha256', rootKey, new Uint8Array(0), info, 32)));
}

/**
 * version, nonce, tag, ciphertext. JSON makes the label unambiguous: no two labels share a text.
 */
function encrypt(
  key: KeyObject,
  label: SealLabel,
  plaintext: Uint8Array,
  random: Random,
): Uint8Array {
  const nonce = random.bytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  cipher.setAAD(associatedData(label));
  const parts = [cipher.update(plaintext), cipher.final()];
  const head = Uint8Array.of(formatVersion);
  return new Uint8Array(Buffer.concat([head, nonce, cipher.getAuthTag(), ...parts]));
}

function decrypt(key: KeyObject, label: SealLabel, sealed: Uint8Array): Uint8Array {
  const what = label.slice(1).join(' ');
  const tagStart = 1 + nonceLength;
  const textStart = tagStart + tagLength;
  if (sealed.length < textStart || sealed[0] !== formatVersion) throw new UnsealFailure(what);
  const nonce = sealed.subarray(1, tagStart);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  decipher.setAAD(associatedData(label));
  decipher.setAuthTag(sealed.subarray(tagStart, textStart));
  try {
    const parts = [decipher.update(sealed.subarray(textStart)), decipher.final()];
    return new Uint8Array(Buffer.concat(parts));
  } catch (error) {
    throw new UnsealFailure(what, { cause: error });
  }
}

function associatedData(label: SealLabel): Uint8Array {
  return Buffer.from(JSON.stringify([formatVersion, ...label]));
}

// The key file: JSON with a version and 32 random bytes in base64, readable by its owner only.
const keyLength = 32;
const sizeMax = 4096;
const hasModes = platform() !== 'win32';

/**
 * @throws Refusal with one line: missing (and `create` not given), malformed, not an ordinary file,
 * or with any permission for group or others.
 */
function readKeyFile(
  path: string,
  random: Random,
  { create = false }: { readonly create?: boolean } = {},
): Uint8Array {
  try {
    return readExisting(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw refusalOf(path, error);
    if (!create) throw refuse(path, 'does not exist', error);
  }
  try {
    createKeyFile(path, random);
    return readExisting(path);
  } catch (error) {
    throw refusalOf(path, error);
  }
}

function readExisting(path: string): Uint8Array {
  // The open file is examined, not the path: nobody can swap it in between.
  const file = openSync(path, 'r');
  try {
    const status = fstatSync(file);
    if (!status.isFile()) throw refuse(path, 'is not an ordinary file');
    const mode = status.mode & 0o777;
    if (hasModes && (mode & 0o077) !== 0) {
      throw refuse(path, `is open to others (mode 0${mode.toString(8)}): chmod 600 it`);
    }
    if (status.size > sizeMax) throw refuse(path, 'is not a key file');
    return parseKey(path, readFileSync(file, 'utf8'));
  } finally {
    closeSync(file);
  }
}

function parseKey(path: string, text: string): Uint8Array {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The cause of the error is left out, because it would quote the content of the key file.
    throw refuse(path, 'is malformed');
  }
  const { version, key } = Object(content) as { version?: unknown; key?: unknown };
  if (version !== 1) throw refuse(path, 'is malformed or of an unknown version');
  const isBase64 = typeof key === 'string' && /^[A-Za-z0-9+/]{43}=$/.test(key);
  const bytes = isBase64 ? new Uint8Array(Buffer.from(key, 'base64')) : undefined;
  if (bytes?.length !== keyLength) throw refuse(path, 'does not hold a key of 32 bytes');
  return bytes;
}

/**
 * Complete or absent, on disk, and never over an existing one: link fails when the name is taken.
 */
function createKeyFile(path: string, random: Random): void {
  const key = Buffer.from(random.bytes(keyLength)).toString('base64');
  makeDirectory(dirname(path), 0o700);
  const draft = `${path}.${random.bytes(6).toHex()}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, `${JSON.stringify({ version: 1, key })}\n`);
    fsyncSync(file);
    linkSync(draft, path);
  } catch (error) {
    // Another process made the file first: its key is the one to use.
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    closeSync(file);
    rmSync(draft);
  }
  if (hasModes) syncDirectory(dirname(path));
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function refusalOf(path: string, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return refuse(path, `cannot be used (${code})`, error);
}

function refuse(path: string, fault: string, cause?: unknown): Refusal {
  return new Refusal('conflict', 'key_file', `the key file ${path} ${fault}`, { cause });
}
