import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openGivenOutFile } from './given-out-file.ts';

function newPath(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'quittance-given-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'keys', 'given-out.log');
}

test('what is kept is on disk for the owner alone, and read by the next process', async (t) => {
  const path = newPath(t);
  const file = await openGivenOutFile(path);
  assert.equal(file.nextOf('a'), undefined);
  await Promise.all([file.keep('a', 3n), file.keep('a', 2n), file.keep('b', 10n ** 14n)]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const next = await openGivenOutFile(path);
  assert.equal(next.nextOf('a'), 3n);
  assert.equal(next.nextOf('b'), 10n ** 14n);
});

test('what is known already costs nothing', async (t) => {
  const path = newPath(t);
  const file = await openGivenOutFile(path);
  await file.keep('a', 5n);
  const { size } = statSync(path);
  await file.keep('a', 5n);
  await file.keep('a', 4n);
  assert.equal(statSync(path).size, size);
});

test('two processes keep into one file, and the higher one counts', async (t) => {
  const path = newPath(t);
  const [one, other] = [await openGivenOutFile(path), await openGivenOutFile(path)];
  await one.keep('a', 7n);
  await other.keep('a', 6n);
  assert.equal((await openGivenOutFile(path)).nextOf('a'), 7n);
});

test('a line that a crash tore spoils no other', async (t) => {
  const path = newPath(t);
  const before = await openGivenOutFile(path);
  await before.keep('a', 7n);
  appendFileSync(path, '{"source":"a","ne');
  const after = await openGivenOutFile(path);
  assert.equal(after.nextOf('a'), 7n);
  await after.keep('a', 8n);
  assert.equal((await openGivenOutFile(path)).nextOf('a'), 8n, readFileSync(path, 'utf8'));
});

test('what cannot be written is not taken for kept', async (t) => {
  const path = newPath(t);
  const file = await openGivenOutFile(path);
  await file.keep('a', 1n);
  rmSync(path);
  mkdirSync(path);
  await assert.rejects(file.keep('a', 2n));
  assert.equal(file.nextOf('a'), 1n);
  await assert.rejects(openGivenOutFile(path), /cannot be read \(EISDIR\)/);
});
