import { spawnSync } from 'node:child_process';
import { lacking } from '../prepare.mjs';
import { installPhpShop } from '../prepare-php.mjs';

function missing() {
  const program = lacking('php') ?? lacking('composer');
  if (program !== undefined) return program;
  const { stdout } = spawnSync('php', ['-m'], { encoding: 'utf8' });
  const extension = ['curl', 'pdo_sqlite'].find((name) => !stdout.includes(name));
  return extension && `the extension ${extension} of php is not there`;
}

export default {
  missing,
  prepare: installPhpShop,
  start: ({ port }) => ({
    program: 'php',
    words: ['-S', `127.0.0.1:${port}`, 'shop.php'],
    env: { PHP_CLI_SERVER_WORKERS: '4' },
  }),
};
