// npm run bench: each figure is a ratio measured in the same run.
import path from 'node:path';
import process from 'node:process';
import { runProgram } from './run-program.mjs';
import { root, setUp } from './setup.mjs';

const node = await setUp();
const program = path.join(root, 'bench', 'main.ts');
process.exit(await runProgram(node, [program, ...process.argv.slice(2)]));
