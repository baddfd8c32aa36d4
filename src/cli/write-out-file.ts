// Where a command writes what it was asked for with --out.
import { closeSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
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
