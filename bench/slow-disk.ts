// A disk that writes slowly, in place of the one that there is: PostgreSQL waits so long after each
// fdatasync of its log. Both sides of a figure meet it.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const SOURCE = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
int fdatasync(int file) {
  static int (*write_through)(int);
  if (!write_through) write_through = dlsym(RTLD_NEXT, "fdatasync");
  int outcome = write_through(file);
  const char *ms = getenv("BENCH_DISK_MS");
  if (ms) usleep(atoi(ms) * 1000);
  return outcome;
}
`;

/** For every PostgreSQL started from now on. @throws Error where there is no C compiler */
export function slowDisk(milliseconds: number): void {
  const directory = mkdtempSync(join(tmpdir(), 'quittance-slow-disk-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  const source = join(directory, 'slow-disk.c');
  const library = join(directory, 'slow-disk.so');
  writeFileSync(source, SOURCE);
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl']);
  } catch {
    throw new Error('--disk-ms needs a C compiler (cc): apt-get install gcc libc6-dev');
  }
  // PostgreSQL runs as another user where we are root.
  chmodSync(directory, 0o755);
  process.env.LD_PRELOAD = library;
  process.env.BENCH_DISK_MS = String(milliseconds);
}
