// The key file: JSON with a version and 32 random bytes in base64, readable by its owner only.
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
import { makeDirectory } from '#runtime/make-directory.ts';

const keyLength = 32;
const sizeMax = 4096;
const hasModes = platform() !== 'win32';

/**
 * @throws Refusal with one line: missing (and `create` not given), malformed, not an ordinary file,
 * or with any permission for group or others.
 */
export function readKeyFile(
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
