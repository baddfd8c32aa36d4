// The search of the manual: every page, every heading in it and every operation, on the server, so
// that it works without JavaScript. All words must be found; what stands in a title counts most.

import { type ApiReference, listOperations } from './api-reference.ts';
import { MANUAL } from './read-manual.ts';

type Found = {
  readonly href: string;
  readonly title: string;
  readonly where: string;
  /** Words around the first hit in the text. */
  readonly excerpt: string;
};

type Entry = Omit<Found, 'excerpt'> & { readonly text: string };

const MOST = 30;
const AROUND = 90;

/** Each heading of a page with the text below it, then operations and error codes. */
export function searchManual(reference: ApiReference, query: string): readonly Found[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_.]+/gu) ?? [];
  if (words.length === 0) return [];
  return entriesOf(reference)
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
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
    ...MANUAL.flatMap(({ id, title, markdown, about }) =>
      sectionsOf(markdown).map(({ heading, anchor, text }) => ({
        href: `/docs/${id}${anchor}`,
        title: heading ?? title,
        where: title,
        text: heading === undefined ? `${about} ${text}` : text,
      })),
    ),
    ...listOperations(reference).map(({ id, method, path, operation }) => ({
      href: `/docs/operations/${id}`,
      title: `${method} ${path}`,
      where: 'Reference',
      text: operation.summary,
    })),
    ...reference['x-error-codes'].map(({ status, code, meaning }) => ({
      href: `/docs/errors#${code}`,
      title: code,
      where: `Errors, ${status}`,
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

function scoreOf({ title, text }: Entry, words: readonly string[]): number {
  const [heading, below] = [title.toLowerCase(), text.toLowerCase()];
  let score = 0;
  for (const word of words) {
    if (heading.includes(word)) score += heading === word ? 20 : 10;
    else if (below.includes(word)) score += 1;
    else return 0;
  }
  return score;
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const hits = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = hits.length === 0 ? 0 : Math.min(...hits);
  const from = first <= AROUND ? 0 : text.indexOf(' ', first - AROUND) + 1;
  const cut = text.slice(from, first + AROUND);
  return `${from > 0 ? '… ' : ''}${cut}${from + cut.length < text.length ? ' …' : ''}`;
}
