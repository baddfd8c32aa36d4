// npm run test:pgbouncer. A database server and PgBouncer in transaction mode before it, and tests that
// reach the one through the other: what is told to a connection of ours alone would be told to others.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { silentLog } from '#base/log.ts';
import { startEmbeddedDatabase } from '#postgres/embedded-database.ts';
import type { ConnectionSettings } from '#postgres/postgres-server.ts';
import { findFreePort } from '#test/support/free-port.ts';

/** Stories over all parts of the service, and those that race; more are given as parameters. */
const TESTS = [
  'test/scenarios/sandbox-stories.test.ts',
  'test/scenarios/slow-receiver.test.ts',
  'test/scenarios/payment-windows.test.ts',
  'test/scenarios/settlement-rules.test.ts',
  'test/scenarios/key-of-a-person.test.ts',
  'test/scenarios/pooled-database.test.ts',
  'test/races/checkout.test.ts',
  'test/races/deliver-events.test.ts',
  'src/chain/record-observation.test.ts',
  'src/lease/hold-leases.test.ts',
];
const STARTS_WITHIN_MS = 30_000;

/** Fewer connections of the server than we open: each transaction takes whichever is free. */
function settingsOf(
  { host, port: serverPort }: ConnectionSettings,
  port: number,
  users: string,
): string {
  return `[databases]
* = host=${host} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
default_pool_size = 4
max_client_conn = 500
server_lifetime = 600
ignore_startup_parameters = extra_float_digits
logfile =
`;
}

async function startPooler(
  program: string,
  server: ConnectionSettings,
  directory: string,
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const port = await findFreePort();
  const [settings, users] = [join(directory, 'pgbouncer.ini'), join(directory, 'users.txt')];
  writeFileSync(users, `"${server.user}" "${server.password}"\n`);
  writeFileSync(settings, settingsOf(server, port, users));
  for (const path of [settings, users]) chmodSync(path, 0o644);
  // It refuses to be root, and leaves that for the user that it is told: whose the socket is.
  const isRoot = process.getuid?.() === 0;
  const owner = () => execFileSync('id', ['-nu', String(statSync(server.host).uid)]);
  const words = isRoot ? ['-u', String(owner()).trim(), settings] : [settings];
  const child = spawn(program, ['-q', ...words], { stdio: ['ignore', 'inherit', 'inherit'] });
  const endsAtMs = performance.now() + STARTS_WITHIN_MS;
  while (!(await isListening(port))) {
    if (child.exitCode !== null || performance.now() > endsAtMs) {
      throw new Error('PgBouncer does not start');
    }
    await wait(50);
  }
  return { child, port };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.end());
  });
}

async function main(program: string, chosen: readonly string[]): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'quittance-pgbouncer-'));
  // The server has to reach it as another user than root.
  chmodSync(directory, 0o755);
  const server = await startEmbeddedDatabase({
    directory: join(directory, 'data'),
    log: silentLog,
  });
  let pooler: ChildProcess | undefined;
  try {
    const { child, port } = await startPooler(program, server.connection, directory);
    pooler = child;
    const { status } = spawnSync(
      process.execPath,
      ['--test', '--test-concurrency=1', ...(chosen.length > 0 ? chosen : TESTS)],
      {
        env: {
          ...process.env,
          QUITTANCE_TEST_DATABASE: JSON.stringify(server.connection),
          QUITTANCE_TEST_DATABASE_UNSAFE: JSON.stringify(server.connection),
          QUITTANCE_TEST_POOLER: String(port),
        },
        stdio: 'inherit',
      },
    );
    return status ?? 1;
  } finally {
    pooler?.kill('SIGTERM');
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

const [program = 'pgbouncer', ...chosen] = process.argv.slice(2);
process.exitCode = await main(program, chosen);
