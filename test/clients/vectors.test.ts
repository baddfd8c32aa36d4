// The vectors that every client library passes are what the service itself signs, answers and
// refuses. After a change that is meant: UPDATE_GOLDEN=1 node --test test/clients/vectors.test.ts
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { ROOT } from '#test/support/read-source.ts';
import { clientMethods } from './client-methods.ts';
import { numberVectors } from './number-vectors.ts';
import { signingVectors } from './signing-vectors.ts';
import { storyFiles } from './story-files.ts';
import { webhookVectors } from './webhook-vectors.ts';

const FOLDER = join(ROOT, 'clients', 'vectors');

test('the vectors of the client libraries are what the service does', async () => {
  const made: Readonly<Record<string, object>> = {
    methods: { methods: clientMethods() },
    signing: signingVectors(),
    webhooks: webhookVectors(),
    numbers: numberVectors(),
    ...(await storyFiles()),
  };
  for (const [name, vectors] of Object.entries(made)) {
    const file = join(FOLDER, `${name}.json`);
    const text = `${JSON.stringify(vectors, null, 2)}\n`;
    if (process.env.UPDATE_GOLDEN === '1') await writeFile(file, text);
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), JSON.parse(text), file);
  }
  const files = await readdir(FOLDER);
  assert.deepEqual(
    files.sort(),
    Object.keys(made)
      .map((name) => `${name}.json`)
      .sort(),
  );
});

test('no two endpoints have one name', () => {
  const names = clientMethods().map(({ name }) => name);
  assert.deepEqual([...new Set(names)], names);
});
