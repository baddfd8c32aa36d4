// Format, lint (Biome) and types (tsc). Returns how many of them failed.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './setup.mjs';

const checks = [
  ['Format and lint', ['@biomejs/biome', 'bin', 'biome'], ['check']],
  // Beside its threads the compiler does half of the work once more for each.
  ['Types', ['typescript', 'bin', 'tsc'], ['--noEmit', '--singleThreaded']],
];

export function runChecks(node) {
  let failed = 0;
  for (const [name, program, parameters] of checks) {
    console.log(`\n== ${name}`);
    const file = path.join(root, 'node_modules', ...program);
    const { status } = spawnSync(node, [file, ...parameters], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (status === 0) continue;
    console.log(`${name}: failed`);
    failed += 1;
  }
  return failed;
}
