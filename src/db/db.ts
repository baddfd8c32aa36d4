// The only way to the database. Guarantees: a write happens inside `transact` or `single` or not at
// all; an act whose promise resolved is committed; an act that threw left nothing behind, except
// that an Outage with `resultUnknown` in its cause may or may not have been committed (the
// connection was lost while the answer was on its way), which is why every act must be safe to
// repeat. Not guaranteed: any isolation above READ COMMITTED. Lock the rows a decision rests on.
import { randomInt } from 'node:crypto';
import { nextTick } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { assert } from '#base/assert.ts';
import type { Log } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { errorCode, isConnectionLost, isRetryable, translateError } from './database-error.ts';
import { getTypeParser } from './row-types.ts';
import type { Statement } from './statement.ts';

export { ConstraintViolation } from './database-error.ts';
export { type Statement, sql } from './statement.ts';

export interface Reader {
  query<Row>(statement: Statement): Promise<Row[]>;
}

declare const txBrand: unique symbol;

/** Exists only inside `transact` and `single`; using it afterwards is a bug and fails. */
export interface Tx extends Reader {
  readonly [txBrand]: true;
  /**
   * Queued and pipelined, not awaited: its failure fails the transaction. The last writes of an act
   * go out together with COMMIT.
   */
  send(statement: Statement): void;
}

