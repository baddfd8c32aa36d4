// Where the databases of tests live: in memory where the system has room for it, else among the
// temporary files. Hundreds of databases are made and dropped, each of some 500 files: on a disk that
// takes four times as long. What a process wrote is there after kill -9 in both places.
import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';
import { isProcessAlive } from '#runtime/process-lock.ts';

const MEMORY = '/dev/shm';
const NAME = 'quittance-tests-';
const BYTES_FREE_LEAST = 4 * 1024 ** 3;

/** An empty directory; whoever asked for it removes it. Those of processes that were killed go here. */
export function makeDirectoryInMemory(): string {
  try {
    removeForgotten();
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize >= BYTES_FREE_LEAST) return mkdtempSync(join(MEMORY, `${NAME}${pid}-`));
  } catch {
    // There is none, or it is not ours to write to.
  }
  return mkdtempSync(join(tmpdir(), NAME));
}

function removeForgotten(): void {
  for (const name of readdirSync(MEMORY)) {
    const owner = name.startsWith(NAME) ? Number(name.slice(NAME.length).split('-')[0]) : pid;
    if (!isProcessAlive(owner)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}
