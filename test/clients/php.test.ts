// What is generated of the PHP library is that of the document as it is now. After a change that is
// meant: UPDATE_GOLDEN=1 node --test test/clients/php.test.ts
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { openApiDocument } from '#api/openapi-document.ts';
import { ROUTES } from '#api/routes.ts';
import { ROOT } from '#test/support/read-source.ts';
import { clientMethods } from './client-methods.ts';
import { phpFiles, phpReference } from './php-files.ts';
import { type DocumentPart, signaturesOf } from './typescript-methods.ts';

const LIBRARY = join(ROOT, 'clients', 'php');
const FOLDERS = ['Model', 'Resource'];

test('the classes and the reference of the PHP library are those of the document', async () => {
  const document = JSON.parse(
    JSON.stringify(openApiDocument(ROUTES, 'http://pay.example')),
  ) as DocumentPart;
  const signatures = signaturesOf(document, clientMethods());
  const made = [
    ...phpFiles(document, signatures).map(({ path, text }) => ({ path: `src/${path}`, text })),
    { path: 'REFERENCE.md', text: phpReference(document, signatures) },
  ];
  if (process.env.UPDATE_GOLDEN === '1') {
    for (const folder of FOLDERS) {
      await rm(join(LIBRARY, 'src', folder), { recursive: true, force: true });
    }
    for (const { path, text } of made) {
      await mkdir(dirname(join(LIBRARY, path)), { recursive: true });
      await writeFile(join(LIBRARY, path), text);
    }
  }
  for (const { path, text } of made) {
    assert.equal(await readFile(join(LIBRARY, path), 'utf8'), text, path);
  }
  for (const folder of FOLDERS) {
    const there = await readdir(join(LIBRARY, 'src', folder));
    const wanted = made.filter(({ path }) => path.startsWith(`src/${folder}/`)).length;
    assert.equal(there.length, wanted, `src/${folder} has files of before`);
  }
});

test('the version that the PHP library tells is that of its package', async () => {
  const manifest = JSON.parse(await readFile(join(LIBRARY, 'composer.json'), 'utf8'));
  const code = await readFile(join(LIBRARY, 'src', 'Quittance.php'), 'utf8');
  assert.ok(code.includes(`VERSION = '${manifest.version}'`));
});
