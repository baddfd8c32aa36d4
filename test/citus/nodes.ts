// The nodes of `npm run test:citus`. One that dies is started again after a while, as systemd or
// somebody who was called would do it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, openSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { silentLog } from '#base/log.ts';
import { openDb, sql } from '#db/db.ts';
import type { ConnectionSettings } from '#postgres/postgres-server.ts';
import { findFreePort } from '#test/support/free-port.ts';

const STARTS_WITHIN_MS = 60_000;
/** Long enough that whoever asks meanwhile is refused. */
const STARTED_AGAIN_MS = 5_000;
const ROLE = 'quittance';
/**
 * What looks for transactions over several nodes is off: the service makes none, and its connections
 * to databases of tests that are dropped keep these from being dropped for minutes.
 */
const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_preload_libraries = 'citus'
max_connections = 300
max_prepared_transactions = 300
max_worker_processes = 100
shared_buffers = 64MB
wal_level = logical
timezone = 'UTC'
log_timezone = 'UTC'
citus.local_hostname = '127.0.0.1'
citus.recover_2pc_interval = -1
citus.distributed_deadlock_detection_factor = -1
`;

type Nodes = {
  /** The coordinator first. */
  readonly connections: readonly ConnectionSettings[];
  /** At once, whoever is still connected. */
  stop(): Promise<void>;
};
type User = { readonly uid: number; readonly gid: number } | undefined;

/** PostgreSQL refuses to be root. */
export function findUser(): User {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres']));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

export async function startNodes(
  count: number,
  place: { readonly bin: string; readonly directory: string; readonly user: User },
): Promise<Nodes> {
  const running: { child: ChildProcess }[] = [];
  const connections: ConnectionSettings[] = [];
  let isOver = false;

  async function keepRunning(node: { child: ChildProcess }, start: () => ChildProcess) {
    for (;;) {
      await hasEnded(node.child);
      // Until its last process has gone its memory is in use, and a start is refused.
      await wait(STARTED_AGAIN_MS);
      if (isOver) return;
      node.child = start();
    }
  }
  async function stop() {
    isOver = true;
    for (const { child } of running) child.kill('SIGQUIT');
    await Promise.all(running.map(({ child }) => hasEnded(child)));
  }
  try {
    while (connections.length < count) {
      const { start, connection, log } = await makeNode(place);
      const node = { child: start() };
      running.push(node);
      const endsAtMs = performance.now() + STARTS_WITHIN_MS;
      while (!(await isAnswering(connection))) {
        if (node.child.exitCode !== null || performance.now() > endsAtMs) {
          throw new Error(`a node does not start: ${log}`);
        }
        await wait(100);
      }
      connections.push(connection);
      void keepRunning(node, start);
    }
    return { connections, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function makeNode(place: {
  readonly bin: string;
  readonly directory: string;
  readonly user: User;
}) {
  const { bin, directory, user } = place;
  const port = await findFreePort();
  const cluster = join(directory, `${port}`);
  const form = ['-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'];
  // Its own connections to the others look for certificates at home.
  const as = { ...user, env: { PATH: process.env.PATH, HOME: directory, LANG: 'C.UTF-8' } };
  execFileSync(join(bin, 'initdb'), ['-D', cluster, '-U', ROLE, ...form], { ...as, stdio: 'pipe' });
  appendFileSync(join(cluster, 'postgresql.conf'), `${SETTINGS}port = ${port}\n`);
  const log = `${cluster}.log`;
  const to = openSync(log, 'a');
  const start = () =>
    spawn(join(bin, 'postgres'), ['-D', cluster], { ...as, stdio: ['ignore', to, to] });
  const connection = { host: '127.0.0.1', port, user: ROLE, password: '-', database: 'postgres' };
  return { start, connection, log };
}

async function isAnswering(connection: ConnectionSettings): Promise<boolean> {
  const db = openDb({ ...connection, poolSize: 1, log: silentLog });
  try {
    await db.query(sql`select 1`);
    return true;
  } catch {
    return false;
  } finally {
    await db.close();
  }
}

async function hasEnded(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}
