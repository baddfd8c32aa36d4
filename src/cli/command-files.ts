// Where a command writes what it was asked for with --out.

import { closeSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Refusal } from '#base/refusal.ts';

type OutOptions = {
  readonly encoding?: BufferEncoding;
  /** For its owner alone: it says whom money goes to. */
  readonly isPrivate?: boolean;
};

/** Takes the place of a file that is there. @throws Refusal invalid `usage` that names the file. */
export function writeOutFile(
  path: string,
  text: string,
  { encoding = 'utf8', isPrivate = false }: OutOptions = {},
): void {
  try {
    writeFileSync(path, Buffer.from(text, encoding), isPrivate ? { mode: 0o600 } : {});
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/**
 * Piece by piece, beside the file that is there, whose place it takes when it is whole.
 * @throws Refusal invalid `usage` that names the file.
 */
export async function writeOutPages(path: string, pages: AsyncIterable<string>): Promise<void> {
  const part = `${path}.part`;
  const file = openPart(path, part);
  try {
    for await (const text of pages) writeAll(path, file, Buffer.from(text));
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function openPart(path: string, part: string): number {
  try {
    return openSync(part, 'w');
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** A disk that is full says so by writing less. */
function writeAll(path: string, file: number, bytes: Uint8Array): void {
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function cannotWrite(path: string, error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : String(error);
  return new Refusal('invalid', 'usage', [`--out: ${path} cannot be written (${reason})`]);
}

/**
 * The file, or one byte more than `bytesMax` of it, so that whoever reads it can tell that it is
 * too large: a device or a film is not read to its end. @throws Refusal of the field
 */
export async function readBoundedFile(
  path: string,
  bytesMax: number,
  field: string,
): Promise<Uint8Array> {
  try {
    await using file = await open(path);
    const buffer = new Uint8Array(bytesMax + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new Refusal('invalid', field, [`${path} cannot be read: ${reason}`]);
  }
}

/** The same of a file, or of what is piped in where it is called `-`. @throws Refusal */
export async function readBoundedInput(
  path: string,
  bytesMax: number,
  field: string,
): Promise<Uint8Array> {
  if (path !== '-') return readBoundedFile(path, bytesMax, field);
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of process.stdin) {
    parts.push(Buffer.from(part));
    length += part.length;
    if (length > bytesMax) break;
  }
  return Buffer.concat(parts);
}
