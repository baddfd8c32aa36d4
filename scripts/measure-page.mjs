// npm run measure:page: what the payment page costs on a slow phone, and where on it paying is;
// npm run measure:page -- journeys: presses, scrolls and seconds of five payers until they have all
// they need. Never part of npm test.
import path from 'node:path';
import process from 'node:process';
import { runProgram } from './run-program.mjs';
import { fail, root, setUp } from './setup.mjs';
import { provideSystemParts } from './system-parts.mjs';

const node = await setUp();
const env = { ...process.env, ...(await provideSystemParts(['chromium'])) };
const what = process.argv[2] ?? 'main';
if (!['main', 'journeys'].includes(what)) fail('npm run measure:page [-- journeys]');
const program = path.join(root, 'test', 'measure-page', `${what}.ts`);
process.exit(await runProgram(node, [program], { env }));
