// One connection of its own for whole tables: out of the database and into it, row by row as text,
// at the pace of whoever reads or writes. Not from the pool, because a copy may take hours and
// every limit of a statement would end it. Guarantees: what is read is not read faster than it is
// taken; an answer of the server ends a copy that is under way.
//
// The driver has COPY in its protocol and no act for it: whoever is submitted as a query is handed
// the messages. Their names are the driver's.

import { once } from 'node:events';
import pg from 'pg';
import { assert } from '#base/assert.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { translateError } from './database-error.ts';
import type { Reader } from './db.ts';
import { getTypeParser } from './row-types.ts';
import type { Statement } from './statement.ts';

export type CopyConnection = Reader & {
  /** One command or a script, without values. */
  run(text: string): Promise<void>;
  /** What `copy … to stdout` gives. */
  copyOut(text: string): AsyncGenerator<Uint8Array>;
  /** Feeds `copy … from stdin`; gives the number of rows. */
  copyIn(text: string, source: AsyncIterable<Uint8Array>): Promise<bigint>;
  close(): Promise<void>;
};

type CopyOptions = {
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
};

/** Of the driver's connection: what a copy needs. */
type Wire = {
  readonly stream: NodeJS.WritableStream & {
    pause(): void;
    resume(): void;
    readonly writableNeedDrain: boolean;
  };
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
};

const CONNECT_TIMEOUT_MILLISECONDS = 15_000;
/** Read ahead of whoever takes it. */
const WAITING_BYTES_MOST = 4_000_000;

/** The files of a server and its log, as it hands them to another one (replication protocol). */
export type ReplicationConnection = {
  /** Statements of SQL without values, as texts. */
  rows(text: string): Promise<Readonly<Record<string, string | null>>[]>;
  /** A tar of all files; `onPlace` is told where the log they need begins, and where it ends. */
  baseBackup(onPlace: (place: string) => void): AsyncGenerator<Uint8Array>;
  /** The bytes of the log from one place to another, both counted from its beginning. */
  readLog(log: LogRange): AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
};

type LogRange = {
  readonly slot: string;
  readonly timeline: number;
  readonly from: bigint;
  readonly to: bigint;
};

const FILES = 0x64; // d
const LOG = 0x77; // w
const LOG_HEAD_BYTES = 25;

/** @throws Outage when the server is away, Refusal where the role may not do that. */
export async function openReplication(options: CopyOptions): Promise<ReplicationConnection> {
  const client = newClient({ ...options, replication: 'database' });
  try {
    await client.connect();
    // Whoever stores what is sent may take longer than the server waits for a word.
    await client.query('set wal_sender_timeout = 0');
  } catch (error) {
    await client.end().catch(() => undefined);
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === '53300') {
      throw new Refusal('conflict', 'replication', NO_SENDER, { cause: error });
    }
    if (code !== '42501' && code !== '28000') throw new Outage('database', { cause: error });
    throw new Refusal('forbidden', 'replication', NO_RIGHT, { cause: error });
  }
  return {
    async rows(text) {
      try {
        return (await client.query<Record<string, string | null>>(text)).rows;
      } catch (error) {
        throw translateError(error);
      }
    },
    baseBackup: (onPlace) =>
      copyOut(client, "BASE_BACKUP (LABEL 'quittance', CHECKPOINT 'fast', MANIFEST 'no')", {
        take: (chunk) => (chunk[0] === FILES ? chunk.subarray(1) : undefined),
        onRow(fields) {
          // Between the two places, of two columns, stands a row of three for each table space.
          if (fields.length === 2 && fields[0]) onPlace(String(fields[0]));
        },
      }),
    readLog: ({ slot, timeline, from, to }) => {
      const place = `${(from >> 32n).toString(16)}/${(from & 0xffffffffn).toString(16)}`;
      let at = from;
      return copyOut(
        client,
        `START_REPLICATION SLOT ${slot} PHYSICAL ${place} TIMELINE ${timeline}`,
        {
          take(chunk, wire) {
            if (chunk[0] !== LOG || at >= to) return undefined;
            const bytes = chunk.subarray(LOG_HEAD_BYTES);
            const part = bytes.subarray(0, Math.min(bytes.length, Number(to - at)));
            at += BigInt(part.length);
            if (at >= to) wire?.endCopyFrom();
            return part;
          },
        },
      );
    },
    close: () => client.end().catch(() => undefined),
  };
}

const NO_SENDER =
  'the server hands its log out to nobody more: raise max_wal_senders, and start it again';
const NO_RIGHT =
  'this role may not hand out the log of the database: alter role … replication, as its ' +
  'administrator, or take DATABASE_OWNER_URL of one that may';

