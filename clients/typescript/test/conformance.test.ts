// The library as it is written here, by the vectors that all client libraries share.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as library from '../src/index.ts';
import { conformanceCases, VECTOR_FILES } from './conformance.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'vectors');
const read = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
const vectors = Object.fromEntries(VECTOR_FILES.map((name) => [name, read(name)]));

for (const { name, run } of conformanceCases(library, vectors)) test(name, run);