export interface Db extends Reader {
  /**
   * One transaction, READ COMMITTED. BEGIN travels with the first statements, COMMIT with
   * everything `send` left unawaited. The whole act runs again after a deadlock or a serialization
   * failure, at most 5 times, so it must have no effect outside the database.
   */
  transact<T>(act: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * One statement that is its own transaction: one round trip. What the act does after the
   * statement cannot undo it. Runs again as `transact` does.
   */
  single<T>(act: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Reads that travel together over one connection, in one round trip when none waits for another.
   * Not a snapshot: each statement looks afresh.
   */
  read<T>(act: (reader: Reader) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

type DbOptions = {
  readonly connectionString?: string;
  /** A host that begins with / is the directory of a Unix socket. */
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly poolSize?: number;
  readonly applicationName?: string;
  readonly statementTimeoutSeconds?: number;
  /**
   * A pooler gives each transaction another connection of the server: nothing is left on one. The
   * role says what else each connection is told (`SESSION_SETTINGS`), statements have no names and
   * wait for one another.
   */
  readonly isPooled?: boolean;
  readonly log: Log;
};

/** The cause of an Outage that leaves open whether the act was committed. */
export class ResultUnknown extends Error {
  constructor(options: ErrorOptions) {
    super('the connection was lost during COMMIT: the result is unknown', options);
    this.name = 'ResultUnknown';
  }
}

const RETRIES_MAX = 5;
const CONNECT_TIMEOUT_MILLISECONDS = 15_000;
const IDLE_TIMEOUT_MILLISECONDS = 300_000;
const STATEMENT_TIMEOUT_SECONDS = 30;

/** Of each connection. Values need no quotes inside theirs. */
export const SESSION_SETTINGS: readonly (readonly [name: string, value: string])[] = [
  ['TimeZone', 'UTC'],
  ['DateStyle', 'ISO'],
  ['bytea_output', 'hex'],
  ['statement_timeout', `${STATEMENT_TIMEOUT_SECONDS}s`],
  ['jit', 'off'],
  ['plan_cache_mode', 'force_generic_plan'],
  ['idle_in_transaction_session_timeout', '60s'],
];

/**
 * On a worker of Citus the tables are found where it writes no statement anew
 * (`postgres/name-on-worker.ts`). Elsewhere it has to know the values to find the worker, and makes
 * a plan for each time.
 */
const WAYS_OF_CITUS =
  "select set_config('search_path', quote_ident(nspname), false) from pg_namespace " +
  "where nspname = current_schema() || '_here';" +
  "select set_config('plan_cache_mode', 'auto', false) " +
  "where current_setting('citus.shard_count', true) is not null " +
  "and current_schema() not like '%\\_here'";

/** Connects lazily: a server that is away shows at the first query, as an Outage. */
export function openDb(options: DbOptions): Db {
  const pool = openPool(options);
  const isNamed = options.isPooled !== true;
  const connect = <T>(use: (connection: Connection) => Promise<T>) =>
    withConnection(pool, isNamed, use);
  const db: Db = {
    query: (statement) => askOnce(pool, isNamed, statement),
    read: (act) =>
      connect((connection) =>
        act({ query: <Row>(statement: Statement) => connection.issue<Row>(statement) }),
      ),
    transact: (act) => withRetries(() => connect((connection) => runTransaction(connection, act))),
    single: (act) => withRetries(() => connect((connection) => runSingle(connection, act))),
    close: () => pool.end(),
  };
  POOLS.set(db, pool);
  return db;
}

const POOLS = new WeakMap<Db, pg.Pool>();

type PoolState = {
  /** Connections that are open. */
  readonly open: number;
  /** Of these, those that nobody uses. */
  readonly idle: number;
  /** Acts that wait for one. */
  readonly waiting: number;
};

/** Undefined where it was not opened here. */
export function findPoolState(db: Db): PoolState | undefined {
  const known = POOLS.get(db);
  if (known === undefined) return undefined;
  return { open: known.totalCount, idle: known.idleCount, waiting: known.waitingCount };
}

function openPool({ log, ...options }: DbOptions): pg.Pool {
  const seconds = options.statementTimeoutSeconds;
  const own = seconds === undefined ? [] : [['statement_timeout', `${seconds}s`] as const];
  const settings = [...SESSION_SETTINGS, ...own]
    .map(([name, value]) => `set ${name} = '${value}'`)
    .concat(WAYS_OF_CITUS)
    .join(';');
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    host: options.host,
    port: options.port,
    user: options.user,
    password: options.password,
    database: options.database,
    // A private socket needs no encryption, whatever PGSSLMODE says.
    ...(options.host?.startsWith('/') ? { ssl: false } : {}),
    application_name: options.applicationName ?? 'quittance',
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MILLISECONDS,
    idleTimeoutMillis: IDLE_TIMEOUT_MILLISECONDS,
    pipeline: options.isPooled !== true,
    types: { getTypeParser },
    onConnect: async (client) => {
      if (options.isPooled !== true) await client.query(settings);
    },
  });
  // Without a listener on the pool AND on every connection a dying server kills this process.
  const note = (error: Error) => log.warn('database connection lost', { error: error.message });
  pool.on('error', note);
  pool.on('connect', (client) => client.on('error', note));
  return pool;
}

/** One checked-out connection with its unanswered statements. */
type Connection = {
  issue<Row>(statement: Statement): Promise<Row[]>;
  /** A statement without values; resolves with its command tag. */
  command(text: string): Promise<string>;
  /** When everything issued so far has been answered. Never rejects. */
  settle(): Promise<void>;
  /** What the first failed statement failed with, translated. */
  firstFailure(): Error | undefined;
  isLost(): boolean;
};

/** One statement by itself: nothing travels with it, so there is nothing to keep count of. */
async function askOnce<Row>(
  pool: pg.Pool,
  isNamed: boolean,
  { text, name, values }: Statement,
): Promise<Row[]> {
  const client = await takeConnection(pool);
  let isLost = false;
  try {
    const asked = { text, values: [...values] };
    const result = await client.query(isNamed ? { ...asked, name } : asked);
    // A script of several commands (a migration) is answered by a list and has no rows.
    return (result.rows ?? []) as Row[];
  } catch (error) {
    isLost = isConnectionLost(error);
    throw translateError(error);
  } finally {
    client.release(isLost || client.getTransactionStatus() !== 'I');
  }
}

/** @throws Outage when there is none. */
async function takeConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new Outage('database', { cause: error });
  }
}

async function withConnection<T>(
  pool: pg.Pool,
  isNamed: boolean,
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const client = await takeConnection(pool);
  const connection = watchConnection(client, isNamed);
  try {
    return await use(connection);
  } finally {
    await connection.settle();
    const isClean = !connection.isLost() && client.getTransactionStatus() === 'I';
    client.release(!isClean);
  }
}

