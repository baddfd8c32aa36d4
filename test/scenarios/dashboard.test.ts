// People sign in to the dashboard, invite others, and do what their role allows, as browsers
// without JavaScript do it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as OTPAuth from 'otpauth';
import { findApiKey } from '#access/caller.ts';
import { listActs } from '#audit/act.ts';
import { newId } from '#base/id.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { sql } from '#db/db.ts';
import { listEvents } from '#event/event.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { parseDecimal } from '#money/decimal.ts';
import { createPaymentLink } from '#payment-link/payment-link.ts';
import { createCustomer, parseNewCustomer } from '#people/customer.ts';
import { invite } from '#staff/invitation.ts';
import { STAFF_ROLES, type StaffRole } from '#staff/role.ts';
import { createSwap } from '#swap/create-swap.ts';
import { issueNew, tellSender } from '#test/support/bill-fixture.ts';
import {
  type DashboardWorld,
  openDashboardWorld,
  PASSWORD,
} from '#test/support/dashboard-world.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { addBeneficiary, payCheckout } from '#test/support/outgoing-money.ts';
import { SIMPLE_CHARGE } from '#test/support/test-app.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';

const password = PASSWORD;
let world: DashboardWorld;
let shop: string;
before(async () => {
  world = await openDashboardWorld();
  shop = world.shop;
  await world.observe('LITECOIN');
  await tellSender(world);
  // A file of reports has something in it.
  const { merchantId } = world.caller;
  const money = { merchantId, cause: 'some', assetId: 'BTC:NATIVE', units: 1n };
  await fundMerchant(world.app.db, { ...money, occurredAt: world.clock.now() });
});
after(() => world.close());

const open = () => world.open();
const comeAs: DashboardWorld['comeAs'] = (role, name) => world.comeAs(role, name);

test('whoever is not signed in is asked to, and comes back to where he wanted', async () => {
  await comeAs('OWNER', 'anna');
  const browser = open();
  const asked = await browser.get(`${shop}/checkouts`);
  assert.equal(asked.status, 303);
  assert.equal(asked.location, `/dashboard/sign-in?to=${encodeURIComponent(`${shop}/checkouts`)}`);
  await browser.get(asked.location);
  const wrong = await browser.submit('/dashboard/sign-in', {
    email: 'anna@shop.example',
    password: 'something else entirely',
    to: `${shop}/checkouts`,
  });
  assert.equal(wrong.status, 401);
  assert.match(wrong.markup, /role="alert"[^>]*>That is not right/);
  assert.match(wrong.markup, /value="anna@shop.example"/, 'the address need not be typed again');
  const right = await browser.submit('/dashboard/sign-in', {
    email: 'anna@shop.example',
    password,
    to: `${shop}/checkouts`,
  });
  assert.equal(right.location, `${shop}/checkouts`);
  assert.equal((await browser.get(`${shop}/checkouts`)).status, 200);
  await browser.submit('/dashboard/sign-out', {});
  assert.equal((await browser.get(`${shop}/checkouts`)).status, 303);
});

test('after signing in nobody is led to another site', async () => {
  await comeAs('OWNER', 'berta');
  for (const to of ['https://evil.example', '//evil.example', '/\\evil.example', '/demo']) {
    const browser = open();
    await browser.get('/dashboard/sign-in');
    const given = { email: 'berta@shop.example', password, to };
    const { location } = await browser.submit('/dashboard/sign-in', given);
    assert.equal(location, '/dashboard', to);
  }
});

test('a form counts only in the browser that was shown it, and only from our own pages', async () => {
  const browser = await comeAs('OWNER', 'carla');
  const { markup } = await browser.get(`${shop}/people`);
  const form = /name="form" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  const act = { act: 'invite', name: 'Eve', email: 'eve@evil.example', role: 'OWNER' };
  const path = `${shop}/people`;
  for (const [values, headers] of [
    [act, {}],
    [{ ...act, form: 'x'.repeat(43) }, {}],
    [{ ...act, form }, { 'sec-fetch-site': 'cross-site' }],
    [{ ...act, form }, { 'sec-fetch-site': 'same-site' }],
  ] as const) {
    assert.equal((await browser.post(path, values, headers)).status, 403);
  }
  const other = await comeAs('OWNER', 'dora');
  assert.equal((await other.post(path, { ...act, form })).status, 403, 'of another browser');
  assert.doesNotMatch((await browser.get(path)).markup, /eve@evil/);
});

