#!/usr/bin/env node
// npx quittance: the command line tool, beside a running server or without one.
import path from 'node:path';
import process from 'node:process';
import { chooseProgram } from './choose-program.mjs';
import { keepCompiled } from './keep-compiled.mjs';
import { runProgram } from './run-program.mjs';
import { root, setUp } from './setup.mjs';

const node = await setUp();
const words = process.argv.slice(2);
const program = path.join(root, ...chooseProgram(words, process.env).split('/'));
process.exit(await runProgram(node, [program, ...words], { env: keepCompiled() }));
