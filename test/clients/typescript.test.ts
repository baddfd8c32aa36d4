// What is generated of the TypeScript library is that of the document as it is now. After a change
// that is meant: UPDATE_GOLDEN=1 node --test test/clients/typescript.test.ts
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { openApiDocument } from '#api/openapi-document.ts';
import { ROUTES } from '#api/routes.ts';
import { ROOT } from '#test/support/read-source.ts';
import { clientMethods } from './client-methods.ts';
import {
  type DocumentPart,
  methodsFile,
  referenceFile,
  signaturesOf,
} from './typescript-methods.ts';
import { typesFile } from './typescript-types.ts';

const FOLDER = join(ROOT, 'clients', 'typescript');

test('the methods, types and reference of the TypeScript library are those of the document', async () => {
  const document = JSON.parse(
    JSON.stringify(openApiDocument(ROUTES, 'http://pay.example')),
  ) as DocumentPart;
  const signatures = signaturesOf(document, clientMethods());
  const made = {
    'src/generated/types.ts': typesFile(document.components.schemas ?? {}),
    'src/generated/methods.ts': methodsFile(signatures),
    'REFERENCE.md': referenceFile(signatures),
  };
  for (const [name, text] of Object.entries(made)) {
    const file = join(FOLDER, name);
    if (process.env.UPDATE_GOLDEN === '1') await writeFile(file, text);
    assert.equal(await readFile(file, 'utf8'), text, name);
  }
});

test('the version that the library tells is that of its package', async () => {
  const manifest = JSON.parse(await readFile(join(FOLDER, 'package.json'), 'utf8'));
  const version = await readFile(join(FOLDER, 'src', 'version.ts'), 'utf8');
  assert.match(version, new RegExp(`VERSION = '${manifest.version.replaceAll('.', '\\.')}'`));
});
