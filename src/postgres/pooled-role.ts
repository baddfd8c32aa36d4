// What a database behind PgBouncer in transaction mode needs. There a connection of ours is another
// one of the server in each transaction, so that nothing may be left on it: what else would be said
// at the beginning of a connection is written to the role, and whoever must have a connection of
// his own (LISTEN, COPY, migrations) goes around the pooler.
import pg from 'pg';
import { type Db, SESSION_SETTINGS, sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import type { ListenerOptions } from './open-listener.ts';

// Any constant does: changing one role twice at the same moment fails in PostgreSQL.
const ROLE_LOCK = 7_144_301_301n;
const CONNECT_MS = 15_000;

/**
 * Whether somebody between us and the server keeps the connections: who answers is then another
 * process of the server than the one that was told when we connected.
 */
export async function isBehindPooler(connection: ListenerOptions['connection']): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => undefined); // A server that goes away fails the question.
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const { processID } = client as unknown as { readonly processID: number | null };
    return rows[0]?.pid !== processID;
  } finally {
    await client.end().catch(() => undefined); // Nothing is left to be asked.
  }
}

/**
 * Writes to the role of this connection, for this database, what the connections of others set for
 * themselves. Connections that are open already go on as they are.
 */
export async function settleRole(direct: Db): Promise<void> {
  await direct.transact(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${ROLE_LOCK})`);
    const [place] = await tx.query<{ role: string; database: string; settings: string[] }>(sql`
      select quote_ident(current_user::text) as role,
        quote_ident(current_database()) as database,
        coalesce((select s.setconfig from pg_db_role_setting s
          where s.setrole = current_user::regrole
            and s.setdatabase = (select oid from pg_database where datname = current_database())),
          '{}') as settings`);
    if (place === undefined) return;
    for (const [name, value] of SESSION_SETTINGS) {
      if (place.settings.includes(`${name}=${value}`)) continue;
      const of = `${place.role} in database ${place.database}`;
      await tx.query(rawStatement(`alter role ${of} set ${name} = '${value}'`));
    }
  });
}

/** Settings that a connection through the pooler does not have; none when all is well. */
export async function listUnsettled(pooled: Db): Promise<string[]> {
  const names = SESSION_SETTINGS.map(([name]) => name);
  const rows = await pooled.query<{ name: string; value: string }>(sql`
    select name, current_setting(name) as value from unnest(${names}::text[]) as one (name)`);
  const found = new Map(rows.map(({ name, value }) => [name, value]));
  return SESSION_SETTINGS.filter(([name, value]) => {
    const set = found.get(name) ?? '';
    // DateStyle is shown with the order of its parts, times in the largest unit.
    return set !== value && !set.startsWith(`${value}, `) && !isSameTime(set, value);
  }).map(([name, value]) => `${name} is ${found.get(name)}, not ${value}`);
}

function isSameTime(one: string, other: string): boolean {
  const seconds = (text: string) => {
    const [, count = '', unit = ''] = /^(\d+)(s|min|h)$/.exec(text) ?? [];
    return Number(count) * ({ s: 1, min: 60, h: 3_600 }[unit] ?? Number.NaN);
  };
  return seconds(one) === seconds(other);
}
