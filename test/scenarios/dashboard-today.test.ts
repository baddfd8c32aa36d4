// The first room of a shop: what came in and what it is worth, what needs a person, and what a new
// shop does first.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApiKey } from '#access/api-key.ts';
import { findApiKey } from '#access/caller.ts';
import { chainOf } from '#catalog/chain.ts';
import { pageToken } from '#checkout/page-token.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { sql } from '#db/db.ts';
import { createDepositAddress } from '#deposit-address/create-deposit-address.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { followTakings } from '#takings/follow-takings.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';

let world: DashboardWorld;
let today: string;
before(async () => {
  world = await openDashboardWorld();
  today = `${world.shop}/today`;
  await world.observe('LITECOIN');
});
after(() => world.close());

let visitors = 0;
function comeAs(role: Parameters<DashboardWorld['comeAs']>[0]) {
  visitors += 1;
  return world.comeAs(role, `${role.toLowerCase()}${visitors}`);
}

async function sumUp(): Promise<void> {
  while ((await followTakings(world.app)) === 'busy');
}

/** What a tile says: worth, and how many. */
function tile(markup: string, days: number): string {
  const [, text = ''] = new RegExp(`data-days="${days}">([\\s\\S]*?)</li>`).exec(markup) ?? [];
  return text
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function needs(markup: string): string[] {
  return [...markup.matchAll(/data-need="([a-z-]+)">[^<]*: ([\d,+]+)</g)].map(
    ([, what, count]) => `${what} ${count}`,
  );
}

/** Where the button beside it leads. */
function wayTo(markup: string, need: string): string | undefined {
  const [, after = ''] = markup.split(`data-need="${need}"`);
  return /<a class="button" href="([^"]+)"/.exec(after.split('</li>')[0] ?? '')?.[1];
}

test('a new shop is told what to do first, as far as the role may', async () => {
  const owner = await comeAs('OWNER');
  const home = await owner.get('/dashboard');
  assert.equal(home.location, today.replace('/test/', '/live/'), 'everybody comes in here');
  const { markup } = await owner.get(today);
  assert.match(markup, /<h1 id="title">Today/);
  assert.match(markup, /id="first-steps"/);
  for (const room of ['keys', 'webhooks', 'settings', 'people']) {
    assert.match(markup, new RegExp(`<li><div><a class="line" href="${world.shop}/${room}"`));
  }
  assert.match(markup, /Nothing waits for anybody/);
  assert.doesNotMatch(markup, /id="came-in"|<svg/);
  assert.match((await owner.get(home.location ?? '')).markup, /Try everything in test mode first/);
  const viewer = await comeAs('VIEWER');
  const seen = (await viewer.get(today)).markup;
  assert.match(seen, /Nothing has been sold here yet/);
  assert.doesNotMatch(seen, /class="rows steps"/);
});

test('what came in is told by day, asset and language, each sale once', async () => {
  const { app, caller, clock } = world;
  await payCheckout(world, await world.create());
  await payCheckout(world, await world.create({ checkoutLanguage: 'de' }));
  await clock.advance(Temporal.Duration.from({ days: 3 }));
  await payCheckout(world, await world.create());
  const address = await createDepositAddress(app, caller, {
    network: 'LITECOIN',
    assetId: undefined,
    label: '<b>till</b>',
    webhook: undefined,
    metaText: undefined,
  });
  const payment = { depositAddressId: address.id, amount: '0.5', asset: undefined, parts: 1 };
  await app.sandbox?.payAddress(caller, payment);
  await mineBlocks(app, chainOf('test', 'LITECOIN'), 8);
  await world.observe('LITECOIN');
  await world.settle();
  await Promise.all([followTakings(app), followTakings(app)]);
  await sumUp();
  await world.create();
  const { markup } = await (await comeAs('OWNER')).get(today);
  // 0.5 LTC at 100 dollars, a euro at 1.15.
  assert.equal(tile(markup, 1), 'Today €63.38 Payments: 2');
  assert.equal(tile(markup, 7), '7 days €103.18 Payments: 4');
  assert.equal(tile(markup, 30), '30 days €103.18 Payments: 4');
  assert.equal((markup.match(/<rect/g) ?? []).length, 2 + 1 + 3, 'days, assets, languages');
  assert.match(markup, /<th scope="row">Jan 4, 2026<\/th><td>2<\/td><td>€63\.38<\/td>/);
  assert.match(markup, /<th scope="row">Jan 2, 2026<\/th><td>0<\/td><td>€0\.00<\/td>/);
  assert.match(markup, /<th scope="row">LTC, Litecoin<\/th><td>4<\/td><td>€103\.18<\/td>/);
  assert.match(markup, /<th scope="row">German<\/th><td>1<\/td><td>€19\.90<\/td>/);
  assert.match(markup, /<th scope="row">Not known<\/th><td>2<\/td><td>€39\.80<\/td>/);
  assert.match(markup, /<th scope="row">Without a checkout<\/th><td>1<\/td><td>€43\.48<\/td>/);
  assert.doesNotMatch(markup, /first-steps/);

  const [sums] = await app.db.query<{ told: bigint; sold: bigint }>(sql`
    select (select sum(payments) from taking where currency <> '') as told,
      (select count(*) from checkout where completed_at is not null) as sold`);
  assert.equal(sums?.told, sums?.sold);
  await clock.advance(Temporal.Duration.from({ days: 30 }));
  const later = (await (await comeAs('OWNER')).get(today)).markup;
  assert.equal(tile(later, 30), '30 days $0.00 Payments: 0');
  assert.doesNotMatch(later, /first-steps|<svg/);
});

