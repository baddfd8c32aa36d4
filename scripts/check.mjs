// npm run check: format, lint and types, without the tests.
import process from 'node:process';
import { runChecks } from './run-checks.mjs';
import { setUp } from './setup.mjs';

const failed = await runChecks(await setUp());
if (failed > 0) process.exit(1);
console.log('Format, lint and types are in order.');
