// The servers that are measured run as processes of their own, as they do in real life.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { env, execPath, platform } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { askOnce } from './http-client.ts';

/** As `npm start`, the image and the unit of systemd start it. */
export const START_FLAGS = ['--max-semi-space-size=64'];

const ROOT = join(import.meta.dirname, '..');
/** Over ten million checkouts on a cold disk, beside other work, more than 30. */
const START_SECONDS = 120;
const STOP_SECONDS = 10;

export type ServerProcess = { readonly port: number; close(): Promise<void> };

const running = new Set<ChildProcess>();

/** Started with only the given settings; every setting of ours in the environment is left out. */
export async function startProgram(
  parameters: (port: number) => readonly string[],
  settings: (port: number) => Readonly<Record<string, string>> = () => ({}),
): Promise<ServerProcess> {
  const port = await findFreePort();
  const { PATH, HOME, TMPDIR } = env;
  const [program = execPath, ...before] = [...endWithUs(), execPath];
  const child = spawn(program, [...before, ...parameters(port)], {
    cwd: ROOT,
    env: { PATH, HOME, TMPDIR, ...settings(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  exited.then(() => running.delete(child));
  await waitUntilAnswers(child, port);
  return {
    port,
    async close() {
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_SECONDS * 1000);
      await exited;
      clearTimeout(force);
    },
  };
}

export function stopPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
}

async function waitUntilAnswers(child: ChildProcess, port: number): Promise<void> {
  const endMs = performance.now() + START_SECONDS * 1000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const request = 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n';
    const answer = await askOnce(port, request).catch(() => undefined);
    if (answer !== undefined) return;
    if (performance.now() > endMs) throw new Error(`no answer after ${START_SECONDS} s`);
    await wait(50);
  }
}

/** The start of a command that ends when this process ends, even by kill -9; empty where unknown. */
function endWithUs(): string[] {
  const prefix = ['setpriv', '--pdeathsig', 'TERM', '--'];
  const isKnown = platform === 'linux' && spawnSync('setpriv', [...prefix.slice(1), 'true']);
  return isKnown !== false && isKnown.status === 0 ? prefix : [];
}

async function findFreePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise;
}
