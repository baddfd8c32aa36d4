// npm run test:books: our journals read by beancount and hledger themselves. Not part of npm test; where
// one of the programs is missing a line says how it is had.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fail, root, setUp } from './setup.mjs';

const programs = [
  {
    variable: 'QUITTANCE_TEST_BEAN_CHECK',
    command: 'bean-check',
    words: ['--version'],
    install: 'pip install beancount',
  },
  {
    variable: 'QUITTANCE_TEST_HLEDGER',
    command: 'hledger',
    words: ['--version'],
    install: 'apt-get install hledger',
  },
];

const node = await setUp();
const found = programs.map(({ variable, command, words, install }) => {
  const given = process.env[variable] ?? command;
  const { error, stdout } = spawnSync(given, words, { encoding: 'utf8' });
  if (error) fail(`${command} is missing: ${install}, or name it in ${variable}`);
  console.error(stdout.trim());
  return [variable, given];
});
const { status } = spawnSync(node, ['--test', 'test/books/book-stories.ts'], {
  cwd: root,
  env: { ...process.env, ...Object.fromEntries(found) },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
