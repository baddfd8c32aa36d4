// Format, lint (Biome) and types (tsc), beside whatever else runs: what each said is printed as a
// whole when it has ended. Returns how many of them failed.
import { spawn } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { root } from './setup.mjs';

const checks = [
  ['Format and lint', ['@biomejs/biome', 'bin', 'biome'], ['check']],
  // Beside its threads the compiler does half of the work once more for each.
  ['Types', ['typescript', 'bin', 'tsc'], ['--noEmit', '--singleThreaded']],
  [
    'Types of the client library',
    ['typescript', 'bin', 'tsc'],
    ['--project', 'clients/typescript', '--singleThreaded'],
  ],
  // The plugins themselves are compiled where their shop programs are installed.
  [
    'Types of what plugins share',
    ['typescript', 'bin', 'tsc'],
    ['--project', 'shops', '--singleThreaded'],
  ],
];

export async function runChecks(node, { signal } = {}) {
  const failures = await Promise.all(checks.map((check) => runCheck(node, check, signal)));
  return failures.filter((hasFailed) => hasFailed).length;
}

async function runCheck(node, [name, program, parameters], signal) {
  const file = path.join(root, 'node_modules', ...program);
  const child = spawn(node, [file, ...parameters], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => said.push(part));
  child.on('error', (error) => said.push(Buffer.from(`${error.message}\n`)));
  const code = await new Promise((resolve) => child.once('close', resolve));
  console.log(`\n== ${name}`);
  process.stdout.write(Buffer.concat(said));
  if (code !== 0) console.log(`${name}: failed`);
  return code !== 0;
}