test('a session that somebody planted is not the one that a sign-in opens', async () => {
  await comeAs('OWNER', 'emma');
  const planted = await comeAs('VIEWER', 'planter');
  const [, name = '', value = ''] = /(quittance-session)=([^;]+)/.exec(planted.cookies()) ?? [];
  const browser = open();
  browser.setCookie(name, value);
  await browser.get('/dashboard/sign-in');
  await browser.submit('/dashboard/sign-in', { email: 'emma@shop.example', password });
  assert.doesNotMatch(browser.cookies(), new RegExp(value));
  assert.equal((await planted.get(`${shop}/checkouts`)).status, 303, 'the planted one is over');
});

test('an invitation works once', async () => {
  const { app, caller } = world;
  const membership = { merchantId: caller.merchantId, role: 'CASHIER' } as const;
  const asked = { email: 'once@shop.example', name: 'Once', isOperator: false, membership };
  const { token } = await invite(app, 'tester', asked);
  const path = `/dashboard/invitation/${token}`;
  const [one, other] = [open(), open()];
  await Promise.all([one.get(path), other.get(path)]);
  const values = { name: 'Once', password, way: 'password' };
  const done = await Promise.all([one.submit(path, values), other.submit(path, values)]);
  assert.deepEqual(done.map(({ status }) => status).sort(), [303, 404]);
  assert.equal((await open().get(path)).status, 404);
  assert.equal((await open().get(`/dashboard/invitation/${'A'.repeat(43)}`)).status, 404);
});

test('a password that others guess is refused with the reason, and the link still works', async () => {
  const { app, caller } = world;
  const membership = { merchantId: caller.merchantId, role: 'CASHIER' } as const;
  const asked = { email: 'weak@shop.example', name: 'Weak', isOperator: false, membership };
  const { token } = await invite(app, 'tester', asked);
  const path = `/dashboard/invitation/${token}`;
  const browser = open();
  await browser.get(path);
  const weak = { name: 'Weak', password: 'password1', way: 'password' };
  const short = await browser.submit(path, weak);
  assert.equal(short.status, 400);
  assert.match(short.markup, /10 to 200 characters/);
  const common = await browser.submit(path, { ...weak, password: 'password123' });
  assert.match(common.markup, /Others guess this password soon/);
  assert.equal((await browser.submit(path, { ...weak, password })).status, 303);
});

