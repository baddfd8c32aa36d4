// Each client library names the version of the API that it was generated for.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '#test/support/read-source.ts';
import { LATEST_VERSION } from '#versions/api-version.ts';

for (const [library, version, sender] of [
  ['typescript', 'src/version.ts', 'src/transport.ts'],
  ['python', 'src/quittance/_version.py', 'src/quittance/_call.py'],
  ['php', 'src/Quittance.php', 'src/Caller.php'],
] as const) {
  test(`the library for ${library} names the newest version in each call`, async () => {
    const read = (file: string) => readFile(join(ROOT, 'clients', library, file), 'utf8');
    assert.match(await read(version), new RegExp(`API_VERSION = ['"]${LATEST_VERSION}['"]`));
    assert.match(await read(sender), /['"]quittance-version['"].*API_VERSION/);
  });
}
