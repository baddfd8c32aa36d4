// Code of the manual that stands in files, one a language, in ./snippets/<name>. A test runs each
// of them. What differs from reader to reader is written as {{url}}, {{key}} and {{secret}}.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from '#base/assert.ts';
import { CODE_LANGUAGES, type CodeLanguage, type CodeTab } from './code-tabs.ts';

/** Whom the page is shown to. */
export type ManualReader = {
  /** Without the path of the API. */
  readonly url: string;
  /** His own test key, where he is signed in. */
  readonly key: string | undefined;
};

const ENDINGS: Readonly<Record<CodeLanguage, string>> = {
  curl: 'sh',
  node: 'mjs',
  python: 'py',
  php: 'php',
  ruby: 'rb',
  go: 'go',
  csharp: 'cs',
  java: 'java',
};

const FOLDER = join(import.meta.dirname, 'snippets');

/**
 * Signing and webhooks in languages without a library, in one file each: they pass the vectors of
 * the libraries (`npm run test:clients -- snippets`).
 */
const PROVEN = join(import.meta.dirname, '..', '..', '..', 'clients', 'snippets');
const PROVEN_FILES = [
  ['ruby', 'ruby/quittance.rb'],
  ['go', 'go/quittance.go'],
  ['csharp', 'csharp/Quittance.cs'],
  ['java', 'java/Quittance.java'],
] as const;
const PROVEN_FOR = ['sign', 'verify-webhook'];

export const SNIPPETS: ReadonlyMap<string, readonly CodeTab[]> = new Map(
  readdirSync(FOLDER).map((name) => [
    name,
    [...readTabs(join(FOLDER, name)), ...(PROVEN_FOR.includes(name) ? provenTabs() : [])],
  ]),
);

function readTabs(folder: string): readonly CodeTab[] {
  return CODE_LANGUAGES.flatMap(({ id }) => {
    const file = join(folder, `code.${ENDINGS[id]}`);
    return existsSync(file) ? [{ language: id, code: readFileSync(file, 'utf8').trimEnd() }] : [];
  });
}

function provenTabs(): readonly CodeTab[] {
  return PROVEN_FILES.map(([language, file]) => ({
    language,
    code: readFileSync(join(PROVEN, file), 'utf8').trimEnd(),
  }));
}

export function snippetTabs(name: string, reader: ManualReader): readonly CodeTab[] {
  const tabs = SNIPPETS.get(name);
  assert(tabs !== undefined, `the manual has no code named ${name}`);
  return tabs.map(({ language, code }) => ({ language, code: fillSnippet(code, reader) }));
}

/** What he has to put in himself is in capitals. */
export function fillSnippet(code: string, { url, key }: ManualReader): string {
  return code
    .replaceAll('{{url}}', url)
    .replaceAll('{{key}}', key ?? 'YOUR_TEST_KEY')
    .replaceAll('{{secret}}', 'YOUR_SECRET');
}
