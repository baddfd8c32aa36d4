// The chain of a fake node (test/fakes/evm-node.ts) behind go-ethereum's own server, in a process of
// its own that ends with this one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type HttpPost, httpPost } from '#networks/evm/json-rpc.ts';
import type { FakeEvmNode } from '#test/fakes/evm-node.ts';

/** As geth has them where nothing is said. */
export type ServerLimits = {
  readonly items?: number;
  readonly response?: number;
  readonly body?: number;
};

export type EvmServer = HttpPost & { stop(): Promise<void> };

const withinMs = 60_000;
const hex = (value: number | bigint) => `0x${value.toString(16)}`;

export async function startEvmServer(node: FakeEvmNode, limits: ServerLimits): Promise<EvmServer> {
  const program = process.env.QUITTANCE_TEST_EVM_SERVER;
  assert(program !== undefined, 'QUITTANCE_TEST_EVM_SERVER is not set: run npm run test:servers');
  const directory = await mkdtemp(join(tmpdir(), 'quittance-evm-server-'));
  const file = join(directory, 'chain.json');
  await writeFile(file, preparedChain(node));
  const words = Object.entries(limits).map(([name, value]) => `-${name}=${value}`);
  const child = spawn(program, [`-chain=${file}`, ...words], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [said] = (await once(child.stdout, 'data', {
    signal: AbortSignal.timeout(withinMs),
  })) as [Buffer];
  const port = Number(said.toString('utf8').trim());
  assert(Number.isInteger(port) && port > 0, `the server said: ${said}`);
  const client = httpPost('server', 'server', new URL(`http://127.0.0.1:${port}/`));
  return {
    ...client,
    async stop() {
      client.close();
      // The end of its standard input is its end.
      child.stdin.end();
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function preparedChain({ chainId, finalLag, blocks, tokens }: FakeEvmNode): string {
  return JSON.stringify({
    chainId: hex(chainId),
    finalLag,
    blocks: blocks.map(({ height, hash, parentHash, seconds, ...rest }) => ({
      number: hex(height),
      hash,
      parentHash,
      timestamp: hex(seconds),
      transactions: rest.transactions,
      receipts: rest.receipts,
      balances: Object.fromEntries([...rest.balances].map(([key, units]) => [key, hex(units)])),
    })),
    tokens: Object.fromEntries(tokens),
  });
}
