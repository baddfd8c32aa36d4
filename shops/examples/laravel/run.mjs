import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { lacking, run } from '../prepare.mjs';
import { installPhpShop } from '../prepare-php.mjs';

/** Laravel as Debian packages it, where Packagist cannot be reached: php-laravel-framework. */
const debian = '/usr/share/php/Illuminate/autoload.php';

function missing() {
  const program = lacking('php') ?? lacking('composer');
  if (program !== undefined) return program;
  if (!spawnSync('php', ['-m'], { encoding: 'utf8' }).stdout.includes('pdo_sqlite')) {
    return 'the extension pdo_sqlite of php is not there';
  }
  return fs.existsSync(debian) ? undefined : 'php-laravel-framework is not there';
}

/** The library by Composer; Laravel and the classes of the shop beside it. */
function prepare({ folder }) {
  const file = path.join(folder, 'composer.json');
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'));
  delete manifest.require['laravel/framework'];
  fs.writeFileSync(file, JSON.stringify(manifest));
  installPhpShop({ folder });
  fs.writeFileSync(
    path.join(folder, 'autoload.php'),
    `<?php require '${debian}'; require __DIR__ . '/vendor/autoload.php';`,
  );
  for (const name of ['bootstrap/cache', 'storage/framework/views', 'storage/logs']) {
    fs.mkdirSync(path.join(folder, name), { recursive: true });
  }
  fs.writeFileSync(path.join(folder, 'database', 'orders.sqlite'), '');
  run('php', ['artisan', 'migrate', '--force'], folder, { ...process.env, ...envOf(folder) });
}

function envOf(folder) {
  return { SHOP_AUTOLOAD: path.join(folder, 'autoload.php'), APP_KEY: 'k'.repeat(32) };
}

export default {
  missing,
  prepare,
  start: ({ folder, port }) => ({
    program: 'php',
    words: ['-S', `127.0.0.1:${port}`, '-t', 'public', 'public/index.php'],
    env: { ...envOf(folder), PHP_CLI_SERVER_WORKERS: '4' },
  }),
};
