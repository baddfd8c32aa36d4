// npm run test:soak: the service in its separate roles under load for an hour, while things go wrong; `--
// --help` says more. Not part of npm test, which plays a short one (test/scenarios/soak.test.ts).
import path from 'node:path';
import process from 'node:process';
import { runProgram } from './run-program.mjs';
import { root, setUp } from './setup.mjs';

const node = await setUp();
const program = path.join(root, 'test', 'soak', 'main.ts');
process.exit(await runProgram(node, [program, ...process.argv.slice(2)]));
