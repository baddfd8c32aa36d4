import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { systemRandom } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { ConstraintViolation, sql } from '#db/db.ts';
import { keyringOf } from '#installation/keyring.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { createMerchant } from './create-merchant.ts';
import {
  DEFAULT_PAGE_SETTINGS,
  type PageSettingName,
  parseEmbedOrigin,
  parseEmbedOrigins,
  parsePageSettings,
} from './page-settings.ts';
import { changePageSettings, findSeller, getSeller } from './seller.ts';

let database: TestDatabase;
let merchantId: string;

before(async () => {
  database = await openTestDatabase();
  const keyring = keyringOf(new Uint8Array(32).fill(1), systemRandom);
  const clock = manualClock(Temporal.Instant.from('2026-11-21T10:00:00Z'));
  const app = { db: database.db, keyring, clock, random: systemRandom };
  merchantId = (await createMerchant(app, { name: 'Shop' })).id;
});
after(() => database.close());

const pageOf = async (id: string) => (await getSeller(database.db, id)).page;

const wholeSettings = {
  shopName: 'Fern & Folio',
  sellerInfo: 'Main Street 1\n10115 Berlin',
  displayBuyerInfo: 'yes',
  displaySellerInfo: 'yes',
  contact: 'help@shop.example',
  primaryColor: '#AbCdEf',
  backgroundColor: '#001122',
  colors: 'dark-text=#FFFFFF light-error=#aa0000',
  font: 'serif',
  cornerRadius: '8',
  languages: 'fr, en de,de',
  defaultLanguage: 'de',
  returnCountdownSeconds: '0',
  embedOrigins: 'https://shop.example, http://localhost:3000',
  explorerLinks: 'no',
  blocks: 'order, note pay',
  asking: '{"tipAmounts": [2]}',
  returnMethod: 'POST',
};

test('every setting is stored, shown, and taken back to its default', async () => {
  const app = { db: database.db };
  assert.deepEqual(await pageOf(merchantId), DEFAULT_PAGE_SETTINGS);
  const changed = await changePageSettings(app, merchantId, parsePageSettings(wholeSettings));
  assert.deepEqual(changed, {
    ...wholeSettings,
    displayBuyerInfo: true,
    displaySellerInfo: true,
    primaryColor: '#abcdef',
    cornerRadius: 8,
    colors: ['light-error=#aa0000', 'dark-text=#ffffff'],
    returnCountdownSeconds: 0,
    languages: ['en', 'de', 'fr'],
    defaultLanguage: 'de',
    embedOrigins: ['https://shop.example', 'http://localhost:3000'],
    explorerLinks: false,
    blocks: ['order', 'note', 'pay'],
    asking: { asks: [], tipPercents: [], tipAmounts: ['2'], isTipOwn: false },
  });
  assert.deepEqual(await pageOf(merchantId), changed);
  assert.deepEqual(await findSeller(app.db, merchantId), {
    name: 'Shop',
    page: changed,
    logo: undefined,
    confirmations: undefined,
    recommended: undefined,
    withoutPayerMails: undefined,
    pageWords: undefined,
  });

  await changePageSettings(app, merchantId, { contact: null });
  const { contact, ...others } = await pageOf(merchantId);
  assert.equal(contact, null);
  assert.deepEqual({ ...others, contact: 'help@shop.example' }, changed);
  const nothing = Object.fromEntries(Object.keys(changed).map((name) => [name, null]));
  assert.deepEqual(await changePageSettings(app, merchantId, nothing), DEFAULT_PAGE_SETTINGS);
  assert.deepEqual(await pageOf(merchantId), DEFAULT_PAGE_SETTINGS);
});

test('two changes at once are both kept', async () => {
  const app = { db: database.db };
  await Promise.all([
    changePageSettings(app, merchantId, { primaryColor: '#112233' }),
    changePageSettings(app, merchantId, { contact: 'https://shop.example/help' }),
    changePageSettings(app, merchantId, { shopName: 'Both' }),
  ]);
  const { primaryColor, contact, shopName } = await pageOf(merchantId);
  assert.deepEqual(
    [primaryColor, contact, shopName],
    ['#112233', 'https://shop.example/help', 'Both'],
  );
});

test('an unknown merchant has no settings', async () => {
  const app = { db: database.db };
  const isUnknown = (error: unknown) =>
    error instanceof Refusal && error.code === 'merchant_unknown';
  await assert.rejects(changePageSettings(app, 'aaaaaaaaaaaa', { contact: null }), isUnknown);
  await assert.rejects(getSeller(app.db, 'aaaaaaaaaaaa'), isUnknown);
  assert.equal(await findSeller(app.db, 'aaaaaaaaaaaa'), undefined);
});

const WRONG: readonly (readonly [PageSettingName, readonly string[]])[] = [
  ['shopName', ['', '   ', 'x'.repeat(201), 'a\u0000b', '\ud800']],
  ['sellerInfo', ['', 'x'.repeat(1001)]],
  ['displayBuyerInfo', ['', 'true', 'YES', '1']],
  [
    'contact',
    [
      '',
      'help',
      'javascript:alert(1)',
      'ftp://shop.example',
      'https://a:b@shop.example',
      '//shop.example',
      'https://shop.example/ x',
      'mailto:help@shop.example',
      'https://',
    ],
  ],
  [
    'primaryColor',
    [
      '',
      'red',
      '#fff',
      '#12345',
      '#1234567',
      '#gggggg',
      '112233',
      '#11223344',
      '#112233;',
      ' #112233',
      'rgb(1,2,3)',
      '#112233\n',
      'var(--x)',
      '#１１２２３３',
    ],
  ],
  ['languages', ['', ' , ', 'auto', 'EN', 'de,sv', 'de;fr', 'constructor']],
  ['defaultLanguage', ['', 'auto', 'EN', 'pt-br', 'constructor']],
  ['returnCountdownSeconds', ['', '-1', '301', '1.5', '1e2', ' 5', 'never']],
  [
    'embedOrigins',
    [
      '*',
      'https://*.shop.example',
      'http://shop.example',
      'null',
      'shop.example',
      'https://a.example https',
    ],
  ],
  ['explorerLinks', ['', 'on', 'no ']],
  ['blocks', ['', 'pay', 'pay,order', 'pay,order,note,note', 'pay,pay,note', 'pay,order,foot']],
  ['asking', ['', '{', '{"tipPercents": [2]}']],
  ['returnMethod', ['', 'post', 'PUT']],
];

