// Runs the vectors, and with QUITTANCE_URL the live suite, over the package that is installed, on
// whichever runtime this is: QUITTANCE_VECTORS names the folder of the vectors; QUITTANCE_MODULE=cjs
// takes the package as CommonJS.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import type * as Library from '../src/index.ts';
import { conformanceCases, type Method, VECTOR_FILES } from './conformance.ts';
import { liveCases } from './live-cases.ts';

const { QUITTANCE_VECTORS: folder, QUITTANCE_URL: url, QUITTANCE_MODULE: kind } = process.env;
const { QUITTANCE_KEY: key = '', QUITTANCE_SECRET: secret = '' } = process.env;

/** By a variable: the compiler does not look for it. */
const name = '@quittance/client';
const library: typeof Library =
  kind === 'cjs' ? createRequire(import.meta.url)(name) : await import(name);
const read = (file: string) => JSON.parse(readFileSync(`${folder}/${file}.json`, 'utf8'));
const vectors = Object.fromEntries(VECTOR_FILES.map((file) => [file, read(file)]));
const { methods } = vectors.methods as { readonly methods: readonly Method[] };

const cases =
  url === undefined
    ? conformanceCases(library, vectors)
    : liveCases(library, { url, key, secret }, methods);
let failed = 0;
for (const one of cases) {
  try {
    await one.run();
    if (url !== undefined) console.log(`  ok ${one.name}`);
  } catch (error) {
    failed += 1;
    console.log(`  FAILED ${one.name}`, error);
  }
}
console.log(`  ${cases.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
