// A server that speaks as much of the Esplora HTTP API (Blockstream/esplora, API.md) as we ask for,
// over real HTTP on loopback, in front of a node: its bytes are real. It can be told to lie.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { amountFromText } from '#money/asset-amount.ts';
import { RpcFailure } from '#networks/answer-fields.ts';
import type { CoreRpc } from '#networks/utxo/json-rpc.ts';

export type EsploraAnswer = { readonly status: number; readonly body: string | Buffer };

export type EsploraServer = {
  readonly url: string;
  readonly asked: string[];
  /** Before anything is asked of the node: what a server keeps to itself. */
  keep: (path: string) => EsploraAnswer | undefined;
  /** Instead of the honest answer; undefined leaves it. */
  answer: (path: string, honest: EsploraAnswer) => EsploraAnswer | undefined;
  close(): Promise<void>;
};

const missing: EsploraAnswer = { status: 404, body: 'not found' };

export async function startEsploraServer(rpc: CoreRpc): Promise<EsploraServer> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const sent = request.method === 'POST' ? Buffer.concat(parts).toString() : undefined;
      void reply(request.url ?? '/', sent, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fake: EsploraServer = {
    url: `http://127.0.0.1:${port}/api`,
    asked: [],
    keep: () => undefined,
    answer: () => undefined,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  async function reply(
    url: string,
    sent: string | undefined,
    response: ServerResponse,
  ): Promise<void> {
    const path = url.replace(/^\/api/, '');
    fake.asked.push(path);
    const asked = () => (sent === undefined ? usual(rpc, path) : broadcast(rpc, path, sent));
    const kept = fake.keep(path);
    const honest =
      kept ??
      (await asked().catch((error: unknown) => {
        if (error instanceof RpcFailure) return missing;
        return { status: 502, body: 'no node' };
      }));
    const { status, body } = fake.answer(path, honest) ?? honest;
    response.writeHead(status).end(body);
  }
  return fake;
}

/** Whoever posts gets the error of the node as rest.rs and daemon.rs of Blockstream/electrs write it. */
async function broadcast(rpc: CoreRpc, path: string, hex: string): Promise<EsploraAnswer> {
  if (path !== '/tx') return missing;
  try {
    return { status: 200, body: String(await rpc.call('sendrawtransaction', [hex])) };
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    const { code, said: message } = error;
    const body = `sendrawtransaction RPC error: ${JSON.stringify({ code, message })}`;
    return { status: 400, body };
  }
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
    case 'tx/':
      return ok(JSON.stringify(await described(rpc, id)));
    case 'tx/outspends':
      return ok(JSON.stringify(await outspends(rpc, id)));
    // Of what it never heard of as well (get_tx_status in query.rs).
    case 'tx/status':
      return ok(JSON.stringify(await statusOf(rpc, id).catch(() => ({ confirmed: false }))));
    case 'fee-estimates/':
      return ok(JSON.stringify({ 6: 2.345, 144: 1.05 }));
    case 'address/txs':
      return more === 'mempool' ? ok(JSON.stringify(await unconfirmedOf(rpc, id))) : missing;
    default:
      return missing;
  }
}

type FakeTransaction = {
  readonly txid: string;
  readonly blockhash?: string;
  readonly weight: number;
  readonly vin: readonly { readonly txid?: string; readonly vout: number }[];
  readonly vout: readonly {
    readonly value: string;
    readonly scriptPubKey: { readonly addresses?: readonly string[] };
  }[];
};

async function read(rpc: CoreRpc, id: string): Promise<FakeTransaction> {
  return (await rpc.call('getrawtransaction', [id, true])) as FakeTransaction;
}

async function statusOf(rpc: CoreRpc, id: string): Promise<object> {
  const { blockhash } = await read(rpc, id);
  const block = blockhash === undefined ? {} : { block_hash: blockhash };
  return { confirmed: blockhash !== undefined, ...block };
}

const unitsOf = (value: string | undefined) => amountFromText(value ?? '0', 8) ?? 0n;

/** What we read of the transaction format of API.md. */
async function described(rpc: CoreRpc, id: string): Promise<object> {
  const { txid, weight, vin, vout } = await read(rpc, id);
  let fee = 0n;
  for (const { txid: parent, vout: at } of vin) {
    if (parent !== undefined) fee += unitsOf((await read(rpc, parent)).vout[at]?.value);
  }
  for (const { value } of vout) fee -= unitsOf(value);
  const status = await statusOf(rpc, id);
  return { txid, weight, fee: Number(fee), vin: vin.map((one) => ({ txid: one.txid })), status };
}

async function outspends(rpc: CoreRpc, id: string): Promise<object[]> {
  const { vout } = await read(rpc, id);
  const waiting = (await rpc.call('getrawmempool')) as string[];
  const spenders = await Promise.all(waiting.map((one) => read(rpc, one)));
  return vout.map((_, at) => {
    const by = spenders.find(({ vin }) => vin.some((one) => one.txid === id && one.vout === at));
    return by === undefined ? { spent: false } : { spent: true, txid: by.txid };
  });
}

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
