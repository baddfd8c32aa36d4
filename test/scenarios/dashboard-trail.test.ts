// The room Trail of a shop: who did what with it, when and from where; searched, taken along, and
// never more than a role may know. And that every form of the dashboard is noted, or says why not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { noteAct } from '#audit/act.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import type { DashboardBrowser } from '#test/support/dashboard-browser.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { SOURCE } from '#test/support/list-code.ts';

const ADDRESS = '203.0.113.9';

let world: DashboardWorld;
let owner: DashboardBrowser;
let live: string;
before(async () => {
  world = await openDashboardWorld({ clientAddressOf: () => ADDRESS });
  owner = await world.comeAs('OWNER', 'olga');
  live = world.shop.replace(/test$/, 'live');
});
after(() => world.close());

type Note = Partial<Parameters<typeof noteAct>[1]>;

function note(actor: string, verb: string, more: Note = {}): Promise<void> {
  const { merchantId, environment } = world.caller;
  const act = { actedAt: world.clock.now(), subject: 'key:1', merchantId, environment };
  return world.app.db.single(async (tx) => noteAct(tx, { ...act, actor, verb, ...more }));
}

async function trail(
  browser: DashboardBrowser,
  shop: string,
  asked: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { status, markup } = await browser.get(`${shop}/trail?${new URLSearchParams(asked)}`);
  assert.equal(status, 200);
  return markup;
}

const verbsIn = (markup: string) =>
  [...markup.matchAll(/data-act="\d+"><code>([a-z-]+)</g)].map(([, verb]) => verb);

test('each act says who, when, from where, about what, and what was before and after', async () => {
  await owner.get(`${world.shop}/people`);
  const invited = { act: 'invite', name: 'Carl', email: 'carl@shop.example', role: 'CASHIER' };
  assert.equal((await owner.submit(`${world.shop}/people`, invited)).status, 200);
  await note('anna', 'limit-set', { details: { before: '5 <i>EUR</i>', after: '9 EUR' } });
  const markup = await trail(owner, world.shop);
  assert.deepEqual(verbsIn(markup).slice(0, 2), ['limit-set', 'person-invite']);
  assert.match(markup, /<code>person-invite<\/code><\/strong> <span><bdi>olga<\/bdi><\/span>/);
  assert.match(markup, /From where<\/dt><dd><code><bdi>203\.0\.113\.9<\/bdi>/);
  assert.match(markup, /<dt lang="en"><bdi>before<\/bdi><\/dt>\s<dd lang="en"><bdi>5 &lt;i&gt;EUR/);
  const [, ofAnna = ''] = markup.split('<code>limit-set</code>');
  assert.doesNotMatch(ofAnna.split('data-act=')[0] ?? '', /From where/, 'at the command line');
});

test('it is searched by who, what, about what and day', async () => {
  await note('berta', 'key-create');
  await note('berta', 'webhook-endpoint-delete', { subject: 'webhook-endpoint:7' });
  const found = async (asked: Readonly<Record<string, string>>) =>
    verbsIn(await trail(owner, world.shop, asked));
  assert.deepEqual(await found({ by: 'berta' }), ['webhook-endpoint-delete', 'key-create']);
  assert.deepEqual(await found({ by: 'berta', verb: 'key-' }), ['key-create']);
  assert.deepEqual(await found({ by: 'berta', about: 'webhook-endpoint' }), [
    'webhook-endpoint-delete',
  ]);
  assert.ok((await found({ by: 'OLGA' })).includes('person-invite'));
  const today = world.clock.now().toZonedDateTimeISO('UTC').toPlainDate();
  assert.equal((await found({ by: 'berta', from: `${today}`, to: `${today}` })).length, 2);
  assert.deepEqual(await found({ by: 'berta', from: `${today.add({ days: 1 })}` }), []);
});