/** Every route of a shop, and who may use it. */
const ROUTES: readonly (readonly [method: string, path: string, roles: readonly StaffRole[]])[] = [
  ['GET', '/today', STAFF_ROLES],
  ['GET', '/checkouts', STAFF_ROLES],
  ['GET', '/checkouts/:id', STAFF_ROLES],
  ['POST', '/checkouts/:id/cancel', ['OWNER', 'ADMIN', 'CASHIER']],
  ['POST', '/checkouts/:id/accept', ['OWNER', 'ADMIN']],
  ['POST', '/checkouts/:id/notes', ['OWNER', 'ADMIN', 'CASHIER']],
  ['POST', '/checkouts/:id/answers', ['OWNER', 'ADMIN']],
  ['POST', '/checkouts/:id/sandbox', ['OWNER', 'ADMIN', 'DEVELOPER']],
  ['GET', '/sell', ['OWNER', 'ADMIN', 'CASHIER']],
  ['POST', '/sell', ['OWNER', 'ADMIN', 'CASHIER']],
  ['GET', '/invoices', STAFF_ROLES],
  ['POST', '/invoices', ['OWNER', 'ADMIN', 'CASHIER']],
  ['GET', '/invoices/new', ['OWNER', 'ADMIN', 'CASHIER']],
  ['GET', '/invoices/again', STAFF_ROLES],
  ['POST', '/invoices/again', ['OWNER', 'ADMIN']],
  ['GET', '/invoices/sender', ['OWNER', 'ADMIN']],
  ['POST', '/invoices/sender', ['OWNER', 'ADMIN']],
  ['GET', '/invoices/:id', STAFF_ROLES],
  ['GET', '/invoices/:id/pdf', STAFF_ROLES],
  ['POST', '/invoices/:id/issue', ['OWNER', 'ADMIN', 'CASHIER']],
  ['POST', '/invoices/:id/discard', ['OWNER', 'ADMIN', 'CASHIER']],
  ['POST', '/invoices/:id/remind', ['OWNER', 'ADMIN', 'CASHIER']],
  ['POST', '/invoices/:id/cancel', ['OWNER', 'ADMIN']],
  ['GET', '/customers', STAFF_ROLES],
  ['GET', '/customers/:id', STAFF_ROLES],
  ['POST', '/customers/:id', ['OWNER', 'ADMIN']],
  ['GET', '/customers/:id/merge', ['OWNER', 'ADMIN']],
  ['POST', '/customers/:id/merge', ['OWNER', 'ADMIN']],
  ['GET', '/checkout-files', ['OWNER', 'ADMIN', 'ACCOUNTANT']],
  ['GET', '/checkout-views', STAFF_ROLES],
  ['POST', '/checkout-views', STAFF_ROLES],
  ['GET', '/customer-files', ['OWNER', 'ADMIN', 'ACCOUNTANT']],
  ['GET', '/customer-files/:id', ['OWNER', 'ADMIN', 'ACCOUNTANT']],
  ['GET', '/pos', ['OWNER', 'ADMIN', 'CASHIER']],
  ['POST', '/pos', ['OWNER', 'ADMIN', 'CASHIER']],
  ['POST', '/pos/items', ['OWNER', 'ADMIN', 'CASHIER']],
  ['GET', '/pos/sales/:sale', ['OWNER', 'ADMIN', 'CASHIER']],
  ['POST', '/pos/sales/:sale/cancel', ['OWNER', 'ADMIN', 'CASHIER']],
  ['GET', '/links', STAFF_ROLES],
  ['GET', '/links/:link', STAFF_ROLES],
  ['GET', '/links/:link/print', STAFF_ROLES],
  ['GET', '/links/:link/asking', ['OWNER', 'ADMIN', 'CASHIER']],
  ['POST', '/links', ['OWNER', 'ADMIN', 'CASHIER']],
  ['POST', '/links/:link', ['OWNER', 'ADMIN', 'CASHIER']],
  ['POST', '/links/:link/asking', ['OWNER', 'ADMIN', 'CASHIER']],
  ['GET', '/checkouts/:id/refund', ['OWNER', 'ADMIN']],
  ['POST', '/checkouts/:id/refund', ['OWNER', 'ADMIN']],
  ['POST', '/checkouts/:id/refund/cancel', ['OWNER', 'ADMIN']],
  ['GET', '/money', ['OWNER', 'ADMIN', 'ACCOUNTANT']],
  ['GET', '/money/send', ['OWNER']],
  ['POST', '/money/send', ['OWNER']],
  ['GET', '/money/transfers/:id', ['OWNER', 'ADMIN', 'ACCOUNTANT']],
  ['POST', '/money/transfers/:id/order', ['OWNER']],
  ['POST', '/money/transfers/:id/cancel', ['OWNER']],
  ['GET', '/money/swap', ['OWNER']],
  ['POST', '/money/swap', ['OWNER']],
  ['GET', '/money/swaps/:id', ['OWNER', 'ADMIN', 'ACCOUNTANT']],
  ['POST', '/money/swaps/:id/order', ['OWNER']],
  ['GET', '/money/beneficiaries', ['OWNER', 'ADMIN', 'ACCOUNTANT']],
  ['POST', '/money/beneficiaries', ['OWNER']],
  ['GET', '/money/approvals', ['OWNER', 'ADMIN', 'ACCOUNTANT']],
  ['POST', '/money/approvals', ['OWNER', 'ADMIN']],
  ['GET', '/money/rules', ['OWNER', 'ADMIN', 'ACCOUNTANT']],
  ['POST', '/money/rules', ['OWNER']],
  ['GET', '/money/suspense', ['OWNER', 'ADMIN', 'ACCOUNTANT']],
  ['GET', '/reports', ['OWNER', 'ADMIN', 'ACCOUNTANT']],
  ['GET', '/reports/charts', ['OWNER', 'ADMIN', 'ACCOUNTANT']],
  ['GET', '/reports/file', ['OWNER', 'ADMIN', 'ACCOUNTANT']],
  ['GET', '/webhooks', ['OWNER', 'ADMIN', 'DEVELOPER']],
  ['GET', '/webhooks/kinds', ['OWNER', 'ADMIN', 'DEVELOPER']],
  ['POST', '/webhooks', ['OWNER', 'ADMIN', 'DEVELOPER']],
  ['GET', '/events', ['OWNER', 'ADMIN', 'DEVELOPER']],
  ['GET', '/events/:id', ['OWNER', 'ADMIN', 'DEVELOPER']],
  ['POST', '/events/:id/again', ['OWNER', 'ADMIN', 'DEVELOPER']],
  ['GET', '/requests', ['OWNER', 'ADMIN', 'DEVELOPER']],
  ['GET', '/requests/:id', ['OWNER', 'ADMIN', 'DEVELOPER']],
  ['GET', '/addresses', ['OWNER', 'ADMIN', 'DEVELOPER']],
  ['POST', '/addresses', ['OWNER', 'ADMIN', 'DEVELOPER']],
  ['GET', '/chains', ['OWNER', 'ADMIN', 'DEVELOPER']],
  ['POST', '/chains', ['OWNER', 'ADMIN', 'DEVELOPER']],
  ['GET', '/keys', ['OWNER', 'ADMIN', 'DEVELOPER']],
  ['POST', '/keys', ['OWNER', 'ADMIN', 'DEVELOPER']],
  ['GET', '/settings', ['OWNER', 'ADMIN']],
  ['POST', '/settings', ['OWNER', 'ADMIN']],
  ['POST', '/settings/logo', ['OWNER', 'ADMIN']],
  ['GET', '/settings/preview', ['OWNER', 'ADMIN']],
  ['GET', '/settings/look', ['OWNER', 'ADMIN']],
  ['POST', '/settings/look', ['OWNER', 'ADMIN']],
  ['POST', '/settings/look/dark-logo', ['OWNER', 'ADMIN']],
  ['POST', '/settings/look/font', ['OWNER', 'ADMIN']],
  ['GET', '/settings/look/preview/:scheme', ['OWNER', 'ADMIN']],
  ['GET', '/settings/words', ['OWNER', 'ADMIN']],
  ['POST', '/settings/words', ['OWNER', 'ADMIN']],
  ['GET', '/settings/words/preview', ['OWNER', 'ADMIN']],
  ['GET', '/settings/asking', ['OWNER', 'ADMIN']],
  ['POST', '/settings/asking', ['OWNER', 'ADMIN']],
  ['GET', '/settings/asking/preview', ['OWNER', 'ADMIN']],
  ['GET', '/settings/payments', ['OWNER', 'ADMIN']],
  ['POST', '/settings/payments', ['OWNER', 'ADMIN']],
  ['GET', '/settings/domains', ['OWNER', 'ADMIN']],
  ['POST', '/settings/domains', ['OWNER', 'ADMIN']],
  ['GET', '/settings/export', ['OWNER', 'ADMIN']],
  ['POST', '/settings/export', ['OWNER', 'ADMIN']],
  ['GET', '/settings/mails', ['OWNER', 'ADMIN']],
  ['POST', '/settings/mails', ['OWNER', 'ADMIN']],
  ['GET', '/settings/mails/preview', ['OWNER', 'ADMIN']],
  ['POST', '/settings/mails/preview', ['OWNER', 'ADMIN']],
  ['GET', '/settings/mails/letter', ['OWNER', 'ADMIN']],
  ['GET', '/people', ['OWNER']],
  ['POST', '/people', ['OWNER']],
  ['GET', '/trail', ['OWNER', 'ADMIN', 'DEVELOPER', 'ACCOUNTANT']],
  ['GET', '/trail/file', ['OWNER', 'ADMIN', 'DEVELOPER', 'ACCOUNTANT']],
  // The last one: the browser shows nothing else from then on.
  ['POST', '/pos/kiosk', ['OWNER', 'ADMIN', 'CASHIER']],
];
const ROOMS = ROUTES.filter(([method, path]) => method === 'GET' && !path.includes(':'));
const ASKED: Readonly<Record<string, string>> = {
  '/reports/file': '?from=2026-01-01&to=2026-01-31',
};
/** Others are reached from one of these. */
const IN_FRAME = ROOMS.map(([, path]) => path).filter(
  (path) => !/events|kinds|views|settings\/|invoices\/|money\/|reports\/|file/.test(path),
);

