import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { hasEnded, nameProcess } from './process-lock.ts';

/** Says its name, and lives until it is killed. */
const NAMED = `import { nameProcess } from '${import.meta.dirname}/process-lock.ts';
console.log(nameProcess()); setInterval(() => {}, 1_000_000);`;

async function startNamed(): Promise<{ child: ChildProcess; name: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', NAMED], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(child.stdout, 'data');
  return { child, name: String(said).trim() };
}

function changed(name: string, at: number, to: (word: string) => string): string {
  return name
    .split(' ')
    .map((word, index) => (index === at ? to(word) : word))
    .join(' ');
}

const [MACHINE, NUMBER, START] = [0, 1, 2];

test('a process that lives has not ended, stopped or not; one that was killed has', async () => {
  const { child, name } = await startNamed();
  try {
    assert.equal(hasEnded(name), false);
    child.kill('SIGSTOP');
    assert.equal(hasEnded(name), false);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  assert.equal(hasEnded(name), true);
  assert.equal(hasEnded(nameProcess()), false);
});

test('a number that belongs to another process now is not the one that was named', () => {
  const name = nameProcess();
  assert.equal(hasEnded(changed(name, START, (start) => `${Number(start) - 1}`)), true);
  assert.equal(hasEnded(changed(name, START, () => '-')), false, 'a start that nobody knew');
});

test('of another machine nothing is known, whatever lives here', async () => {
  const { child, name } = await startNamed();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const [host = '', bootId = '', numbers = '', times = ''] = name.split(' ')[0]?.split('/') ?? [];
  assert.equal(hasEnded(name), true);
  const others = [
    [`${host}-2`, bootId, numbers, times],
    [host, '00000000-0000-0000-0000-000000000000', numbers, times],
    [host, bootId, 'pid:[1]', times],
    [host, bootId, numbers, 'time:[1]'],
    ['unknown'],
    [''],
  ];
  for (const other of others) {
    assert.equal(hasEnded(changed(name, MACHINE, () => other.join('/'))), false, other.join('/'));
  }
});

test('what is no name of a process has not ended', () => {
  const name = nameProcess();
  const numbers = ['0', '-1', '1.5', 'x', '', '99999999999999999999'];
  const damaged = [
    '',
    'one',
    'the service',
    name.split(' ').slice(0, 3).join(' '),
    `${name} more`,
    ...numbers.map((one) => changed(name, NUMBER, () => one)),
  ];
  for (const text of damaged) assert.equal(hasEnded(text), false, text);
  assert.notEqual(nameProcess(), nameProcess());
});
