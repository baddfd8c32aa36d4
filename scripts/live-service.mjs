// A fresh service with its own database and a test key, for suites in other languages. It ends with
// what was run over it.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from './setup.mjs';

// A machine that does much else beside takes minutes for what needs seconds.
const startSeconds = 300;

/**
 * `act` is given the environment that a suite reads: QUITTANCE_URL, QUITTANCE_KEY,
 * QUITTANCE_SECRET, and QUITTANCE_WEBHOOK_SECRET, which signs what goes to the webhook of a checkout.
 * The key may do everything, and money may be moved from this machine. `act` is also given a function that runs a
 * command of the service and answers the last line it says.
 */
export async function withLiveService(node, act) {
  const output = path.join(root, 'test-output');
  fs.mkdirSync(output, { recursive: true });
  const data = fs.mkdtempSync(path.join(output, 'live-service-'));
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
    const origin = `http://127.0.0.1:${port}`;
    await waitUntilServes(server, origin);
    const command = (...words) => runCommand(node, words, data, settings);
    const { key, secret } = JSON.parse(command('key', 'create', '--environment', 'test', '--json'));
    command('allow-list', 'add', '127.0.0.1', '--for', 'withdrawals', '--environment', 'test');
    const webhookSecret = command('webhook', 'secret', '--environment', 'test');
    const env = {
      QUITTANCE_URL: origin,
      QUITTANCE_KEY: key,
      QUITTANCE_SECRET: secret,
      QUITTANCE_WEBHOOK_SECRET: webhookSecret,
    };
    return await act({ ...process.env, ...env }, command);
  } finally {
    server.kill('SIGTERM');
    await ended;
    fs.rmSync(data, { recursive: true, force: true });
  }
}

/** The last line that a command says. */
function runCommand(node, words, data, settings) {
  const cli = path.join(root, 'src', 'cli', 'main.ts');
  const { status, stdout, stderr } = spawnSync(node, [cli, ...words], {
    cwd: data,
    env: settings,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`quittance ${words.join(' ')}: ${stdout}${stderr}`);
  return stdout.trim().split('\n').at(-1) ?? '';
}

async function waitUntilServes(server, origin) {
  const endsAtMs = Date.now() + startSeconds * 1000;
  while (server.exitCode === null && Date.now() < endsAtMs) {
    const isThere = await fetch(`${origin}/api/v1/time`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    await wait(100);
  }
  throw new Error('the service does not start');
}

export function findFreePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
