// A real Litecoin Core in regtest, one for each caller, in a temporary directory of its own.
// Nothing of it outlives the test process: a guard kills the node when the process that holds its
// pipe is gone, however that went. Stay below height 432, where MWEB becomes active (see the test
// that does not).
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { HDKey } from '@scure/bip32';
import { type CoreRpc, type CoreRpcOptions, openCoreRpc } from '#networks/utxo/json-rpc.ts';
import { findFreePort } from '#test/support/free-port.ts';

export type LitecoinNode = {
  /** For an adapter under test: where the node is and how it lets one in. */
  readonly rpcOptions: CoreRpcOptions;
  rpc(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** A fresh address of the node's own wallet. */
  newAddress(): Promise<string>;
  /** Amount in whole coins, as text. Gives the transaction id; the transaction can be replaced. */
  send(address: string, amount: string): Promise<string>;
  /** One transaction with an output for each pair; the same address twice needs `sendRaw`. */
  sendMany(outputs: Readonly<Record<string, string>>): Promise<string>;
  /** One transaction with exactly these outputs, repeated addresses included. */
  sendOutputs(outputs: readonly { address: string; amount: string }[]): Promise<string>;
  /** Pays a higher fee for an unconfirmed transaction; gives the id of the one that replaces it. */
  bumpFee(transaction: string): Promise<string>;
  /** Gives the hashes of the new blocks. */
  mine(count: number, options?: { readonly toAddress?: string }): Promise<readonly string[]>;
  height(): Promise<number>;
  bestHash(): Promise<string>;
  /**
   * Blocks from this one on are no longer part of the chain. Mine to another address afterwards.
   */
  invalidate(hash: string): Promise<void>;
  reconsider(hash: string): Promise<void>;
  /** Orderly; the mempool is kept on disk. */
  shutDown(): Promise<void>;
  kill9(): Promise<void>;
  /** Starts it again with the same data and the same port. */
  start(): Promise<void>;
  restart(): Promise<void>;
  /** Kills it and removes its directory. May be called again. */
  stop(): Promise<void>;
};

export type TestAccount = {
  /** tpub at m/84'/1'/0', whose private key nobody keeps. */
  readonly extendedPublicKey: string;
  readonly descriptor: string;
};

const binaryMagic = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
const startedWithinMs = 180_000;

/** @throws one Error that says how to get litecoind when it is not installed. */
export async function startLitecoinNode(
  options: { readonly blocks?: number; readonly extraArguments?: readonly string[] } = {},
): Promise<LitecoinNode> {
  const binary = await findLitecoind();
  const directory = await mkdtemp(join(tmpdir(), 'quittance-litecoin-'));
  const port = await findFreePort();
  const user = 'test';
  const password = randomBytes(16).toString('hex');
  const url = `http://${user}:${password}@127.0.0.1:${port}/`;
  const rpcOptions = { what: 'test:LITECOIN', url };
  let client: CoreRpc = openCoreRpc(rpcOptions);
  let child: ChildProcess | undefined;
  let guard: ChildProcess | undefined;

  async function start(): Promise<void> {
    const node = spawn(
      binary,
      [
        '-regtest',
        `-datadir=${directory}`,
        `-rpcuser=${user}`,
        `-rpcpassword=${password}`,
        `-rpcport=${port}`,
        ...['-listen=0', '-connect=0', '-dnsseed=0', '-txindex=1', '-fallbackfee=0.0002'],
        // An orderly stop waits for kept connections to be idle so long.
        '-rpcservertimeout=2',
        // Litecoin Core replaces nothing unless it is told to.
        ...[
          '-walletrbf=1',
          '-mempoolreplacement=1',
          '-keypool=20',
          '-par=1',
          '-printtoconsole=0',
          '-rpcworkqueue=64',
        ],
        ...(options.extraArguments ?? []),
      ],
      { stdio: 'ignore' },
    );
    child = node;
    await once(node, 'spawn');
    // Ends when our end of its pipe closes, and takes the node and its directory with it.
    guard = spawn(
      'sh',
      ['-c', 'cat >/dev/null; kill -9 "$0"; rm -rf "$1"', String(node.pid), directory],
      {
        stdio: ['pipe', 'ignore', 'ignore'],
        detached: true,
      },
    );
    guard.unref();
    client.close();
    client = openCoreRpc(rpcOptions);
    const endsAtMs = performance.now() + startedWithinMs;
    for (;;) {
      try {
        await client.call('getblockcount');
        return;
      } catch (error) {
        assert(node.exitCode === null && node.signalCode === null, 'litecoind did not start');
        if (performance.now() > endsAtMs) throw error;
        await sleep(25);
      }
    }
  }

  async function end(act: (node: ChildProcess) => unknown): Promise<void> {
    const node = child;
    child = undefined;
    if (node === undefined) return;
    const hasEnded = () => node.exitCode !== null || node.signalCode !== null;
    const ended = hasEnded() ? undefined : once(node, 'exit');
    try {
      await act(node);
      await ended;
    } finally {
      guard?.kill('SIGKILL');
      guard?.stdin?.destroy();
      if (!hasEnded()) node.kill('SIGKILL');
    }
  }

  const text = async (method: string, ...params: readonly unknown[]): Promise<string> => {
    const result = await client.call(method, params);
    assert(typeof result === 'string', `${method} gave no text`);
    return result;
  };

  let minersAddress = '';
  const node: LitecoinNode = {
    rpcOptions,
    rpc: (method, ...params) => client.call(method, params),
    newAddress: () => text('getnewaddress', '', 'bech32'),
    send: (address, amount) => text('sendtoaddress', address, amount),
    sendMany: (outputs) => text('sendmany', '', outputs),
    async sendOutputs(outputs) {
      return text('sendrawtransaction', await signedWith(client, outputs));
    },
    async bumpFee(transaction) {
      const result = await client.call('bumpfee', [transaction]);
      assert(typeof result === 'object' && result !== null && 'txid' in result);
      return String(result.txid);
    },
    async mine(count, { toAddress = minersAddress } = {}) {
      return (await client.call('generatetoaddress', [count, toAddress])) as readonly string[];
    },
    height: async () => Number(await client.call('getblockcount')),
    bestHash: () => text('getbestblockhash'),
    invalidate: async (hash) => void (await client.call('invalidateblock', [hash])),
    reconsider: async (hash) => void (await client.call('reconsiderblock', [hash])),
    shutDown: () => end(() => client.call('stop')),
    kill9: () => end((process) => process.kill('SIGKILL')),
    start,
    async restart() {
      await node.shutDown();
      await start();
    },
    async stop() {
      process.removeListener('exit', killNow);
      await node.kill9();
      client.close();
      await rm(directory, { recursive: true, force: true, maxRetries: 20 });
    },
  };
  const killNow = () => child?.kill('SIGKILL');
  process.once('exit', killNow);
  try {
    await start();
    // Loaded again at each start.
    await client.call('createwallet', ['test', false, false, '', false, false, true]);
    minersAddress = await node.newAddress();
    await node.mine(options.blocks ?? 110);
    return node;
  } catch (error) {
    await node.stop();
    throw error;
  }
}

/** Of a random seed that is forgotten at once: public derivation is all the tests need. */
export function newTestAccount(seed: Uint8Array = randomBytes(32)): TestAccount {
  const versions = { public: 0x043587cf, private: 0x04358394 };
  const root = HDKey.fromMasterSeed(seed, versions);
  const extendedPublicKey = root.derive("m/84'/1'/0'").publicExtendedKey;
  const fingerprint = root.fingerprint.toString(16).padStart(8, '0');
  return {
    extendedPublicKey,
    descriptor: `wpkh([${fingerprint}/84h/1h/0h]${extendedPublicKey}/0/*)`,
  };
}

/**
 * Funds and signs by the wallet; createrawtransaction refuses a repeated address, so outputs are
 * joined.
 */
async function signedWith(
  client: CoreRpc,
  outputs: readonly { address: string; amount: string }[],
): Promise<string> {
  const raws = await Promise.all(
    outputs.map(({ address, amount }) =>
      client.call('createrawtransaction', [[], [{ [address]: amount }]]),
    ),
  );
  // version 4 bytes, 0 inputs, 1 output, the output, lock time 4 bytes
  const parts = raws.map((raw) => String(raw).slice(12, -8));
  assert(parts.length < 0xfd, 'too many outputs for a count of one byte');
  const count = parts.length.toString(16).padStart(2, '0');
  const joined = `0200000000${count}${parts.join('')}00000000`;
  // Not `true`: a transaction without inputs is not to be read as one with a witness.
  const funded = await client.call('fundrawtransaction', [joined, {}, false]);
  assert(typeof funded === 'object' && funded !== null && 'hex' in funded);
  const signed = await client.call('signrawtransactionwithwallet', [funded.hex]);
  assert(typeof signed === 'object' && signed !== null && 'hex' in signed);
  return String(signed.hex);
}

/**
 * Debian puts a shell script into PATH that writes to the home directory: the real one lies behind.
 */
export async function findLitecoind(): Promise<string> {
  const listed = await promisify(execFile)('dpkg', ['-L', 'litecoind']).catch(() => undefined);
  const candidates = [
    process.env.LITECOIND ?? '',
    ...(listed?.stdout.split('\n') ?? []).filter((path) => path.endsWith('/litecoind')),
    ...(process.env.PATH ?? '').split(':').map((folder) => join(folder, 'litecoind')),
  ];
  for (const candidate of candidates) if (await isProgram(candidate)) return candidate;
  throw new Error(
    'litecoind is not installed. On Debian: apt-get install -y --no-install-recommends ' +
      'litecoind; elsewhere let LITECOIND name the program of Litecoin Core 0.21',
  );
}

async function isProgram(path: string): Promise<boolean> {
  if (path === '') return false;
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && (buffer.equals(binaryMagic) || buffer.readUInt32BE() === 0xcffaedfe);
  } catch {
    return false;
  } finally {
    await file.close();
  }
}