test('the language is that of the page on which the customer chose how to pay', async () => {
  const id = await world.create();
  const token = pageToken(world.app.keyring, id);
  const chosen = await world.pages.request(`http://localhost:8080/pl/checkout/${token}/choose`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ method: 'LITECOIN LTC:NATIVE' }),
  });
  assert.equal(chosen.status, 303);
  await payCheckout(world, id);
  await sumUp();
  const { markup } = await (await comeAs('OWNER')).get(today);
  assert.match(markup, /<th scope="row">Polish<\/th><td>1<\/td><td>€19\.90<\/td>/);
});

test('what has no stored price is told apart, and not guessed', async () => {
  const { app, caller, clock } = world;
  const day = clock.now().toZonedDateTimeISO('UTC').startOfDay().toInstant();
  await app.db.single((tx) =>
    tx.query(sql`
      insert into taking (merchant_id, environment, day, network, asset_id, language, currency,
        payments, total, units)
      values (${caller.merchantId}, 'live', ${day}, 'LITECOIN', 'LTC:NATIVE', 'en', 'EUR', 1, 5, 0),
        (${caller.merchantId}, 'live', ${day}, 'BITCOIN', 'BTC:NATIVE', '', '', 1, 0, 150000)`),
  );
  const owner = await comeAs('OWNER');
  const { markup } = await owner.get(today.replace('/test/', '/live/'));
  assert.equal(
    tile(markup, 1),
    'Today €5.00 Payments: 2 And without a stored price: 0.0015\u00a0BTC'.replace('\u00a0', ' '),
  );
});