test('every route of a shop stands in the table', () => {
  const begin = '/dashboard/shop/:merchantId/:environment';
  const routes = world.pages.routes.flatMap(({ method, path }) =>
    path.startsWith(begin) ? `${method} ${path.slice(begin.length)}` : [],
  );
  const wanted = ROUTES.map(([method, path]) => `${method} ${path}`);
  assert.deepEqual([...new Set(routes)].sort(), wanted.sort());
});

/** Id of the event that says that a checkout was cancelled. */
async function tellOf(checkoutId: string): Promise<string> {
  const { app, caller } = world;
  const { merchantId, environment } = caller;
  const owner = { merchantId, environment };
  await cancelCheckout(app, { checkoutId, owner, actor: 'tester' });
  const { events } = await listEvents(app, { ...owner, subjectId: checkoutId, limit: 1 });
  return events[0]?.id ?? '';
}

/** Id of a request to the API. */
async function noteRequest(): Promise<string> {
  const { app, caller } = world;
  const id = newId(app.random);
  app.requestLog.note({
    ...{ id, owner: caller, apiKey: caller.apiKey, scope: 'read', method: 'GET', path: '/api/v1' },
    ...{ query: '', status: 200, errorCode: undefined, durationMs: 1, address: '203.0.113.7' },
    ...{ requestHeaders: new Headers(), requestBody: new Uint8Array(), answerHeaders: {} },
    answerBody: '{}',
  });
  await app.requestLog.write();
  return id;
}

