import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bundleFiles } from './test-bundles.mjs';
import { findDearFiles, findDearSum, readCosts } from './test-costs.mjs';

const table = { a: 10, b: 20, c: 30 };

test('a file that takes far more than the table says is named, the dearest first', () => {
  const costs = new Map(Object.entries({ a: 10, b: 41, c: 30, d: 17 }));
  assert.deepEqual(findDearFiles(costs, table), [
    'b: 41.0 processor seconds, expected about 20.0',
    'd: 17.0 processor seconds, expected about 6.0',
  ]);
});

test('a slower machine names nobody', () => {
  const costs = new Map(Object.entries({ a: 31, b: 60, c: 90, d: 20 }));
  assert.deepEqual(findDearFiles(costs, table), []);
});

test('many files that each take a little more are named together, with regard to the machine', () => {
  const costs = new Map(Object.entries({ a: 20, b: 40, c: 60, d: 12, 'bundle Browser-1': 12 }));
  assert.deepEqual(findDearSum(costs, table, 70), []);
  const [line, ...others] = findDearSum(costs, table, 60);
  assert.deepEqual(others, []);
  assert.equal(line, 'all: 144 processor seconds, expected about 120');
});

test('nothing is said where nothing was noted', () => {
  assert.deepEqual(findDearFiles(readCosts('/nowhere/costs')), []);
});

test('a test file notes what it took, with what it started', () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'quittance-costs-'));
  const notes = path.join(directory, 'costs');
  const file = path.join(directory, 'dear.test.ts');
  const busy = 'while (process.cpuUsage().user < 300_000);';
  fs.writeFileSync(
    file,
    `import { spawnSync } from 'node:child_process';
spawnSync(process.execPath, ['--eval', ${JSON.stringify(busy)}]);`,
  );
  const noteCost = pathToFileURL(path.resolve('test/support/note-cost.ts')).href;
  const env = { ...process.env, QUITTANCE_TEST_COSTS: notes };
  spawnSync(process.execPath, ['--import', noteCost, file], { env });
  const [seconds] = readCosts(notes).values();
  fs.rmSync(directory, { recursive: true });
  if (process.platform === 'linux') assert.ok(seconds >= 0.3, String(seconds));
});

test('a file that shares a process is not charged with what the others load', () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'quittance-costs-'));
  const notes = path.join(directory, 'costs');
  const write = (name, text) => {
    const file = path.join(directory, name);
    fs.writeFileSync(file, text);
    return file;
  };
  const first = write(
    'first.test.mjs',
    `import { test } from 'node:test'; test('idle', () => {});`,
  );
  const second = write(
    'second.test.mjs',
    `import { test } from 'node:test'; test('idle', () => {});
const { user } = process.cpuUsage();
while (process.cpuUsage().user < user + 300_000);`,
  );
  const group = { name: 'Some', files: [first, second], bundled: 2 };
  const { rest } = bundleFiles(group, path.join(directory, 'bundles'));
  const noteCost = pathToFileURL(path.resolve('test/support/note-cost.ts')).href;
  const env = { ...process.env, QUITTANCE_TEST_COSTS: notes };
  // A run within a run would tell nothing to whoever reads this one.
  delete env.NODE_TEST_CONTEXT;
  spawnSync(process.execPath, ['--import', noteCost, ...rest], { env });
  const costs = readCosts(notes);
  fs.rmSync(directory, { recursive: true });
  if (process.platform !== 'linux') return;
  const charged = [...costs].filter(([file]) => file === first || file === second);
  assert.equal(charged.length, 2);
  for (const [file, seconds] of charged) assert.ok(seconds < 0.25, `${file}: ${seconds}`);
  assert.ok((costs.get('bundle Some-1, loading') ?? 0) >= 0.3);
});
