// pgbench runs the hand-written transaction of a figure: statement by statement, prepared, 16
// clients on 2 threads. It comes with PostgreSQL, not with us.

import { type ChildProcess, execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import type { ConnectionSettings } from '#postgres/postgres-server.ts';

export const CLIENTS = 16;
const THREADS = 2;
const DEBIAN = '/usr/lib/postgresql';

/** Undefined when there is none in PATH, nor where Debian puts it. */
export function findPgbench(): string | undefined {
  if (spawnSync('pgbench', ['--version']).status === 0) return 'pgbench';
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN, version, 'bin', 'pgbench'))
    .find((file) => existsSync(file));
}

export type PgbenchRun = {
  /** File in bench/pgbench. */
  readonly script: string;
  readonly connection: ConnectionSettings;
  readonly variables: Readonly<Record<string, string>>;
  /** Either for so long, or so many transactions each client. */
  readonly length: { readonly seconds: number } | { readonly transactionsEach: number };
};

const running = new Set<ChildProcess>();

/** Transactions per second, without the time it took to connect. */
export function runPgbench(program: string, run: PgbenchRun): Promise<number> {
  const { connection, length, variables } = run;
  const parameters = [
    ...['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', String(THREADS)],
    ...('seconds' in length
      ? ['-T', String(length.seconds)]
      : ['-t', String(length.transactionsEach)]),
    ...['-f', join(import.meta.dirname, 'pgbench', run.script)],
    ...Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
  ];
  const environment = {
    ...env,
    PGHOST: connection.host,
    PGPORT: String(connection.port),
    PGUSER: connection.user,
    PGPASSWORD: connection.password,
    PGDATABASE: connection.database,
    PGSSLMODE: 'disable',
  };
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      parameters,
      { env: environment },
      (error, output, complaints) => {
        running.delete(child);
        const tps = /^tps = ([\d.]+) \(without initial connection time\)/m.exec(output)?.[1];
        const failed = /number of failed transactions: (\d+)/.exec(output)?.[1] ?? '0';
        if (error !== null || tps === undefined || failed !== '0' || /ERROR/.test(complaints)) {
          reject(new Error(`pgbench ${run.script} failed: ${complaints.slice(0, 2000)}${output}`));
        } else resolve(Number(tps));
      },
    );
    running.add(child);
  });
}

export function stopPgbench(): void {
  for (const child of running) child.kill('SIGKILL');
}