test('what cannot be read is refused, with the name of the setting and what it must be', () => {
  for (const [name, texts] of WRONG) {
    for (const text of texts) {
      assert.throws(
        () => parsePageSettings({ [name]: text }),
        (error: unknown) =>
          error instanceof Refusal && error.details[0]?.startsWith(`${name}: must be `) === true,
        `${name} ${JSON.stringify(text)}`,
      );
    }
  }
});

test('the language for all others is one of those that are offered, whichever is set last', async () => {
  const app = { db: database.db };
  const set = (change: object) => changePageSettings(app, merchantId, change);
  const before = await pageOf(merchantId);
  const isRefused = (error: unknown) =>
    error instanceof Refusal && error.details[0]?.startsWith('defaultLanguage: ') === true;
  await set({ languages: ['de', 'fr'] });
  assert.equal(
    (await pageOf(merchantId)).defaultLanguage,
    'de',
    'not English, which is not offered',
  );
  await assert.rejects(set({ defaultLanguage: 'it' }), isRefused);
  await set({ defaultLanguage: 'fr' });
  await assert.rejects(set({ languages: ['de', 'it'] }), isRefused);
  await set({ languages: ['de', 'it'], defaultLanguage: 'it' });
  const { languages, defaultLanguage } = await pageOf(merchantId);
  assert.deepEqual([languages, defaultLanguage], [['de', 'it'], 'it']);
  await set({ languages: null, defaultLanguage: null });
  assert.deepEqual(await pageOf(merchantId), before);
});

test('all faults are named at once', () => {
  assert.throws(
    () => parsePageSettings({ primaryColor: 'red', contact: 'nobody', shopName: 'fine' }),
    (error: unknown) => error instanceof Refusal && error.details.length === 2,
  );
});

const ORIGINS: readonly (readonly [text: string, origin: string | undefined])[] = [
  ['https://shop.example', 'https://shop.example'],
  ['https://shop.example/', 'https://shop.example'],
  ['HTTPS://Shop.Example:443', 'https://shop.example'],
  ['https://shop.example:8443', 'https://shop.example:8443'],
  ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://shop.localhost', 'http://shop.localhost'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['https://[2001:db8::1]', 'https://[2001:db8::1]'],
  ['http://shop.example', undefined],
  ['http://localhost.example', undefined],
  ['http://127.0.0.1.example', undefined],
  ['https://*.shop.example', undefined],
  ['https://shop.example/page', undefined],
  ['https://shop.example?x', undefined],
  ['https://shop.example#x', undefined],
  ['https://user@shop.example', undefined],
  ['https://shop.example;script-src', undefined],
  ["https://shop.example'self'", undefined],
  ['https://shop.example"', undefined],
  ['https:shop.example', undefined],
  ['https:\\\\shop.example', undefined],
  ['https://shop.example:99999', undefined],
  ['https://', undefined],
  ['data:text/html,x', undefined],
  ['file:///etc', undefined],
  ['*', undefined],
  ['null', undefined],
  ['', undefined],
];

test('an origin is exact: https, or http on this machine, as browsers write it', () => {
  for (const [text, origin] of ORIGINS) assert.equal(parseEmbedOrigin(text), origin, text);
  const many = Array.from({ length: 21 }, (_, index) => `https://s${index}.example`);
  assert.ok('fault' in parseEmbedOrigins(many.join(' ')));
  assert.deepEqual(parseEmbedOrigins(' '), { value: [] });
  const twice = parseEmbedOrigins('https://a.example,https://a.example/');
  assert.deepEqual(twice, { value: ['https://a.example'] });
});

test('no origin, whatever was typed, ends a directive, holds a wildcard, or is refused later', () => {
  const noise = fc.string({ unit: fc.constantFrom(...'aé.-_:[]1;,\'"*%@ \\/') });
  fc.assert(
    fc.property(noise, fc.constantFrom('https://', 'http://', 'https://a'), (tail, head) => {
      const origin = parseEmbedOrigin(head + tail);
      if (origin === undefined) return;
      assert.match(origin, /^https?:\/\/[a-z0-9:._[\]-]+$/);
      assert.equal(parseEmbedOrigin(origin), origin);
    }),
    { numRuns: 5000 },
  );
});

test('the database itself keeps out colours and origins that are none', async () => {
  for (const [column, value] of [
    ['primary_color', "'red'"],
    ['background_color', "'#FFFFFF'"],
    ['embed_origins', "array['https://a.example; script-src *']"],
    ['embed_origins', "array['https://*.example']"],
    ['return_countdown_seconds', '-1'],
  ] as const) {
    const statement = sql`update merchant_page set contact = contact where merchant_id = ${merchantId}`;
    const text = statement.text.replace('contact = contact', `${column} = ${value}`);
    await assert.rejects(
      database.db.single((tx) => tx.query({ ...statement, text, name: '' })),
      ConstraintViolation,
    );
  }
});
