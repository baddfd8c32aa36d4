import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const program = pathToFileURL(join(import.meta.dirname, 'end-with-parent.ts')).href;

test('a test file ends when the run that started it was killed', async () => {
  const file = "console.log('begun'); setInterval(() => {}, 1_000);";
  const words = JSON.stringify(['--import', program, '--eval', file]);
  const run = `
    const { spawn } = require('node:child_process');
    spawn(process.execPath, ${words}, { stdio: 'inherit' });
  `;
  const parent = spawn(process.execPath, ['--eval', run], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  parent.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  // Both write to the same pipe: it closes when the last of them has ended.
  const closed = once(parent, 'close');
  await once(parent.stdout, 'data');
  parent.kill('SIGKILL');
  await closed;
  assert.match(said, /the run of the tests is gone/);
});

test('a test file whose run was killed before it is loaded does not begin', () => {
  const file = [
    '--import',
    program,
    '--eval',
    "console.log('begun'); setInterval(() => {}, 1_000);",
  ];
  const run = spawnSync(process.execPath, ['--eval', 'console.log(process.pid)'], {
    encoding: 'utf8',
  });
  const env = { ...process.env, QUITTANCE_TEST_RUN: run.stdout.trim() };
  const ended = spawnSync(process.execPath, file, { env, encoding: 'utf8', timeout: 60_000 });
  assert.equal(ended.status, 1);
  assert.equal(ended.stdout, '');
  assert.match(ended.stderr, /the run of the tests is gone/);
});
