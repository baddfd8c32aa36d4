// The payers of the sandbox that each client library names are those that there are.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { SANDBOX_WORDS } from '#checkout/sandbox-steps.ts';
import { ROOT } from '#test/support/read-source.ts';

for (const [file, word] of [
  ['typescript/src/simulated-payer.ts', /^ {2}'(\w+)',$/gm],
  ['python/src/quittance/_simulated_payer.py', /^ {4}"(\w+)",$/gm],
  ['php/src/SimulatedPayer.php', /^ {4}case \w+ = '(\w+)';$/gm],
] as const) {
  test(`${file} names every payer of the sandbox, and no other`, async () => {
    const text = await readFile(join(ROOT, 'clients', file), 'utf8');
    const named = [...text.matchAll(word)].map(([, one]) => one);
    assert.deepEqual(named, Object.keys(SANDBOX_WORDS));
  });
}
