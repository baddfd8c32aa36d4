// npm run test:oscar: Oscar from PyPI in a virtual environment, with our app and the library as they are
// installed, in a shop as its documentation sets one up; bought from over HTTP over a fresh service: once
// with its orders in SQLite, once in PostgreSQL, which locks rows in a way of its own. Needs python3
// with venv, and PyPI. Not part of npm test. What is installed stays in test-output.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { withLiveService } from './live-service.mjs';
import { fail, root, setUp } from './setup.mjs';

const tests = path.join(root, 'shops', 'django-oscar', 'tests');
const output = path.join(root, 'test-output', 'oscar');
const shop = path.join(output, 'shop');
const python = path.join(output, 'venv', 'bin', 'python');

const node = await setUp();
if (process.execPath !== node) {
  process.exit(spawnSync(node, [import.meta.filename], { stdio: 'inherit' }).status ?? 1);
}
fs.mkdirSync(output, { recursive: true });
if (!fs.existsSync(python)) run('python3', ['-m', 'venv', path.join(output, 'venv')]);
run(python, ['-m', 'pip', 'install', '-q', '-r', path.join(tests, 'requirements.txt')]);
// Built as they stand now, also when the version is the one of before.
const ours = ['clients/python', 'shops/django-oscar'].map((name) => path.join(root, name));
run(python, ['-m', 'pip', 'install', '-q', '--force-reinstall', '--no-deps', ...ours]);
run(python, ['-m', 'pip', 'install', '-q', ...ours]);
run(python, [path.join(tests, 'unit_cases.py')]);
const { openShopDatabase } = await import('../shops/test/open-shop-database.mjs');
for (const database of ['SQLite', 'PostgreSQL']) {
  console.log(`\nOrders in ${database}`);
  process.exitCode ||= await testShop(database);
}

/** A shop of its own with its own service. Answers the exit code of its suite. */
async function testShop(database) {
  fs.rmSync(shop, { recursive: true, force: true });
  fs.mkdirSync(shop, { recursive: true });
  const server = database === 'SQLite' ? undefined : await openShopDatabase(shop);
  try {
    const more = { SHOP_FOLDER: shop, DJANGO_SETTINGS_MODULE: 'project.settings' };
    if (server !== undefined) more.SHOP_POSTGRESQL = JSON.stringify(djangoOf(server.connection));
    // The door of the database is in this process, which may not wait for a program that goes through it.
    if (server === undefined) {
      const words = ['makemigrations', '--check', '--dry-run', 'quittance_oscar'];
      run(python, ['-m', 'django', ...words], more);
    }
    return await withLiveService(node, (env) => playShop({ ...env, ...more }));
  } finally {
    await server?.close();
  }
}

function djangoOf({ host, port, user, password, database }) {
  return { HOST: host, PORT: port, USER: user, PASSWORD: password, NAME: database };
}

function playShop(env) {
  const words = [path.join(tests, 'shop_cases.py')];
  const child = spawn(python, words, { cwd: tests, env, stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

function run(program, words, more = {}) {
  const env = { ...process.env, ...more };
  const { status } = spawnSync(program, words, { cwd: tests, env, stdio: 'inherit' });
  if (status !== 0) fail(`${path.basename(program)} ${words.join(' ')} failed`);
}
