// npm run mutate:generated: changes of one operator, text or condition each, made by Stryker over the
// pure decisions and sums; a change that no test notices is a hole in the tests.
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runProgram } from './run-program.mjs';
import { fail, root, setUp } from './setup.mjs';

const usage = `npm run mutate:generated     changes the pure decisions and sums, one place at a time
  --only TEXT[,TEXT]         files whose path has it, for example: --only refund,entries
  --concurrency 2            so many at once
The table is printed, every change that nobody noticed above it; all of them as JSON in
test-output/generated-mutants.json. Exit code 1 when less than 85 % were noticed.`;

const options = {
  only: { type: 'string' },
  concurrency: { type: 'string', default: '2' },
  help: { type: 'boolean', short: 'h', default: false },
};
const values = readOptions();
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const node = await setUp();
const stryker = path.join(root, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
const config = path.join('scripts', 'mutate-generated.config.mjs');
// Each change has a process of its own: what they have in common is compiled once.
process.env.NODE_COMPILE_CACHE = path.join(root, 'test-output', 'compile-cache');
// Stryker starts `node` by name.
process.env.PATH = `${path.dirname(node)}${path.delimiter}${process.env.PATH}`;
process.env.QUITTANCE_MUTATE_ONLY = values.only ?? '';
process.chdir(root);
process.exit(await runProgram(node, [stryker, 'run', config, '--concurrency', values.concurrency]));

function readOptions() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail(`${error.message}\n${usage}`);
  }
}