test('what was searched for is taken along whole, as a table and as JSON, and runs nowhere', async () => {
  for (let number = 0; number < 60; number += 1) {
    await note('dora', 'key-create', { details: { label: '=1+1' } });
  }
  const shown = await trail(owner, world.shop, { by: 'dora' });
  assert.equal(verbsIn(shown).length, 50);
  const [, csvPath = ''] = /id="as-csv" href="([^"]+)"/.exec(shown) ?? [];
  const csv = (await owner.get(csvPath.replaceAll('&amp;', '&'))).markup;
  const [head = '', ...lines] = csv.trimEnd().split('\r\n');
  assert.match(head, /^number,timestamp,actor,person,verb,subject,environment,merchantId,sentFrom/);
  assert.equal(lines.length, 60);
  const [, jsonPath = ''] = /id="as-json" href="([^"]+)"/.exec(shown) ?? [];
  const { acts } = JSON.parse((await owner.get(jsonPath.replaceAll('&amp;', '&'))).markup);
  assert.equal(acts.length, 60);
  assert.deepEqual([acts[0].actor, acts[0].details], ['dora', { label: '=1+1' }]);
  await note('=cmd()', 'key-revoke');
  const hostile = await owner.get(`${world.shop}/trail/file?by=%3Dcmd()`);
  assert.match(hostile.markup, /,'=cmd\(\),/);
});

test('who may not see money is shown nothing that moves real money', async () => {
  const developer = await world.comeAs('DEVELOPER', 'dan');
  const moved = { subject: 'transfer:9', details: { amount: '4711' } };
  await note('emil', 'transfer-commit', { ...moved, environment: 'live' });
  await note('emil', 'key-create', { environment: 'live' });
  await note('emil', 'transfer-commit', moved);
  const seen = async (browser: DashboardBrowser, shop: string) =>
    verbsIn(await trail(browser, shop, { by: 'emil' }));
  assert.deepEqual(await seen(developer, live), ['key-create']);
  assert.deepEqual(await seen(owner, live), ['key-create', 'transfer-commit']);
  assert.deepEqual(await seen(developer, world.shop), ['transfer-commit'], 'simulated money');
  assert.doesNotMatch((await developer.get(`${live}/trail/file`)).markup, /4711/);
  assert.match((await owner.get(`${live}/trail/file`)).markup, /4711/);
});

test('of another shop there is nothing in it', async () => {
  const { id } = await createMerchant(world.app, { name: 'Other' });
  await note('frida', 'key-create', { merchantId: id });
  await note('frida', 'chain-release', { merchantId: undefined });
  assert.deepEqual(verbsIn(await trail(owner, world.shop, { by: 'frida' })), []);
  const stranger = await world.comeAs('OWNER', 'otto', id);
  assert.equal((await stranger.get(`${world.shop}/trail`)).status, 404);
  assert.equal((await stranger.get(`${world.shop}/trail/file`)).status, 404);
});

type Told = { readonly noted: readonly string[] } | { readonly not: string };
const noted = (...verbs: readonly string[]): Told => ({ noted: verbs });
const not = (why: string): Told => ({ not: why });

const SHOWS = not('it shows, and keeps nothing');
const OWN_BROWSER = not('of the browser that sends it');
const SIMULATED = not('simulated money alone');
const QUOTE = not('a quote moves nothing; its order is noted');

/** Every form of the dashboard: what is noted, or why nothing is. */
const FORMS: Readonly<Record<string, Told>> = {
  '/sign-in': noted('sign-in'),
  '/sign-in/link': not('whoever asks is nobody yet; who opens the link is noted'),
  '/sign-in/link/:token': noted('sign-in'),
  '/passkey-question': SHOWS,
  '/new-passkey-question': SHOWS,
  '/proof': not('it proves who is there; what follows is noted'),
  '/sign-out': OWN_BROWSER,
  '/language': OWN_BROWSER,
  '/invitation/:token': noted('invitation-accept'),
  '/security': noted('password-set', 'totp-on', 'totp-off', 'recovery-codes', 'passkey-add'),
  '/mails': noted('mails-choose'),
  '/operator': noted('alert-test'),
  '/operator/parked': noted('parked-retry', 'parked-discard'),
  '/operator/networks/:environment/:network': noted('chain-release'),
};

