// Three nodes of PostgreSQL under Patroni on one machine, three members of etcd, and HAProxy that
// leads to whichever node is the primary, each a process of Debian's package. Nothing outlives it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '#test/support/free-port.ts';

export type Node = {
  readonly name: string;
  readonly restPort: number;
  readonly postgresPort: number;
  readonly directory: string;
  patroni: ChildProcess | undefined;
};

export type Cluster = {
  readonly nodes: readonly Node[];
  /** Where the primary is reached. */
  readonly url: string;
  primary(): Promise<Node | undefined>;
  /** The machine of the node loses its power: nobody says goodbye. */
  kill(node: Node): Promise<void>;
  start(node: Node): void;
  /** One primary, and one that has all that it acknowledged. */
  waitUntilSafe(): Promise<void>;
  stop(): Promise<void>;
};

const ADMIN = { user: 'postgres', password: 'of-the-test' };
const SAFE_WITHIN_MS = 300_000;

/** PostgreSQL refuses to be root. `user`: whom everything belongs to. */
export async function startCluster(options: {
  readonly directory: string;
  readonly postgresBin: string;
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
}): Promise<Cluster> {
  const { directory, postgresBin, user } = options;
  const children = new Set<ChildProcess>();
  own(directory);

  function own(path: string): void {
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  }
  function make(name: string): string {
    const path = join(directory, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    own(path);
    return path;
  }
  function write(name: string, text: string): string {
    const path = join(directory, name);
    writeFileSync(path, text, { mode: 0o600 });
    own(path);
    return path;
  }
  /** In a group of its own, with all that it starts. */
  function run(name: string, program: string, words: readonly string[]): ChildProcess {
    const log = createWriteStream(join(directory, `${name}.log`), { flags: 'a' });
    const child = spawn(program, words, {
      ...user,
      cwd: directory,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: directory, LANG: 'C.UTF-8' },
    });
    // Either may end before the other.
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    child.once('close', () => log.end());
    children.add(child);
    child.once('close', () => children.delete(child));
    return child;
  }

  const members = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => ({
      name,
      client: await findFreePort(),
      peer: await findFreePort(),
    })),
  );
  const peers = members.map(({ name, peer }) => `${name}=http://127.0.0.1:${peer}`).join();
  for (const { name, client, peer } of members) {
    run(`etcd-${name}`, 'etcd', [
      ...['--name', name, '--data-dir', make(`etcd-${name}`)],
      ...['--listen-client-urls', `http://127.0.0.1:${client}`],
      ...['--advertise-client-urls', `http://127.0.0.1:${client}`],
      ...['--listen-peer-urls', `http://127.0.0.1:${peer}`],
      ...['--initial-advertise-peer-urls', `http://127.0.0.1:${peer}`],
      ...['--initial-cluster', peers, '--initial-cluster-state', 'new'],
      // All of it shares two processors with what is measured.
      ...['--heartbeat-interval', '300', '--election-timeout', '2000'],
    ]);
  }
  const nodes: Node[] = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => ({
      name,
      restPort: await findFreePort(),
      postgresPort: await findFreePort(),
      directory: make(name),
      patroni: undefined,
    })),
  );
  const hosts = members.map(({ client }) => `'127.0.0.1:${client}'`).join(', ');

  function start(node: Node): void {
    const settings = patroniSettings(node, { hosts, postgresBin, directory });
    node.patroni = run(node.name, 'patroni', [write(`${node.name}.yml`, settings)]);
  }
  for (const node of nodes) start(node);
  const port = await findFreePort();
  run('haproxy', 'haproxy', ['-db', '-f', write('haproxy.cfg', haproxySettings(port, nodes))]);

  const ask = async ({ restPort }: Node, path: string): Promise<number> => {
    const signal = AbortSignal.timeout(2_000);
    return fetch(`http://127.0.0.1:${restPort}${path}`, { signal }).then(
      ({ status }) => status,
      () => 0,
    );
  };
  async function primary(): Promise<Node | undefined> {
    for (const node of nodes) if ((await ask(node, '/primary')) === 200) return node;
    return undefined;
  }
  return {
    nodes,
    url: `postgres://${ADMIN.user}:${ADMIN.password}@127.0.0.1:${port}/quittance`,
    primary,
    start,
    async kill(node) {
      const { patroni } = node;
      if (patroni?.pid === undefined) return;
      const closed = once(patroni, 'close');
      killGroup(patroni, 'SIGKILL');
      killPostmaster(node);
      await closed;
    },
    async waitUntilSafe() {
      const endsAtMs = performance.now() + SAFE_WITHIN_MS;
      for (;;) {
        const [primaries, standbys, replicas] = await Promise.all(
          ['/primary', '/synchronous', '/replica'].map(async (path) => {
            const answers = await Promise.all(nodes.map((node) => ask(node, path)));
            return answers.filter((status) => status === 200).length;
          }),
        );
        if (primaries === 1 && standbys === 1 && replicas === 2) return;
        if (performance.now() > endsAtMs) {
          throw new Error(`not safe: ${primaries} primaries, ${standbys} synchronous standbys`);
        }
        await wait(200);
      }
    },
    async stop() {
      for (const child of children) killGroup(child, 'SIGKILL');
      for (const node of nodes) killPostmaster(node);
      await Promise.all([...children].map((child) => once(child, 'close')));
    },
  };
}

