#!/usr/bin/env node
// npx quittance: the command line tool, beside a running server or without one.
import path from 'node:path';
import process from 'node:process';
import { runProgram } from './run-program.mjs';
import { root, setUp } from './setup.mjs';

const node = await setUp();
const words = process.argv.slice(2);
// What holds keys is a program of its own, which loads nothing of the service.
const first = words.find((word) => !word.startsWith('-'));
const name = first === 'sign' || first === 'trade' ? `${first}-main.ts` : 'main.ts';
const program = path.join(root, 'src', 'cli', name);
process.exit(await runProgram(node, [program, ...words]));
