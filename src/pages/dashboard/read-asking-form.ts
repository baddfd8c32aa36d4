// What a form of the dashboard says that payers are asked: read, and written into it again. Pure.
// What a merchant need not know is filled in: the name of a field in answers, and a percentage is
// typed as people say it.

import { type Ask, checkAsking, type PayerAsking } from '#ask/ask.ts';
import { Refusal } from '#base/refusal.ts';
import { isLanguageCode, LANGUAGES } from '#catalog/language.ts';
import { createDecimal, decimalToText, multiply, parseDecimal } from '#money/decimal.ts';
import { readTypedAmount } from '#pages/amount-text.ts';

/** Of a field of a payer, in the names of a request. */
type Leaf = 'label' | 'labels' | 'kind' | 'required' | 'choices' | 'least' | 'most' | 'key';

export function askName(row: number, leaf: Leaf): string {
  return `ask-${row}-${leaf}`;
}

/** A button that asks for one more field, and leaves all else as it is. */
export const MORE_FIELDS = { name: 'act', value: 'more-fields' } as const;

export function wantsMoreFields(form: URLSearchParams): boolean {
  return form.get(MORE_FIELDS.name) === MORE_FIELDS.value;
}

/** Of the form as it was sent: a select sends something always. */
export function listAskRows(form: URLSearchParams): readonly number[] {
  return [...form.keys()].flatMap((name) => {
    const [, row] = /^ask-(\d{1,2})-kind$/.exec(name) ?? [];
    return row === undefined ? [] : [Number(row)];
  });
}

/** @throws Refusal invalid `asking`; what is wrong where: `listAskingFaults`. */
export function readAskingForm(form: URLSearchParams): PayerAsking | undefined {
  const read = checkAsking(wishesIn(form).wishes);
  if ('value' in read) return read.value;
  throw new Refusal('invalid', 'asking', 'what is asked: see the form');
}

/** Names of fields that were not taken, or `asks`: there are too many of them. */
export function listAskingFaults(form: URLSearchParams): ReadonlySet<string> {
  const { wishes, rows } = wishesIn(form);
  const read = checkAsking(wishes);
  if ('value' in read) return new Set();
  return new Set(
    read.faults.map(([first, index, leaf = 'label']) => {
      if (first !== 'asks' || typeof index !== 'number') return String(first);
      const name = leaf === 'choiceLabels' ? 'choices' : (leaf as Leaf);
      return askName(rows[index] ?? 0, name);
    }),
  );
}

/** As a request has them, and in which row of the form each field stands. */
function wishesIn(form: URLSearchParams) {
  const read = (name: string) => (form.get(name) ?? '').trim();
  const rows = listAskRows(form).filter((row) => isTyped(form, row));
  const keys: string[] = [];
  for (const row of rows) keys.push(read(askName(row, 'key')) || freeKey(form, rows, row, keys));
  const wishes = {
    asks: rows.map((row, index) => askWish(form, row, keys[index] ?? '')),
    ...(read('termsUrl') !== '' && { termsUrl: read('termsUrl') }),
    ...(read('termsText') !== '' && { termsText: read('termsText') }),
    tipPercents: wordsOf(read('tipPercents')).map(percentWish),
    tipAmounts: wordsOf(read('tipAmounts')).map(amountWish),
    tipOwn: form.get('tipOwn') === 'yes',
  };
  return { wishes, rows };
}

/** A row in which nothing was typed asks nothing. */
function isTyped(form: URLSearchParams, row: number): boolean {
  const typed: readonly Leaf[] = ['label', 'labels', 'choices', 'least', 'most', 'key'];
  return typed.some((leaf) => (form.get(askName(row, leaf)) ?? '').trim() !== '');
}

function askWish(form: URLSearchParams, row: number, key: string) {
  const read = (leaf: Leaf) => (form.get(askName(row, leaf)) ?? '').trim();
  const kind = read('kind');
  const bound = (leaf: 'least' | 'most') =>
    (kind === 'TEXT' || kind === 'NUMBER') &&
    read(leaf) !== '' && { [leaf]: read(leaf).replace(',', '.') };
  return {
    ...{ key, kind, label: read('label'), required: form.get(askName(row, 'required')) === 'yes' },
    labels: Object.fromEntries(linesOf(read('labels')).map(labelLine)),
    ...bound('least'),
    ...bound('most'),
    ...(kind === 'CHOICE' && choiceWishes(linesOf(read('choices')))),
  };
}

/** A line without a language is one of a language that there is not. */
function labelLine(line: string): [code: string, label: string] {
  const [, code, label] = /^([A-Za-z-]+)\s*:\s*(.*)$/.exec(line) ?? [];
  return [code === undefined || label === undefined ? line : codeOf(code), label ?? line];
}