/** `isNamed`: the server remembers a statement under its name. */
function watchConnection(client: pg.PoolClient, isNamed: boolean): Connection {
  const outstanding = new Set<Promise<unknown>>();
  let failure: Error | undefined;
  let isLost = false;
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn(ask: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    const answer = turn.then(ask, ask);
    turn = answer;
    return answer;
  }
  async function track(query: Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    try {
      return await query;
    } catch (error) {
      isLost ||= isConnectionLost(error);
      // Statements behind a failed one are refused with 25P02: they fail for the same reason.
      if (failure === undefined || errorCode(error) !== '25P02') failure ??= translateError(error);
      else throw failure;
      throw translateError(error);
    }
  }
  function submit(config: pg.QueryConfig): Promise<pg.QueryResult> {
    collectWrites(client);
    const answer = track(isNamed ? client.query(config) : inTurn(() => client.query(config)));
    outstanding.add(answer);
    const forget = () => outstanding.delete(answer);
    answer.then(forget, forget);
    return answer;
  }
  return {
    issue: async <Row>(statement: Statement) => {
      const { text, name } = statement;
      const named = isNamed ? { text, name } : { text };
      const result = await submit({ ...named, values: [...statement.values] });
      return (result.rows ?? []) as Row[];
    },
    command: async (text) => (await submit({ text })).command,
    settle: async () => {
      while (outstanding.size > 0) await Promise.allSettled(outstanding);
    },
    firstFailure: () => failure,
    isLost: () => isLost,
  };
}

/**
 * Everything issued before the next turn of the event loop leaves in one write to the socket.
 *
 * The driver corks its stream for one statement at a time and offers no option for several. Its
 * option `stream` is no way either: it gives the socket below TLS, and with TLS the driver writes
 * to another stream that it makes itself. So the stream is taken from where the driver keeps it. If
 * a later version keeps it elsewhere, each statement is a write of its own and nothing else
 * changes; the test 'statements issued together leave in one write' tells.
 */
function collectWrites(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection?: { stream?: NodeJS.WritableStream } };
  const stream = connection?.stream as
    | { cork?(): void; uncork?(): void; writableCorked?: number }
    | undefined;
  if (stream?.cork === undefined || stream.writableCorked !== 0) return;
  stream.cork();
  nextTick(() => stream.uncork?.());
}

async function runTransaction<T>(connection: Connection, act: (tx: Tx) => Promise<T>): Promise<T> {
  let isOpen = true;
  let hasBegun = false;
  const issue = <Row>(statement: Statement): Promise<Row[]> => {
    assert(isOpen, 'the transaction is over');
    if (!hasBegun) {
      hasBegun = true;
      ignoreRejection(connection.command('begin isolation level read committed'));
    }
    return connection.issue<Row>(statement);
  };
  let result: T;
  try {
    result = await act(makeTx(issue));
    isOpen = false;
  } catch (error) {
    isOpen = false;
    if (hasBegun && !connection.isLost()) ignoreRejection(connection.command('rollback'));
    await connection.settle();
    throw error;
  }
  if (hasBegun) await commit(connection);
  return result;
}

async function commit(connection: Connection): Promise<void> {
  const answer = connection.command('commit');
  ignoreRejection(answer);
  await connection.settle();
  const failure = connection.firstFailure();
  if (failure === undefined) {
    assert((await answer) === 'COMMIT', 'COMMIT is answered by COMMIT unless a statement failed');
    return;
  }
  // A statement that failed before the connection broke has rolled everything back for certain.
  if (isConnectionLost(failure)) throw resultUnknown(failure);
  throw failure;
}

async function runSingle<T>(connection: Connection, act: (tx: Tx) => Promise<T>): Promise<T> {
  let issued = 0;
  const issue = <Row>(statement: Statement): Promise<Row[]> => {
    issued += 1;
    assert(issued === 1, 'single takes exactly one statement');
    return connection.issue<Row>(statement);
  };
  let result: T;
  try {
    result = await act(makeTx(issue));
  } catch (error) {
    await connection.settle();
    throw connection.isLost() ? resultUnknown(error) : error;
  }
  await connection.settle();
  assert(issued === 1, 'single takes exactly one statement');
  const failure = connection.firstFailure();
  if (failure !== undefined) throw connection.isLost() ? resultUnknown(failure) : failure;
  return result;
}

function makeTx(issue: <Row>(statement: Statement) => Promise<Row[]>): Tx {
  const tx: Reader & Pick<Tx, 'send'> = {
    query: async (statement) => issue(statement),
    send: (statement) => ignoreRejection(issue(statement)),
  };
  return tx as Tx;
}

function resultUnknown(failure: unknown): Outage {
  const cause = failure instanceof Outage ? failure.cause : failure;
  return new Outage('database', { cause: new ResultUnknown({ cause }) });
}

/** The connection remembers the first failure; nobody needs to await this promise as well. */
function ignoreRejection(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      if (retries === RETRIES_MAX) throw new Outage('database', { cause: error });
      await wait(randomInt(1, 10 * 2 ** retries));
    }
  }
}