/** Id of a checkout with a page of ours. */
async function makeSale(): Promise<string> {
  const request = parseCheckoutRequest({ charge: SIMPLE_CHARGE });
  const options = { type: 'HOSTED', origin: 'DASHBOARD' } as const;
  return (await createCheckout(world.app, world.caller, request, options)).id;
}

/** Id of a payment link of the shop. */
async function makeLink(): Promise<string> {
  const { app, caller } = world;
  const { merchantId, environment } = caller;
  const nothing = { description: undefined, leastAmount: undefined, mostAmount: undefined };
  const given = { ...nothing, title: 'Link', currency: 'EUR', settlementAsset: 'ORIGIN' };
  const more = { amount: parseDecimal('1'), stock: undefined, endsAt: undefined };
  const owner = { merchantId, environment };
  return (await createPaymentLink(app, owner, { ...given, ...more })).id;
}

/** A transfer and a swap that are quoted, by their room. */
async function moneyIds(): Promise<ReadonlyMap<string, string>> {
  const { app, caller } = world;
  const targetAccount = await addBeneficiary(world, `Cold ${await world.create()}`);
  const amount = { coefficient: 1n, scale: 0 };
  const asked = { network: 'LITECOIN', asset: undefined, amount, targetAccount };
  const swapped = { sourceAssetId: 'LTC:NATIVE', targetAssetId: 'BTC:NATIVE' };
  const [transfer, swap] = await Promise.all([
    quoteTransfer(app, caller, asked),
    createSwap(app, caller, { ...swapped, fixed: { sourceUnits: 100_000_000n } }),
  ]);
  return new Map([
    ['transfers', transfer.id],
    ['swaps', swap.id],
  ]);
}

for (const role of STAFF_ROLES) {
  test(`${role}: opens what the role may, and is told of what it may not`, async () => {
    const browser = await comeAs(role);
    const home = await browser.get(`${shop}/checkouts`);
    const id = await world.create();
    const event = await tellOf(await world.create());
    const { id: invoices } = await issueNew(world);
    const { id: customers } = await createCustomer(
      world.app,
      world.caller,
      parseNewCustomer({ customer: { email: 'nobody@shop.example' } }),
    );
    const ids = {
      ...{ events: event, requests: await noteRequest(), checkouts: id, invoices },
      ...{ customers, 'customer-files': customers },
    };
    const [link, ofMoney] = [await makeLink(), await moneyIds()];
    const sale = await makeSale();
    for (const [method, route, roles] of ROUTES) {
      const [, room = '', below = ''] = route.split('/');
      const known = ofMoney.get(below) ?? ids[room as keyof typeof ids] ?? id;
      const named = route.replace(':id', known).replace(':scheme', 'dark');
      const path = shop + named.replace(':link', link).replace(':sale', sale);
      const mayUse = roles.includes(role);
      if (method === 'GET') {
        const { status, markup } = await browser.get(path + (ASKED[route] ?? ''));
        assert.equal(status, mayUse ? 200 : 403, path);
        if (!mayUse) assert.match(markup, /Your role may not do that/);
        const isLink = home.markup.includes(`href="${path}"`);
        if (IN_FRAME.includes(route)) assert.equal(isLink, mayUse, 'only those are links');
      } else {
        await browser.get(`${shop}/checkouts`);
        const form = /name="form" value="([^"]+)"/.exec(home.markup)?.[1] ?? '';
        const { status } = await browser.post(path, { form });
        assert.equal(status === 403, !mayUse, `${method} ${route}: ${status}`);
      }
    }
  });
}

