// npm run test:schemathesis: an independent checker reads /openapi.json of a running server and tries
// to find an answer that the document does not announce. Needs Python 3.10 or later; the checker is
// installed under test-output/. Not part of npm test. What follows -- is passed on to the checker.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { fail, root, setUp } from './setup.mjs';

const checker = 'schemathesis==4.32.5';
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  // Of schemathesis_hooks.py.
  'known_answer',
];
// Which 503 are honest answers is checked by known_answer.
const config = `[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", "503"]
`;
const startSeconds = 60;

const node = await setUp();
const output = path.join(root, 'test-output');
fs.mkdirSync(output, { recursive: true });
const program = installChecker(path.join(output, 'schemathesis'));
const data = fs.mkdtempSync(path.join(output, 'schemathesis-data-'));
const port = await findFreePort();
const settings = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  PORT: String(port),
  DATA_DIR: data,
  LOG_LEVEL: 'error',
  RATE_LIMIT_PER_KEY: '0',
  RATE_LIMIT_PER_IP: '0',
};
const server = spawn(node, [path.join(root, 'src', 'main.ts')], {
  cwd: data,
  env: settings,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const ended = new Promise((resolve) => server.once('exit', resolve));
try {
  process.exitCode = await check();
} finally {
  server.kill('SIGTERM');
  await ended;
  fs.rmSync(data, { recursive: true, force: true });
}

async function check() {
  const origin = `http://127.0.0.1:${port}`;
  await waitUntilServes(origin);
  fs.writeFileSync(path.join(data, 'schemathesis.toml'), config);
  const { key, secret } = createKey();
  // Without an entry on the allow-list every route that moves money is closed.
  command('allow-list', 'add', '127.0.0.1', '--for', 'withdrawals', '--environment', 'test');
  const { status } = spawnSync(
    program,
    [
      ...['--config-file', path.join(data, 'schemathesis.toml')],
      'run',
      `${origin}/api/v1/openapi.json`,
      ...['--url', `${origin}/api/v1`],
      ...['--checks', checks.join(',')],
      ...process.argv.slice(2),
    ],
    {
      cwd: output,
      stdio: 'inherit',
      env: {
        ...process.env,
        PYTHONPATH: path.join(root, 'scripts'),
        PYTHONDONTWRITEBYTECODE: '1',
        SCHEMATHESIS_HOOKS: 'schemathesis_hooks',
        QUITTANCE_API_KEY: key,
        QUITTANCE_API_SECRET: secret,
      },
    },
  );
  return status ?? 1;
}

function installChecker(directory) {
  const bin = path.join(directory, process.platform === 'win32' ? 'Scripts' : 'bin');
  const installed = path.join(bin, 'schemathesis');
  if (fs.existsSync(installed)) return installed;
  const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
  if (python === undefined) fail('Python 3.10 or later is needed: install it and try again');
  run(python, ['-m', 'venv', directory]);
  run(path.join(bin, 'pip'), ['install', '--quiet', checker]);
  return installed;
}

function run(command, parameters) {
  const { status } = spawnSync(command, parameters, { stdio: 'inherit' });
  if (status !== 0) fail(`${command} ${parameters.join(' ')} failed`);
}

function createKey() {
  return JSON.parse(command('key', 'create', '--environment', 'test', '--json'));
}

/** The last line that a command says. */
function command(...parameters) {
  const cli = path.join(root, 'src', 'cli', 'main.ts');
  const result = spawnSync(node, [cli, ...parameters], { cwd: data, env: settings });
  const line = String(result.stdout).trim().split('\n').at(-1) ?? '';
  if (result.status !== 0) throw new Error(`${parameters.join(' ')}: ${line} ${result.stderr}`);
  return line;
}

async function waitUntilServes(origin) {
  const endsAtMs = Date.now() + startSeconds * 1000;
  while (server.exitCode === null && Date.now() < endsAtMs) {
    const isThere = await fetch(`${origin}/api/v1/time`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    await wait(100);
  }
  throw new Error('the server does not start');
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}
