// npm run bench:scale -- --checkouts 1000000: what is slower in a full database (docs/operate/bench.md).
// Not part of npm test.
import path from 'node:path';
import process from 'node:process';
import { runProgram } from './run-program.mjs';
import { root, setUp } from './setup.mjs';

const node = await setUp();
const program = path.join(root, 'bench', 'scale-main.ts');
process.exit(await runProgram(node, [program, ...process.argv.slice(2)]));
