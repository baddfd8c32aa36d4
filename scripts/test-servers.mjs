// npm run test:servers: our readers against the servers that nodes really have, each built from its own
// source by the ordinary Go tool. Named parts alone: npm run test:servers -- evm. Not part of npm test;
// where Go is missing one line says so.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fail, root, setUp } from './setup.mjs';

/** Each is built once, into test-output/servers/, and handed to its tests in an environment variable. */
const parts = [
  {
    name: 'evm',
    purpose: "go-ethereum's JSON-RPC server with a prepared chain",
    /** A Go program of ours: its go.mod pins what it is made of. */
    folder: 'test/servers/evm',
    variable: 'QUITTANCE_TEST_EVM_SERVER',
    tests: 'test/servers/evm-stories.ts',
  },
  {
    name: 'horizon',
    purpose: 'Horizon over ledgers of a test, in a network namespace (Linux)',
    folder: 'test/servers/horizon',
    variable: 'QUITTANCE_TEST_HORIZON_SERVER',
    tests: 'test/servers/horizon-stories.ts',
  },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  const known = parts.map(({ name }) => name).join(', ');
  fail(`npm run test:servers knows no ${unknown.join(', ')}; there is: ${known}`);
}
const node = await setUp();
const chosen = parts.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (process.platform !== 'linux' && chosen.some(({ name }) => name === 'horizon')) {
  fail('Horizon listens on every address: it is only run where Linux keeps it to this machine');
}
for (const part of chosen) {
  const program = provide(part);
  console.error(`\n== ${part.name}: ${part.purpose}`);
  const { status } = spawnSync(node, ['--test', part.tests], {
    cwd: root,
    env: { ...process.env, [part.variable]: program },
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = status ?? 1;
}

function provide({ name, purpose, folder, variable }) {
  const given = process.env[variable];
  if (given !== undefined) {
    if (!fs.existsSync(given)) fail(`${variable}: there is no file ${given}`);
    return given;
  }
  requireGo(variable);
  console.error(`Building ${purpose} (minutes, the first time) ...`);
  const home = path.join(root, 'test-output', 'servers');
  fs.mkdirSync(home, { recursive: true });
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = path.join(home, `${name}${suffix}`);
  go(['build', '-mod=readonly', '-o', program, '.'], path.join(root, folder));
  return program;
}

function requireGo(variable) {
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status === 0) return;
  fail(
    'Go is missing: npm run test:servers builds servers with it. Install Go 1.25 or later ' +
      `(https://go.dev), or set ${variable} to a program of your own.`,
  );
}

function go(words, directory) {
  const { status, stdout, stderr } = spawnSync('go', words, {
    cwd: directory,
    env: { ...process.env, GOFLAGS: '-modcacherw' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) fail(`go ${words.join(' ')} failed:\n${stdout}${stderr}`.trimEnd());
}
