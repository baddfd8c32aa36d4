// npm run simulate -- --seeds 100000 --from 1: a long run of what npm test does with a thousand seeds.
import path from 'node:path';
import process from 'node:process';
import { runProgram } from './run-program.mjs';
import { root, setUp } from './setup.mjs';

const node = await setUp();
const program = path.join(root, 'test', 'simulation', 'main.ts');
process.exit(await runProgram(node, [program, ...process.argv.slice(2)]));
