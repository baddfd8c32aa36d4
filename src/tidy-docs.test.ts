// The documents lead somewhere: what they link to exists, and the book of operation names each of
// its pages.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { listFiles } from '#test/support/list-code.ts';
import { ROOT } from '#test/support/read-source.ts';

/** Links of the manual are addresses of the service: test/scenarios/manual.test.ts follows them. */
const DOCUMENTS = listFiles('*.md', 'docs/**/*.md', 'packaging/**/*.md').filter(
  ({ path }) => !path.startsWith('src/'),
);

test('each link of a document leads to a file, and to a heading of it', () => {
  assert.ok(DOCUMENTS.length > 100);
  const faults = DOCUMENTS.flatMap(({ path, text }) =>
    linksOf(text).flatMap((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : relative(ROOT, join(ROOT, dirname(path), file));
      if (!existsSync(join(ROOT, target))) return [`${path}: ${link}`];
      if (anchor === undefined || !target.endsWith('.md')) return [];
      const headings = headingsOf(readFileSync(join(ROOT, target), 'utf8'));
      return headings.includes(anchor) ? [] : [`${path}: ${link}: no such heading`];
    }),
  );
  assert.deepEqual(faults, []);
});

test('the book of operation names each of its pages', () => {
  const pages = listFiles('docs/operate/*.md').map(({ path }) => path.replace('docs/operate/', ''));
  const book = readFileSync(join(ROOT, 'docs/operate/README.md'), 'utf8');
  const named = new Set(linksOf(book).map((link) => link.split('#')[0]));
  assert.deepEqual(
    pages.filter((page) => page !== 'README.md' && !named.has(page)),
    [],
  );
});

/** Of this repository; what stands in code is no link. */
function linksOf(text: string): readonly string[] {
  const prose = text.replace(/^ *```[\s\S]*?^ *```/gm, '').replace(/`[^`\n]+`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

/** As the places that publish Markdown name them. */
function headingsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ +(.+?) *$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