/** Every form of a shop. */
const SHOP_FORMS: Readonly<Record<string, Told>> = {
  '/checkouts/:id/cancel': noted('checkout-cancel'),
  '/checkouts/:id/accept': noted('checkout-accept-underpaid'),
  '/checkouts/:id/notes': noted('checkout-note'),
  '/checkouts/:id/answers': noted('checkout-answers-erase'),
  '/checkouts/:id/sandbox': SIMULATED,
  '/checkouts/:id/refund': noted('refund-create'),
  '/checkouts/:id/refund/cancel': noted('transfer-cancel'),
  '/checkout-views': noted('saved-view-add', 'saved-view-remove', 'saved-view-rename'),
  '/sell': noted('checkout-create'),
  '/invoices': noted('bill-draft'),
  '/invoices/again': noted('bill-again-seen-to'),
  '/invoices/sender': noted('bill-sender'),
  '/invoices/:id/issue': noted('bill-issue'),
  '/invoices/:id/cancel': noted('bill-cancel'),
  '/invoices/:id/discard': noted('bill-discard'),
  '/invoices/:id/remind': noted('bill-remind'),
  '/customers/:id': noted('customer-erase'),
  '/customers/:id/merge': noted('customer-merge'),
  '/links': noted('payment-link-create'),
  '/links/:link': noted('payment-link-on', 'payment-link-off'),
  '/links/:link/asking': noted('payment-link-asking'),
  '/pos': noted('checkout-create'),
  '/pos/items': noted('counter-item-add', 'counter-item-remove'),
  '/pos/kiosk': noted('kiosk-start', 'kiosk-end'),
  '/pos/sales/:sale/cancel': noted('checkout-cancel'),
  '/money/send': QUOTE,
  '/money/transfers/:id/order': noted('transfer-commit'),
  '/money/transfers/:id/cancel': noted('transfer-cancel'),
  '/money/swap': QUOTE,
  '/money/swaps/:id/order': noted('swap-'),
  '/money/beneficiaries': noted('beneficiary-create', 'beneficiary-delete'),
  '/money/approvals': noted('approve', 'decline'),
  '/money/rules': noted('settlement-rule-create', 'settlement-rule-'),
  '/webhooks': noted('webhook-endpoint-create', 'webhook-endpoint-test', 'webhook-secret-show'),
  '/events/:id/again': not('what was told is told again; each delivery is kept'),
  '/chains': SIMULATED,
  '/keys': noted('key-create', 'key-rotate', 'key-revoke', 'key-basic', 'key-prefer'),
  '/addresses': noted('allow-list-any', 'allow-list-add', 'allow-list-remove'),
  '/settings': noted('merchant-page-set'),
  '/settings/logo': noted('merchant-page-logo', 'merchant-page-unset'),
  '/settings/look': noted('merchant-page-set'),
  '/settings/words': noted('merchant-page-set'),
  '/settings/asking': noted('merchant-page-set'),
  '/settings/look/font': noted('merchant-page-font'),
  '/settings/look/dark-logo': noted('merchant-page-logo', 'merchant-page-unset'),
  '/settings/payments': noted('merchant-set'),
  '/settings/mails': noted('merchant-set'),
  '/settings/mails/preview': noted('merchant-set'),
  '/settings/domains': noted('domain-add', 'domain-verify', 'domain-remove'),
  '/settings/export': noted('shop-export'),
  '/people': noted('person-invite', 'person-role', 'person-remove', 'invitation-withdraw'),
};

test('every form of the dashboard is noted, or says why not', () => {
  const forms = world.pages.routes.flatMap(({ method, path }) =>
    method === 'POST' && path.startsWith('/dashboard') ? path.slice('/dashboard'.length) : [],
  );
  const ofShop = Object.keys(SHOP_FORMS).map((path) => `/shop/:merchantId/:environment${path}`);
  assert.deepEqual([...new Set(forms)].sort(), [...Object.keys(FORMS), ...ofShop].sort());
  const product = SOURCE.filter(({ path }) => !path.endsWith('.test.ts'));
  const all = product.map(({ text }) => text).join('\n');
  const verbs = [...Object.values(FORMS), ...Object.values(SHOP_FORMS)].flatMap((told) =>
    'noted' in told ? told.noted : [],
  );
  assert.deepEqual(
    verbs.filter((verb) => !all.includes(`'${verb}'`) && !all.includes(`\`${verb}$`)),
    [],
  );
});
