// Where the secret of the first key is written: a file that only its owner reads. What a server
// prints ends in logs that many read and nobody deletes.

import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '#base/make-directory.ts';
import { Refusal } from '#base/refusal.ts';

const FILE = 'first-key.json';

export function firstKeyFile(dataDirectory: string): string {
  return join(dataDirectory, FILE);
}

export type FirstKey = { readonly key: string; readonly secret: string };

/** Replaces one that an earlier database left. @throws Refusal with one line. */
export function writeFirstKeyFile(dataDirectory: string, { key, secret }: FirstKey): void {
  const path = firstKeyFile(dataDirectory);
  try {
    makeDirectory(dataDirectory, 0o700);
    rmSync(path, { force: true });
    const file = openSync(path, 'wx', 0o600);
    try {
      writeFileSync(file, `${JSON.stringify({ key, secret })}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const message = `the secret of the first key cannot be written to ${path} (${code})`;
    throw new Refusal('conflict', 'first_key_file', message, { cause: error });
  }
}
