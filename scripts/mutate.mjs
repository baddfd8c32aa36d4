// npm run mutate: puts each bug of mutate-bugs.mjs into the program, one at a time, and runs the
// simulation until it finds it. What survives is a hole in the simulation.
import path from 'node:path';
import process from 'node:process';
import { runProgram } from './run-program.mjs';
import { root, setUp } from './setup.mjs';

const node = await setUp();
const program = path.join(root, 'scripts', 'run-mutants.mjs');
process.chdir(root);
process.exit(await runProgram(node, [program, ...process.argv.slice(2)]));
