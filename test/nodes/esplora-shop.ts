// What the stories share where nobody has a node: our server knows two Esplora servers in front of a
// real Litecoin Core, the signer has the keys of its addresses, and so has a person's wallet.
import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCoreRpc } from '#networks/utxo/json-rpc.ts';
import { LITECOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';
import { type EsploraServer, startEsploraServer } from '#test/fakes/esplora-server.ts';
import { psbtSigner } from '#test/support/psbt-signer.ts';
import type { ServerProcess } from '#test/support/server-process.ts';
import { type Shop, waitUntil } from '#test/support/shop.ts';
import { createSignerProcess, type SignerProcess } from '#test/support/signer-process.ts';
import { type LitecoinNode, startLitecoinNode } from './litecoin-node.ts';
import { type LiveShop, openLiveShop } from './open-live-shop.ts';
import { waitForCursor } from './wait-for-cursor.ts';

const RULES = `[[cap]]
environment = "live"
asset = "LTC:NATIVE"
per_transaction = "1"
per_day = "10"
fee_per_transaction = "0.01"
`;

type Opened = { readonly checkoutId: string; readonly depositInstructions: { address: string } };
type Refund = { readonly checkoutId: string; readonly state: string; readonly tx: string };
type Waiting = { readonly id: string; readonly state: string; readonly tx: string | null };

export type EsploraShop = LiveShop & {
  readonly node: LitecoinNode;
  readonly servers: readonly EsploraServer[];
  readonly signer: SignerProcess;
  startSigner(): Promise<void>;
  open(amount: string): Promise<Opened>;
  /** A checkout of this amount that was paid and has completed. */
  paid(amount: string): Promise<string>;
  /** To somebody, of a checkout of its own; gives where it goes. */
  refund(amount: string): Promise<{ checkoutId: string; address: string }>;
  /** The refund of this checkout, once it has ended; blocks are found meanwhile where that is said. */
  ended(checkoutId: string, said?: { readonly isMining: boolean }): Promise<Refund>;
  /** The first one of `send list` that is so. */
  toSend(isIt: (one: Waiting) => boolean): Promise<Waiting>;
  /** A PSBT as a person's wallet gives it back, in a file. */
  signed(psbt: string): Promise<string>;
  /** In the mempool of the node. */
  waiting(): Promise<readonly string[]>;
  /** The tip is read, the books are right, and nothing that left is unexplained. */
  booked(): Promise<void>;
  /** This server answers so to whatever is sent to it; without an answer as it does else. */
  saysToBroadcast(at: number, status?: number, body?: string): void;
};

export function openEsploraShop(): Promise<EsploraShop> {
  const keys = psbtSigner(LITECOIN_REGTEST);
  return openLiveShop(async ({ closeLater, startShop }) => {
    const secret = keys.root.derive("m/84'/1'/0'").privateExtendedKey;
    const signer = createSignerProcess([
      { name: 'hot', environment: 'live', network: 'LITECOIN', chain: 'regtest', secret },
    ]);
    closeLater(() => signer.close());
    await signer.start(RULES);
    const node = await startLitecoinNode();
    closeLater(() => node.stop());
    const start = () => startEsploraServer(openCoreRpc(node.rpcOptions));
    const servers = [await start(), await start()];
    for (const one of servers) closeLater(() => one.close());
    const { server, shop } = await startShop({
      LITECOIN_ESPLORA_URLS: servers
        .map(({ url }, at) => (at === 0 ? url : url.replace('127.0.0.1', 'localhost')))
        .join(','),
      LITECOIN_CHAIN: 'regtest',
      LITECOIN_DESCRIPTOR: keys.descriptor,
      LITECOIN_CONFIRMATIONS: '2/2/2',
      SIGNER_SOCKET: signer.socket,
      SIGNER_NETWORKS: 'LITECOIN',
    });
    const here = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'live'];
    await server.command('allow-list', 'add', ...here);
    return {
      ...{ ...shop, server, ...actsOn(server, shop, node), node, servers, signer },
      async startSigner() {
        await signer.kill9();
        await signer.start(RULES);
      },
      async signed(psbt: string) {
        const file = join(await mkdtemp(join(tmpdir(), 'signed-')), 'psbt');
        await writeFile(file, keys.sign(Buffer.from(psbt, 'base64')));
        return file;
      },
      saysToBroadcast(at: number, status?: number, body = '') {
        const said = servers[at] ?? assert.fail();
        said.keep = (path) =>
          path === '/tx' && status !== undefined ? { status, body } : undefined;
      },
    };
  });
}

function actsOn(server: ServerProcess, shop: Shop, node: LitecoinNode) {
  const { client } = shop;
  const open = (amount: string) =>
    shop.open({ currency: 'LTC', amount }, 'LITECOIN') as Promise<Opened>;
  async function paid(amount: string): Promise<string> {
    const { checkoutId, depositInstructions } = await open(amount);
    await node.send(depositInstructions.address, amount);
    await node.mine(2);
    await client.waitForState(checkoutId, 'COMPLETED');
    return checkoutId;
  }
  return {
    ...{ open, paid },
    async refund(amount: string) {
      const checkoutId = await paid('0.5');
      const address = await node.newAddress();
      await client.post('/refund', { checkoutId, kind: 'amount', amount, address });
      return { checkoutId, address };
    },
    async ended(checkoutId: string, { isMining = false } = {}): Promise<Refund> {
      let found: Refund | undefined;
      let nextMs = 0;
      await waitUntil('the refund to end', async () => {
        // Some hundred blocks later MWEB becomes active, and this node mines no more.
        if (isMining && performance.now() >= nextMs) {
          await node.mine(1);
          nextMs = performance.now() + 1000;
        }
        const { refunds } = await client.get<{ refunds: readonly Refund[] }>('/refunds');
        found = refunds.find((one) => one.checkoutId === checkoutId);
        return found?.state === 'COMPLETED' || found?.state === 'FAILED';
      });
      return found ?? assert.fail();
    },
    async toSend(isIt: (one: Waiting) => boolean): Promise<Waiting> {
      let found: Waiting | undefined;
      await waitUntil('a transfer of send list', async () => {
        const { json } = await server.command('send', 'list', '--json');
        found = (json as { transfers: readonly Waiting[] }).transfers.find(isIt);
        return found !== undefined;
      });
      return found ?? assert.fail();
    },
    waiting: async () => (await node.rpc('getrawmempool')) as readonly string[],
    async booked(): Promise<void> {
      const hash = await node.bestHash();
      await waitForCursor(server, 'live:LITECOIN', (cursor) => cursor.hash === hash);
      const verified = await server.command('ledger', 'verify', '--json');
      assert.deepEqual(verified.json.faults, []);
      const { json } = await server.command('custody', 'list', '--json');
      assert.deepEqual(json.departures, []);
    },
  };
}
