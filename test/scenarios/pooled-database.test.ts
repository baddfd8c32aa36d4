// A database behind a pooler: with one that gives each transaction another connection what has to be
// heard is heard past it, and a start that would hear nothing is refused.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { type Db, openDb, SESSION_SETTINGS, sql } from '#db/db.ts';
import { isBehindPooler, listUnsettled, settleRole } from '#postgres/pooled-role.ts';
import { runServer } from '#test/support/server-process.ts';
import { openTestDatabase, type TestDatabase, toUrl } from '#test/support/test-database.ts';

let database: TestDatabase;
let pooled: Db;
before(async () => {
  database = await openTestDatabase();
  pooled = openDb({ ...database.connection, isPooled: true, poolSize: 3, log: silentLog });
});
after(async () => {
  await pooled.close();
  await database.close();
});

const BACKEND_KEY = 'K'.charCodeAt(0);

/**
 * Passes everything on, and says another number of the process that answers, as a pooler does. A
 * message of the server: a letter, its length, what it says.
 */
async function openRenaming(): Promise<{ readonly server: Server; readonly port: number }> {
  const { host, port } = database.connection;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = host.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect(port, host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [client, upstream].map((one) => one.destroy()));
    }
    client.pipe(upstream);
    let held = Buffer.alloc(0);
    upstream.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk]);
      // The answer to a question about encryption is one letter; we ask none here.
      while (held.length >= 5 && held.length >= 1 + held.readInt32BE(1)) {
        const message = held.subarray(0, 1 + held.readInt32BE(1));
        held = held.subarray(message.length);
        if (message[0] === BACKEND_KEY) message.writeInt32BE(7, 5);
        client.write(message);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  server.on('close', () => sockets.forEach((socket) => void socket.destroy()));
  return { server, port: address.port };
}

test('what connections are told is written to the role once, and found by a pooled one', async () => {
  await settleRole(database.db);
  await Promise.all([settleRole(database.db), settleRole(database.db)]);
  assert.deepEqual(await listUnsettled(pooled), []);
  const { user } = database.connection;
  const first = SESSION_SETTINGS.find(([name]) => name === 'statement_timeout');
  assert.ok(first !== undefined);
  const [row] = await pooled.query<{ timeout: string }>(
    sql`select current_setting('statement_timeout') as timeout`,
  );
  assert.equal(row?.timeout, first[1], user);
});

test('a pooled connection names no statement, and a transaction that fails is undone as a whole', async () => {
  const names = await pooled.transact(async (tx) => {
    await tx.query(sql`select ${1}::int`);
    return tx.query(sql`select name from pg_prepared_statements`);
  });
  assert.deepEqual(names, []);
  const failing = pooled.transact(async (tx) => {
    tx.send(sql`insert into noted_trouble (kind, detail, noted_at) values ('a', 'b', now())`);
    tx.send(sql`select 1 / ${0}::int`);
  });
  await assert.rejects(failing, /division by zero/);
  assert.deepEqual(await pooled.query(sql`select 1 from noted_trouble`), []);
});

test('who stands between us and the server is noticed, and a start that would hear nothing refused', async () => {
  const { connection } = database;
  assert.equal(await isBehindPooler(connection), false);
  const { server, port } = await openRenaming();
  const between = { ...connection, host: '127.0.0.1', port };
  const directory = mkdtempSync(join(tmpdir(), 'quittance-pooled-'));
  try {
    assert.equal(await isBehindPooler(between), true);
    const settings = { DATA_DIR: directory, PORT: '0', DATABASE_URL: toUrl(between) };
    const refused = await runServer(settings, directory);
    assert.equal(refused.exitCode, 1);
    assert.match(refused.stderr, /DATABASE_URL: leads to a pooler: .*DATABASE_DIRECT_URL/);
    const both = { ...settings, DATABASE_DIRECT_URL: toUrl(between) };
    const pooledTwice = await runServer(both, directory);
    assert.match(pooledTwice.stderr, /DATABASE_DIRECT_URL: leads to a pooler too/);
  } finally {
    server.close();
    rmSync(directory, { recursive: true, force: true });
  }
});
