import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readZip } from '#test/support/read-zip.ts';
import { zipFile } from './zip-file.ts';

const NOW = Temporal.Instant.from('2026-07-01T12:34:56Z');

test('what is put in comes out, whatever it holds', async () => {
  const files = fc.uniqueArray(
    fc.record({ name: fc.string({ minLength: 1, unit: 'grapheme' }), text: fc.string() }),
    { selector: ({ name }) => name, maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(files, async (list) => {
      async function* each() {
        yield* list;
      }
      const bytes = Buffer.concat(await Array.fromAsync(zipFile(each(), NOW)));
      assert.deepEqual(readZip(bytes), new Map(list.map(({ name, text }) => [name, text])));
    }),
    { numRuns: 30 },
  );
});
