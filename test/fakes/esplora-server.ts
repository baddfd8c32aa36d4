// A server that speaks as much of the Esplora HTTP API (Blockstream/esplora, API.md) as we ask for,
// over real HTTP on loopback, in front of a node: its bytes are real. It can be told to lie.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RpcFailure } from '#networks/answer-fields.ts';
import type { CoreRpc } from '#networks/utxo/json-rpc.ts';

export type EsploraAnswer = { readonly status: number; readonly body: string | Buffer };

export type EsploraServer = {
  readonly url: string;
  readonly asked: string[];
  /** Instead of the honest answer; undefined leaves it. */
  answer: (path: string, honest: EsploraAnswer) => EsploraAnswer | undefined;
  close(): Promise<void>;
};

const missing: EsploraAnswer = { status: 404, body: 'not found' };

export async function startEsploraServer(rpc: CoreRpc): Promise<EsploraServer> {
  const server = createServer((request, response) => {
    void reply(request.url ?? '/', response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fake: EsploraServer = {
    url: `http://127.0.0.1:${port}/api`,
    asked: [],
    answer: () => undefined,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  async function reply(url: string, response: ServerResponse): Promise<void> {
    const path = url.replace(/^\/api/, '');
    fake.asked.push(path);
    const honest = await usual(rpc, path).catch((error: unknown) => {
      if (error instanceof RpcFailure) return missing;
      return { status: 502, body: 'no node' };
    });
    const { status, body } = fake.answer(path, honest) ?? honest;
    response.writeHead(status).end(body);
  }
  return fake;
}

async function usual(rpc: CoreRpc, path: string): Promise<EsploraAnswer> {
  const [, kind = '', id = '', detail = '', more = ''] = path.split('/');
  const ok = (body: unknown): EsploraAnswer => ({
    status: 200,
    body: body instanceof Buffer ? body : String(body),
  });
  switch (`${kind}/${detail}`) {
    case 'blocks/height':
      return ok(await rpc.call('getblockcount'));
    case 'blocks/hash':
      return ok(await rpc.call('getbestblockhash'));
    case 'block-height/':
      return ok(await rpc.call('getblockhash', [Number(id)]));
    case 'block/raw':
      return ok(Buffer.from(String(await rpc.call('getblock', [id, 0])), 'hex'));
    case 'tx/hex':
      return ok(await rpc.call('getrawtransaction', [id, false]));
    case 'tx/status': {
      const { blockhash } = (await rpc.call('getrawtransaction', [id, true])) as FakeTransaction;
      const status = blockhash === undefined ? {} : { block_hash: blockhash };
      return ok(JSON.stringify({ confirmed: blockhash !== undefined, ...status }));
    }
    case 'address/txs':
      return more === 'mempool' ? ok(JSON.stringify(await unconfirmedOf(rpc, id))) : missing;
    default:
      return missing;
  }
}

type FakeTransaction = {
  readonly txid: string;
  readonly blockhash?: string;
  readonly vout: readonly { readonly scriptPubKey: { readonly addresses?: readonly string[] } }[];
};

/** An index by address is what a node lacks: every unconfirmed transaction is looked at. */
async function unconfirmedOf(rpc: CoreRpc, address: string): Promise<object[]> {
  const txids = (await rpc.call('getrawmempool')) as string[];
  const found: object[] = [];
  for (const txid of txids) {
    const { vout } = (await rpc.call('getrawtransaction', [txid, true])) as FakeTransaction;
    if (vout.some(({ scriptPubKey }) => scriptPubKey.addresses?.includes(address) === true)) {
      found.push({ txid, version: 2, status: { confirmed: false } });
    }
  }
  return found;
}
