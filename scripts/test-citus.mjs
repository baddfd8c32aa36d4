// npm run test:citus -- --pg-config PATH: stories over tables that Citus keeps on a worker. PATH is the
// pg_config of a PostgreSQL that has the extension. Other test files: behind it. Not part of npm test.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fail, root, setUp } from './setup.mjs';
import { provideSystemParts } from './system-parts.mjs';

const [flag, program, ...files] = process.argv.slice(2);
if (flag !== '--pg-config' || program === undefined) {
  fail('npm run test:citus -- --pg-config PATH [FILES]: a PostgreSQL (15 or later) that has Citus');
}
const say = (what) => execFileSync(program, [what], { encoding: 'utf8' }).trim();
const library = path.join(say('--pkglibdir'), 'citus.so');
if (!fs.existsSync(library)) fail(`that PostgreSQL has no Citus: there is no ${library}`);
const node = await setUp();
// Some scenarios look at pages.
const parts = await provideSystemParts(['chromium', 'noto', 'arimo']);
const words = ['test/citus/main.ts', '--bin', say('--bindir'), ...files];
const env = { ...process.env, ...parts };
process.exitCode = spawnSync(node, words, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
