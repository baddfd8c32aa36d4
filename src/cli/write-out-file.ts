// Where a command writes what it was asked for with --out.
import { writeFileSync } from 'node:fs';
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal('invalid', 'usage', [`--out: ${path} cannot be written (${reason})`]);
  }
}
