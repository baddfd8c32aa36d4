// The nodes of `npm run test:citus`: a coordinator and its workers. A database of a test is one on each
// of them; Citus keeps the tables on one of the workers. Without that command there is one server.
import { env } from 'node:process';
import { silentLog } from '#base/log.ts';
import { type Db, openDb, sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { distributeSchema } from '#postgres/distribute-schema.ts';
import type { ConnectionSettings } from '#postgres/postgres-server.ts';

/** The coordinator first. */
export function listNodes(server: ConnectionSettings): readonly ConnectionSettings[] {
  const given = env.QUITTANCE_TEST_CITUS;
  return given === undefined ? [server] : JSON.parse(given);
}

/**
 * Joins the databases of that name, which are empty. Undefined where there is one server; else what
 * hands the migrated schema to Citus, and lets nobody in any more: its own process would keep the
 * database from being copied.
 */
export async function distributeTemplate(
  server: ConnectionSettings,
  database: string,
): Promise<((db: Db) => Promise<void>) | undefined> {
  const nodes = listNodes(server);
  if (nodes.length === 1) return undefined;
  for (const node of nodes) await onNode({ ...node, database }, `create extension citus`);
  const coordinator = { ...server, database };
  for (const [index, { host, port }] of nodes.entries()) {
    const act = index === 0 ? 'citus_set_coordinator_host' : 'citus_add_node';
    await onNode(coordinator, `select ${act}('${host}', ${port})`);
  }
  await onNode(coordinator, `create schema ${server.user}`);
  return async (db) => {
    await distributeSchema(db);
    for (const node of nodes) {
      await onNode(node, `alter database ${database} allow_connections false`);
      await endConnections(node, database);
    }
  };
}

/** Where the database is asked: on the worker that has its tables. */
export async function findPlace(
  server: ConnectionSettings,
  database: string,
): Promise<ConnectionSettings> {
  const coordinator = { ...server, database };
  if (listNodes(server).length === 1) return coordinator;
  const db = openDb({ ...coordinator, poolSize: 1, log: silentLog });
  try {
    const [shard] = await db.query<{ host: string; port: number }>(sql`
      select nodename as host, nodeport as port from citus_shards limit 1`);
    return { ...coordinator, ...shard };
  } finally {
    await db.close();
  }
}

async function endConnections(node: ConnectionSettings, database: string): Promise<void> {
  const admin = openDb({ ...node, poolSize: 1, log: silentLog });
  try {
    for (;;) {
      const rest = await admin.query(sql`
        select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`);
      if (rest.length === 0) return;
    }
  } finally {
    await admin.close();
  }
}

async function onNode(node: ConnectionSettings, text: string): Promise<void> {
  const db = openDb({ ...node, poolSize: 1, log: silentLog, statementTimeoutSeconds: 120 });
  try {
    await db.query(rawStatement(text));
  } finally {
    await db.close();
  }
}
