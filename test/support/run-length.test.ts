import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { test } from 'node:test';
import { ROOT } from './read-source.ts';
import { byLength, readRunLength, runLength } from './run-length.ts';

const MODULE = join(import.meta.dirname, 'run-length.ts');

function run(words: readonly string[], length?: string) {
  return spawnSync(execPath, words, {
    cwd: ROOT,
    env: { ...env, NODE_TEST_CONTEXT: undefined, QUITTANCE_TEST_LENGTH: length },
    encoding: 'utf8',
  });
}

test('a run is short unless it is said to be long, and another word is refused', () => {
  assert.equal(readRunLength(undefined), 'short');
  assert.equal(readRunLength(''), 'short');
  assert.equal(readRunLength('short'), 'short');
  assert.equal(readRunLength('long'), 'long');
  assert.throws(() => readRunLength('Long'), /short or long, not Long/);
  assert.equal(byLength({ short: 'short', long: 'long' }), runLength);
});

test('the setting of the process is the one that decides', () => {
  const print = [
    '--input-type=module',
    '--eval',
    `import { byLength } from ${JSON.stringify(MODULE)}; console.log(byLength({ short: 4, long: 17 }))`,
  ];
  assert.equal(run(print).stdout, '4\n');
  assert.equal(run(print, 'long').stdout, '17\n');
  assert.notEqual(run(print, 'all').status, 0);
});

test('npm run test:long says long, and runs every file that asks for a length', () => {
  const { status, stdout } = run(['scripts/test.mjs', '--long', '--list']);
  assert.equal(status, 0);
  for (const file of [
    'test/simulation/simulation.test.ts',
    'test/scenarios/api-fuzz.test.ts',
    'test/forged/evm-mutations.test.ts',
    // Through a file that both share.
    'test/forged/xrpl-mutations.test.ts',
    'test/browser/layout.test.ts',
    'test/browser/accessible.test.ts',
  ]) {
    assert.ok(stdout.includes(`  ${file}\n`), `${file} is not among\n${stdout}`);
  }
  assert.ok(!stdout.includes('src/money/'), 'and none that asks for none');
  const told = run(['scripts/test.mjs', '--long', '--help']).stdout;
  assert.match(told, /QUITTANCE_TEST_LENGTH=long/);
});

test('what only a long run plays is left out of npm test, and played by who names it', () => {
  const list = (...words: string[]) => run(['scripts/test.mjs', '--list', ...words]).stdout;
  const file = '  test/scenarios/rolling-restart.test.ts\n';
  assert.ok(!list().includes(file));
  assert.ok(list('rolling-restart').includes(file));
  assert.ok(list('--long').includes(file));
});

test('.ci/run runs the long ones after all the others, whatever came of those', () => {
  const script = readFileSync(join(ROOT, '.ci', 'run'), 'utf8');
  const commands = script.split('\n').filter((line) => line.startsWith('npm '));
  const [first, second, ...more] = commands.map((line) => line.split(' <')[0]);
  assert.deepEqual([first, second, more], ['npm test', 'npm run test:long', []]);
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  assert.equal(scripts['test:long'], 'node scripts/test.mjs --long');
});
