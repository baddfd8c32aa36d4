import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

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
