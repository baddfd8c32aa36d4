// npm run test:clients -- python: the wheel, installed in a place of its own, typed and at work, with every
// version of Python that is here.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { withLiveService } from '../../scripts/live-service.mjs';
import { buildArchives, makePlace } from './build-archives.mjs';

/** What checks; the library itself needs none of it. */
const tools = ['mypy==2.4.1'];
const versions = ['3.10', '3.11', '3.12', '3.13', '3.14'];
/** The first versions that pyproject.toml allows, and the trio of their time. */
const oldest = [
  ...['anyio==4.0.0', 'httpx==0.27.0', 'pydantic==2.7.0', 'typing-extensions==4.8.0'],
  'trio==0.22.2',
];

export async function testClient({ node, root, output }) {
  const here = path.join(root, 'clients', 'python');
  const failed = [];
  const step = (name, isPassed) => {
    console.log(`${isPassed ? 'ok' : 'FAILED'}  ${name}`);
    if (!isPassed) failed.push(name);
  };
  const found = versions.flatMap((version) => findPython(version) ?? []);
  if (found.length === 0) throw new Error(`no Python of ${versions.join(', ')} is here`);
  const toolbox = makePlace(found[0].program, path.join(output, 'tools'), tools);
  const wheel = buildWheel(root, output, found[0].program);
  const vectors = {
    ...process.env,
    PYTHONDONTWRITEBYTECODE: '1',
    QUITTANCE_VECTORS: path.join(root, 'clients', 'vectors'),
  };
  const cases = path.join(here, 'tests', 'run_cases.py');
  const place = ({ program }, name, packages) => {
    const folder = path.join(output, `python-${name.replaceAll(' ', '-')}`);
    fs.rmSync(folder, { recursive: true, force: true });
    return { version: name, python: makePlace(program, folder, [wheel, ...packages]) };
  };
  const places = [
    ...found.map((one) => place(one, one.version, ['trio==0.35.0'])),
    place(found[0], `${found[0].version} with the oldest packages`, oldest),
  ];
  for (const { version, python } of places) {
    step(`what it needs, on ${version}`, run(python, ['-m', 'pip', 'check'], process.env));
    step(`vectors and own cases on ${version}`, run(python, [cases], vectors));
  }
  const [{ python }] = places;
  step('types of the package, its examples and its tests', checkTypes(toolbox, python, here));
  for (const client of ['Quittance', 'AsyncQuittance']) {
    const isPassed = await withLiveService(node, (env) =>
      run(python, [cases], { ...vectors, ...env, QUITTANCE_CLIENT: client }),
    );
    step(`every endpoint over a fresh service by ${client}`, isPassed);
  }
  step('examples', await withLiveService(node, (env) => runExamples(python, here, env)));
  return failed.length === 0;
}

/** Undefined where it is missing, which is said. */
function findPython(version) {
  const names = [`python${version}`, ...ofPyenv(version), 'python3'];
  const asked = ['-c', 'import sys; print("%d.%d" % sys.version_info[:2], sys.executable)'];
  for (const name of names) {
    const { status, stdout } = spawnSync(name, asked, { encoding: 'utf8' });
    const [seen, program] = status === 0 ? stdout.trim().split(' ') : [];
    if (seen === version) return { version, program };
  }
  console.log(`not here: Python ${version}`);
  return undefined;
}

/** What pyenv keeps beside the version that it has chosen. */
function ofPyenv(version) {
  const folder = path.join(process.env.PYENV_ROOT ?? path.join(os.homedir(), '.pyenv'), 'versions');
  if (!fs.existsSync(folder)) return [];
  const kept = fs.readdirSync(folder).filter((name) => name.startsWith(`${version}.`));
  return kept.map((name) => path.join(folder, name, 'bin', 'python'));
}

function buildWheel(root, output, python) {
  const made = buildArchives({ root, output, python }).files;
  for (const file of made) console.log(`${path.basename(file)}: ${fs.statSync(file).size} bytes`);
  return made.find((file) => file.endsWith('.whl'));
}

/** Over the installed package, as whoever uses it does. */
function checkTypes(toolbox, python, here) {
  const words = ['-m', 'mypy', '--config-file', path.join(here, 'pyproject.toml')];
  const place = ['--python-executable', python, '--no-incremental'];
  const parts = ['examples', 'tests'].map((name) => path.join(here, name));
  const env = { ...process.env, MYPYPATH: path.join(here, 'tests') };
  return (
    run(toolbox, [...words, ...place, ...parts], env) &&
    run(toolbox, [...words, ...place, path.join(here, 'src')], env)
  );
}

function runExamples(python, here, env) {
  return ['hosted_checkout', 'own_page', 'asynchronous'].every((name) =>
    run(python, [path.join(here, 'examples', `${name}.py`)], env),
  );
}

function run(program, words, env) {
  return spawnSync(program, words, { env, stdio: 'inherit' }).status === 0;
}
