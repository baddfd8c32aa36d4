// Which languages a shop offers on its pages: chosen in the browser and from the command line, and
// followed by every page that customers of it see, over HTTP.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { listActs } from '#audit/act.ts';
import { billTokenSubject } from '#billing/bill.ts';
import { LANGUAGES } from '#catalog/language.ts';
import { pageToken } from '#checkout/page-token.ts';
import { type CommandContext, parseInput } from '#cli/command.ts';
import { merchantPageSet, merchantPageUnset } from '#cli/merchant-page.ts';
import { changePageSettings, getSeller } from '#merchant/seller.ts';
import { parseDecimal } from '#money/decimal.ts';
import { createPaymentLink, paymentLinkUrl } from '#payment-link/payment-link.ts';
import { createRefund } from '#refund/create-refund.ts';
import { claimToken } from '#refund/refund.ts';
import { issueNew, tellSender } from '#test/support/bill-fixture.ts';
import type { DashboardBrowser } from '#test/support/dashboard-browser.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';

let world: DashboardWorld;
let owner: DashboardBrowser;
before(async () => {
  world = await openDashboardWorld();
  const of = { merchantId: world.caller.merchantId, environment: 'test' } as const;
  await allowAddress(world.app, of, { use: 'withdrawals', address: '127.0.0.1' });
  owner = await world.comeAs('OWNER', 'olga');
  await world.observe('LITECOIN');
});
after(() => world.close());

const ALL = LANGUAGES.map(({ languageCode }) => languageCode);

/** German and Italian, Italian for all others. */
beforeEach(async () => {
  const languages = { languages: ['de', 'it'], defaultLanguage: 'it' } as const;
  await changePageSettings(world.app, world.caller.merchantId, languages);
});

async function read(path: string, accepted?: string) {
  const headers = accepted === undefined ? {} : { 'accept-language': accepted };
  const answer = await world.pages.fetch(new Request(`http://localhost:8080${path}`, { headers }));
  const markup = await answer.text();
  assert.equal(answer.status, 200, `${path}: ${markup.slice(0, 300)}`);
  return {
    shown: /<html lang="(\w+)"/.exec(markup)?.[1],
    /** What one may change to. */
    offered: [...markup.matchAll(/<a href="[^"]*" lang="\w+"\s+hreflang="(\w+)"/g)].map(
      ([, code]) => code,
    ),
  };
}

/** The same page in any language, by what stands for the language in its address. */
type At = (language: string) => string;

async function pagesOfShop(): Promise<Readonly<Record<string, At>>> {
  const { app, caller } = world;
  const id = await world.create({ checkoutLanguage: 'auto' });
  await payCheckout(world, id);
  // The fee of the network is on top of a refund.
  await payCheckout(world, await world.create());
  const wishes = { amount: undefined, address: undefined, network: undefined, asset: undefined };
  const refund = await createRefund(app, caller, { checkoutId: id, kind: 'full', ...wishes });
  const claim = claimToken(app.keyring, refund.id);
  const made = {
    ...{ title: 'A pen', description: undefined, currency: 'EUR', amount: parseDecimal('5') },
    ...{ leastAmount: undefined, mostAmount: undefined, settlementAsset: 'ORIGIN' },
    ...{ stock: undefined, endsAt: undefined },
  };
  const link = await createPaymentLink(app, caller, made);
  const { pathname } = new URL(paymentLinkUrl(app, { pageOrigin: undefined }, link));
  const token = pageToken(app.keyring, id);
  return {
    checkout: (language) => `/${language}/checkout/${token}`,
    receipt: (language) => `/${language}/checkout/${token}/receipt`,
    'invoice of a checkout': (language) => `/${language}/invoice/${token}`,
    refund: (language) => `/${language}/refund/${claim}`,
    'payment link': (language) => `${pathname}?language=${language}`,
  };
}

test('every page of the shop is in a language that it offers, whatever browser and address ask for', async () => {
  for (const [name, at] of Object.entries(await pagesOfShop())) {
    for (const [language, accepted, shown] of [
      ['auto', 'fr, de;q=0.5', 'de'],
      ['auto', 'fr, it;q=0.9, de;q=0.5', 'it'],
      ['auto', 'fr', 'it'],
      ['auto', undefined, 'it'],
      ['de', 'it', 'de'],
      ['fr', 'de', 'de'],
      ['fr', undefined, 'it'],
    ] as const) {
      const page = await read(at(language), accepted);
      assert.equal(page.shown, shown, `${name} at ${language} for ${accepted}`);
      assert.deepEqual(page.offered, ['de', 'it'], name);
    }
  }
});

test('what a program asks for itself is shown all the same, and can be changed to what is offered', async () => {
  const id = await world.create({ checkoutLanguage: 'fr' });
  const token = pageToken(world.app.keyring, id);
  const french = await read(`/fr/checkout/${token}`, 'de');
  assert.deepEqual(french, { shown: 'fr', offered: ['de', 'it', 'fr'] });
  assert.equal((await read(`/de/checkout/${token}`)).shown, 'de');
  assert.equal((await read(`/pl/checkout/${token}`, 'tr')).shown, 'it');
});

