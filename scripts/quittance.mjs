#!/usr/bin/env node
// npx quittance: the command line tool, beside a running server or without one.
import path from 'node:path';
import process from 'node:process';
import { runProgram } from './run-program.mjs';
import { root, setUp } from './setup.mjs';

const node = await setUp();
const program = path.join(root, 'src', 'cli', 'main.ts');
process.exit(await runProgram(node, [program, ...process.argv.slice(2)]));
