// The archive of the source and the wheel, as they are published.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const tools = { build: '1.6.1', hatchling: '1.33.0' };

/** What was made, by which command, and with which versions of what. `python`: one of 3.10 or later. */
export function buildArchives({ root, output, python = 'python3' }) {
  const packages = Object.entries(tools).map(([name, version]) => `${name}==${version}`);
  const toolbox = makePlace(python, path.join(output, 'build-tools'), packages);
  const words = [path.join(root, 'clients', 'python', 'build.py'), path.join(output, 'package')];
  const made = ask(toolbox, words).trim().split('\n');
  const version = ask(toolbox, ['-c', 'import platform; print(platform.python_version())']);
  return {
    files: made,
    command: 'python clients/python/build.py',
    tools: { python: version.trim(), ...tools },
  };
}

/** A virtual environment with these packages; returns its Python. */
export function makePlace(program, folder, packages) {
  const python = path.join(folder, 'bin', 'python');
  if (!fs.existsSync(python)) ask(program, ['-m', 'venv', folder]);
  const quiet = ['--quiet', '--disable-pip-version-check'];
  ask(python, ['-m', 'pip', 'install', ...quiet, ...packages]);
  return python;
}

/** Nothing is left beside the source. */
function ask(program, words) {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: 'utf8', env });
  if (status === 0) return stdout;
  throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`);
}
