// npm run test:drill: from nothing to a live shop behind TLS with alerts and a restored backup, by the
// commands of docs/operate as they stand there. Caddy and Litecoin Core come from Debian. Not part of
// npm test: it takes minutes, and wants ports and programs of its own.
import path from 'node:path';
import process from 'node:process';
import { runProgram } from './run-program.mjs';
import { root, setUp } from './setup.mjs';
import { provideSystemParts } from './system-parts.mjs';

const node = await setUp();
const env = { ...process.env, ...(await provideSystemParts(['litecoind', 'caddy'])) };
const program = path.join(root, 'test', 'drill', 'first-shop.ts');
process.exit(await runProgram(node, ['--test', program, ...process.argv.slice(2)], { env }));