const FORMS = ROUTES.filter(([method]) => method === 'POST').map(([, path]) => path);

test('every form of a shop counts only in its own browser, and from our own pages', async () => {
  const [owner, other] = [await comeAs('OWNER', 'quinn'), await comeAs('OWNER', 'rita')];
  const [id, sale, link] = [await world.create(), await makeSale(), await makeLink()];
  const tokenOf = async (browser: typeof owner) => {
    const { markup } = await browser.get(`${shop}/people`);
    return /name="form" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  };
  const [own, foreign] = [await tokenOf(owner), await tokenOf(other)];
  for (const route of FORMS) {
    const named = route.replace(':sale', sale).replace(':link', link);
    const path = shop + named.replace(':id', id);
    for (const [values, headers] of [
      [{}, {}],
      [{ form: foreign }, {}],
      [{ form: own }, { 'sec-fetch-site': 'cross-site' }],
    ] as const) {
      assert.equal((await owner.post(path, values, headers)).status, 403, route);
    }
  }
});

test('every form that moves money asks for a recent proof', async () => {
  const owner = await comeAs('OWNER', 'sara');
  const id = await world.create();
  const { markup } = await owner.get(`${shop}/people`);
  const form = /name="form" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  await world.clock.advance(Temporal.Duration.from({ minutes: 11 }));
  const moving = FORMS.filter((route) => /^\/money|\/refund/.test(route));
  assert.ok(moving.length >= 10);
  for (const route of moving) {
    const path = shop + route.replace(':id', id);
    const { location } = await owner.post(path, { form });
    // One comes back to the page on which the form stood.
    const page = path.replace(/(?:\/refund)?\/(?:order|cancel)$/, '');
    assert.equal(location, `/dashboard/proof?to=${encodeURIComponent(page)}`, route);
  }
});

test('a shop of somebody else is as missing as one that is not there', async () => {
  const browser = await comeAs('OWNER', 'fanny');
  const other = await createMerchant(world.app, { name: 'Other shop' });
  for (const id of [other.id, 'nobodyshop12', '..']) {
    for (const [, path] of ROOMS) {
      const { status } = await browser.get(`/dashboard/shop/${id}/test${path}`);
      assert.equal(status, 404);
    }
  }
  assert.equal((await browser.get(`${shop.replace(/test$/, 'prod')}/checkouts`)).status, 404);
});

test('an owner invites a cashier, changes the role, and removes the person; each is in the trail', async () => {
  const owner = await comeAs('OWNER', 'gerda');
  const path = `${shop}/people`;
  await owner.get(path);
  const invited = await owner.submit(path, {
    act: 'invite',
    name: 'Hugo <b>',
    email: 'Hugo@Shop.example',
    role: 'CASHIER',
  });
  const link = /<code>(http[^<]+)<\/code>/.exec(invited.markup)?.[1] ?? '';
  assert.match(invited.markup, /Hugo &lt;b&gt;/);
  const hugo = open();
  const { pathname } = new URL(link);
  await hugo.get(pathname);
  await hugo.submit(pathname, { name: 'Hugo', password, way: 'password' });
  assert.equal((await hugo.get(path)).status, 403);
  const { markup } = await owner.get(path);
  const hugoAt = markup.indexOf('hugo@shop.example');
  const id = /name="person" value="([^"]+)"/.exec(markup.slice(hugoAt))?.[1] ?? '';
  await owner.submit(path, { act: 'role', person: id, role: 'ADMIN' });
  assert.match((await hugo.get(`${shop}/checkouts`)).markup, /Checkouts/);
  await owner.get(path);
  await owner.submit(path, { act: 'remove', person: id });
  assert.equal((await hugo.get(`${shop}/checkouts`)).status, 303, 'he is signed out at once');
  const verbs = (await listActs(world.app.db, { about: `person:${id}` }, 20)).map(
    ({ verb }) => verb,
  );
  assert.deepEqual(verbs, ['sign-in', 'person-role', 'person-remove']);
});

test('a shop keeps one owner at least', async () => {
  const { app } = world;
  const lone = await createMerchant(app, { name: 'Lone shop' });
  const membership = { merchantId: lone.id, role: 'OWNER' } as const;
  const asked = { email: 'ida@shop.example', name: 'Ida', isOperator: false, membership };
  const { token } = await invite(app, 'tester', asked);
  const browser = open();
  await browser.get(`/dashboard/invitation/${token}`);
  await browser.submit(`/dashboard/invitation/${token}`, {
    name: 'Ida',
    password,
    way: 'password',
  });
  const path = `/dashboard/shop/${lone.id}/live/people`;
  const { markup } = await browser.get(path);
  const person = /name="person" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  for (const act of ['remove', 'role']) {
    const refused = await browser.submit(path, { act, role: 'VIEWER', person });
    assert.equal(refused.status, 409);
    assert.match(refused.markup, /one owner at least/);
  }
});

