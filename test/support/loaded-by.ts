// What a program loads when it runs, file by file, read from the source.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ROOT } from './read-source.ts';

/** What is only a type is not there when it runs. */
const LOADS =
  /^(?:import|export)\s(?!type\s)[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

function importsOf(path: string): string[] {
  if (!path.startsWith('src/')) return [];
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(LOADS)].map(([, one, other, later]) => {
    const name = one ?? other ?? later ?? '';
    if (name.startsWith('#')) return `src/${name.slice(1)}`;
    return name.startsWith('.') ? normalize(join(dirname(path), name)) : name;
  });
}

/** Files of ours and packages that a program loads. */
export function loadedBy(program: string): readonly string[] {
  const seen = new Set<string>();
  const open = [program];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    open.push(...importsOf(path));
  }
  return [...seen].sort();
}
