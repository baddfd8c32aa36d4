// The settings of a shop in the browser: how its pages look, what it takes, and its own domain.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import { getMerchantTerms } from '#access/caller.ts';
import { listActs } from '#audit/act.ts';
import { Outage } from '#base/refusal.ts';
import { isWithinRisk, listAssets } from '#catalog/asset.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { pageToken } from '#checkout/page-token.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { listDomains } from '#merchant/domain.ts';
import {
  changePaymentWishes,
  readPaidTerms,
  readPaymentWishes,
  readRiskTolerance,
} from '#merchant/merchant.ts';
import { DEFAULT_PAGE_SETTINGS } from '#merchant/page-settings.ts';
import { changeDarkLogo, getSeller } from '#merchant/seller.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { redrawLogo } from '#pages/branding/redraw-logo.ts';
import {
  type DashboardWorld,
  openDashboardWorld,
  PASSWORD,
} from '#test/support/dashboard-world.ts';
import { makeFont } from '#test/support/make-font.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';

let world: DashboardWorld;
let path: string;
const records = new Map<string, readonly string[] | 'away'>();
before(async () => {
  world = await openDashboardWorld({
    async findTextRecords(name) {
      const found = records.get(name) ?? [];
      if (found === 'away') throw new Outage('name server');
      return found;
    },
  });
  path = `${world.shop}/settings`;
});
after(() => world.close());

const seller = () => getSeller(world.app.db, world.caller.merchantId);
const verbs = async (about: string) =>
  (await listActs(world.app.db, { about }, 99)).map(({ verb }) => verb);
/** As the form sends them when nothing was changed. */
const AS_SHOWN = {
  defaultLanguage: 'en',
  returnCountdownSeconds: '10',
  explorerLinks: 'yes',
  primaryColor: '#0f6b63',
  backgroundColor: '#f5f4f0',
};

const NO_METHODS = { methodOrder: [], methodsOff: [], methodsRecommended: [] };

test('an owner says how the pages look; whatever is left empty is as by default', async () => {
  const owner = await world.comeAs('OWNER', 'ada');
  await owner.get(path);
  const saved = await owner.submit(path, {
    ...AS_SHOWN,
    shopName: 'Bücher & Co',
    sellerInfo: 'One street\r\nTwo town',
    contact: 'help@shop.example',
    displaySellerInfo: 'yes',
    primaryColor: '#aa0000',
    primaryColorOwn: 'yes',
    embedOrigins: 'https://shop.example',
    returnCountdownSeconds: '0',
    defaultLanguage: 'de',
  });
  assert.equal(saved.location, `${path}?done=1`, saved.markup);
  const { page } = await seller();
  assert.deepEqual(page, {
    shopName: 'Bücher & Co',
    sellerInfo: 'One street\nTwo town',
    displayBuyerInfo: false,
    displaySellerInfo: true,
    contact: 'help@shop.example',
    primaryColor: '#aa0000',
    backgroundColor: null,
    colors: [],
    font: 'system',
    cornerRadius: 16,
    languages: DEFAULT_PAGE_SETTINGS.languages,
    defaultLanguage: 'de',
    returnCountdownSeconds: 0,
    embedOrigins: ['https://shop.example'],
    explorerLinks: true,
    blocks: ['pay', 'order', 'note'],
    asking: null,
    returnMethod: 'GET',
  });
  const shown = await owner.get(path);
  assert.match(shown.markup, /value="Bücher &amp; Co"/);
  assert.match(shown.markup, />\nOne street\nTwo town<\/textarea>/);
  await owner.submit(path, AS_SHOWN);
  assert.deepEqual((await seller()).page, DEFAULT_PAGE_SETTINGS);
  const { merchantId } = world.caller;
  const told = (await verbs(`merchant:${merchantId}`)).filter((verb) => /page/.test(verb));
  assert.deepEqual(told, ['merchant-page-set', 'merchant-page-set']);
});

