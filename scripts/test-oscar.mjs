// npm run test:oscar: Oscar from PyPI in a virtual environment, with our app and the library as they are
// installed, in a shop as its documentation sets one up; bought from over HTTP over a fresh service.
// Needs python3 with venv, and PyPI. Not part of npm test. What is installed stays in test-output.
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
fs.mkdirSync(output, { recursive: true });
if (!fs.existsSync(python)) run('python3', ['-m', 'venv', path.join(output, 'venv')]);
run(python, ['-m', 'pip', 'install', '-q', '-r', path.join(tests, 'requirements.txt')]);
// Built as they stand now, also when the version is the one of before.
const ours = ['clients/python', 'shops/django-oscar'].map((name) => path.join(root, name));
run(python, ['-m', 'pip', 'install', '-q', '--force-reinstall', '--no-deps', ...ours]);
run(python, ['-m', 'pip', 'install', '-q', ...ours]);
run(python, [path.join(tests, 'unit_cases.py')]);
fs.rmSync(shop, { recursive: true, force: true });
fs.mkdirSync(shop, { recursive: true });
const more = { SHOP_FOLDER: shop, DJANGO_SETTINGS_MODULE: 'project.settings' };
run(python, ['-m', 'django', 'makemigrations', '--check', '--dry-run', 'quittance_oscar'], more);
process.exitCode = await withLiveService(node, (env) => {
  const words = [path.join(tests, 'shop_cases.py')];
  const child = spawn(python, words, { cwd: tests, env: { ...env, ...more }, stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
});

function run(program, words, more = {}) {
  const env = { ...process.env, ...more };
  const { status } = spawnSync(program, words, { cwd: tests, env, stdio: 'inherit' });
  if (status !== 0) fail(`${path.basename(program)} ${words.join(' ')} failed`);
}