function killGroup({ pid }: ChildProcess, signal: 'SIGKILL'): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/** It is in a session of its own; its other processes end when it is gone. */
function killPostmaster({ directory }: Node): void {
  const file = join(directory, 'data', 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFirstLine(file));
  try {
    if (Number.isSafeInteger(pid) && pid > 1) process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function readFirstLine(file: string): string {
  return readFileSync(file, 'utf8').split('\n')[0] ?? '';
}

type Place = { readonly hosts: string; readonly postgresBin: string; readonly directory: string };

/**
 * A leader that is not heard of for `ttl` is followed by a synchronous standby and by nobody else;
 * what was acknowledged is on both. `docs/operate/grow.md` explains them.
 */
function patroniSettings(node: Node, { hosts, postgresBin, directory }: Place): string {
  const { name, restPort, postgresPort } = node;
  return `scope: quittance
name: ${name}
restapi:
  listen: 127.0.0.1:${restPort}
  connect_address: 127.0.0.1:${restPort}
etcd3:
  hosts: [${hosts}]
bootstrap:
  dcs:
    ttl: 8
    loop_wait: 1
    retry_timeout: 3
    maximum_lag_on_failover: 1048576
    synchronous_mode: true
    primary_start_timeout: 0
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        max_connections: 100
        wal_level: replica
        hot_standby: 'on'
        max_wal_senders: 8
        max_replication_slots: 8
        wal_keep_size: 256MB
        shared_buffers: 64MB
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
    - data-checksums
  pg_hba:
    - host replication replicator 127.0.0.1/32 scram-sha-256
    - host all all 127.0.0.1/32 scram-sha-256
postgresql:
  listen: 127.0.0.1:${postgresPort}
  connect_address: 127.0.0.1:${postgresPort}
  data_dir: ${join(node.directory, 'data')}
  bin_dir: ${postgresBin}
  pgpass: ${join(directory, `${name}.pgpass`)}
  remove_data_directory_on_rewind_failure: true
  remove_data_directory_on_diverged_timelines: true
  authentication:
    superuser: { username: ${ADMIN.user}, password: ${ADMIN.password} }
    replication: { username: replicator, password: ${ADMIN.password} }
    rewind: { username: rewinder, password: ${ADMIN.password} }
  parameters:
    unix_socket_directories: '${node.directory}'
`;
}

function haproxySettings(port: number, nodes: readonly Node[]): string {
  const servers = nodes.map(
    ({ name, postgresPort, restPort }) =>
      `  server ${name} 127.0.0.1:${postgresPort} maxconn 100 check port ${restPort}`,
  );
  return `global
  maxconn 500
defaults
  mode tcp
  retries 2
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}
