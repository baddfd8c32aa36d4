// A real Electrum daemon with a wallet of its own in regtest, in a temporary directory, over the
// chain of test/fakes/electrum-chain.ts. Nothing of it outlives the test process: a guard kills the
// daemon when the process that holds its pipe is gone, however that went.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '#test/support/free-port.ts';

export type ElectrumDaemon = {
  /** For the service: http://user:password@host:port. */
  readonly url: string;
  /** Node id and address, as a peer needs it. */
  readonly peer: string;
  /** Amounts go as text: JSON numbers become floats there. */
  call(
    method: string,
    params?: Readonly<Record<string, string | number | boolean>>,
  ): Promise<unknown>;
  kill9(): Promise<void>;
  /** Starts it again with the same wallet and ports. */
  start(): Promise<void>;
  /** Kills it and removes its directory. May be called again. */
  stop(): Promise<void>;
};

const startedWithinMs = 180_000;

export async function startElectrumDaemon(chainPort: number): Promise<ElectrumDaemon> {
  const program = findElectrum();
  const directory = await mkdtemp(join(tmpdir(), 'quittance-electrum-'));
  const [rpcPort, lightningPort] = [await findFreePort(), await findFreePort()];
  const password = randomBytes(16).toString('hex');
  const url = `http://user:${password}@127.0.0.1:${rpcPort}`;
  const config = {
    // An older one is upgraded, and speaks TLS to its server then.
    config_version: 3,
    rpcuser: 'user',
    rpcpassword: password,
    rpcport: rpcPort,
    server: `127.0.0.1:${chainPort}:t`,
    oneserver: true,
    auto_connect: false,
    use_gossip: false,
    check_updates: false,
    bolt11_fallback: false,
    lightning_listen: `127.0.0.1:${lightningPort}`,
  };
  await mkdir(join(directory, 'regtest'), { recursive: true });
  await writeFile(join(directory, 'regtest', 'config'), JSON.stringify(config));
  let child: ChildProcess | undefined;
  let guard: ChildProcess | undefined;

  async function call(method: string, params: object = {}): Promise<unknown> {
    const authorization = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`;
    const response = await fetch(`http://127.0.0.1:${rpcPort}/`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ id: 1, method, params }),
    });
    const answer = JSON.parse(await response.text());
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  }

  async function start(): Promise<void> {
    const words = ['--regtest', '-D', directory, 'daemon'];
    const daemon = spawn(program, words, { stdio: 'ignore' });
    child = daemon;
    await once(daemon, 'spawn');
    const script = 'cat >/dev/null; kill -9 "$0"; rm -rf "$1"';
    guard = spawn('sh', ['-c', script, String(daemon.pid), directory], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    guard.unref();
    await waitFor('the daemon to answer', () => call('version'), daemon);
    if (!existsSync(join(directory, 'regtest', 'wallets', 'default_wallet'))) await call('create');
    await call('load_wallet');
    await waitFor('the wallet to be ready', async () => {
      assert.equal(await call('is_synchronized'), true);
      const info = (await call('getinfo')) as Record<string, unknown>;
      assert.equal(info.connected, true);
    });
  }

  async function waitFor(what: string, act: () => Promise<unknown>, daemon = child): Promise<void> {
    const endsAtMs = performance.now() + startedWithinMs;
    for (;;) {
      try {
        await act();
        return;
      } catch (error) {
        assert(daemon?.exitCode === null && daemon.signalCode === null, 'Electrum did not start');
        if (performance.now() > endsAtMs) throw new Error(`waited for ${what}`, { cause: error });
        await sleep(50);
      }
    }
  }

  async function kill9(): Promise<void> {
    const daemon = child;
    child = undefined;
    // The guard first: it removes the directory.
    guard?.kill('SIGKILL');
    guard?.stdin?.destroy();
    if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
    const ended = once(daemon, 'exit');
    daemon.kill('SIGKILL');
    await ended;
  }

  const killNow = () => child?.kill('SIGKILL');
  process.once('exit', killNow);
  async function stop(): Promise<void> {
    process.removeListener('exit', killNow);
    await kill9();
    await rm(directory, { recursive: true, force: true, maxRetries: 20 });
  }

  try {
    await start();
    const peer = String(await call('nodeid'));
    const nodeId = peer.split('@')[0];
    return { url, peer: `${nodeId}@127.0.0.1:${lightningPort}`, call, kill9, start, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function findElectrum(): string {
  const given = process.env.QUITTANCE_TEST_ELECTRUM;
  const found = [given, '/usr/bin/electrum'].find((path) => path && existsSync(path));
  assert(found !== undefined, 'Electrum is missing: install the Debian package "electrum"');
  return found;
}