test('what changes people asks for a proof that is not older than ten minutes', async () => {
  const browser = await comeAs('OWNER', 'jana');
  await world.clock.advance(Temporal.Duration.from({ minutes: 11 }));
  const path = `${shop}/people`;
  await browser.get(path);
  const asked = await browser.submit(path, { act: 'invite', name: 'X', email: 'x@shop.example' });
  assert.equal(asked.location, `/dashboard/proof?to=${encodeURIComponent(path)}`);
  await browser.get(asked.location);
  const wrong = await browser.submit('/dashboard/proof', { password: 'not it at all', to: path });
  assert.equal(wrong.status, 401);
  const proven = await browser.submit('/dashboard/proof', { password, to: path });
  assert.equal(proven.location, `${path}#kept`);
  await browser.get(path);
  const values = { act: 'invite', name: 'X', email: 'x@shop.example', role: 'VIEWER' };
  assert.equal((await browser.submit(path, values)).status, 200);
});

test('codes of an app: set up, asked for with the password, and recovery codes once each', async () => {
  const browser = await comeAs('OWNER', 'klara');
  const path = '/dashboard/security';
  await browser.get(path);
  const offered = await browser.submit(path, { act: 'totp-offer' });
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(offered.markup)?.[1] ?? '';
  assert.match(offered.markup, /<svg class="qr"/);
  const codeNow = () =>
    new OTPAuth.TOTP({ secret }).generate({ timestamp: world.clock.now().epochMilliseconds });
  const wrong = await browser.submit(path, { act: 'totp-on', secret, code: '123456' });
  assert.match(wrong.markup, /The code is not right/);
  const on = await browser.submit(path, { act: 'totp-on', secret, code: codeNow() });
  const codes = [...on.markup.matchAll(/<li><code>([0-9A-F-]{23})<\/code>/g)].map(
    ([, one]) => one!,
  );
  assert.equal(codes.length, 10);
  const enter = async (code: string) => {
    const another = open();
    await another.get('/dashboard/sign-in');
    const given = { email: 'klara@shop.example', password };
    const { markup } = await another.submit('/dashboard/sign-in', given);
    const step = /name="step" value="([^"]+)"/.exec(markup)?.[1] ?? '';
    assert.match(markup, /One more step/);
    return (await another.submit('/dashboard/sign-in', { step, code })).status;
  };
  assert.equal(await enter(codeNow()), 303);
  assert.equal(await enter(codeNow()), 401, 'a code counts once');
  assert.equal(await enter(codes[0]!), 303);
  assert.equal(await enter(codes[0]!), 401, 'a recovery code too');
});

test('who has as many passkeys as are kept is told to remove one, and is asked for no other', async () => {
  const browser = await comeAs('OWNER', 'nina');
  const path = '/dashboard/security';
  assert.match((await browser.get(path)).markup, /id="add-passkey"/);
  await world.app.db.single((tx) =>
    tx.query(sql`
      insert into passkey (credential_id, person_id, public_key, sign_count, label, created_at)
      select 'key' || number, id, '', 0, 'Phone ' || number, now()
      from person, generate_series(1, 20) as number where email = 'nina@shop.example'`),
  );
  const { markup } = await browser.get(path);
  assert.match(markup, /remove one first/);
  assert.doesNotMatch(markup, /id="add-passkey"/);
});

