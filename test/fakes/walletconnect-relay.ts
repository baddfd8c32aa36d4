// A relay of WalletConnect on loopback, by its published protocol (specs.walletconnect.com, "Relay
// Server RPC", "Relay Client Auth"): who connects shows a token that its own key signed, for this
// address; messages are passed on to whoever has subscribed, and kept for whoever comes later until
// they are acknowledged. `wc_proposeSession` and `wc_approveSession`, in which wallets of today send
// several acts at once, are what @walletconnect/core 2.21.8 sends.
import assert from 'node:assert/strict';
import { createPublicKey, randomBytes, verify } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { base58 } from '@scure/base';
import { type WebSocket, WebSocketServer } from 'ws';

export type RelayedMessage = {
  readonly topic: string;
  readonly message: string;
  readonly tag: number;
  readonly publishedAt: number;
};

export type WalletConnectRelay = {
  readonly url: string;
  readonly port: number;
  readonly projectId: string;
  /** What was published, in order. */
  readonly published: RelayedMessage[];
  /** Methods that were asked, with whoever asked, by the name of its key. */
  readonly asked: { readonly method: string; readonly client: string }[];
  /** Origins of pages that connected. */
  readonly origins: (string | undefined)[];
  /** As anybody can who knows a topic. */
  publish(topic: string, message: string, tag: number): void;
  /** Breaks every connection, as a sleeping telephone does. */
  dropAll(): void;
  close(): Promise<void>;
};

type Client = {
  readonly socket: WebSocket;
  readonly name: string;
  readonly topics: Map<string, string>;
  /** Sent to it and not acknowledged yet, by the number of the message. */
  readonly sent: Map<number, Kept>;
};
type Kept = RelayedMessage & { readonly from: string; readonly takenBy: Set<string> };
type Question = { readonly id: number; readonly method?: string; readonly params: Params };
type Params = Readonly<Record<string, unknown>>;

const MULTICODEC_ED25519 = 'ed01';
/** Of SubjectPublicKeyInfo with an Ed25519 key (RFC 8410). */
const SPKI_START = '302a300506032b6570032100';

/** @throws when it is not signed by the key that it names, or is for another address. */
function readToken(token: string, url: string): string {
  const [head = '', body = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
  const issuer = String(claims.iss);
  assert.match(issuer, /^did:key:z/);
  const raw = Buffer.from(base58.decode(issuer.slice('did:key:z'.length))).toString('hex');
  assert(raw.startsWith(MULTICODEC_ED25519) && raw.length === 68, 'no Ed25519 key');
  const der = Buffer.from(SPKI_START + raw.slice(4), 'hex');
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const isSigned = verify(
    null,
    Buffer.from(`${head}.${body}`),
    key,
    Buffer.from(signature, 'base64url'),
  );
  assert(isSigned, 'the token is not signed by its key');
  assert.deepEqual(JSON.parse(Buffer.from(head, 'base64url').toString()), {
    alg: 'EdDSA',
    typ: 'JWT',
  });
  assert.equal(claims.aud, url, 'the token is for another relay');
  assert.match(String(claims.sub), /^[0-9a-f]{64}$/);
  const now = Date.now() / 1000;
  assert(Number(claims.iat) <= now + 5 && Number(claims.exp) > now, 'the token is not of now');
  return issuer;
}

export async function openWalletConnectRelay(): Promise<WalletConnectRelay> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `ws://127.0.0.1:${port}`;
  const projectId = randomBytes(16).toString('hex');
  const clients = new Set<Client>();
  const kept: Kept[] = [];
  const asked: WalletConnectRelay['asked'] = [];
  const origins: (string | undefined)[] = [];

  let lastId = Date.now() * 1000;

  const newId = () => randomBytes(32).toString('hex');
  const send = (socket: WebSocket, value: object) => socket.send(JSON.stringify(value));

  function deliver({ socket, name, topics, sent }: Client, one: Kept): void {
    const subscription = topics.get(one.topic);
    if (subscription === undefined || one.from === name || one.takenBy.has(name)) return;
    const { topic, message, tag, publishedAt } = one;
    lastId += 1;
    sent.set(lastId, one);
    send(socket, {
      id: lastId,
      jsonrpc: '2.0',
      method: 'irn_subscription',
      params: { id: subscription, data: { topic, message, publishedAt, tag } },
    });
  }

  function publish(topic: string, message: string, tag: number, from = ''): void {
    const one = { topic, message, tag, from, publishedAt: Date.now(), takenBy: new Set<string>() };
    kept.push(one);
    for (const client of clients) deliver(client, one);
  }

  const subscribe = (client: Client, topic: string) => {
    const id = client.topics.get(topic) ?? newId();
    client.topics.set(topic, id);
    for (const one of kept) if (one.topic === topic) deliver(client, one);
    return id;
  };

  function fetchAll({ name }: Client, topics: readonly string[]) {
    const messages = kept.filter(
      ({ topic, from, takenBy }) => topics.includes(topic) && from !== name && !takenBy.has(name),
    );
    for (const { takenBy } of messages) takenBy.add(name);
    return {
      messages: messages.map(({ topic, message, tag, publishedAt }) => ({
        ...{ topic, message, tag, publishedAt },
      })),
      hasMore: false,
    };
  }

  /** @throws for a method that it does not have. */
  function answer(client: Client, method: string, params: Params): unknown {
    const text = (name: string) => String(params[name]);
    const topics = (params.topics ?? []) as readonly string[];
    switch (method) {
      case 'irn_publish':
        publish(text('topic'), text('message'), Number(params.tag), client.name);
        return true;
      case 'irn_subscribe':
        return subscribe(client, text('topic'));
      case 'irn_batchSubscribe':
        return topics.map((topic) => subscribe(client, topic));
      case 'irn_unsubscribe':
        client.topics.delete(text('topic'));
        return true;
      case 'irn_batchFetchMessages':
        return fetchAll(client, topics);
      case 'wc_approveSession':
        subscribe(client, text('sessionTopic'));
        publish(text('pairingTopic'), text('sessionProposalResponse'), 1101, client.name);
        publish(text('sessionTopic'), text('sessionSettlementRequest'), 1102, client.name);
        return true;
      default:
        throw new Error(`Unsupported method ${method}`);
    }
  }

  server.on('connection', (socket, request) => {
    const { searchParams } = new URL(request.url ?? '/', url);
    let name: string;
    try {
      name = readToken(searchParams.get('auth') ?? '', url);
      assert.equal(searchParams.get('projectId'), projectId, 'no such project');
    } catch (error) {
      socket.close(3000, `Unauthorized: ${(error as Error).message}`.slice(0, 120));
      return;
    }
    origins.push(request.headers.origin);
    const client: Client = { socket, name, topics: new Map(), sent: new Map() };
    clients.add(client);
    socket.on('close', () => clients.delete(client));
    socket.on('message', (data) => {
      const { id, method, params } = JSON.parse(String(data)) as Question;
      // It acknowledges what it was sent.
      if (method === undefined) return void client.sent.get(id)?.takenBy.add(name);
      asked.push({ method, client: name });
      try {
        send(socket, { id, jsonrpc: '2.0', result: answer(client, method, params) });
      } catch (error) {
        const { message } = error as Error;
        send(socket, { id, jsonrpc: '2.0', error: { code: -32601, message } });
      }
    });
  });

  return {
    ...{ url, port, projectId, published: kept, asked, origins },
    publish: (topic, message, tag) => publish(topic, message, tag),
    dropAll() {
      for (const { socket } of clients) socket.terminate();
    },
    async close() {
      for (const { socket } of clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