test('what cannot be taken is said, changes nothing, and stays in the form', async () => {
  const admin = await world.comeAs('ADMIN', 'alf');
  await admin.get(path);
  const before = (await seller()).page;
  for (const wrong of [
    { contact: 'javascript:alert(1)' },
    { embedOrigins: 'https://*.example' },
    { returnCountdownSeconds: '301' },
    { defaultLanguage: 'xx' },
    { primaryColor: 'red', primaryColorOwn: 'yes' },
    { shopName: 'x'.repeat(201) },
  ] as readonly Readonly<Record<string, string>>[]) {
    const refused = await admin.submit(path, { ...AS_SHOWN, ...wrong });
    assert.equal(refused.status, 400, JSON.stringify(wrong));
    assert.match(refused.markup, /role="alert"[^>]*>Something cannot be taken/);
    assert.ok(refused.markup.includes(Object.values(wrong)[0] ?? ''));
  }
  assert.deepEqual((await seller()).page, before);
});

test('the preview shows what was typed, may be framed by the dashboard alone, and stores nothing', async () => {
  const owner = await world.comeAs('OWNER', 'abel');
  const typed = new URLSearchParams({
    ...AS_SHOWN,
    shopName: '</style><b>Typed',
    primaryColorOwn: 'yes',
  });
  const { markup, headers } = await owner.get(`${path}/preview?${typed}`);
  assert.match(markup, /&lt;\/style&gt;&lt;b&gt;Typed/);
  assert.match(markup, /--fill:#0f6b63/);
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/);
  const half = await owner.get(
    `${path}/preview?${new URLSearchParams({ primaryColor: '#a', primaryColorOwn: 'yes' })}`,
  );
  assert.equal(half.status, 200);
  assert.equal((await seller()).page.shopName, null);
});

test('a logo is drawn anew, and what is no picture is refused', async () => {
  const owner = await world.comeAs('OWNER', 'anja');
  const room = await owner.get(path);
  assert.match(room.markup, /enctype="multipart\/form-data"/);
  const png = await sharp({ create: { width: 60, height: 20, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();
  const sent = new Blob([new Uint8Array(png)]);
  const set = await owner.upload(`${path}/logo`, { logo: sent });
  assert.equal(set.location, `${path}?done=1`, set.markup);
  assert.equal((await seller()).logo?.width, 60);
  for (const wrong of [
    new Blob(['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>']),
    new Blob([new Uint8Array(png.subarray(0, 40))]),
    new Blob([]),
    new Blob([new Uint8Array(3 * 1024 * 1024)]),
  ]) {
    await owner.get(path);
    const refused = await owner.upload(`${path}/logo`, { logo: wrong });
    assert.ok(refused.status === 400 || refused.status === 413, `${refused.status}`);
    assert.match(refused.markup, /The logo was not taken/);
  }
  await owner.get(path);
  const garbled = await owner.post(`${path}/logo`, { logo: 'text' });
  assert.equal(garbled.status, 403, 'a form without its token');
  await owner.get(path);
  await owner.upload(`${path}/logo`, { act: 'remove' });
  assert.equal((await seller()).logo, undefined);
});

test('font and corners are chosen beside the pages that wear them, in light and in dark', async () => {
  const owner = await world.comeAs('OWNER', 'amalia');
  const room = `${path}/look`;
  const shown = await owner.get(room);
  const frames = [...shown.markup.matchAll(/<iframe[^>]+src="([^"]+)"[^>]*>/g)];
  assert.equal(frames.length, 4);
  const typed = new URLSearchParams({ font: 'mono', cornerRadius: '0', shown: 'choose' });
  for (const scheme of ['light', 'dark']) {
    const { markup, headers } = await owner.get(`${room}/preview/${scheme}?${typed}`);
    assert.match(markup, /:root\{--font:ui-monospace[^}]+;--radius:0px\}/);
    assert.match(markup, new RegExp(`name="color-scheme" content="${scheme}"`));
    assert.doesNotMatch(markup, /prefers-color-scheme/);
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/);
    const sheet = /href="(\/assets\/page-[^"]+\.css)"/.exec(markup)?.[1] ?? '';
    const { markup: css } = await owner.get(sheet);
    assert.doesNotMatch(css, /prefers-color-scheme/);
    assert.equal(css.includes('(min-width:0)'), scheme === 'dark');
  }
  await owner.get(room);
  const saved = await owner.submit(room, { font: 'mono', cornerRadius: '24', shown: 'pay' });
  assert.equal(saved.location, `${room}?done=1`, saved.markup);
  const { page } = await seller();
  assert.deepEqual([page.font, page.cornerRadius], ['mono', 24]);
  for (const wrong of [
    { font: 'Comic' },
    { cornerRadius: '25' },
    { cornerRadius: '1;color:red' },
  ]) {
    await owner.get(room);
    const refused = await owner.submit(room, { font: 'mono', cornerRadius: '24', ...wrong });
    assert.equal(refused.status, 400, JSON.stringify(wrong));
  }
  await owner.get(room);
  await owner.submit(room, { font: 'system', cornerRadius: '16' });
  assert.deepEqual((await seller()).page, DEFAULT_PAGE_SETTINGS);
});

