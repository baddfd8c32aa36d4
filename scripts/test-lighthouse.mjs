// npm run test:lighthouse: the choice, the payment and the paid page of a real server, as Lighthouse sees them
// on a phone and on a desktop. Not part of npm test: it takes minutes, and its speeds are those of the machine.
import path from 'node:path';
import process from 'node:process';
import { runProgram } from './run-program.mjs';
import { root, setUp } from './setup.mjs';
import { provideSystemParts } from './system-parts.mjs';

const node = await setUp();
const env = { ...process.env, ...(await provideSystemParts(['chromium'])) };
const program = path.join(root, 'test', 'lighthouse', 'lighthouse.ts');
process.exit(await runProgram(node, ['--test', program, ...process.argv.slice(2)], { env }));