test('what needs a person is counted, with the age of the oldest and where it is acted on', async () => {
  const { app, caller, clock } = world;
  const few = await world.create();
  await payCheckout(world, few, 50n);
  const owner = await comeAs('OWNER');
  const one = (await owner.get(today)).markup;
  assert.deepEqual(needs(one), ['underpaid 1']);
  assert.equal(wayTo(one, 'underpaid'), `${world.shop}/checkouts/${few}`);
  await clock.advance(Temporal.Duration.from({ hours: 50 }));
  const both = await world.create();
  await payCheckout(world, both, 40n);
  const again = await comeAs('OWNER');
  const { markup } = await again.get(today);
  assert.deepEqual(needs(markup), ['underpaid 2']);
  assert.match(markup, /href="[^"]*\/checkouts\?state=UNDERPAID"/);
  assert.match(markup, /The oldest: 2 days ago/);

  await app.db.transact(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`);
    const { merchantId } = caller;
    const now = clock.now();
    await tx.query(sql`
      update checkout set flags = '{"late":{"at":"2026-01-01T00:00:00Z"}}' where id = ${both}`);
    await tx.query(sql`
      insert into suspense (receipt_id, generation, environment, network, asset_id, units, reason,
        merchant_id, purpose, purpose_id, found_at)
      values (901, 1, 'test', 'LITECOIN', 'LTC:NATIVE', 1, 'WRONG_ASSET', ${merchantId},
          'checkout', ${few}, ${now}),
        (902, 1, 'test', 'LITECOIN', 'LTC:NATIVE', 1, 'UNKNOWN_INDEX', ${merchantId}, null, null,
          ${now}),
        (903, 1, 'live', 'LITECOIN', 'LTC:NATIVE', 1, 'UNKNOWN_INDEX', ${merchantId}, null, null,
          ${now}),
        (904, 1, 'test', 'LITECOIN', 'LTC:NATIVE', 1, 'UNKNOWN_INDEX', null, null, null, ${now})`);
    await tx.query(sql`
      insert into webhook_delivery (event_id, merchant_id, environment, url, lane, state,
        attempt_count, next_attempt_at, created_at, finished_at)
      values ('event0000001', ${merchantId}, 'test', 'https://a.example', 'a', 'PARKED', 9, ${now},
          ${now}, ${now}),
        ('event0000002', ${merchantId}, 'test', 'https://a.example', 'a', 'PENDING', 2, ${now},
          ${now}, null),
        ('event0000003', ${merchantId}, 'test', 'https://a.example', 'a', 'PENDING', 0, ${now},
          ${now}, null)`);
    await tx.query(sql`
      insert into transfer (id, merchant_id, environment, kind, network, asset_id, account, units,
        network_fee_units, fee_units, source, target_units, state, created_at, expires_at,
        committed_at)
      values ('tosend000001', ${merchantId}, 'test', 'TRANSFER', 'SEPA', 'EUR:FIAT', '{}', 1, 0, 0,
        'merchant:available', 1, 'TO_SEND', ${now}, ${now}, ${now})`);
    await tx.query(sql`
      insert into approval (subject, environment, merchant_id, about, digest, asked_at)
      values ('transfer:tosend000001', 'test', ${merchantId}, 'x', '', ${now})`);
  });
  const all = (await again.get(today)).markup;
  assert.deepEqual(needs(all), [
    ...['underpaid 1', 'late 1', 'wrong-asset 1', 'suspense 1'],
    ...['webhook-given-up 1', 'webhook-failing 1', 'approval 1', 'transfer 1'],
  ]);
  assert.equal(wayTo(all, 'wrong-asset'), `${world.shop}/checkouts/${few}`);
  assert.match(all, /href="[^"]*\/events\/event0000001"/);
  const viewer = await comeAs('VIEWER');
  assert.deepEqual(needs((await viewer.get(today)).markup), [
    ...['underpaid 1', 'late 1', 'wrong-asset 1', 'suspense 1'],
  ]);
  const developer = await comeAs('DEVELOPER');
  assert.equal(needs((await developer.get(today)).markup).length, 6);
  const live = (await again.get(today.replace('/test/', '/live/'))).markup;
  assert.deepEqual(needs(live), ['suspense 1']);
});

test('nothing of another shop is told', async () => {
  const { app } = world;
  const other = await createMerchant(app, { name: 'Other shop' });
  const { key } = await createApiKey(app, { merchantId: other.id, environment: 'test' });
  const record = await findApiKey(app, key);
  assert.ok(record !== undefined);
  const caller = { ...record.caller, method: 'digest' as const };
  const owner = await comeAs('OWNER');
  assert.equal((await owner.get(`/dashboard/shop/${other.id}/test/today`)).status, 404);
  const before = (await owner.get(today)).markup;
  await createDepositAddress(app, caller, {
    network: 'LITECOIN',
    assetId: undefined,
    label: undefined,
    webhook: undefined,
    metaText: undefined,
  });
  await sumUp();
  const withoutToken = (markup: string) => markup.replaceAll(/(?:nonce|value)="[^"]*"/g, '');
  assert.equal(withoutToken((await owner.get(today)).markup), withoutToken(before));
});

test('it is said in the language of whoever looks', async () => {
  const owner = await comeAs('OWNER');
  const unpaid = await world.create();
  await cancelCheckout(world.app, { checkoutId: unpaid, owner: world.caller, actor: 'tester' });
  for (const [language, title, needsTitle] of [
    ['de', 'Heute', 'Was jemanden braucht'],
    ['pt', 'Hoje', 'O que precisa de alguém'],
    ['es', 'Hoy', 'Lo que necesita a alguien'],
    ['it', 'Oggi', 'Che cosa aspetta qualcuno'],
    ['tr', 'Bugün', 'Birini bekleyenler'],
    ['pl', 'Dzisiaj', 'Co wymaga człowieka'],
    ['fr', 'Aujourd’hui', 'Ce qui attend quelqu’un'],
  ] as const) {
    await owner.get(today);
    await owner.submit('/dashboard/language', { language, to: today });
    const { markup } = await owner.get(today);
    assert.ok(markup.includes(`<h1 id="title">${title}`), language);
    assert.ok(markup.includes(needsTitle), language);
  }
});
