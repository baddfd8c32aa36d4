// Real btcd and LND in regtest, each in a temporary directory, programs built by scripts/test-lnd.mjs.
// Nothing of them outlives the test process: a guard kills each when the process that holds its pipe
// is gone, however that went.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '#test/support/free-port.ts';

type Json = Record<string, unknown>;
export type Program = { start(more?: readonly string[]): Promise<void>; kill9(): Promise<void> };

export type BtcdNode = Program & {
  readonly directory: string;
  readonly rpcPort: number;
  mine(count: number): Promise<void>;
  stop(): Promise<void>;
};

export type LndNode = Program & {
  /** https://127.0.0.1:port */
  readonly url: string;
  readonly certificateFile: string;
  readonly nodeId: string;
  readonly peerAddress: string;
  /** As the administrator of the node. */
  rest(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Json>;
  waitUntilActive(): Promise<void>;
  stop(): Promise<void>;
};

const withinMs = 180_000;
/** Somebody's address; the coins are worth nothing. */
const firstMiner = 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8';

export async function startBtcd(): Promise<BtcdNode> {
  const directory = await mkdtemp(join(tmpdir(), 'quittance-btcd-'));
  const rpcPort = await findFreePort();
  const words = [
    ...['--regtest', '--nolisten', '--txindex', `--configfile=${join(directory, 'none')}`],
    ...[`--datadir=${join(directory, 'data')}`, `--logdir=${join(directory, 'log')}`],
    ...['--rpcuser=user', '--rpcpass=password', `--rpclisten=127.0.0.1:${rpcPort}`],
    ...[`--rpccert=${join(directory, 'rpc.cert')}`, `--rpckey=${join(directory, 'rpc.key')}`],
  ];
  const program = programOf(variable('QUITTANCE_TEST_BTCD'), words, directory);

  async function call(method: string, ...params: unknown[]): Promise<unknown> {
    const answer = await askJson(`https://127.0.0.1:${rpcPort}/`, {
      method: 'POST',
      ca: readFileSync(join(directory, 'rpc.cert')),
      headers: { authorization: `Basic ${Buffer.from('user:password').toString('base64')}` },
      body: JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }),
    });
    assert.equal(answer.error ?? null, null, JSON.stringify(answer.error));
    return answer.result;
  }

  async function start(more: readonly string[] = [`--miningaddr=${firstMiner}`]): Promise<void> {
    await program.start(more);
    await waitUntil('btcd to answer', () => call('getblockcount'));
  }
  return {
    directory,
    rpcPort,
    start,
    kill9: program.kill9,
    mine: async (count) => void (await call('generate', count)),
    async stop() {
      await program.kill9();
      await rm(directory, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

export async function startLnd(btcd: BtcdNode): Promise<LndNode> {
  const directory = await mkdtemp(join(tmpdir(), 'quittance-lnd-'));
  const [restPort, rpcPort, peerPort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const url = `https://127.0.0.1:${restPort}`;
  const peerAddress = `127.0.0.1:${peerPort}`;
  const certificateFile = join(directory, 'tls.cert');
  const macaroonFile = join(directory, 'data/chain/bitcoin/regtest/admin.macaroon');
  const program = programOf(
    variable('QUITTANCE_TEST_LND'),
    [
      ...[`--lnddir=${directory}`, '--bitcoin.regtest', '--bitcoin.node=btcd', '--noseedbackup'],
      ...[`--btcd.rpchost=127.0.0.1:${btcd.rpcPort}`, '--btcd.rpcuser=user'],
      ...['--btcd.rpcpass=password', `--btcd.rpccert=${join(btcd.directory, 'rpc.cert')}`],
      ...[`--listen=${peerAddress}`, `--rpclisten=127.0.0.1:${rpcPort}`],
      ...[`--restlisten=127.0.0.1:${restPort}`, '--nobootstrap', '--debuglevel=error'],
      // A node that was away often is looked for again after an hour otherwise.
      ...['--minbackoff=1s', '--maxbackoff=1s'],
    ],
    directory,
  );

  async function rest(method: string, path: string, body?: object): Promise<Json> {
    const answer = await askJson(`${url}${path}`, {
      method,
      ca: readFileSync(certificateFile),
      headers: { 'grpc-metadata-macaroon': readFileSync(macaroonFile).toString('hex') },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (answer.code !== undefined) throw new Error(`${method} ${path}: ${String(answer.message)}`);
    return answer;
  }

  async function waitUntilActive(): Promise<void> {
    await waitUntil('LND to be active', async () => {
      const { state } = await rest('GET', '/v1/state');
      assert.equal(state, 'SERVER_ACTIVE');
    });
  }

  await program.start();
  await waitUntilActive();
  const { identity_pubkey: nodeId } = await rest('GET', '/v1/getinfo');
  return {
    url,
    certificateFile,
    nodeId: String(nodeId),
    peerAddress,
    rest,
    waitUntilActive,
    start: () => program.start(),
    kill9: program.kill9,
    async stop() {
      await program.kill9();
      await rm(directory, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

export async function waitUntil(what: string, act: () => Promise<unknown>): Promise<void> {
  const endsAtMs = performance.now() + withinMs;
  for (;;) {
    try {
      await act();
      return;
    } catch (error) {
      if (performance.now() > endsAtMs) {
        throw new Error(`waited for ${what}: ${String(error)}`, { cause: error });
      }
      await sleep(100);
    }
  }
}

function programOf(path: string, words: readonly string[], directory: string): Program {
  let child: ChildProcess | undefined;
  let guard: ChildProcess | undefined;
  const killNow = () => child?.kill('SIGKILL');
  process.once('exit', killNow);
  return {
    async start(more = []) {
      child = spawn(path, [...words, ...more], { stdio: 'ignore' });
      await once(child, 'spawn');
      const script = 'cat >/dev/null; kill -9 "$0"; rm -rf "$1"';
      guard = spawn('sh', ['-c', script, String(child.pid), directory], {
        stdio: ['pipe', 'ignore', 'ignore'],
        detached: true,
      });
      guard.unref();
    },
    async kill9() {
      const running = child;
      child = undefined;
      guard?.kill('SIGKILL');
      guard?.stdin?.destroy();
      if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
      const ended = once(running, 'exit');
      running.kill('SIGKILL');
      await ended;
    },
  };
}

type Ask = {
  readonly method: string;
  readonly ca: Buffer;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
};

/** The last line: streams of the REST proxy are a JSON text in each. */
function askJson(url: string, { body, ...options }: Ask): Promise<Json> {
  const { promise, resolve, reject } = Promise.withResolvers<Json>();
  const request = https.request(url, options, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => {
      text += part;
    });
    response.on('error', reject);
    response.on('end', () => {
      try {
        resolve(JSON.parse(text.trim().split('\n').at(-1) ?? ''));
      } catch {
        reject(new Error(`no JSON: ${text.slice(0, 200)}`));
      }
    });
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}

function variable(name: string): string {
  const path = process.env[name];
  assert(path !== undefined, `${name} is not set: run npm run test:lnd`);
  return path;
}
