// The room of mails: what customers get is switched, and seen before anybody gets it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { DASHBOARD_LANGUAGES, LANGUAGES, nearestDashboardLanguage } from '#catalog/language.ts';
import { CUSTOMER_MAILS, listMailWords, readCustomerMails } from '#merchant/customer-mails.ts';
import { changePageSettings } from '#merchant/seller.ts';
import { letterTexts, staffLetterTexts } from '#pages/languages/letters/texts.ts';
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
  const previews = [
    ...CUSTOMER_MAILS.map((kind) => ({ kind, languages: LANGUAGES })),
    ...STAFF_MAILS.map((kind) => ({ kind: `people-${kind}`, languages: DASHBOARD_LANGUAGES })),
  ];
  for (const { kind, languages } of previews) {
    for (const { languageCode } of languages) {
      const asked = `kind=${kind}&language=${languageCode}`;
      const { status, markup } = await browser.get(`${path}/preview?${asked}`);
      assert.equal(status, 200);
      assert.ok(
        markup.includes(`/settings/mails/letter?kind=${kind}&amp;language=${languageCode}`),
      );
      const letter = await browser.get(`${path}/letter?${asked}`);
      assert.match(letter.markup, new RegExp(`<html lang="${languageCode}" dir="`));
      assert.match(letter.markup, /background:#ffe94a/);
      assert.ok(letter.markup.includes('Fern &amp; &lt;b&gt;Folio&lt;/b&gt;'));
      const { choose } = staffLetterTexts(nearestDashboardLanguage(languageCode));
      const { leave } = letterTexts(languageCode);
      assert.ok(letter.markup.includes(kind.startsWith('people-') ? choose : leave));
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

const OPENING = 'Dear <reader>,\nwelcome & thanks.';

test('own words are looked at before they are kept, shown in the mail, and noted with who said them', async () => {
  const { app, caller } = world;
  const browser = await world.comeAs('ADMIN', 'agatha');
  const preview = `${path}/preview`;
  const of = { kind: 'PAID', language: 'en' };
  await browser.get(`${preview}?${new URLSearchParams(of)}`);
  const typed = { ...of, opening: OPENING, closing: 'Yours' };
  const looked = await browser.submit(preview, { ...typed, act: 'look' });
  assert.equal(looked.status, 200);
  assert.match(
    looked.markup,
    /<pre id="text"[^>]*>[\s\S]*Dear &lt;reader&gt;,\nwelcome &amp; thanks\./,
  );
  const [, frame = ''] = /<iframe[^>]* src="([^"]+)"/.exec(looked.markup) ?? [];
  const letter = await browser.get(frame.replaceAll('&amp;', '&'));
  assert.ok(letter.markup.includes('Dear &lt;reader&gt;,<br>welcome &amp; thanks.</p>'));
  assert.ok(letter.markup.includes('Yours</p>'));
  assert.deepEqual(await listMailWords(app.db, caller), [], 'nothing is kept by looking');
  await browser.get(`${preview}?${new URLSearchParams(of)}`);
  const kept = await browser.submit(preview, typed);
  assert.equal(kept.status, 303);
  const shown = (await browser.get(kept.location ?? '')).markup;
  assert.match(shown, /id="done"/);
  assert.match(
    shown,
    /<textarea id="opening"[^>]*>\nDear &lt;reader&gt;,\nwelcome &amp; thanks\.</,
  );
  assert.deepEqual(
    (await listMailWords(app.db, caller)).map((one) => ({ ...one })),
    [{ ...of, opening: OPENING, closing: 'Yours' }],
  );
  assert.match((await browser.get(path)).markup, /data-own="PAID">Own words: en</);
  const german = await browser.get(`${preview}?kind=PAID&language=de`);
  assert.doesNotMatch(german.markup, /Dear|Yours/, 'another language is as it was');
  const live = await browser.get(path.replace('/test/', '/live/'));
  assert.doesNotMatch(live.markup, /data-own/, 'and so is live');
  const act = (await listActs(app.db, { verb: 'merchant-set' }, 10)).at(-1);
  assert.match(act?.details ?? '', /welcome & thanks/);
  assert.ok(act?.actor.startsWith('person '));
});

test('words that cannot be taken stay in the form with the reason; mails to people have none', async () => {
  const browser = await world.comeAs('OWNER', 'otto');
  const preview = `${path}/preview`;
  await browser.get(`${preview}?kind=EXPIRED&language=en`);
  const typed = { kind: 'EXPIRED', language: 'en', opening: 'x\n'.repeat(30), closing: 'stays' };
  const refused = await browser.submit(preview, typed);
  assert.equal(refused.status, 400);
  assert.match(refused.markup, /role="alert"[^>]*>Write plain text/);
  assert.match(refused.markup, />\nstays<\/textarea>/);
  const words = await listMailWords(world.app.db, world.caller);
  assert.ok(words.every(({ kind }) => kind !== 'EXPIRED'));
  const people = await browser.get(`${preview}?kind=people-PAID&language=en`);
  assert.doesNotMatch(people.markup, /id="words"|<textarea/);
});
