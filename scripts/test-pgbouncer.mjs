// npm run test:pgbouncer: the service behind PgBouncer in transaction mode (Debian package pgbouncer, or
// QUITTANCE_TEST_PGBOUNCER). Other test files: npm run test:pgbouncer -- FILES. Not part of npm test.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import process from 'node:process';
import { fail, root, setUp } from './setup.mjs';

const usual = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'];
const program = [process.env.QUITTANCE_TEST_PGBOUNCER ?? '', ...usual].find((file) =>
  fs.existsSync(file),
);
if (program === undefined) {
  fail('PgBouncer is missing: apt-get install pgbouncer (or set QUITTANCE_TEST_PGBOUNCER)');
}
const node = await setUp();
const words = ['test/pgbouncer/main.ts', program, ...process.argv.slice(2)];
process.exitCode = spawnSync(node, words, { cwd: root, stdio: 'inherit' }).status ?? 1;