test('a checkout is found, shown with its payment, and cancelled or accepted by who may', async () => {
  const cashier = await comeAs('CASHIER', 'lena');
  const viewer = await comeAs('VIEWER', 'mia');
  const paid = await world.create({ meta: { order: '<i>42</i>' } });
  await payCheckout(world, paid);
  const found = await cashier.get(`${shop}/checkouts?find=${paid}&state=`);
  assert.equal(found.location, `${shop}/checkouts/${paid}`);
  const { markup } = await cashier.get(found.location ?? '');
  assert.match(markup, /data-checkout-state="COMPLETED"/);
  assert.match(markup, /LTC/);
  assert.match(markup, /&lt;i&gt;42/);
  const unknown = await cashier.get(`${shop}/checkouts?find=nosuchthing1&state=`);
  assert.match(unknown.markup, /Nothing was found/);

  const unpaid = await world.create();
  const path = `${shop}/checkouts/${unpaid}`;
  assert.doesNotMatch((await viewer.get(path)).markup, /\/cancel"/);
  assert.equal((await viewer.submit('/dashboard/sign-out', {})).status, 303);
  await cashier.get(path);
  assert.equal((await cashier.submit(`${path}/cancel`, {})).location, path);
  assert.match((await cashier.get(path)).markup, /data-checkout-state="CANCELLED"/);
  const [act] = await listActs(world.app.db, { about: `checkout:${unpaid}` }, 5);
  assert.equal(act?.verb, 'checkout-cancel');
  assert.match(act?.actor ?? '', /^person /);
  const list = await cashier.get(`${shop}/checkouts?state=CANCELLED`);
  assert.ok(list.markup.includes(unpaid) && !list.markup.includes(paid));
  const live = await cashier.get(`${shop.replace(/test$/, 'live')}/checkouts`);
  assert.ok(!live.markup.includes(paid), 'test and live are apart');
});

test('a developer makes a key that works, renews it, and revokes it; one that moves money he does not', async () => {
  const developer = await comeAs('DEVELOPER', 'olga');
  const path = `${shop}/keys`;
  await developer.get(path);
  const none = await developer.submit(path, { act: 'create', label: 'x' });
  assert.match(none.markup, /Choose what the key may do/);
  const made = await developer.submit(path, { act: 'create', label: '<i>', scope: 'read' });
  const [key = '', secret = ''] = [...made.markup.matchAll(/<dd><code>([^<]+)<\/code>/g)].map(
    ([, text]) => text,
  );
  assert.match(made.markup, /&lt;i&gt;/);
  const found = await findApiKey(world.app, key);
  assert.deepEqual(found?.caller.scopes, ['read']);
  assert.deepEqual(found?.secrets, [secret]);
  await developer.submit(path, { act: 'rotate', key });
  assert.equal((await findApiKey(world.app, key))?.secrets.length, 2, 'both for a day');
  await developer.submit(path, { act: 'basic-off', key });
  assert.equal((await findApiKey(world.app, key))?.basicAllowed, false);
  await developer.get(path);
  assert.equal((await developer.submit(path, { act: 'revoke', key })).status, 303);
  assert.equal(await findApiKey(world.app, key), undefined);
  const verbs = (await listActs(world.app.db, { about: `key:${key}` }, 9)).map(({ verb }) => verb);
  assert.deepEqual(verbs, ['key-create', 'key-rotate', 'key-basic', 'key-revoke']);

  const live = path.replace('/test/', '/live/');
  assert.doesNotMatch((await developer.get(live)).markup, /id="all-1"/);
  const refused = await developer.submit(live, { act: 'create', all: '1' });
  assert.equal(refused.status, 403);
  assert.match(refused.markup, /Only an owner makes or renews a live key/);
  const owner = await comeAs('OWNER', 'paula');
  await owner.get(live);
  const whole = await owner.submit(live, { act: 'create', all: '1' });
  const wholeKey = /<dd><code>([^<]+)/.exec(whole.markup)?.[1] ?? '';
  await developer.get(live);
  assert.equal((await developer.submit(live, { act: 'rotate', key: wholeKey })).status, 403);
  await developer.get(path);
  const elsewhere = await developer.submit(path, { act: 'revoke', key: wholeKey });
  assert.equal(elsewhere.status, 404, 'a live key is not there in test');
});

test('no page of it may be framed, kept, or run a script of somebody else', async () => {
  const browser = await comeAs('OWNER', 'nora');
  for (const path of ['/dashboard/sign-in', '/dashboard/security', `${shop}/people`]) {
    const { headers } = await browser.get(path);
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.match(headers.get('content-security-policy') ?? '', /script-src 'nonce-/);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-frame-options'), 'DENY');
  }
});

test('the dashboard speaks the language of the browser, and the one that was chosen before it', async () => {
  const browser = open();
  await browser.get('/dashboard/sign-in');
  const to = '/dashboard/sign-in?to=/dashboard/security';
  const chosen = await browser.submit('/dashboard/language', { language: 'de', to });
  assert.equal(chosen.location, to);
  const { headers } = await browser.get('/dashboard/sign-in');
  assert.equal(headers.get('content-language'), 'de');
});
