// npm run test:kills -- --runs 500 --network anvil: service and signer killed at every place at which
// money can be lost or sent twice, over a real node. What it needs of the system is what test/nodes does.
import path from 'node:path';
import process from 'node:process';
import { runProgram } from './run-program.mjs';
import { root, setUp } from './setup.mjs';
import { provideSystemParts } from './system-parts.mjs';

const node = await setUp();
const program = path.join(root, 'test', 'kills', 'main.ts');
const isHelp = process.argv.some((word) => word === '--help' || word === '-h');
const parts = isHelp ? {} : await provideSystemParts(['litecoind', 'anvil']);
// Two processes start in every run: compiled once, they start in half the time.
const NODE_COMPILE_CACHE = path.join(root, 'test-output', 'kills', 'compiled');
const env = { ...process.env, ...parts, NODE_COMPILE_CACHE };
process.exit(
  await runProgram(node, [program, ...process.argv.slice(2)], { ownSession: true, env }),
);
