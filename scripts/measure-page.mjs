// npm run measure:page: what the payment page costs on a slow phone, and where on it paying is. Never
// part of npm test.
import path from 'node:path';
import process from 'node:process';
import { runProgram } from './run-program.mjs';
import { root, setUp } from './setup.mjs';
import { provideSystemParts } from './system-parts.mjs';

const node = await setUp();
const env = { ...process.env, ...(await provideSystemParts(['chromium'])) };
const program = path.join(root, 'test', 'measure-page', 'main.ts');
process.exit(await runProgram(node, [program], { env }));
