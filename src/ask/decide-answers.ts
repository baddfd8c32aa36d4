// What a payer answered, as it is kept, and what is wrong with it. Pure.
//
// Guarantees: an answer that is kept is of its kind and within its bounds; it has no control
// character, so that it stays one line in a file, a mail or a terminal. What else it holds is for
// whoever shows it: it is a stranger's text.

import { codePointLength, hasLoneSurrogate, isEmail } from '#base/text.ts';
import { compare, decimalToText, tryParseDecimal } from '#money/decimal.ts';
import { ExactNumber } from '#money/exact-json.ts';
import { ANSWER_MAX, type Ask, boundOf, type KeptAnswers } from './ask.ts';

export type AnswerFault =
  | 'required'
  | 'plain'
  | 'short'
  | 'long'
  | 'email'
  | 'number'
  | 'low'
  | 'high'
  | 'choice'
  | 'checkbox'
  | 'unknown';

export type FaultyAnswer = { readonly key: string; readonly fault: AnswerFault };

type Decided = {
  readonly answers: KeptAnswers;
  readonly faults: readonly FaultyAnswer[];
};

/** `given`: JSON values by key; a blank text is as one that is not there. */
export function decideAnswers(asks: readonly Ask[], given: ReadonlyMap<string, unknown>): Decided {
  const answers: [string, string | boolean][] = [];
  const faults: FaultyAnswer[] = [];
  for (const ask of asks) {
    const { key } = ask;
    const read = readAnswer(ask, given.get(key));
    if ('fault' in read) faults.push({ key, fault: read.fault });
    else if (read.value !== undefined) answers.push([key, read.value]);
  }
  for (const key of given.keys()) {
    if (!asks.some((ask) => ask.key === key)) faults.push({ key, fault: 'unknown' });
  }
  return { answers: Object.fromEntries(answers), faults };
}

type Read = { readonly value: string | boolean | undefined } | { readonly fault: AnswerFault };

function readAnswer(ask: Ask, given: unknown): Read {
  if (ask.kind === 'CHECKBOX') return readTick(ask, given);
  const isMissing = given === undefined || given === null;
  if (isMissing || (typeof given === 'string' && given.trim() === '')) {
    return ask.isRequired ? { fault: 'required' } : { value: undefined };
  }
  const text = given instanceof ExactNumber && ask.kind === 'NUMBER' ? given.text : given;
  if (typeof text !== 'string') return { fault: ask.kind === 'NUMBER' ? 'number' : 'plain' };
  return readText(ask, text.trim());
}

function readTick({ isRequired }: Ask, given: unknown): Read {
  if (given !== undefined && given !== null && typeof given !== 'boolean') {
    return { fault: 'checkbox' };
  }
  return isRequired && given !== true ? { fault: 'required' } : { value: given === true };
}

function readText(ask: Ask, text: string): Read {
  const length = codePointLength(text);
  if (length > ANSWER_MAX) return { fault: 'long' };
  if (/\p{Cc}/u.test(text) || hasLoneSurrogate(text)) return { fault: 'plain' };
  const [least, most] = [boundOf(ask.least), boundOf(ask.most)];
  switch (ask.kind) {
    case 'EMAIL':
      return isEmail(text) ? { value: text } : { fault: 'email' };
    case 'CHOICE':
      return ask.choices.some((choice) => choice.trim() === text)
        ? { value: text }
        : { fault: 'choice' };
    case 'NUMBER': {
      const number = tryParseDecimal(text);
      if (number === undefined) return { fault: 'number' };
      if (least && compare(number, least) < 0) return { fault: 'low' };
      if (most && compare(number, most) > 0) return { fault: 'high' };
      return { value: decimalToText(number) };
    }
    default:
      if (least && length < Number(least.coefficient)) return { fault: 'short' };
      return most && length > Number(most.coefficient) ? { fault: 'long' } : { value: text };
  }
}
