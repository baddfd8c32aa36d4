import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const folder = import.meta.dirname;
const program = `
  const names = ['#money/decimal.ts', '#test/support/manual-clock.ts', './seeded-random.ts'];
  const found = names.map((name) => import.meta.resolve(name));
  for (const name of names) await import(name);
  const all = [...names, './not-there.ts'].map((name) => import(name).then(() => 1, () => 0));
  console.log(JSON.stringify({ found, loaded: await Promise.all(all) }));
`;

/** What a program in this folder finds. */
async function run(words: readonly string[]): Promise<unknown> {
  const file = ['--input-type=module-typescript', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, [...words, ...file], {
    cwd: folder,
  });
  return JSON.parse(stdout);
}

test('our files are found where Node itself finds them', async () => {
  const quick = pathToFileURL(join(folder, 'quick-imports.ts')).href;
  const [bare, quickly] = await Promise.all([run([]), run(['--import', quick])]);
  assert.deepEqual(quickly, bare);
  const urlOf = (...names: readonly string[]) => pathToFileURL(join(folder, ...names)).href;
  assert.deepEqual(bare, {
    found: [
      urlOf('..', '..', 'src', 'money', 'decimal.ts'),
      urlOf('manual-clock.ts'),
      urlOf('seeded-random.ts'),
    ],
    loaded: [1, 1, 1, 0],
  });
});