test('an invoice is shown in the language that it was written in, and in those that are offered', async () => {
  await tellSender(world);
  const { id } = await issueNew(world, { language: 'pl' });
  const token = pageToken(world.app.keyring, billTokenSubject(id));
  const polish = await read(`/pl/invoice/${token}`);
  assert.deepEqual(polish, { shown: 'pl', offered: ['de', 'it', 'pl'] });
  assert.equal((await read(`/auto/invoice/${token}`, 'tr')).shown, 'it');
  assert.equal((await read(`/fr/invoice/${token}`, 'de')).shown, 'de');
});

test('under its own domain a shop says also that a page is missing in a language that it offers', async () => {
  const { merchantId } = world.caller;
  const ask = async (path: string, accepted: string, domain = true) => {
    const request = new Request(`http://localhost:8080${path}`, {
      headers: { 'accept-language': accepted },
    });
    const own = { domain: { host: 'pay.shop.example', merchantId } };
    const answer = await world.pages.fetch(request, domain ? own : {});
    const markup = await answer.text();
    return { status: answer.status, shown: /<html lang="(\w+)"/.exec(markup)?.[1] };
  };
  const nowhere = [
    ...['/', '/fr/checkout/none', '/fr/checkout/none/receipt', '/fr/invoice/none'],
    ...['/fr/refund/none', '/pay/none', '/nothing'],
  ];
  for (const path of nowhere) {
    assert.deepEqual(await ask(path, 'fr, de;q=0.5'), { status: 404, shown: 'de' }, path);
    assert.deepEqual(await ask(path, 'fr'), { status: 404, shown: 'it' }, path);
  }
  assert.deepEqual(await ask('/nothing', 'fr', false), { status: 404, shown: 'fr' });
  for (const [path, accepted, shown] of [
    ['/verify', 'fr, de;q=0.5', 'de'],
    ['/verify?language=de', 'it', 'de'],
    ['/verify?language=fr', 'tr', 'it'],
    ['/verify', 'fr', 'it'],
  ] as const) {
    assert.deepEqual(await ask(path, accepted), { status: 200, shown }, `${path} ${accepted}`);
  }
  assert.deepEqual(await ask('/verify', 'fr', false), { status: 200, shown: 'fr' });
});

test('with one language there is nothing to choose', async () => {
  const only = { languages: ['de'], defaultLanguage: 'de' } as const;
  await changePageSettings(world.app, world.caller.merchantId, only);
  const token = pageToken(world.app.keyring, await world.create());
  const answer = await world.open().get(`/auto/checkout/${token}`);
  assert.match(answer.markup, /<html lang="de"/);
  assert.doesNotMatch(answer.markup, /class="languages|hreflang/);
});

test('they are ticked in the settings; none or all of them is all, and the default is one of them', async () => {
  const { app, caller } = world;
  const path = `${world.shop}/settings`;
  const page = async () => (await getSeller(app.db, caller.merchantId)).page;
  const { markup } = await owner.get(path);
  const ticked = /name="languages" value="(\w+)" checked/g;
  assert.deepEqual(
    [...markup.matchAll(ticked)].map(([, code]) => code),
    ['de', 'it'],
  );
  const rest = { returnCountdownSeconds: '10', explorerLinks: 'yes' };
  const submit = (languages: readonly string[], defaultLanguage: string) =>
    owner.submit(path, {
      ...{ ...rest, defaultLanguage },
      ...Object.fromEntries(languages.map((one) => ['languages', one])),
    });
  assert.equal((await submit(['pl'], 'pl')).status, 303);
  assert.deepEqual((await page()).languages, ['pl']);
  await owner.get(path);
  const refused = await submit(['pl'], 'en');
  assert.equal(refused.status, 400);
  assert.match(refused.markup, /role="alert"[^>]*>The language for all others/);
  assert.match(refused.markup, /value="pl" checked/);
  assert.deepEqual((await page()).languages, ['pl']);
  await owner.get(path);
  assert.equal((await submit([], 'en')).status, 303);
  assert.deepEqual((await page()).languages, ALL);
  const acts = await listActs(app.db, { verb: 'merchant-page-set' }, 9);
  assert.deepEqual(
    acts.slice(-2).map(({ details }) => JSON.parse(details).languages),
    ['pl', ''],
  );
});

test('the command line sets and unsets them, with the same sentences', async () => {
  const { app, caller } = world;
  const command = (verb: typeof merchantPageSet, ...args: string[]) => {
    const context = { openApp: async () => app } as unknown as CommandContext;
    return verb.run(context, parseInput(verb, args));
  };
  const set = (...args: string[]) => command(merchantPageSet, ...args, '--by', 'anna');
  const { text } = await set('--languages', 'tr,de', '--default-language', 'tr');
  assert.match(text, /languages +de tr\n/);
  const { languages, defaultLanguage } = (await getSeller(app.db, caller.merchantId)).page;
  assert.deepEqual([languages, defaultLanguage], [['de', 'tr'], 'tr']);
  await assert.rejects(set('--languages', 'de,xx'), /--languages: must be one or more of en, de/);
  await assert.rejects(set('--languages', 'de'), /--default-language: must be one of those/);
  await command(merchantPageUnset, 'languages', 'default-language', '--by', 'anna');
  assert.deepEqual((await getSeller(app.db, caller.merchantId)).page.languages, ALL);
});