/** In the capitals that the code has: `pt-br` is one as well. */
function codeOf(typed: string): string {
  const known = LANGUAGES.map(({ languageCode }) => languageCode);
  return known.find((code) => code.toLowerCase() === typed.toLowerCase()) ?? typed;
}

/** `Small | de: Klein | fr: Petit`. */
function choiceWishes(lines: readonly string[]) {
  const read = lines.map((line) => {
    const parts = line.split('|').map((part) => part.trim());
    const labels = new Map<string, string>();
    for (let last = parts.at(-1); parts.length > 1 && last !== undefined; last = parts.at(-1)) {
      const [code, label] = labelLine(last);
      if (!isLanguageCode(code)) break;
      labels.set(code, label);
      parts.pop();
    }
    return { choice: parts.join(' | '), labels };
  });
  const codes = new Set(read.flatMap(({ labels }) => [...labels.keys()]));
  const labelsIn = (code: string) => read.map(({ choice, labels }) => labels.get(code) ?? choice);
  return {
    choices: read.map(({ choice }) => choice),
    ...(codes.size > 0 && {
      choiceLabels: Object.fromEntries([...codes].map((code) => [code, labelsIn(code)])),
    }),
  };
}

const KEY_LENGTH = 30;

/** Of the letters of the question; one that no other field has. */
function freeKey(
  form: URLSearchParams,
  rows: readonly number[],
  row: number,
  before: readonly string[],
): string {
  const taken = [...before, ...rows.map((one) => (form.get(askName(one, 'key')) ?? '').trim())];
  const plain = (form.get(askName(row, 'label')) ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '')
    .slice(0, KEY_LENGTH);
  const key = plain === '' ? 'field' : plain;
  let count = 1;
  while (taken.includes(numbered(key, count))) count += 1;
  return numbered(key, count);
}

function numbered(key: string, count: number): string {
  return count === 1 ? key : `${key}_${count}`;
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

/** `5, 7,5 and 10` without the word: a comma at the end of one stands between two. */
function wordsOf(text: string): string[] {
  const words = text.split(/[\s;]+/).map((word) => word.replace(/,$/, ''));
  return words.filter((word) => word !== '');
}

const DECIMALS = 12;
const HUNDREDTH = createDecimal(1n, 2);
const HUNDRED = createDecimal(100n, 0);

/** What cannot be read is refused by what checks it all. */
function percentWish(word: string): string {
  const percent = readTypedAmount(word.replace(/%$/, ''), DECIMALS);
  return percent === undefined
    ? `no percentage: ${word}`
    : decimalToText(multiply(percent, HUNDREDTH));
}

function amountWish(word: string): string {
  const amount = readTypedAmount(word, DECIMALS);
  return amount === undefined ? `no amount: ${word}` : decimalToText(amount);
}

/** As the form would send it. */
export function askingValues(asking: PayerAsking | undefined): URLSearchParams {
  const values = new URLSearchParams();
  if (asking === undefined) return values;
  asking.asks.forEach((ask, row) => {
    for (const [leaf, value] of Object.entries(askValues(ask))) {
      if (value !== undefined) values.set(askName(row, leaf as Leaf), value);
    }
  });
  const { termsUrl, termsText, tipPercents, tipAmounts, isTipOwn } = asking;
  const percents = tipPercents.map((one) => decimalToText(multiply(parseDecimal(one), HUNDRED)));
  if (termsUrl !== undefined) values.set('termsUrl', termsUrl);
  if (termsText !== undefined) values.set('termsText', termsText);
  values.set('tipPercents', percents.join(' '));
  values.set('tipAmounts', tipAmounts.join(' '));
  if (isTipOwn) values.set('tipOwn', 'yes');
  return values;
}

function askValues(ask: Ask): Readonly<Record<Leaf, string | undefined>> {
  const { key, kind, label, labels, isRequired, least, most, choices, choiceLabels = {} } = ask;
  const lines = Object.entries(labels).map(([code, said]) => `${code}: ${said}`);
  const choiceLines = choices.map((choice, index) => {
    const others = Object.entries(choiceLabels).flatMap(([code, said]) => {
      const one = said[index];
      return one === undefined || one === choice ? [] : [` | ${code}: ${one}`];
    });
    return `${choice}${others.join('')}`;
  });
  return {
    ...{ key, kind, label, least, most },
    labels: lines.join('\n'),
    choices: choiceLines.join('\n'),
    required: isRequired ? 'yes' : undefined,
  };
}
