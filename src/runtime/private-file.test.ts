import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeDirectory } from './private-file.ts';

const root = mkdtempSync(join(tmpdir(), 'quittance-directory-'));
after(() => rmSync(root, { recursive: true, force: true }));

test('a directory is made with those above it, and may be there already', () => {
  const path = join(root, 'a', 'b', 'c');
  for (let again = 0; again < 2; again += 1) makeDirectory(path, 0o700);
  assert.ok(statSync(path).isDirectory());
  if (platform() !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o700);
});

test('where none can be made it says so, and ends', () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  assert.throws(() => makeDirectory(join(file, 'data'), 0o700));
  if (platform() === 'linux') {
    assert.throws(() => makeDirectory('/proc/nothing/data', 0o700), { code: 'ENOENT' });
  }
});
