// Installs what an example needs into the copy of its folder that is tested: registries for what is
// of others, packed from this repository what is ours.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { buildPackage } from '../../clients/typescript/build.mjs';

const root = path.dirname(path.dirname(import.meta.dirname));
const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];

/** The packages of this example, with the library as it is published. */
export function installNodeShop({ node, folder, output }) {
  run('npm', ['install', ...quiet, packClient(node, output)], folder);
}

/** The archive of the library for TypeScript. */
export function packClient(node, output) {
  const to = path.join(output, 'packages');
  fs.mkdirSync(to, { recursive: true });
  const found = fs.readdirSync(to).find((name) => name.endsWith('.tgz'));
  if (found !== undefined) return path.join(to, found);
  const built = buildPackage(node, path.join(output, 'client'));
  const { stdout } = run('npm', ['pack', '--json', '--pack-destination', to], built);
  return path.join(to, JSON.parse(stdout)[0].filename);
}

/**
 * A virtual environment of Python in `venv`, with the requirements of this example and the library.
 */
export function installPythonShop({ folder }) {
  run('python3', ['-m', 'venv', 'venv'], folder);
  const words = ['install', '-q', path.join(root, 'clients', 'python')];
  const requirements = path.join(folder, 'requirements.txt');
  if (fs.existsSync(requirements)) words.push('-r', requirements);
  run(path.join(folder, 'venv', 'bin', 'pip'), words, folder);
}

/** Undefined when the program is there, else what is missing. */
export function lacking(program, words = ['--version']) {
  const isThere = spawnSync(program, words, { stdio: 'ignore' }).status === 0;
  return isThere ? undefined : `${program} is not there`;
}

export function run(program, words, cwd, env = process.env) {
  const ended = spawnSync(program, words, { cwd, env, encoding: 'utf8' });
  if (ended.status === 0) return ended;
  throw new Error(`${program} ${words.join(' ')}: ${ended.stdout}${ended.stderr ?? ended.error}`);
}
