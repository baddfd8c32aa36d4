// Each client library names the version of the API that it was generated for, unless it is told
// another: what it sends is in clients/vectors/versions.json.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '#test/support/read-source.ts';
import { LATEST_VERSION } from '#versions/api-version.ts';

for (const [library, file] of [
  ['typescript', 'src/version.ts'],
  ['python', 'src/quittance/_version.py'],
  ['php', 'src/Quittance.php'],
] as const) {
  test(`the library for ${library} is made for the newest version`, async () => {
    const text = await readFile(join(ROOT, 'clients', library, file), 'utf8');
    assert.match(text, new RegExp(`API_VERSION = ['"]${LATEST_VERSION}['"]`));
  });
}
