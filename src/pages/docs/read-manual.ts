// The texts of the manual: one Markdown file a page in ./manual, read once. A fence marked `http`
// is a step that a test carries out against a real server, and that pages show in every language
// of ./call-code.ts. What stands behind `http` says what later steps remember of its answer
// (`remember=checkoutId:id`), and what the answer says where (`expect=checkout.state:COMPLETED`).

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Token, Tokens } from 'marked';
import { assert } from '#base/assert.ts';

export const MANUAL_GROUPS = [
  'Start',
  'Take payments',
  'After the payment',
  'Build',
  'Move to Quittance',
] as const;
type ManualGroup = (typeof MANUAL_GROUPS)[number];

export type ManualStep = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query: string;
  readonly body: object | undefined;
  /** Names for later steps, and where in the answer they stand (`checkout.state`). */
  readonly remember: Readonly<Record<string, string>>;
  /** What the answer says where; a GET with it is repeated until it does. */
  readonly expect: Readonly<Record<string, string>>;
};

export type ManualPage = {
  readonly id: string;
  readonly title: string;
  readonly group: ManualGroup;
  /** One sentence, for lists of pages. */
  readonly about: string;
  /** What else somebody types who looks for this page. */
  readonly words: string;
  /** Without the lines above the first heading. */
  readonly markdown: string;
  readonly steps: readonly ManualStep[];
};

const require = createRequire(import.meta.url);

/** Loaded with the first page that is shown: every command and every process would wait for it. */
export const markdownReader = (): typeof import('marked') => require('marked');

const HEAD = /^---\n([\s\S]*?)\n---\n/;
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** In the order of their groups, inside a group by `order`. */
export const MANUAL: readonly ManualPage[] = readManual(join(import.meta.dirname, 'manual'));

function readManual(folder: string): readonly ManualPage[] {
  const pages = readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) =>
      readPage(file.slice(0, -'.md'.length), readFileSync(join(folder, file), 'utf8')),
    );
  return pages.sort((a, b) => a.place - b.place).map(({ page }) => page);
}

function readPage(id: string, text: string): { readonly place: number; readonly page: ManualPage } {
  const [head = '', lines = ''] = HEAD.exec(text) ?? [];
  const said = new Map(
    lines.split('\n').map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name, value.join(': ')];
    }),
  );
  const group = MANUAL_GROUPS.find((one) => one === said.get('group'));
  assert(group !== undefined, `manual/${id}.md: no group of the manual`);
  const markdown = text.slice(head.length).trim();
  let steps: readonly ManualStep[] | undefined;
  return {
    place: MANUAL_GROUPS.indexOf(group) * 100 + Number(said.get('order')),
    page: {
      id,
      title: said.get('title') ?? id,
      group,
      about: said.get('about') ?? '',
      words: said.get('words') ?? '',
      markdown,
      get steps() {
        steps ??= listSteps(markdownReader().lexer(markdown));
        return steps;
      },
    },
  };
}

function listSteps(tokens: readonly Token[]): readonly ManualStep[] {
  return tokens.flatMap((token) => {
    const step = token.type === 'code' ? stepOf(token as Tokens.Code) : undefined;
    return step === undefined ? [] : [step];
  });
}

/** Undefined for any other code. */
export function stepOf({ lang = '', text }: Tokens.Code): ManualStep | undefined {
  const [kind, ...notes] = lang.split(' ');
  if (kind !== 'http') return undefined;
  const [, name, path = '', query = '', rest = ''] =
    /^(\w+) ([^\s?]+)(\?\S*)?\s*([\s\S]*)$/.exec(text) ?? [];
  const method = METHODS.find((one) => one === name);
  assert(method !== undefined, `a step of the manual begins with a method: ${text}`);
  return {
    ...{ method, path, query },
    body: rest === '' ? undefined : (JSON.parse(rest) as object),
    remember: pairsIn(notes, 'remember='),
    expect: pairsIn(notes, 'expect='),
  };
}

function pairsIn(notes: readonly string[], name: string): Readonly<Record<string, string>> {
  const note = notes.find((one) => one.startsWith(name));
  if (note === undefined) return {};
  return Object.fromEntries(
    note
      .slice(name.length)
      .split(',')
      .map((pair) => {
        const at = pair.indexOf(':');
        return [pair.slice(0, at), pair.slice(at + 1)];
      }),
  );
}
