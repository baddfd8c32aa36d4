// A language beside English, as whoever reads it gets it.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { LANGUAGES } from '#catalog/language.ts';
import { runCommandLine } from './run-command-line.ts';

async function run(words: readonly string[], directory = import.meta.dirname) {
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const terminal = { say, complain: say, environment: {}, directory, onProgress: () => {} };
  const exitCode = await runCommandLine(['language', 'check', ...words], terminal);
  return { exitCode, said: said.join('\n') };
}

test('language check names every language, and finds no fault in any', async () => {
  const { exitCode, said } = await run([]);
  assert.equal(exitCode, 0, said);
  for (const { languageCode, name } of LANGUAGES) {
    assert.match(
      said,
      new RegExp(`^${languageCode}  ${name.replace(/[()]/g, '\\$&')}: \\d+ texts`, 'm'),
    );
  }
});

test('a language stands beside English, for people, for programs and as a document', async () => {
  const { said } = await run(['nl']);
  assert.match(said, /pages\.page\.copy\n {2}Copy\n {2}Kopiëren/);
  assert.match(said, /letters\.paid\.body\n {2}\{shop\} has received your payment of \{total\}\./);
  assert.match(said, /Dutch \(nl\): \d+ texts, 0 faults/);
  const { texts, faults } = JSON.parse((await run(['nl', '--json'])).said);
  assert.deepEqual(texts[0], {
    key: 'pages.paying.choose.bank',
    english: 'Bank transfer',
    own: 'Bankoverschrijving',
  });
  assert.deepEqual(faults, []);
  const markdown = (await run(['nl', '--markdown'])).said;
  assert.match(markdown, /^\| pages\.page\.copy \| Copy \| Kopiëren \|$/m);
  const document = (await run(['nl', '--html'])).said;
  assert.match(document, /<td lang="nl" dir="ltr">Kopiëren<\/td>/);
});

test('a file that nobody offers yet is read, and what is wrong with it said', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'language-'));
  try {
    const file = "export const svVerify = { title: 'Kontrollera', hint: 'Skriv \"koden\"' };\n";
    await writeFile(path.join(directory, 'sv.ts'), file);
    const { exitCode, said } = await run(['sv.ts'], directory);
    assert.equal(exitCode, 1);
    assert.match(said, /^verify\.hint has typewriter quotes$/m);
    assert.match(said, /^verify\.code is missing: customers read English$/m);
    assert.match(said, /Swedish, which is not offered yet \(sv\)/);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('what is no language and no file is refused with those that there are', async () => {
  const { exitCode, said } = await run(['klingon']);
  assert.notEqual(exitCode, 0);
  assert.match(said, /klingon: neither one of en, de, .* nor a file named like nl\.ts/);
});
