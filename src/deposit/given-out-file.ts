// The record of what was given out, outside the database: a restored database does not know what
// it gave out after the backup was made, this file does. It lies beside the key file and is not to
// be restored with the database.
//
// One line a change, appended: `{"source":"live:BITCOIN wpkh(…)","next":"27"}`, everything below
// `next` may have been given out. Guarantees: what `keep` promised is on disk; several processes
// may append to the same file; a line that was torn by a crash spoils no other.

import { constants } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal } from '#base/refusal.ts';
import { createBatch } from '#runtime/batch.ts';

type GivenOutFile = {
  /** What was kept, as far as this process knows; undefined when nothing ever was. */
  nextOf(source: string): bigint | undefined;
  /** Resolves when it is on disk. */
  keep(source: string, next: bigint): Promise<void>;
};

type Line = { readonly source: string; readonly next: bigint };

const LINES_AT_ONCE = 1_000;

/** @throws Refusal when there is a file that cannot be read. */
export async function openGivenOutFile(path: string): Promise<GivenOutFile> {
  const kept = new Map<string, bigint>();
  const note = ({ source, next }: Line) => {
    if ((kept.get(source) ?? -1n) < next) kept.set(source, next);
  };
  const { text, isMissing } = await readIfThere(path);
  for (const line of text.split('\n')) {
    const read = readLine(line);
    if (read !== undefined) note(read);
  }
  let isNew = isMissing;

  const write = createBatch<Line, void>({
    most: LINES_AT_ONCE,
    atOnce: 1,
    async run(lines) {
      const highest = new Map<string, bigint>();
      for (const { source, next } of lines) {
        if ((highest.get(source) ?? -1n) < next) highest.set(source, next);
      }
      const wanted = [...highest].filter(([source, next]) => (kept.get(source) ?? -1n) < next);
      if (wanted.length > 0) {
        const texts = wanted.map(([source, next]) => JSON.stringify({ source, next: `${next}` }));
        // The line break at the start ends an incomplete line that a crash may have left.
        await appendAndSync(path, `\n${texts.join('\n')}\n`);
        if (isNew) await syncDirectory(dirname(path));
        isNew = false;
        for (const [source, next] of wanted) note({ source, next });
      }
      return lines.map(() => undefined);
    },
  });
  return {
    nextOf: (source) => kept.get(source),
    async keep(source, next) {
      if ((kept.get(source) ?? -1n) >= next) return;
      await write({ source, next });
    },
  };
}

async function readIfThere(path: string): Promise<{ text: string; isMissing: boolean }> {
  try {
    return { text: await readFile(path, 'utf8'), isMissing: false };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    if (code === 'ENOENT') return { text: '', isMissing: true };
    const sentence = `the record of what was given out, ${path}, cannot be read (${code})`;
    throw new Refusal('conflict', 'given_out_file', sentence, { cause: error });
  }
}

function readLine(text: string): Line | undefined {
  try {
    const { source, next } = Object(JSON.parse(text)) as { source?: unknown; next?: unknown };
    const isWhole = typeof source === 'string' && typeof next === 'string' && /^\d+$/.test(next);
    return isWhole ? { source, next: BigInt(next) } : undefined;
  } catch {
    return undefined;
  }
}

async function appendAndSync(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { O_APPEND, O_CREAT, O_WRONLY } = constants;
  const file = await open(path, O_APPEND | O_CREAT | O_WRONLY, 0o600);
  try {
    await file.appendFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
