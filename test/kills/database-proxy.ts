// Between the service and PostgreSQL: reads the wire protocol (PostgreSQL 18, chapter 54, version 3)
// as far as it has to, tells the trap which statement is on its way and what was committed, and
// passes every byte on as it came.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Trap, Victim } from './trap.ts';

export type DatabaseProxy = { readonly url: string; close(): Promise<void> };

export async function openDatabaseProxy(databaseUrl: string, trap: Trap): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const directory = target.searchParams.get('host');
  const port = Number(target.port);
  const open = () =>
    directory === null
      ? connect(port, target.hostname)
      : connect(`${directory}/.s.PGSQL.${target.port}`);
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const database = open();
    for (const socket of [client, database]) {
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
      sockets.add(socket);
    }
    void carry(client, database, trap);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

type Message = { readonly type: string; readonly body: Buffer };

async function carry(client: Socket, database: Socket, trap: Trap): Promise<void> {
  const conversation = newConversation();
  const forth = pipe(
    client,
    database,
    async (message) => {
      const text = heard(conversation, message);
      return text !== undefined && isDead(await trap.pass({ at: 'statement', text }));
    },
    true,
  );
  const back = pipe(
    database,
    client,
    async (message) => {
      const text = answered(conversation, message);
      return text !== undefined && isDead(await trap.pass({ at: 'committed', text }));
    },
    false,
  );
  await Promise.race([forth, back]).catch(() => undefined);
  client.destroy();
  database.destroy();
}

function isDead(killed: readonly Victim[] | undefined): boolean {
  return killed?.includes('service') === true;
}

/** Whole messages only, so that one that is stopped has not been begun. */
async function pipe(
  from: Socket,
  to: Socket,
  isStopped: (message: Message) => Promise<boolean>,
  isFromClient: boolean,
): Promise<void> {
  let rest = Buffer.alloc(0);
  // The first message of a client has no type.
  let hasBegun = !isFromClient;
  for await (const chunk of from) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    let end = 0;
    for (;;) {
      const typeBytes = hasBegun ? 1 : 0;
      if (rest.length < end + typeBytes + 4) break;
      const next = end + typeBytes + rest.readUInt32BE(end + typeBytes);
      if (rest.length < next) break;
      const type = hasBegun ? String.fromCharCode(rest[end] ?? 0) : '';
      hasBegun = true;
      if (await isStopped({ type, body: rest.subarray(end + typeBytes + 4, next) })) return;
      end = next;
    }
    if (end > 0 && !to.write(rest.subarray(0, end))) await once(to, 'drain');
    rest = rest.subarray(end);
  }
}

type Conversation = {
  /** Prepared, by name. */
  readonly prepared: Map<string, string>;
  /** Sent and not answered to the end, the oldest first. */
  readonly open: string[];
  /** Bound, and not yet followed by the Sync that ends it. */
  bound: string;
  isReady: boolean;
  /** Of the transaction under way. */
  done: string[];
  hasFailed: boolean;
};

function newConversation(): Conversation {
  return { prepared: new Map(), open: [], bound: '', isReady: false, done: [], hasFailed: false };
}

/** The text of a statement that is to be carried out. */
function heard(conversation: Conversation, { type, body }: Message): string | undefined {
  switch (type) {
    case 'P': {
      const [name, afterName] = readText(body, 0);
      conversation.prepared.set(name, readText(body, afterName)[0]);
      return undefined;
    }
    case 'B': {
      const [, afterPortal] = readText(body, 0);
      conversation.bound = conversation.prepared.get(readText(body, afterPortal)[0]) ?? '';
      return conversation.bound;
    }
    case 'S':
      conversation.open.push(conversation.bound);
      return undefined;
    case 'Q': {
      const [text] = readText(body, 0);
      conversation.open.push(text);
      return text;
    }
    default:
      return undefined;
  }
}

/** The statements of a transaction, when this says that it was committed. */
function answered(conversation: Conversation, { type, body }: Message): string | undefined {
  if (type === 'E') conversation.hasFailed = true;
  if (type !== 'Z') return undefined;
  // The first one ends the greeting.
  if (!conversation.isReady) {
    conversation.isReady = true;
    return undefined;
  }
  conversation.done.push(conversation.open.shift() ?? '');
  if (String.fromCharCode(body[0] ?? 0) !== 'I') return undefined;
  const { done, hasFailed } = conversation;
  Object.assign(conversation, { done: [], hasFailed: false });
  return hasFailed || done.at(-1) === 'rollback' ? undefined : done.join(';\n');
}

/** Ends with a zero. */
function readText(body: Buffer, from: number): readonly [string, number] {
  const end = body.indexOf(0, from);
  return [body.toString('utf8', from, end), end + 1];
}
