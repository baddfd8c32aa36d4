// The settings of a shop in the browser: how its pages look, what it takes, and its own domain.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { listActs } from '#audit/act.ts';
import { Outage } from '#base/refusal.ts';
import { listDomains } from '#merchant/domain.ts';
import { readLateTerms, readRiskTolerance } from '#merchant/merchant.ts';
import { DEFAULT_PAGE_SETTINGS } from '#merchant/page-settings.ts';
import { getSeller } from '#merchant/seller.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';

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
    defaultLanguage: 'de',
    returnCountdownSeconds: 0,
    embedOrigins: ['https://shop.example'],
    explorerLinks: true,
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
  const terms = { lateFloorPartsPerMillion: 975_000, lateDays: 30 };
  assert.deepEqual({ ...(await readLateTerms(app.db, merchantId)) }, terms);
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
  assert.deepEqual({ ...(await readLateTerms(app.db, merchantId)) }, terms);
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
