// The search of the manual: every page, every heading in it and every operation, on the server, so
// that it works without JavaScript. Entries with most of the words are found; what stands in a
// title or in the words that a page names for itself counts most.

import { type ApiReference, listOperations } from './api-reference.ts';
import { MANUAL } from './read-manual.ts';

type Found = {
  readonly href: string;
  readonly title: string;
  readonly where: string;
  /** Words around the first hit in the text. */
  readonly excerpt: string;
};

type Entry = Omit<Found, 'excerpt'> & {
  readonly text: string;
  /** What else somebody types who looks for it. */
  readonly words: string;
};

const MOST = 30;
const AROUND = 90;
/** What nobody looks for by itself. */
const FILLERS = new Set([
  'a',
  'an',
  'the',
  'how',
  'to',
  'do',
  'i',
  'is',
  'of',
  'in',
  'for',
  'my',
  'what',
  'with',
  'and',
]);

/** Each heading of a page with the text below it, then operations and error codes. */
export function searchManual(reference: ApiReference, query: string): readonly Found[] {
  const typed = query.toLowerCase().match(/[\p{L}\p{N}_.]+/gu) ?? [];
  const meant = typed.filter((word) => word.length > 1 && !FILLERS.has(word));
  const words = [...new Set((meant.length === 0 ? typed : meant).map(stemOf))];
  if (words.length === 0) return [];
  const scored = entriesOf(reference).map((entry) => scoreOf(entry, words));
  const most = Math.max(...scored.map(({ hits }) => hits));
  // Most of what was typed is better than an empty page.
  if (most === 0 || most * 3 < words.length * 2) return [];
  return scored
    .filter(({ hits }) => hits === most)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ entry: { href, title, where, text } }) => ({
      ...{ href, title, where },
      excerpt: excerptOf(text, words),
    }));
}

const MADE = new WeakMap<ApiReference, readonly Entry[]>();

function entriesOf(reference: ApiReference): readonly Entry[] {
  const known = MADE.get(reference);
  if (known !== undefined) return known;
  const entries = [
    ...MANUAL.flatMap(({ id, title, markdown, about, words }) =>
      sectionsOf(markdown).map(({ heading, anchor, text }) => ({
        href: `/docs/${id}${anchor}`,
        title: heading ?? title,
        where: title,
        words: heading === undefined ? words.toLowerCase() : '',
        text: heading === undefined ? `${about} ${text}` : text,
      })),
    ),
    ...listOperations(reference).map(({ id, method, path, operation }) => ({
      href: `/docs/operations/${id}`,
      title: `${method} ${path}`,
      where: 'Reference',
      words: '',
      text: operation.summary,
    })),
    ...reference['x-error-codes'].map(({ status, code, meaning }) => ({
      href: `/docs/errors#${code}`,
      title: code,
      where: `Errors, ${status}`,
      words: String(status),
      text: meaning,
    })),
  ];
  MADE.set(reference, entries);
  return entries;
}

type Section = { readonly heading?: string; readonly anchor: string; readonly text: string };

function sectionsOf(markdown: string): readonly Section[] {
  const [first = '', ...others] = markdown.split(/^(?=##+ )/m);
  return [
    { anchor: '', text: plainText(first) },
    ...others.map((part) => {
      const [line = '', ...rest] = part.split('\n');
      const heading = plainText(line.replace(/^#+ /, ''));
      return { heading, anchor: `#${anchorOf(heading)}`, text: plainText(rest.join('\n')) };
    }),
  ];
}

/** The name of a heading in an address, as places that publish Markdown make it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function plainText(markdown: string): string {
  return markdown
    .replace(/^```.*$/gm, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A page that names a phrase is what whoever types this phrase looks for. */
function scoreOf(entry: Entry, words: readonly string[]) {
  const [title, text] = [entry.title.toLowerCase(), entry.text.toLowerCase()];
  let [score, hits] = [0, 0];
  for (const word of words) {
    if (title.includes(word)) score += title === word ? 20 : 10;
    else if (entry.words.includes(word)) score += 8;
    else if (text.includes(word)) score += 1;
    else continue;
    hits += 1;
  }
  const phrases = entry.words.split(', ').map((phrase) => phrase.split(/[^\p{L}\p{N}_.]+/u));
  const isNamed = phrases.some(
    (phrase) =>
      phrase.length === words.length && phrase.every((one, at) => stemOf(one) === words[at]),
  );
  return { entry, hits, score: score + (isNamed ? 30 : 0) };
}

/** Without the end that makes many of one: `refunds` finds `refund`. */
function stemOf(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return word.slice(0, -'ies'.length);
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word.length > 3 && word.endsWith('y') ? word.slice(0, -1) : word;
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const hits = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = hits.length === 0 ? 0 : Math.min(...hits);
  const from = first <= AROUND ? 0 : text.indexOf(' ', first - AROUND) + 1;
  const cut = text.slice(from, first + AROUND);
  return `${from > 0 ? '… ' : ''}${cut}${from + cut.length < text.length ? ' …' : ''}`;
}
