// How the pages of an account look, read and set by a program: the same checks as in the dashboard
// and on the command line, and the same pages.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import sharp from 'sharp';
import { type CommandContext, parseInput } from '#cli/command.ts';
import { merchantPageFontFile, merchantPageUnset } from '#cli/merchant-page.ts';
import { FONT_NAMES } from '#look/page-font.ts';
import { changePageSettings, findFontContent, getSeller } from '#merchant/seller.ts';
import { logoRoutes } from '#pages/asset-routes.ts';
import { themeText } from '#pages/branding/theme.ts';
import { makeFont } from '#test/support/make-font.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi();
});
after(() => api.close());
beforeEach(() => api.clock.advance(1_000));

const put = (body: object, key = api.liveKey) => api.call('PUT', '/page-look', { body, key });
const get = async (key = api.liveKey) => (await api.call('GET', '/page-look', { key })).json;

const FVAR = { tag: 'fvar', data: new Uint8Array(16) };

const USUAL = {
  ...{ font: 'system', cornerRadius: 16, primaryColor: null, backgroundColor: null },
  ...{ colors: [], blocks: ['pay', 'order', 'note'], words: [], logo: null, darkLogo: null },
  ...{ fontFile: null, boldFontFile: null },
};

async function picture(color: string): Promise<string> {
  const create = { width: 60, height: 20, channels: 4 as const, background: color };
  return (await sharp({ create }).png().toBuffer()).toString('base64');
}

test('what is set is read again with any key, is on the pages, and is taken back', async () => {
  assert.deepEqual((await get()).pageLook, USUAL);
  const wished = {
    ...{ font: 'serif', cornerRadius: 4, primaryColor: '#7A1FA2', backgroundColor: '#f3e5f5' },
    colors: ['dark-accent=#8ab4ff', 'light-text=#222222'],
    blocks: ['order', 'pay', 'note'],
    words: [{ place: 'PAID', language: 'de', words: 'Wir packen.\r\nDanke!' }],
  };
  const { status, json, text } = await put(wished);
  assert.equal(status, 200, text);
  const kept = {
    ...{ ...USUAL, ...wished, primaryColor: '#7a1fa2' },
    colors: ['light-text=#222222', 'dark-accent=#8ab4ff'],
    words: [{ place: 'PAID', language: 'de', words: 'Wir packen.\nDanke!' }],
  };
  assert.deepEqual(json.pageLook, kept);
  assert.deepEqual((await get(api.key)).pageLook, kept, 'the test key reads the same');
  const { page } = await getSeller(api.db, api.merchantId);
  assert.match(themeText(page)?.markup ?? '', /--font:Charter.+--radius:4px/);
  // What is absent stays.
  assert.deepEqual((await put({ cornerRadius: 0 })).json.pageLook, { ...kept, cornerRadius: 0 });
  const back = { primaryColor: null, backgroundColor: null, colors: [], words: [] };
  const usual = { font: 'system', cornerRadius: 16, blocks: USUAL.blocks };
  assert.deepEqual((await put({ ...back, ...usual })).json.pageLook, USUAL);
});

test('each font that there is can be chosen', async () => {
  for (const font of FONT_NAMES) {
    await api.clock.advance(1_000);
    assert.equal((await put({ font })).json.pageLook?.font, font);
  }
  await changePageSettings(api.app, api.merchantId, { font: null });
});

