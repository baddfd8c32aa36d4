// A real EVM node (anvil), one for each caller, on loopback. Blocks come as told, and a block is final
// when two more lie on it. Nothing of it outlives the test process: a guard kills the node when the
// process that holds its pipe is gone, however that went.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Abi } from 'viem';
import { encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem/utils';
import { askAll, type EvmRpc, httpPost, openEvmRpc } from '#networks/evm/json-rpc.ts';
import { findFreePort } from '#test/support/free-port.ts';
import { type Compiled, type ContractName, compileContracts } from './evm-contracts.ts';

export const ABI = parseAbi([
  'function mint(address to, uint256 units)',
  'function transfer(address to, uint256 units) returns (bool)',
  'function transferMany(address[] receivers, uint256[] units)',
  'function pause(bool isPaused)',
  'function stop(address who, bool isStopped)',
  'function forward(address to) payable',
  'function forwardAndUndo(address to) payable',
  'function forwardMany(address[] receivers, uint256[] units) payable',
]);

export type SendOptions = { readonly to: string; readonly value?: bigint; readonly data?: string };

export type AnvilNode = {
  readonly url: string;
  /** Has coins without end, and is the customer. */
  readonly payer: string;
  rpc(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** From the payer, into the pool; gives its hash. */
  send(transaction: SendOptions): Promise<string>;
  /** A function of a contract. */
  call(contract: string, name: string, args: readonly unknown[], value?: bigint): Promise<string>;
  /** A contract of evm-contracts.ts at this address, or at one of its own. */
  deploy(name: ContractName, decimals?: number, at?: string): Promise<string>;
  mine(count: number): Promise<void>;
  height(): Promise<number>;
  finalHash(): Promise<string>;
  /** Away with the last blocks; as many empty ones in their place. Transactions are forgotten. */
  reorganise(depth: number): Promise<void>;
  /** Signed, to be sent again after a reorganisation. */
  rawOf(hash: string): Promise<string>;
  sendRaw(raw: string): Promise<string>;
  /** Orderly; what it has is kept in a file. */
  shutDown(): Promise<void>;
  start(): Promise<void>;
  /** Kills it and removes its directory. May be called again. */
  stop(): Promise<void>;
};

export type AnvilOptions = {
  readonly chainId?: number;
  /** Without the states of old blocks a long chain is made in a tenth of the time. */
  readonly keepsStates?: boolean;
};

const startedWithinMs = 180_000;
let compiled: Compiled | undefined;

/** @throws one Error that says how to get anvil when it is not installed. */
export async function startAnvil(options: AnvilOptions = {}): Promise<AnvilNode> {
  const binary = await findAnvil();
  const directory = await mkdtemp(join(tmpdir(), 'quittance-anvil-'));
  const { chainId = 31_337, keepsStates = true } = options;
  const states = keepsStates ? ['--preserve-historical-states'] : ['--prune-history', '5'];
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/`;
  let child: ChildProcess | undefined;
  let guard: ChildProcess | undefined;
  let client: EvmRpc | undefined;
  let payer = '';

  async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
    assert(client !== undefined, 'the node is not running');
    const [result] = await askAll(client, [{ method, params }]);
    return result;
  }

  async function start(): Promise<void> {
    const node = spawn(
      binary,
      [
        ...['--host', '127.0.0.1', '--port', String(port), '--no-mining', '--silent'],
        ...['--slots-in-an-epoch', '1', ...states],
        ...['--chain-id', String(chainId), '--state', join(directory, 'state')],
        // Without coinbase rewards and with a fixed seed the accounts are the same after a restart.
        ...['--mnemonic-seed-unsafe', '7', '--order', 'fifo', '--threads', '2'],
      ],
      { stdio: 'ignore' },
    );
    child = node;
    await once(node, 'spawn');
    guard = spawn(
      'sh',
      ['-c', 'cat >/dev/null; kill -9 "$0"; rm -rf "$1"', String(node.pid), directory],
      { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
    );
    guard.unref();
    client = openEvmRpc({
      what: 'anvil',
      label: 'anvil',
      ...httpPost('anvil', 'anvil', new URL(url)),
    });
    const endsAtMs = performance.now() + startedWithinMs;
    for (;;) {
      const accounts = await ask('eth_accounts', []).catch(() => undefined);
      if (Array.isArray(accounts)) {
        payer = String(accounts[0]);
        return;
      }
      assert(node.exitCode === null, 'anvil ended at once');
      assert(performance.now() < endsAtMs, 'anvil does not answer');
      await sleep(20);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const node = child;
    child = undefined;
    client?.close();
    client = undefined;
    if (node === undefined) return;
    const ended =
      node.exitCode === null && node.signalCode === null ? once(node, 'exit') : undefined;
    node.kill(signal);
    await ended;
    guard?.kill('SIGKILL');
    guard?.stdin?.destroy();
  }

  async function mine(count: number): Promise<void> {
    await ask('anvil_mine', [`0x${count.toString(16)}`]);
  }

  async function waitForReceipt(hash: string): Promise<{ contractAddress: string }> {
    const receipt = await ask('eth_getTransactionReceipt', [hash]);
    assert(typeof receipt === 'object' && receipt !== null, 'the transaction is not mined');
    return receipt as { contractAddress: string };
  }

  const node: AnvilNode = {
    url,
    get payer() {
      return payer;
    },
    rpc: (method, ...params) => ask(method, params),
    async send({ to, value = 0n, data = '0x' }) {
      const transaction = { from: payer, to, value: hex(value), data, gas: hex(8_000_000n) };
      return String(await ask('eth_sendTransaction', [transaction]));
    },
    call: (contract, name, args, value = 0n) => {
      const data = encodeFunctionData({ abi: ABI as Abi, functionName: name, args });
      return node.send({ to: contract, value, data });
    },
    async deploy(name, decimals, at) {
      compiled ??= compileContracts();
      const given =
        decimals === undefined ? '' : encodeAbiParameters([{ type: 'uint8' }], [decimals]).slice(2);
      const data = `${compiled[name]}${given}`;
      const transaction = { from: payer, data, gas: hex(8_000_000n) };
      const hash = String(await ask('eth_sendTransaction', [transaction]));
      await mine(1);
      const { contractAddress } = await waitForReceipt(hash);
      if (at === undefined) return contractAddress;
      await ask('anvil_setCode', [at, await ask('eth_getCode', [contractAddress, 'latest'])]);
      return at;
    },
    mine,
    height: async () => Number(await ask('eth_blockNumber', [])),
    async finalHash() {
      const block = await ask('eth_getBlockByNumber', ['finalized', false]);
      return String((block as { hash: string }).hash);
    },
    reorganise: async (depth) => void (await ask('anvil_reorg', [depth, []])),
    rawOf: async (hash) => String(await ask('eth_getRawTransactionByHash', [hash])),
    sendRaw: async (raw) => String(await ask('eth_sendRawTransaction', [raw])),
    shutDown: () => end('SIGINT'),
    start,
    async stop() {
      process.removeListener('exit', killNow);
      await end('SIGKILL');
      await rm(directory, { recursive: true, force: true, maxRetries: 20 });
    },
  };
  const killNow = () => child?.kill('SIGKILL');
  process.once('exit', killNow);
  try {
    await start();
    return node;
  } catch (error) {
    await node.stop();
    throw error;
  }
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

async function findAnvil(): Promise<string> {
  const installed = join(import.meta.dirname, 'anvil', 'node_modules', '@foundry-rs');
  const candidates = [
    process.env.QUITTANCE_TEST_ANVIL ?? '',
    join(installed, 'anvil-linux-amd64', 'bin', 'anvil'),
    ...(process.env.PATH ?? '').split(':').map((folder) => join(folder, 'anvil')),
  ];
  for (const candidate of candidates) {
    if (candidate !== '' && (await isThere(candidate))) return candidate;
  }
  throw new Error(
    'anvil is not installed: run npm ci --ignore-scripts in test/nodes/anvil (npm test does it), or ' +
      'let QUITTANCE_TEST_ANVIL name the program of Foundry 1.7',
  );
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
