import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Refusal } from '#base/refusal.ts';
import { makeDirectory, syncDirectory } from '#runtime/private-file.ts';
import type { BackupPlace } from './backup-place.ts';

/** Nothing is made before something is written. */
export function openFolder(path: string): BackupPlace {
  const folder = resolve(path);
  return {
    name: folder,
    async list() {
      try {
        return await readdir(folder);
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return [];
        throw refuse(folder, 'cannot be read', error);
      }
    },
    async read(file) {
      return readFrom(join(folder, file));
    },
    async write(file, source) {
      try {
        makeDirectory(folder, 0o700);
        await writeWhole(join(folder, file), source);
        syncDirectory(folder);
      } catch (error) {
        if (error instanceof Refusal || codeOf(error) === undefined) throw error;
        const isFull = codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT';
        throw refuse(folder, isFull ? 'has no space left' : 'cannot be written', error);
      }
    },
    remove: (file) => rm(join(folder, file), { force: true }),
  };
}

async function* readFrom(path: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1_000_000 })) {
      yield chunk as Uint8Array;
    }
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw refuse(path, 'cannot be read', error);
  }
}

/** For its owner alone, and under its name when it is all on disk. */
async function writeWhole(path: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  const part = `${path}.part`;
  try {
    await using file = await open(part, 'w', 0o600);
    for await (const chunk of source) {
      for (let done = 0; done < chunk.length; ) {
        const { bytesWritten } = await file.write(chunk, done);
        done += bytesWritten;
      }
    }
    await file.sync();
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await rename(part, path);
}

/** Of a call of the system: E…; an error of the source has another one or none. */
function codeOf(error: unknown): string | undefined {
  const isOfSystem = error instanceof Error && 'syscall' in error && 'code' in error;
  return isOfSystem ? String(error.code) : undefined;
}

function refuse(path: string, what: string, cause: unknown): Refusal {
  const sentence = `${path} ${what} (${codeOf(cause) ?? String(cause)})`;
  return new Refusal('conflict', 'backup_place', sentence, { cause });
}