test('a colour that cannot be read is refused with one near to it that can, and nothing is kept', async () => {
  const { status, json } = await put({ colors: ['light-text=#cccccc'], cornerRadius: 2 });
  assert.equal(status, 400);
  const [fault = ''] = json.errors as unknown as string[];
  assert.match(
    fault,
    /colors: light-text #cccccc on light-background #f5f4f0 has a contrast of 1\.\d\d, which must be 4\.5; #[0-9a-f]{6} would do/,
  );
  const near = /; (#[0-9a-f]{6}) would do/.exec(fault)?.[1] ?? '';
  assert.deepEqual((await get()).pageLook, USUAL);
  const taken = await put({ colors: [`light-text=${near}`] });
  assert.deepEqual(taken.json.pageLook?.colors, [`light-text=${near}`], 'it does');
  await put({ colors: [] });
});

test('the logos are drawn anew, and go again; that of dark pages stands beside the other', async () => {
  const alone = await put({ darkLogo: await picture('#ffffff') });
  assert.equal(alone.status, 400);
  assert.match(alone.text, /logo: bring the one for light pages first/);
  const both = { logo: await picture('#102030'), darkLogo: await picture('#ffffff') };
  const { json } = await put(both);
  for (const path of [json.pageLook?.logo, json.pageLook?.darkLogo]) {
    assert.match(String(path), /^\/brand\/[0-9a-f]{32}\.webp$/);
  }
  assert.notEqual(json.pageLook?.logo, json.pageLook?.darkLogo);
  assert.equal((await put({ darkLogo: null })).json.pageLook?.darkLogo, null);
  assert.deepEqual((await put({ logo: null })).json.pageLook, USUAL);
});

test('a font of its own is checked, served under its hash as a font, and goes again', async () => {
  const [regular, bold] = [makeFont(), makeFont({ metadata: '<metadata/>', more: [FVAR] })].map(
    (file) => Buffer.from(file).toString('base64'),
  );
  const { json } = await put({ fontFile: regular, boldFontFile: bold });
  const paths = [json.pageLook?.fontFile, json.pageLook?.boldFontFile].map(String);
  for (const path of paths) assert.match(path, /^\/brand\/[0-9a-f]{32}\.woff2$/);
  const { page } = await getSeller(api.db, api.merchantId);
  assert.match(
    themeText(page)?.markup ?? '',
    /^@font-face\{font-family:own-font;src:url\(\/brand\/[0-9a-f]{32}\.woff2\) format\("woff2"\);font-weight:400;font-display:swap\}@font-face\{.+font-weight:100 900;font-display:swap\}:root\{--font:own-font,system-ui/,
  );
  const routes = logoRoutes(api.app);
  const served = await routes.request(paths[0] ?? '');
  assert.equal(served.headers.get('content-type'), 'font/woff2');
  assert.equal(served.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(served.headers.get('cross-origin-resource-policy'), 'same-origin');
  assert.deepEqual(Buffer.from(await served.arrayBuffer()).toString('base64'), regular);
  assert.equal((await routes.request((paths[0] ?? '').replace('woff2', 'webp'))).status, 404);
  // Under the domain of another merchant it is not there.
  const { db } = api;
  assert.equal(
    await findFontContent(db, /(\w{32})/.exec(paths[0] ?? '')?.[1] ?? '', 'x'),
    undefined,
  );
  const wrong = await put({ fontFile: Buffer.from('<svg/>'.repeat(20)).toString('base64') });
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /fontFile: must be a font in WOFF2/);
  const gone = await put({ fontFile: null, boldFontFile: null });
  assert.deepEqual(gone.json.pageLook, USUAL);
  assert.equal((await routes.request(paths[0] ?? '')).status, 404);
});

test('the command line takes the same font', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'quittance-font-')), 'own.woff2');
  writeFileSync(path, makeFont());
  const context = { openApp: async () => api.app } as unknown as CommandContext;
  const run = (verb: typeof merchantPageFontFile, ...args: string[]) =>
    verb.run(context, parseInput(verb, [...args, '--merchant', api.merchantId, '--by', 'ann']));
  const set = await run(merchantPageFontFile, path, '--weight', 'bold');
  assert.match(set.text, /bold-font-file +\/brand\/[0-9a-f]{32}\.woff2, \d+ bytes/);
  assert.ok((await get()).pageLook?.boldFontFile !== null);
  await assert.rejects(run(merchantPageFontFile, path, '--weight', 'thin'), { code: 'usage' });
  await run(merchantPageUnset, 'bold-font-file');
  assert.deepEqual((await get()).pageLook, USUAL);
});

test('what is no setting is refused by its name, and a test key sets nothing', async () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{}, /font/],
    [{ font: 'Comic Sans' }, /font/],
    [{ cornerRadius: 25 }, /cornerRadius/],
    [{ cornerRadius: 1.5 }, /cornerRadius/],
    [{ primaryColor: 'red' }, /primaryColor: must be a colour written as #rrggbb/],
    [{ colors: ['text=#111111'] }, /colors: must be such as light-accent/],
    [{ blocks: ['pay'] }, /blocks: must be each of pay, order, note once/],
    [{ words: [{ place: 'FOOT', language: 'de', words: 'x' }] }, /place/],
    [{ words: [{ place: 'HEADING', language: 'de', words: 'x'.repeat(121) }] }, /HEADING de/],
    [{ logo: '****' }, /logo: must be a file in Base64/],
    [{ logo: Buffer.from('<svg/>').toString('base64') }, /SVG is not accepted/],
  ];
  for (const [body, said] of wrong) {
    await api.clock.advance(1_000);
    const { status, text } = await put(body);
    assert.equal(status, 400, text);
    assert.match(text, said);
  }
  const { status, text } = await put({ font: 'serif' }, api.key);
  assert.equal(status, 400);
  assert.match(text, /font: is of test and live together: a live key sets it/);
  assert.deepEqual((await get()).pageLook, USUAL);
});
