// What the pages and the mails say to customers in a language, for whoever reads that language: a
// table beside English, and what a program finds wrong.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Refusal } from '#base/refusal.ts';
import { isLanguageCode, LANGUAGES } from '#catalog/language.ts';
import {
  type LanguageParts,
  languageDocument,
  languageFaults,
  languageName,
  partsOf,
  textsBeside,
} from '#pages/languages/check-language.ts';
import type { Command, CommandResult } from './command.ts';

type Texts = ReturnType<typeof textsBeside>;
type Faults = ReturnType<typeof languageFaults>;

const CODES = LANGUAGES.map(({ languageCode }) => languageCode);

export const languageCheck: Command = {
  name: 'language check',
  summary: 'say what a language of the pages and mails for customers lacks, beside English',
  usage: [
    '[CODE|FILE] [--html | --markdown]',
    `  CODE: one of ${CODES.join(', ')}; none: all of them, without their texts`,
    '  FILE: a file like src/pages/languages/nl.ts or src/pages/languages/letters/nl.ts',
    '  --html, --markdown   the table as a document to send to a reader',
  ].join('\n'),
  options: { html: { type: 'boolean' }, markdown: { type: 'boolean' } },
  async run({ directory }, { positionals, values }) {
    const [named, ...others] = positionals;
    if (others.length > 0) throw new Refusal('invalid', 'usage', ['more than one language']);
    if (named === undefined) return summary();
    const { code, parts } = isLanguageCode(named)
      ? { code: named, parts: partsOf(named) }
      : await readLanguageFile(path.resolve(directory, named), named);
    const said = textsBeside(parts);
    const faults = languageFaults(code, said);
    const json = {
      language: code,
      name: languageName(code),
      texts: said.map(({ key, english, own }) => ({ key, english, own: own ?? null })),
      faults,
    };
    const look =
      values.html === true ? languageDocument : values.markdown === true ? markdownOf : textOf;
    return { text: look(code, said, faults), json, exitCode: faults.length === 0 ? 0 : 1 };
  },
};

function summary(): CommandResult {
  const languages = LANGUAGES.map(({ languageCode, name }) => {
    const said = textsBeside(partsOf(languageCode));
    return { languageCode, name, texts: said.length, faults: languageFaults(languageCode, said) };
  });
  const lines = languages.flatMap(({ languageCode, name, texts, faults }) => [
    `${languageCode}  ${name}: ${texts} texts, ${faults.length} faults`,
    ...faults.map(({ key, fault }) => `  ${key} ${fault}`),
  ]);
  const isWhole = languages.every(({ faults }) => faults.length === 0);
  return { text: lines.join('\n'), json: { languages }, exitCode: isWhole ? 0 : 1 };
}

/** What it exports is told apart by its name. @throws Refusal */
async function readLanguageFile(file: string, named: string) {
  const code = path.basename(file, '.ts');
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile || !/^[a-z]{2,3}(?:-\w{2,4})?$/.test(code)) {
    const what = `${named}: neither one of ${CODES.join(', ')} nor a file named like nl.ts`;
    throw new Refusal('invalid', 'usage', [what]);
  }
  const exported = Object.entries((await import(pathToFileURL(file).href)) as object);
  const ending = (end: string) => exported.find(([name]) => name.endsWith(end))?.[1];
  const letters = ending('Letters');
  const verify = ending('Verify');
  const pages = exported.find(([name]) => !/(?:Letters|Verify)$/.test(name))?.[1];
  const parts: LanguageParts = {
    ...(pages !== undefined && { pages }),
    ...(letters !== undefined && { letters }),
    ...(verify !== undefined && { verify }),
  };
  return { code, parts };
}

function titleOf(code: string, said: Texts, faults: Faults): string {
  return `${languageName(code)} (${code}): ${said.length} texts, ${faults.length} faults`;
}

function textOf(code: string, said: Texts, faults: Faults): string {
  const rows = said.map(({ key, english, own }) => `${key}\n  ${english}\n  ${own ?? '-'}`);
  const found = faults.map(({ key, fault }) => `${key} ${fault}`);
  return [...rows, '', titleOf(code, said, faults), ...found].join('\n');
}

function markdownOf(code: string, said: Texts, faults: Faults): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  return [
    `# ${titleOf(code, said, faults)}`,
    ...(faults.length > 0 ? ['', ...faults.map(({ key, fault }) => `- \`${key}\` ${fault}`)] : []),
    ...['', `| Where | English | ${languageName(code)} |`, '| --- | --- | --- |'],
    ...said.map(({ key, english, own }) => `| ${key} | ${cell(english)} | ${cell(own ?? '')} |`),
  ].join('\n');
}
