// The same 2,000 texts in every field that a person, a customer, a program or a receiver of a shop
// writes, stored and shown in every room, in a real browser on a phone: none runs, none adds an
// element, none widens the page. And the lists of every column and every field that holds a text.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import type { Page } from 'playwright-core';
import { hasLoneSurrogate, hasNul } from '#base/text.ts';
import { sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { byLength } from '#test/support/run-length.ts';
import { type Filled, fillShop } from './hostile-shop.ts';
import { hostileTexts } from './hostile-texts.ts';
import { BY_OPERATORS, FIELDS, NOT_DRAWN, OURS, WRITTEN } from './stored-texts.ts';
import { openWatchedPage } from './watched-page.ts';

let world: DashboardWorld;
let origin: string;
const server = createServer();
before(async () => {
  world = await openDashboardWorld();
  await world.observe('LITECOIN');
  server.on('request', getRequestListener(world.pages.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await world.close();
});

const isStorable = (text: string) => !hasNul(text) && !hasLoneSurrogate(text);
/** What a spreadsheet takes for a formula, and what widens a page, beside what tries to run. */
const OTHERS = [
  '=HYPERLINK("//elsewhere.example/","x")',
  '+1+cmd|calc',
  '@SUM(1+1)*cmd',
  '\t=1+1',
  '-2+3',
  '\u202egnp.exe',
  'W'.repeat(60),
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'.repeat(7),
];
const perShop = 25;
/** As long as the shortest field for sentences takes. */
const cut = (text: string) => text.slice(0, 200);
const TEXTS = [...OTHERS, ...hostileTexts(2_000).map(cut).filter(isStorable)].slice(
  0,
  byLength({ short: perShop, long: 2_008 }),
);
const harmless = (text: string) => text.replace(/\S/gu, 'x');

test('every column that holds a text is in one of two lists', async () => {
  const columns = await world.app.db.query<{ readonly name: string }>(sql`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema()
      and table_name not in (select relname from pg_class where relispartition)
      and (data_type in ('text', 'json', 'jsonb') or udt_name = '_text')`);
  const ours = Object.entries(OURS).flatMap(([table, names]) =>
    names.split(' ').map((name) => `${table}.${name}`),
  );
  const listed = [...Object.keys(WRITTEN), ...BY_OPERATORS, ...ours].sort();
  assert.deepEqual(columns.map(({ name }) => name).sort(), listed);
  for (const [name, by] of Object.entries(WRITTEN)) {
    const [, other] = /^as (.*)/.exec(by) ?? [];
    const isKnown = other === undefined ? existsSync(by) || by === NOT_DRAWN : other in WRITTEN;
    assert.ok(isKnown, `${name}: ${by}`);
  }
});

/** Kinds of elements with the names of their attributes. */
const KINDS = `[...new Set([...document.querySelectorAll('*')]
  .map((one) => one.localName + '[' + [...one.attributes].map(({ name }) => name).sort().join() + ']'))]`;
/** What is wider than the window. */
const WIDER = `[...document.querySelectorAll('body *')]
  .filter((one) => document.documentElement.scrollWidth > document.documentElement.clientWidth
    && one.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
  .map((one) => one.outerHTML.slice(0, 150))`;

async function kindsIn(page: Page, path: string): Promise<readonly string[]> {
  const answer = await page.goto(origin + path);
  assert.equal(answer?.status(), 200, path);
  assert.deepEqual(await page.evaluate<string[]>('shots'), [], path);
  assert.deepEqual(await page.evaluate<string[]>(WIDER), [], `${path} is wider than a phone`);
  return page.evaluate<string[]>(KINDS);
}

test('stored by everybody and shown in every room: none of the texts runs, adds or widens anything', async () => {
  const owner = await world.comeAs('OWNER', 'olga');
  const { page, context, heard } = await openWatchedPage(origin, false);
  await page.setViewportSize({ width: 390, height: 844 });
  const cookies = owner
    .cookies()
    .split('; ')
    .map((one) => {
      const [name = '', value = ''] = one.split('=');
      return { name, value, url: origin };
    });
  await context.addCookies(cookies);
  const kinds = new Map<string, ReadonlySet<string>>();
  const look = async ({ rooms }: Filled, isHarmless: boolean) => {
    for (const [name, path] of Object.entries(rooms)) {
      const found = await kindsIn(page, path);
      if (isHarmless) kinds.set(name, new Set(found));
      const more = found.filter((kind) => kinds.get(name)?.has(kind) === false);
      assert.deepEqual(more, [], `${path} has elements that nobody wrote`);
    }
  };
  // What may be left out stands there once.
  const plain = Array.from({ length: perShop }, (_, index) => `Plain text ${index}`);
  await look(await fillShop(world, plain.map(harmless)), true);
  for (let from = 0; from < TEXTS.length; from += perShop) {
    const filled = await fillShop(world, TEXTS.slice(from, from + perShop));
    await look(filled, false);
    for (const path of filled.files) await staysATable(owner, path);
  }
  assert.deepEqual(heard, []);
  await context.close();
  await isEverywhere();
});

type Reader = Awaited<ReturnType<DashboardWorld['comeAs']>>;

const FORMULA = /^"*[=+\-@＝＋－＠\t\r\n](?!\d+(?:\.\d+)?$)/;
/** A cell of RFC 4180, in quotes or not. */
const CELL = /(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g;

/** No cell of it is a formula: also where a spreadsheet splits at semicolons or tabs, quotes or not. */
async function staysATable(reader: Reader, path: string): Promise<void> {
  const { status, markup } = await reader.get(path);
  assert.equal(status, 200, path);
  const cells = [...markup.matchAll(CELL)].map(([, quoted, plain = '']) => quoted ?? plain);
  assert.ok(cells.length > 20, `${path}: ${cells.length} cells`);
  const formulas = [...cells, ...markup.split(/[;\t]/)].filter((cell) => FORMULA.test(cell));
  assert.deepEqual(formulas, [], path);
}

/** Each column that this test says it fills holds a text that would run. */
async function isEverywhere(): Promise<void> {
  const here = Object.entries(WRITTEN).filter(([, by]) => by.endsWith('hostile-rooms.test.ts'));
  for (const [name] of here) {
    const [table = '', column = ''] = name.split('.');
    // In an address the brackets of a tag are written otherwise.
    const [row] = await world.app.db.query<{ readonly count: number }>(
      rawStatement(`select count(*)::int as count from ${table} where ${column}::text ~ '[<(]'`),
    );
    assert.ok((row?.count ?? 0) > 0, `${name} holds nothing hostile`);
  }
}

test('every field into which a text is typed says where it goes', async () => {
  const owner = await world.comeAs('OWNER', 'odette');
  const { rooms } = await fillShop(world, ['one', 'two']);
  const found = new Set<string>();
  for (const path of [...Object.values(rooms), '/dashboard/sign-in', '/dashboard/proof']) {
    const { markup } = await owner.get(path);
    for (const [form] of markup.matchAll(/<form method="post".*?<\/form>/gs)) {
      for (const [tag] of form.matchAll(/<(?:input|textarea)\b[^>]*>/g)) {
        const type = / type="(\w+)"/.exec(tag)?.[1] ?? 'text';
        const isTyped = !['hidden', 'checkbox', 'radio', 'color', 'file', 'date'].includes(type);
        const name = / name="([^"]+)"/.exec(tag)?.[1] ?? '';
        const whole = name.replace(/^ask-\d+-/, 'ask.');
        if (isTyped) found.add(whole.replace(/(?:-\w{12}|-?\d+| .*)$/, ''));
      }
    }
  }
  const unknown = [...found].filter((name) => FIELDS[name] === undefined);
  assert.deepEqual(unknown, []);
  for (const [name, to] of Object.entries(FIELDS)) {
    assert.ok(to === '' || to.split(' ').every((one) => one in WRITTEN), `${name}: ${to}`);
  }
});
