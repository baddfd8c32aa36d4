// npm run screens: a picture of every state in every language, narrow and wide, light and dark, and a page
// that shows them all: artifacts/screens/index.html. Never part of npm test.
import path from 'node:path';
import process from 'node:process';
import { runProgram } from './run-program.mjs';
import { root, setUp } from './setup.mjs';
import { provideSystemParts } from './system-parts.mjs';

const node = await setUp();
const parameters = process.argv.slice(2);
const isHelp = parameters.includes('--help') || parameters.includes('-h');
const env = { ...process.env, ...(isHelp ? {} : await provideSystemParts(['chromium'])) };
const program = path.join(root, 'test', 'screens', 'main.ts');
process.exit(await runProgram(node, [program, ...parameters], { env }));