test('a colour that cannot be read is refused with its pair, its contrast and a near one', async () => {
  const owner = await world.comeAs('OWNER', 'agathe');
  const room = `${path}/look`;
  const usual = { font: 'system', cornerRadius: '16' };
  await owner.get(room);
  const refused = await owner.submit(room, { ...usual, 'light-text': '#999999' });
  assert.equal(refused.status, 400);
  assert.match(refused.markup, /Text \(light\) #999999 on Surface #ffffff[^<]*2\.84[^<]*4\.5/);
  const near = /Readable near it: (#[0-9a-f]{6})/.exec(refused.markup)?.[1] ?? '';
  const { markup } = await owner.get(
    `${room}/preview/light?light-text=%23999999&font=system&cornerRadius=16`,
  );
  assert.match(markup, /--ink:#999999/);
  await owner.get(room);
  const saved = await owner.submit(room, { ...usual, 'light-text': near });
  assert.equal(saved.location, `${room}?done=1`, saved.markup);
  assert.deepEqual((await seller()).page.colors, [`light-text=${near}`]);
  for (const wrong of ['red', '#fff', 'url(x)', '#000;}', '#0000000']) {
    await owner.get(room);
    const status = (await owner.submit(room, { ...usual, 'dark-text': wrong })).status;
    assert.equal(status, 400, wrong);
  }
  await owner.get(room);
  await owner.submit(room, usual);
  assert.deepEqual((await seller()).page, DEFAULT_PAGE_SETTINGS);
});

test('a logo for dark pages stands beside that for light ones, and goes with it', async () => {
  const owner = await world.comeAs('OWNER', 'annika');
  const room = `${path}/look`;
  const picture = async (background: string) => {
    const drawn = sharp({ create: { width: 60, height: 20, channels: 3, background } });
    return new Blob([new Uint8Array(await drawn.png().toBuffer())]);
  };
  const { markup: early } = await owner.get(room);
  assert.doesNotMatch(early, /dark-logo/);
  const drawings = await redrawLogo(await (await picture('#ffffff')).bytes());
  await assert.rejects(changeDarkLogo(world.app, world.caller.merchantId, drawings), {
    code: 'logo',
  });
  await owner.get(path);
  await owner.upload(`${path}/logo`, { logo: await picture('#123456') });
  await owner.get(room);
  const set = await owner.upload(`${room}/dark-logo`, { logo: await picture('#ffffff') });
  assert.equal(set.location, `${room}?done=1`, set.markup);
  const { logo } = await seller();
  assert.ok(logo?.dark !== undefined && logo.dark.hash !== logo.hash);
  const { markup } = await owner.get(`${room}/preview/dark`);
  assert.match(markup, new RegExp(`<source media="[^"]+"\\s+srcset="/brand/${logo.dark.hash}`));
  await owner.get(room);
  const refused = await owner.upload(`${room}/dark-logo`, { logo: new Blob(['<svg/>']) });
  assert.equal(refused.status, 400);
  await owner.get(path);
  await owner.upload(`${path}/logo`, { act: 'remove' });
  assert.equal((await seller()).logo, undefined);
});

test('a font is read before it is taken, stands in the preview, and is taken away', async () => {
  const owner = await world.comeAs('OWNER', 'fontaine');
  const room = `${path}/look`;
  await owner.get(room);
  const file = new Blob([new Uint8Array(makeFont())]);
  const set = await owner.upload(`${room}/font`, { font: file, weight: 'bold' });
  assert.equal(set.location, `${room}?done=1`, set.markup);
  const [own] = (await seller()).page.ownFonts ?? [];
  assert.equal(own?.weight, 'bold');
  const { markup } = await owner.get(`${room}/preview/light`);
  assert.ok(markup.includes(`url(/brand/${own?.hash}.woff2)`));
  assert.match((await owner.get(room)).markup, /Bold text: 1 KiB/);
  for (const wrong of [new Blob(['<svg/>']), new Blob([new Uint8Array(200 * 1024)])]) {
    await owner.get(room);
    const refused = await owner.upload(`${room}/font`, { font: wrong, weight: 'regular' });
    assert.ok(refused.status >= 400);
    assert.match(refused.markup, /The font was not taken/);
  }
  await owner.get(room);
  await owner.upload(`${room}/font`, { remove: 'bold' });
  assert.equal((await seller()).page.ownFonts, undefined);
});

test('own words are kept by language, shown beside the form as they are typed, or refused', async () => {
  const owner = await world.comeAs('OWNER', 'wanda');
  const room = `${path}/words`;
  await owner.get(room);
  const set = await owner.submit(room, { language: 'de', PAID: 'Danke!\n<b>Bis bald</b>' });
  assert.equal(set.location, `${room}?language=de&done=1`, set.markup);
  assert.deepEqual((await seller()).pageWords, [
    { place: 'PAID', language: 'de', words: 'Danke!\n<b>Bis bald</b>' },
  ]);
  const typed = new URLSearchParams({ language: 'de', shown: 'paid', PAID: 'Noch nicht gesagt' });
  const preview = await owner.get(`${room}/preview?${typed}`);
  assert.match(preview.markup, /data-own="PAID"><p><bdi>Noch nicht gesagt/);
  await owner.get(room);
  const refused = await owner.submit(room, { language: 'de', HEADING: 'x'.repeat(121) });
  assert.equal(refused.status, 400);
  assert.match(refused.markup, /Write plain text: one line of up to 120 characters/);
  await owner.get(room);
  await owner.submit(room, { language: 'de' });
  assert.equal((await seller()).pageWords, undefined);
});

test('the risk is of one environment, and late money completes by itself as the owner says', async () => {
  const { app, caller } = world;
  const { merchantId } = caller;
  const owner = await world.comeAs('OWNER', 'agnes');
  const room = `${path}/payments`;
  await owner.get(room);
  await owner.submit(room, { act: 'risk', risk: 'LOW' });
  assert.equal(await readRiskTolerance(app.db, { merchantId, environment: 'test' }), 'LOW');
  assert.equal(await readRiskTolerance(app.db, { merchantId, environment: 'live' }), 'MEDIUM');
  await owner.get(room);
  const set = await owner.submit(room, { act: 'late', lateFloor: '97,5', lateDays: '30' });
  assert.equal(set.location, `${room}?done=1`);
  const terms = {
    lateFloorPartsPerMillion: 975_000,
    lateDays: 30,
    underpaidTolerancePartsPerMillion: 0,
  };
  assert.deepEqual({ ...(await readPaidTerms(app.db, merchantId)) }, terms);
  assert.match((await owner.get(room)).markup, /value="97\.5"/);
  for (const [typed, sentence] of [
    [{ act: 'late', lateFloor: '49.9999', lateDays: '1' }, /percentage from 50 to 100/],
    [{ act: 'late', lateFloor: '100.1', lateDays: '1' }, /percentage from 50 to 100/],
    [{ act: 'late', lateFloor: '90', lateDays: '36501' }, /whole days/],
    [{ act: 'late', lateFloor: '90', lateDays: '-1' }, /whole days/],
    [{ act: 'risk', risk: 'NONE' }, /Choose a level of risk/],
  ] as const) {
    await owner.get(room);
    const refused = await owner.submit(room, typed);
    assert.equal(refused.status, 400);
    assert.match(refused.markup, sentence);
  }
  assert.deepEqual({ ...(await readPaidTerms(app.db, merchantId)) }, terms);
});

const PAYMENT = { act: 'methods', 'on LITECOIN LTC:NATIVE': 'yes' };

test('what customers may pay with, and in which order, is what the owner ticks and numbers', async () => {
  const { app, caller } = world;
  await world.observe('LITECOIN');
  await world.observe('BITCOIN');
  const owner = await world.comeAs('OWNER', 'anne');
  const room = `${path}/payments`;
  await owner.get(room);
  await owner.submit(room, { act: 'risk', risk: 'MEDIUM' });
  const offered = async () => {
    const { offers } = await world.read(await createByTerms());
    return offers.map(({ network, assetId }) => `${network} ${assetId}`);
  };
  const createByTerms = async () => {
    const terms = await getMerchantTerms(app.db, caller);
    const request = parseCheckoutRequest({
      charge: {
        billingCurrency: 'EUR',
        lineItems: [{ description: 'A book', netAmount: '40' }],
      },
    });
    const made = await createCheckout(app, terms, request, { type: 'HOSTED', origin: 'API' });
    return made.id;
  };
  const before = await offered();
  assert.ok(before.length > 2 && before.indexOf('BITCOIN BTC:NATIVE') === 0, before.join());
  const shown = await owner.get(room);
  for (const way of before)
    assert.ok(shown.markup.includes(`name="on ${way}" value="yes" checked`));
  const ticked = before
    .filter((way) => !way.startsWith('STELLAR '))
    .map((way) => [`on ${way}`, 'yes'] as const);
  const places = { 'place LITECOIN LTC:NATIVE': '1', 'place BITCOIN BTC:NATIVE': '2' };
  const saved = await owner.submit(room, {
    act: 'methods',
    ...Object.fromEntries(ticked),
    ...places,
    'recommend BITCOIN BTC:NATIVE': 'yes',
  });
  assert.equal(saved.location, `${room}?done=1`, saved.markup);
  const after = await offered();
  assert.deepEqual(after.slice(0, 2), ['LITECOIN LTC:NATIVE', 'BITCOIN BTC:NATIVE']);
  assert.equal(after.length, ticked.length);
  assert.ok(after.every((way) => !way.startsWith('STELLAR ')));
  const again = await owner.get(room);
  assert.match(again.markup, /name="place LITECOIN LTC:NATIVE" value="1"/);
  assert.match(again.markup, /name="recommend BITCOIN BTC:NATIVE" value="yes" checked>/);
  assert.match(again.markup, /name="recommend LITECOIN LTC:NATIVE" value="yes">/);
  assert.deepEqual((await readPaymentWishes(app.db, caller)).methodsRecommended, [
    'BITCOIN BTC:NATIVE',
  ]);
  assert.match(again.markup, /name="on STELLAR XLM:NATIVE" value="yes">/);
  const none = await owner.submit(room, { act: 'methods', ...places });
  assert.equal(none.status, 400);
  assert.match(none.markup, /At least one way to pay has to stay/);
  assert.deepEqual(await offered(), after);
  const [act] = await listActs(app.db, { about: `merchant:${caller.merchantId}` }, 1);
  assert.match(act?.details ?? '', /STELLAR XLM:NATIVE/);
  assert.deepEqual(
    (await readPaymentWishes(app.db, { ...caller, environment: 'live' })).methodsOff,
    [],
  );
});

test('one number alone moves a way to pay up or down, and all others keep their order', async () => {
  const { app, caller } = world;
  const owner = await world.comeAs('OWNER', 'alma');
  const room = `${path}/payments`;
  const shownNow = async () => {
    const { markup } = await owner.get(room);
    return [...markup.matchAll(/name="on ([^"]+)"/g)].map(([, way = '']) => way);
  };
  const start = await shownNow();
  const [first = '', second = '', third = '', fourth = ''] = start;
  const move = async (way: string, place: string) => {
    const shown = await shownNow();
    const fields = shown.flatMap((one, index) => [
      [`on ${one}`, 'yes'],
      [`place ${one}`, one === way ? place : `${index + 1}`],
    ]);
    await owner.submit(room, { act: 'methods', ...Object.fromEntries(fields) });
    return (await shownNow()).slice(0, 4);
  };
  assert.deepEqual(await move(fourth, '1'), [fourth, first, second, third]);
  assert.deepEqual(await move(fourth, '3'), [first, second, fourth, third]);
  assert.deepEqual(await move(fourth, 'x'), [first, second, third, start[4]]);
  assert.equal((await shownNow()).at(-1), fourth);
  await changePaymentWishes(app, caller, NO_METHODS);
});

test('what cannot be received now keeps what was said of it', async () => {
  const { app, caller } = world;
  const owner = await world.comeAs('OWNER', 'arne');
  const kept = 'XRP_LEDGER XRP:GONE';
  await changePaymentWishes(app, caller, {
    methodOrder: [kept],
    methodsOff: [kept],
    methodsRecommended: [kept],
  });
  const room = `${path}/payments`;
  await owner.get(room);
  await owner.submit(room, PAYMENT);
  const { methodOrder, methodsOff, methodsRecommended } = await readPaymentWishes(app.db, caller);
  assert.deepEqual(methodsRecommended, [kept]);
  assert.equal(methodOrder.at(-1), kept);
  assert.equal(methodsOff.at(-1), kept);
  await changePaymentWishes(app, caller, NO_METHODS);
});

test('in what an owner is credited is his choice, within his risk and with a recent proof', async () => {
  const { app, caller } = world;
  const owner = await world.comeAs('OWNER', 'asta');
  const room = `${path}/payments`;
  await owner.get(room);
  await owner.submit(room, { act: 'risk', risk: 'LOW' });
  const risky = listAssets().find(
    (asset) => asset.settlement && !isWithinRisk(asset, 'LOW') && isWithinRisk(asset, 'HIGH'),
  );
  assert.ok(risky !== undefined);
  for (const settlement of [risky.id, 'NONE:SUCH', '']) {
    await owner.get(room);
    const refused = await owner.submit(room, { act: 'settled', settlement });
    assert.equal(refused.status, 400, settlement);
  }
  await owner.get(room);
  const set = await owner.submit(room, { act: 'settled', settlement: 'XLM:NATIVE' });
  assert.equal(set.location, `${room}?done=1`, set.markup);
  assert.equal((await getMerchantTerms(app.db, caller)).settlementAsset, 'XLM:NATIVE');
  for (const form of ['sell', 'links', 'pos']) {
    const { markup } = await owner.get(`${world.shop}/${form}`);
    assert.match(markup, /<option value="XLM:NATIVE" selected>/, form);
  }
  await world.clock.advance(60 * 60_000);
  await owner.get(room);
  const stale = await owner.submit(room, { act: 'settled', settlement: 'ORIGIN' });
  assert.match(stale.location ?? '', /^\/dashboard\/proof\?to=/);
  await changePaymentWishes(app, caller, { settlementAsset: risky.id });
  const terms = await getMerchantTerms(app.db, caller);
  assert.equal(terms.settlementAsset, 'ORIGIN', 'what is not taken any more stops no sale');
  await changePaymentWishes(app, caller, { settlementAsset: 'ORIGIN' });
});

test('a shop waits for more blocks than the server asks where its owner says so, and never for fewer', async () => {
  const { app, caller } = world;
  const owner = await world.comeAs('OWNER', 'arvid');
  const room = `${path}/payments`;
  const depths = (litecoin: readonly [string, string, string]) => ({
    ...{ 'small BITCOIN': '2', 'medium BITCOIN': '2', 'large BITCOIN': '2' },
    'small LITECOIN': litecoin[0],
    'medium LITECOIN': litecoin[1],
    'large LITECOIN': litecoin[2],
  });
  const save = async (litecoin: readonly [string, string, string]) => {
    await owner.get(room);
    return owner.submit(room, { act: 'depths', ...depths(litecoin) });
  };
  for (const wrong of [
    ['0', '3', '3'],
    ['5', '4', '6'],
    ['3', '3', '1001'],
    ['3', '', '3'],
  ] as const) {
    const refused = await save(wrong);
    assert.equal(refused.status, 400, wrong.join());
    assert.match(refused.markup, /whole numbers from 1 to 1000/);
  }
  const saved = await save(['5', '6', '7']);
  assert.equal(saved.location, `${room}?done=1`, saved.markup);
  assert.match((await owner.get(room)).markup, /name="medium LITECOIN" value="6"/);
  const wishes = await readPaymentWishes(app.db, caller);
  assert.deepEqual(wishes.confirmations, { LITECOIN: [5, 6, 7] });

  const fresh = await world.create();
  const made = await commitCheckout(app, { checkoutId: fresh, owner: caller, network: 'LITECOIN' });
  const { assetId, arrivingUnits: units } = made;
  const outputs = [{ destination: made.instruction.destination, assetId, units }];
  await paySandbox(app, { chain: 'test:LITECOIN', outputs });
  await world.observe('LITECOIN');
  await world.settle();
  const seen = await world.open().get(`/en/checkout/${pageToken(app.keyring, fresh)}`);
  assert.match(seen.markup, /<progress value="0" max="5"/, 'also before its first block');

  const id = await world.create();
  await payCheckout(world, id);
  const waiting = await world.read(id);
  assert.equal(waiting.state, 'PENDING', 'four blocks are enough for the server alone');
  assert.equal(waiting.receipts[0]?.confirmationsNeeded, 5);
  await mineBlocks(app, 'test:LITECOIN', 1);
  await world.observe('LITECOIN');
  await world.settle();
  assert.equal((await world.read(id)).state, 'COMPLETED');

  await save(['1', '1', '1']);
  const least = await world.create();
  await payCheckout(world, least);
  assert.equal((await world.read(least)).receipts[0]?.confirmationsNeeded, 3);
  await save(['3', '3', '3']);
  assert.deepEqual((await readPaymentWishes(app.db, caller)).confirmations, {});
});

test('how little may be missing is said in percent, up to two', async () => {
  const { app, caller } = world;
  const admin = await world.comeAs('ADMIN', 'arno');
  const room = `${path}/payments`;
  await admin.get(room);
  const set = await admin.submit(room, { act: 'underpaid', underpaid: '1,5' });
  assert.equal(set.location, `${room}?done=1`, set.markup);
  const tolerance = async () =>
    (await readPaidTerms(app.db, caller.merchantId)).underpaidTolerancePartsPerMillion;
  assert.equal(await tolerance(), 15_000);
  assert.match((await admin.get(room)).markup, /name="underpaid"[^>]*value="1\.5"/);
  for (const underpaid of ['2.1', '-1', 'x', '']) {
    await admin.get(room);
    const refused = await admin.submit(room, { act: 'underpaid', underpaid });
    assert.equal(refused.status, 400, underpaid);
    assert.match(refused.markup, /percentage from 0 to 2/);
  }
  assert.equal(await tolerance(), 15_000);
});

test('a domain is claimed, checked against its DNS, and taken back', async () => {
  const { app, caller } = world;
  const owner = await world.comeAs('OWNER', 'axel');
  const room = `${path}/domains`;
  await owner.get(room);
  const wrong = await owner.submit(room, { act: 'add', host: 'https://pay.shop.example/x' });
  assert.equal(wrong.status, 400);
  assert.match(wrong.markup, /Write a host alone/);
  assert.match(wrong.markup, /value="https:\/\/pay\.shop\.example\/x"/);
  await owner.submit(room, { act: 'add', host: 'Pay.Shop.example' });
  const shown = await owner.get(room);
  const [domain] = await listDomains(app.db, caller.merchantId);
  const token = domain?.proofToken ?? '';
  const name = '_quittance-challenge.pay.shop.example';
  assert.match(shown.markup, new RegExp(`${name}</code> TXT <code>${token}`));

  const check = async () => {
    await owner.get(room);
    return owner.submit(room, { act: 'verify', host: 'pay.shop.example' });
  };
  const missing = await check();
  assert.equal(missing.status, 409);
  assert.match(missing.markup, /The TXT record is not there yet/);
  records.set(name, ['something else']);
  assert.match((await check()).markup, /but not this one/);
  records.set(name, [token, `quittance-proof-${'a'.repeat(32)}`]);
  assert.match((await check()).markup, /proof of another account/);
  records.set(name, 'away');
  const away = await check();
  assert.equal(away.status, 503);
  assert.match(away.markup, /No name server answered/);
  records.set(name, [token]);
  assert.equal((await check()).location, `${room}?done=1`);
  assert.match((await owner.get(room)).markup, /Verified/);
  await owner.submit(room, { act: 'remove', host: 'pay.shop.example' });
  assert.deepEqual(await listDomains(app.db, caller.merchantId), []);
  const told = await verbs('domain:pay.shop.example');
  assert.deepEqual(told, ['domain-add', 'domain-verify', 'domain-remove']);
});

/** Files of an archive as it was written, by name: each has its head before it (APPNOTE 4.3.7). */
function filesIn(archive: Buffer): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (let at = 0; archive.readUInt32LE(at) === 0x04034b50; ) {
    const [packed, named] = [archive.readUInt32LE(at + 18), archive.readUInt16LE(at + 26)];
    const begin = at + 30 + named;
    const name = archive.toString('utf8', at + 30, begin);
    files.set(name, inflateRawSync(archive.subarray(begin, begin + packed)).toString());
    at = begin + packed;
  }
  return files;
}

test('everything of a shop is taken along as one archive, with a recent proof and in the trail', async () => {
  const { app, caller } = world;
  const owner = await world.comeAs('OWNER', 'exa');
  const room = `${path}/export`;
  const sold = await world.create({ meta: { order: 'E-1' } });
  const other = await createMerchant(app, { name: 'Somebody else' });
  assert.match((await owner.get(room)).markup, /Keys, secrets and passwords are not in it/);
  await world.clock.advance(Temporal.Duration.from({ minutes: 11 }));
  const asked = await owner.submit(room, {});
  assert.equal(asked.location, `/dashboard/proof?to=${encodeURIComponent(room)}`);
  await owner.get(asked.location ?? '');
  await owner.submit('/dashboard/proof', { password: PASSWORD, to: room });
  const { markup } = await owner.get(room);
  const form = /name="form" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  const answer = await world.pages.fetch(
    new Request(`http://localhost:8080${room}`, {
      method: 'POST',
      body: new URLSearchParams({ form }),
      headers: { cookie: owner.cookies(), 'sec-fetch-site': 'same-origin' },
    }),
  );
  assert.equal(answer.headers.get('content-type'), 'application/zip');
  const named = `attachment; filename="test-shop-${caller.merchantId}-2026-01-0\\d\\.zip"`;
  assert.match(answer.headers.get('content-disposition') ?? '', new RegExp(named));
  const files = filesIn(Buffer.from(await answer.arrayBuffer()));
  const account = JSON.parse(files.get('account.json') ?? '');
  assert.equal(account.merchantId, caller.merchantId);
  assert.ok(account.people.some(({ email }: { email: string }) => email === 'exa@shop.example'));
  const checkouts = JSON.parse(files.get('checkouts/0001.json') ?? '[]');
  const found = checkouts.find(({ id }: { id: string }) => id === sold);
  assert.deepEqual(found?.meta, { order: 'E-1' });
  assert.match(files.get('README.txt') ?? '', /Keys, secrets, passwords/);
  const all = [...files.values()].join('\n');
  assert.ok(!all.includes(other.id), 'of this shop alone');
  assert.doesNotMatch(all, /\$argon2|whsec_|"sealed|tokenHash/);
  const [act] = await listActs(app.db, { verb: 'shop-export' }, 5);
  assert.match(act?.actor ?? '', /^person /);
  assert.ok(
    (files.get('trail.json') ?? '').includes('shop-export'),
    'before the first byte leaves',
  );
});
