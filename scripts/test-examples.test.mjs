import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { root } from './setup.mjs';

test('an example that was named and cannot be played on this machine is an error', () => {
  const command = path.join(root, 'scripts', 'test-examples.mjs');
  const { status, stdout } = spawnSync(process.execPath, [command, 'go-shop'], {
    env: { PATH: '' },
    encoding: 'utf8',
  });
  assert.match(stdout, /== go-shop\nleft out: go is not there\n/);
  assert.match(stdout, /Failed: go-shop/);
  assert.equal(status, 1);
});
