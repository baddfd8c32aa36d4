// Files that nobody but their owner may read: refused when others may, and replaced as a whole.

import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { platform } from 'node:os';
import { dirname, resolve } from 'node:path';
import { Refusal } from '#base/refusal.ts';

const HAS_MODES = platform() !== 'win32';
const OTHERS = 0o077;

/** Its text. @throws Refusal when it is missing, too large, no file, or open to group or others. */
export function readPrivateFile(path: string, bytesMost: number): string {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw refuse(path, `cannot be opened (${codeOf(error)})`, error);
  }
  try {
    requirePrivate(path, file);
    if (fstatSync(file).size > bytesMost)
      throw refuse(path, 'is too large to be what it should be');
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** The open file is examined, not the path: nobody can swap it in between. @throws Refusal */
export function requirePrivate(path: string, file: number): void {
  const status = fstatSync(file);
  if (!status.isFile()) throw refuse(path, 'is no ordinary file');
  if (HAS_MODES && (status.mode & OTHERS) !== 0) {
    const mode = (status.mode & 0o777).toString(8);
    throw refuse(path, `is open to others (mode 0${mode}): chmod 600 it`);
  }
}

/** The old or the new text is there, whole and on disk, whenever the power fails. */
export function replacePrivateFile(path: string, text: string): void {
  const draft = `${path}.new`;
  try {
    const file = openSync(draft, 'w', 0o600);
    try {
      fchmodSync(file, 0o600);
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
    syncDirectory(dirname(path));
  } catch (error) {
    throw refuse(path, `cannot be written (${codeOf(error)})`, error);
  }
}

/** What was made or renamed in it outlives a power failure. */
export function syncDirectory(path: string): void {
  if (!HAS_MODES) return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

function refuse(path: string, fault: string, cause?: unknown): Refusal {
  return new Refusal('conflict', 'private_file', `${path} ${fault}`, { cause });
}

/**
 * Makes a directory and those above it. One at a time: `recursive` of Node tries for ever where the
 * parent is there and nothing can be made in it (below /proc).
 * @throws Error of the system: also ENOTDIR where a file is in the way.
 */
export function makeDirectory(path: string, mode: number): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing.push(at);
  for (const directory of missing.reverse()) {
    try {
      mkdirSync(directory, { mode });
    } catch (error) {
      // Another process made it first.
      if (!existsSync(directory)) throw error;
    }
  }
  if (!statSync(path).isDirectory()) {
    throw Object.assign(new Error(`${path} is a file, no directory`), { code: 'ENOTDIR' });
  }
}
