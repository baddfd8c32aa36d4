import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { makeDirectoryInMemory } from '#test/support/make-directory-in-memory.ts';
import { keepCompiled } from './keep-compiled.mjs';

const run = promisify(execFile);
const program = path.join(import.meta.dirname, 'keep-compiled.mjs');

test('what Node made of our files is kept where npm ci clears it, or where you say', () => {
  const { NODE_COMPILE_CACHE, HOME } = keepCompiled({ HOME: '/home' });
  assert.match(NODE_COMPILE_CACHE, /node_modules.\.cache.quittance$/);
  assert.equal(HOME, '/home');
  assert.equal(keepCompiled({ NODE_COMPILE_CACHE: '/own' }).NODE_COMPILE_CACHE, '/own');
});

test('where it cannot be kept a program runs all the same, and says nothing of it', async (t) => {
  const kept = makeDirectoryInMemory();
  t.after(() => rm(kept, { recursive: true }));
  for (const place of [kept, path.join(program, 'below')]) {
    const env = keepCompiled({ NODE_COMPILE_CACHE: place });
    assert.deepEqual(await run(process.execPath, [program], { env }), { stdout: '', stderr: '' });
  }
  assert.equal((await readdir(kept)).length, 1);
});

for (const name of ['start.mjs', 'quittance.mjs']) {
  test(`${name} keeps it`, async () => {
    const text = await readFile(path.join(import.meta.dirname, name), 'utf8');
    assert.match(text, /runProgram\(.*env: keepCompiled\(\)/);
  });
}
