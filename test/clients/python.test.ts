// What is generated of the Python library is that of the document as it is now. After a change that is
// meant: UPDATE_GOLDEN=1 node --test test/clients/python.test.ts
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { openApiDocument } from '#api/openapi-document.ts';
import { ROUTES } from '#api/routes.ts';
import { ROOT } from '#test/support/read-source.ts';
import { clientMethods } from './client-methods.ts';
import { pythonFiles } from './python-methods.ts';
import type { DocumentPart } from './typescript-methods.ts';

const FOLDER = join(ROOT, 'clients', 'python');

test('the methods, models and reference of the Python library are those of the document', async () => {
  const document = JSON.parse(
    JSON.stringify(openApiDocument(ROUTES, 'http://pay.example')),
  ) as DocumentPart;
  for (const [name, text] of Object.entries(pythonFiles(document, clientMethods()))) {
    const file = join(FOLDER, name);
    if (process.env.UPDATE_GOLDEN === '1') await writeFile(file, text);
    assert.equal(await readFile(file, 'utf8'), text, name);
  }
});

test('every resource of the Python library has the methods of both of its clients', async () => {
  const read = (name: string) => readFile(join(FOLDER, 'src', 'quittance', name), 'utf8');
  const namesIn = (text: string) =>
    [...text.matchAll(/ def (?!__)(\w+)\(/g)].map(([, name]) => name);
  const [once, awaited] = await Promise.all([read('_methods.py'), read('_async_methods.py')]);
  assert.deepEqual(namesIn(once), namesIn(awaited));
  assert.equal(namesIn(once).length, clientMethods().length);
});
