// The room of mails: what customers get is switched, and seen before anybody gets it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { LANGUAGES } from '#catalog/language.ts';
import { CUSTOMER_MAILS, readCustomerMails } from '#merchant/customer-mails.ts';
import { changePageSettings } from '#merchant/seller.ts';
import { letterTexts } from '#pages/languages/letters/texts.ts';
import { STAFF_MAILS } from '#staff/role.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';

let world: DashboardWorld;
let path: string;
before(async () => {
  world = await openDashboardWorld();
  path = `${world.shop}/settings/mails`;
});
after(() => world.close());

test('what is ticked is on and all else is off, noted with who did it', async () => {
  const { app, caller } = world;
  const browser = await world.comeAs('ADMIN', 'agnes');
  const { markup } = await browser.get(path);
  assert.doesNotMatch(markup, /name="kind"[^>]* checked/, 'nothing at first');
  assert.match(markup, /id="no-server"/, 'nobody would get any');
  assert.equal((await browser.submit(path, { kind: 'PAID' })).status, 303);
  assert.deepEqual(await readCustomerMails(app.db, caller), ['PAID']);
  assert.match(
    (await browser.get(path)).markup,
    /id="kind-PAID" name="kind"\s+value="PAID" checked/,
  );
  const live = { ...caller, environment: 'live' } as const;
  assert.deepEqual(await readCustomerMails(app.db, live), [], 'test and live are apart');
  await browser.submit(path, { kind: 'NONSENSE' });
  assert.deepEqual(await readCustomerMails(app.db, caller), []);
  const acts = await listActs(app.db, { verb: 'merchant-set' }, 10);
  assert.deepEqual(
    acts.map(({ details }) => JSON.parse(details).customerMails),
    ['PAID', ''],
  );
  assert.ok(acts.every(({ actor }) => actor.startsWith('person ')));
});

test('every mail can be seen in every language, in the colours of the shop, without a script', async () => {
  const { app, caller } = world;
  const page = { shopName: 'Fern & <b>Folio</b>', primaryColor: '#ffe94a' };
  await changePageSettings(app, caller.merchantId, page);
  const browser = await world.comeAs('OWNER', 'olga');
  for (const kind of [...CUSTOMER_MAILS, ...STAFF_MAILS.map((one) => `people-${one}`)]) {
    for (const { languageCode } of LANGUAGES) {
      const asked = `kind=${kind}&language=${languageCode}`;
      const { status, markup } = await browser.get(`${path}/preview?${asked}`);
      assert.equal(status, 200);
      assert.ok(
        markup.includes(`/settings/mails/letter?kind=${kind}&amp;language=${languageCode}`),
      );
      const letter = await browser.get(`${path}/letter?${asked}`);
      assert.match(letter.markup, new RegExp(`<html lang="${languageCode}">`));
      assert.match(letter.markup, /background:#ffe94a/);
      assert.ok(letter.markup.includes('Fern &amp; &lt;b&gt;Folio&lt;/b&gt;'));
      const { leave, staff } = letterTexts(languageCode);
      assert.ok(letter.markup.includes(kind.startsWith('people-') ? staff.choose : leave));
    }
  }
  const nonsense = await browser.get(`${path}/preview?kind=X&language=xx`);
  assert.equal(nonsense.status, 200, 'what is not there is the first that is');
});

test('a letter in its frame may load, run and send nothing, and only we frame it', async () => {
  const browser = await world.comeAs('OWNER', 'paula');
  const { headers } = await browser.get(`${path}/letter`);
  const policy = headers.get('content-security-policy') ?? '';
  for (const part of ["default-src 'none'", "frame-ancestors 'self'", 'sandbox']) {
    assert.ok(policy.includes(part), policy);
  }
  assert.doesNotMatch(policy, /allow-|script-src|img-src/);
});