function newClient(options: CopyOptions & { readonly replication?: string }): pg.Client {
  const client = new pg.Client({
    ...options,
    ...(options.host?.startsWith('/') ? { ssl: false } : {}),
    application_name: 'quittance backup',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MILLISECONDS,
    types: { getTypeParser },
  });
  // A server that goes away fails the query that is under way; without a listener it ends us.
  client.on('error', () => undefined);
  return client;
}

/** @throws Outage when the server is away. */
export async function openCopyConnection(options: CopyOptions): Promise<CopyConnection> {
  const client = newClient(options);
  try {
    await client.connect();
    await client.query(
      `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres';
       set bytea_output = 'hex'; set extra_float_digits = 1; set client_encoding = 'UTF8';
       set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`,
    );
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new Outage('database', { cause: error });
  }
  return {
    async query<Row>({ text, values }: Statement) {
      try {
        const { rows } = await client.query({ text, values: [...values] });
        return rows as Row[];
      } catch (error) {
        throw translateError(error);
      }
    },
    async run(text) {
      try {
        await client.query(text);
      } catch (error) {
        throw translateError(error);
      }
    },
    copyOut: (text) => copyOut(client, text),
    copyIn: (text, source) => copyIn(client, text, source),
    close: () => client.end().catch(() => undefined),
  };
}

/** What of a message is taken, and what the server says in rows before and after. */
type CopyHooks = {
  readonly take?: (chunk: Uint8Array, wire: Wire | undefined) => Uint8Array | undefined;
  readonly onRow?: (fields: readonly (string | null)[]) => void;
};

async function* copyOut(
  client: pg.Client,
  text: string,
  { take = (chunk) => chunk, onRow = () => undefined }: CopyHooks = {},
): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let [bytes, isDone, isPaused] = [0, false, false];
  let failure: unknown;
  let wake: () => void = () => undefined;
  let wire: Wire | undefined;
  const end = (error?: unknown) => {
    failure ??= error;
    isDone = true;
    wake();
  };
  const query = {
    submit(connection: Wire) {
      wire = connection;
      connection.query(text);
    },
    handleRowDescription() {},
    handleDataRow: ({ fields }: { readonly fields: (string | null)[] }) => onRow(fields),
    handleCopyData({ chunk }: { readonly chunk: Uint8Array }) {
      const taken = take(chunk, wire);
      if (taken === undefined) return;
      // A copy of it: the driver reads what comes next into the same buffer.
      waiting.push(Buffer.from(taken));
      bytes += taken.length;
      if (bytes > WAITING_BYTES_MOST && !isPaused) {
        isPaused = true;
        wire?.stream.pause();
      }
      wake();
    },
    handleCommandComplete() {},
    handleError: (error: unknown) => end(error ?? new Error('Connection terminated')),
    handleReadyForQuery: () => end(),
  };
  submit(client, query);
  try {
    for (;;) {
      const chunks = waiting.splice(0);
      bytes = 0;
      if (chunks.length > 0) yield Buffer.concat(chunks);
      if (waiting.length > 0) continue;
      if (failure !== undefined) throw translateError(failure);
      if (isDone) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      if (isPaused) wire?.stream.resume();
      isPaused = false;
      await promise;
    }
  } finally {
    // Whoever stops taking gives the connection up: what is still on its way fits no other query.
    if (!isDone) client.end().catch(() => undefined);
  }
}

async function copyIn(
  client: pg.Client,
  text: string,
  source: AsyncIterable<Uint8Array>,
): Promise<bigint> {
  const { promise, resolve, reject } = Promise.withResolvers<bigint>();
  let rows: bigint | undefined;
  let failure: unknown;
  const feed = async (wire: Wire) => {
    try {
      for await (const chunk of source) {
        if (failure !== undefined) return;
        wire.sendCopyFromChunk(chunk);
        if (wire.stream.writableNeedDrain) await drained(wire);
      }
      wire.endCopyFrom();
    } catch (error) {
      failure ??= error;
      wire.sendCopyFail('the source ended');
    }
  };
  submit(client, {
    submit: (connection: Wire) => connection.query(text),
    handleCopyInResponse: (connection: Wire) => void feed(connection),
    handleCommandComplete({ text: tag }: { readonly text: string }) {
      rows = BigInt(/^COPY (\d+)$/.exec(tag)?.[1] ?? -1);
    },
    handleError(error: unknown) {
      failure ??= error ?? new Error('Connection terminated');
      reject(failure);
    },
    handleReadyForQuery() {
      if (failure !== undefined) reject(failure);
      else resolve(rows ?? -1n);
    },
  });
  try {
    const copied = await promise;
    assert(copied >= 0n, 'a copy says how many rows it took');
    return copied;
  } catch (error) {
    throw translateError(error);
  }
}

/** A connection that ends while it is waited for never drains. */
async function drained({ stream }: Wire): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  try {
    await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]);
  } finally {
    ended.abort();
  }
}

function submit(client: pg.Client, query: object): void {
  client.query(query as unknown as pg.Submittable);
}
