// npm start: sets everything up, then serves.
import path from 'node:path';
import process from 'node:process';
import { keepCompiled } from './keep-compiled.mjs';
import { runProgram } from './run-program.mjs';
import { root, setUp } from './setup.mjs';

const node = await setUp();
const program = path.join(root, 'src', 'main.ts');
// Why: docs/decisions/0091-room-for-what-is-short-lived.md.
const words = ['--max-semi-space-size=64', program, ...process.argv.slice(2)];
process.exit(await runProgram(node, words, { ownSession: true, env: keepCompiled() }));
