// What strangers try: every route there is, read from the pages themselves, so that none is left out.
// Another shop's rooms and whatever lies in them, forms of other sites, frames, and guesses.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import * as OTPAuth from 'otpauth';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { addCounterItem, listCounterItems } from '#counter/counter-item.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { parseDecimal } from '#money/decimal.ts';
import { createPaymentLink, findPaymentLink } from '#payment-link/payment-link.ts';
import { createCustomer, findCustomer, parseNewCustomer } from '#people/customer.ts';
import { invite } from '#staff/invitation.ts';
import { STAFF_ROLES } from '#staff/role.ts';
import type { DashboardBrowser, Shown } from '#test/support/dashboard-browser.ts';
import {
  type DashboardWorld,
  openDashboardWorld,
  PASSWORD,
} from '#test/support/dashboard-world.ts';
import { addBeneficiary } from '#test/support/outgoing-money.ts';
import { SIMPLE_CHARGE } from '#test/support/test-app.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';

let world: DashboardWorld;
let theirs: Theirs;
before(async () => {
  world = await openDashboardWorld({ hasMail: true });
  await world.observe('LITECOIN');
  theirs = await openTheirShop();
});
after(() => world.close());

const SHOP = '/dashboard/shop/:merchantId/:environment';
type Route = { readonly method: string; readonly path: string };

/** Each once, in the order in which they were made. */
function routesOf(isWanted: (path: string) => boolean): readonly Route[] {
  const routes = world.pages.routes.filter(
    ({ method, path }) => method !== 'ALL' && isWanted(path),
  );
  return [...new Map(routes.map((one) => [`${one.method} ${one.path}`, one])).values()];
}

type Theirs = {
  readonly owner: { readonly merchantId: string; readonly environment: 'test' };
  /** What lies there, by the part of the path it stands behind. */
  readonly ids: Readonly<Record<string, string>>;
};

const SECRET = 'Nobody elses business';

/** Another shop with something in each of its rooms. */
async function openTheirShop(): Promise<Theirs> {
  const { app } = world;
  const { id: merchantId } = await createMerchant(app, { name: SECRET });
  const owner = { merchantId, environment: 'test' as const };
  const caller = { ...owner, apiKey: undefined };
  const request = parseCheckoutRequest({ charge: SIMPLE_CHARGE });
  const options = { type: 'HOSTED', origin: 'DASHBOARD' } as const;
  const to = await addBeneficiary({ app, caller }, SECRET);
  const amount = { coefficient: 1n, scale: 0 };
  const [checkout, customer, link, transfer] = await Promise.all([
    createCheckout(app, { ...world.caller, ...owner }, request, options),
    createCustomer(app, owner, parseNewCustomer({ customer: { email: 'ours@shop.example' } })),
    createPaymentLink(app, owner, {
      ...{ title: SECRET, description: undefined, currency: 'EUR', settlementAsset: 'ORIGIN' },
      ...{ amount: parseDecimal('1'), leastAmount: undefined, mostAmount: undefined },
      ...{ stock: undefined, endsAt: undefined },
    }),
    quoteTransfer(app, caller, {
      network: 'LITECOIN',
      asset: undefined,
      amount,
      targetAccount: to,
    }),
  ]);
  await addCounterItem(app, owner, { name: SECRET, price: parseDecimal('1'), currency: 'EUR' });
  const ids = {
    ...{ checkouts: checkout.id, sales: checkout.id, transfers: transfer.id, links: link.id },
    ...{ customers: customer.id, 'customer-files': customer.id },
  };
  return { owner, ids };
}

/** `in`: the shop of the path. What is asked for by number is theirs. */
function pathOf({ path }: Route, merchantId: string): string {
  const room = path.replace(SHOP, `/dashboard/shop/${merchantId}/test`);
  return room.replace(/\/([\w-]+)\/:\w+/, (_all, kind: string) => {
    return `/${kind}/${theirs.ids[kind] ?? 'aaaaaaaaaaaa'}`;
  });
}

async function formTokenOf(browser: DashboardBrowser): Promise<string> {
  const { markup } = await browser.get('/dashboard/security');
  return /name="form" value="([^"]+)"/.exec(markup)?.[1] ?? '';
}

function ask(browser: DashboardBrowser, { method }: Route, path: string, form: string) {
  return method === 'GET' ? browser.get(path) : browser.post(path, { form });
}

for (const role of STAFF_ROLES) {
  test(`${role} of one shop: every route of another one is missing`, async () => {
    const browser = await world.comeAs(role);
    const form = await formTokenOf(browser);
    const routes = routesOf((path) => path.startsWith(SHOP));
    assert.ok(routes.length > 80, `${routes.length}`);
    for (const route of routes) {
      const path = pathOf(route, theirs.owner.merchantId);
      const { status, markup } = await ask(browser, route, path, form);
      assert.equal(status, 404, `${route.method} ${path}`);
      assert.ok(!markup.includes(SECRET), path);
    }
  });
}

test('nor does anything of it lie in a room of one’s own, whatever its number', async () => {
  const owner = await world.comeAs('OWNER', 'olga');
  const form = await formTokenOf(owner);
  const routes = routesOf(
    (path) => path.startsWith(SHOP) && /:(?!merchantId|environment)/.test(path),
  );
  assert.ok(routes.length > 20, `${routes.length}`);
  for (const route of routes) {
    const path = pathOf(route, world.caller.merchantId);
    const { status, markup } = await ask(owner, route, path, form);
    assert.equal(status, 404, `${route.method} ${path}`);
    assert.ok(!markup.includes(SECRET), path);
  }
  await staysAsItIs();
});

/** What lies there is there, and as it was. */
async function staysAsItIs(): Promise<void> {
  const { app } = world;
  const { owner, ids } = theirs;
  assert.equal((await world.read(ids.checkouts ?? '')).state, 'NEW');
  assert.notEqual(await findCustomer(app, owner, ids.customers ?? ''), undefined);
  assert.equal((await findPaymentLink(app.db, owner, ids.links ?? ''))?.isOn, true);
  assert.equal((await listCounterItems(app.db, owner)).length, 1);
}

/** Posts that come from anywhere: what they ask for instead. */
const FROM_ANYWHERE: readonly string[] = [
  // One click of a mail program (RFC 8058): the token in its address, which no other site knows.
  '/:language/mails/:merchantId/:token',
];

const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'https://other.shop.example' },
];

test('no form of another site is taken, wherever it is posted to', async () => {
  const owner = await world.comeAs('OWNER', 'olive');
  const form = await formTokenOf(owner);
  const routes = routesOf(() => true).filter(
    ({ method, path }) => method === 'POST' && !FROM_ANYWHERE.includes(path),
  );
  assert.ok(routes.length > 50, `${routes.length}`);
  for (const route of routes) {
    if (route.path.startsWith('/dashboard/operator')) continue;
    const path = pathOf(route, world.caller.merchantId).replaceAll(/:\w+/g, 'en');
    for (const headers of FOREIGN) {
      const { status } = await owner.post(path, { form }, headers);
      // What has no such number is missing, wherever the form comes from.
      const isMissing = status === 404 && /:(?!merchantId|environment)/.test(route.path);
      assert.ok(isMissing || status === 403, `${route.path} ${status}: ${JSON.stringify(headers)}`);
    }
  }
});

/** Shown in a frame of our own pages; old browsers are told so by the second header. */
const IN_FRAMES: Readonly<Record<string, string | null>> = {
  [`${SHOP}/settings/preview`]: null,
  [`${SHOP}/settings/look/preview/:scheme`]: null,
  [`${SHOP}/settings/words/preview`]: null,
  [`${SHOP}/settings/asking/preview`]: null,
  [`${SHOP}/settings/mails/letter`]: 'SAMEORIGIN',
};

test('no room is shown in a frame of somebody else', async () => {
  const owner = await world.comeAs('OWNER', 'odile');
  const rooms = routesOf((path) => path.startsWith('/dashboard')).filter(
    ({ method }) => method === 'GET',
  );
  for (const route of rooms) {
    const path = pathOf(route, world.caller.merchantId).replace(/preview\/\w+$/, 'preview/light');
    const { headers } = await owner.get(path);
    const policy = headers.get('content-security-policy') ?? '';
    const isOwn = route.path in IN_FRAMES;
    assert.match(policy, isOwn ? /frame-ancestors 'self'/ : /frame-ancestors 'none'/, route.path);
    assert.equal(
      headers.get('x-frame-options'),
      isOwn ? IN_FRAMES[route.path] : 'DENY',
      route.path,
    );
  }
});

const plain = ({ status, markup, headers }: Shown) => ({
  status,
  markup: markup.replaceAll(/nonce="[^"]+"|name="form" value="[^"]+"|\w+@shop\.example/g, ''),
  names: [...headers.keys()].sort(),
});

test('whether somebody is known here is told nobody: by a password, a passkey or a link', async () => {
  await world.comeAs('CASHIER', 'known');
  const guess = async (email: string) => {
    const browser = world.open();
    await browser.get('/dashboard/sign-in');
    return plain(await browser.submit('/dashboard/sign-in', { email, password: 'not it at all' }));
  };
  const wrong = await guess('known@shop.example');
  assert.equal(wrong.status, 401);
  assert.deepEqual(wrong, await guess('nobody@shop.example'));
  const browser = world.open();
  const { markup } = await browser.get('/dashboard/sign-in');
  const form = /name="form" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  const question = await browser.post('/dashboard/passkey-question', { form });
  const { options } = JSON.parse(question.markup);
  assert.deepEqual(options.allowCredentials ?? [], [], 'no passkey of anybody is named');
  const membership = { merchantId: world.caller.merchantId, role: 'CASHIER' } as const;
  const asked = { email: 'used@shop.example', name: 'Used', isOperator: false, membership };
  const { token } = await invite(world.app, 'tester', asked);
  const path = `/dashboard/invitation/${token}`;
  const guest = world.open();
  await guest.get(path);
  await guest.submit(path, { name: 'Used', password: PASSWORD, way: 'password' });
  const [used, never] = [path, `/dashboard/invitation/${'A'.repeat(43)}`].map((one) =>
    world.open().get(one),
  );
  const without = (shown: Shown) =>
    plain({ ...shown, markup: shown.markup.replaceAll(/invitation\/[\w-]+/g, '') });
  assert.deepEqual(without(await used!), without(await never!));
});

/** What each of so many guesses was answered; the last ones are not looked at any more. */
async function statusesOf(count: number, guess: (at: number) => Promise<Shown>): Promise<string> {
  const statuses: number[] = [];
  for (let at = 0; at < count; at += 1) statuses.push((await guess(at)).status);
  return statuses.join(' ');
}

test('who has a session and guesses the password, or the password and guesses codes, is stopped', async () => {
  const browser = await world.comeAs('OWNER', 'coder');
  await browser.get('/dashboard/security');
  const offer = await browser.submit('/dashboard/security', { act: 'totp-offer' });
  const secret = /<dd><code>([A-Z2-7]{32})<\/code>/.exec(offer.markup)?.[1] ?? '';
  const timestamp = world.clock.now().epochMilliseconds;
  const code = new OTPAuth.TOTP({ secret }).generate({ timestamp });
  const on = await browser.submit('/dashboard/security', { act: 'totp-on', secret, code });
  assert.match(on.markup, /id="codes"/);
  const proofs = await statusesOf(12, async (at) => {
    await browser.get('/dashboard/proof');
    return browser.submit('/dashboard/proof', { password: `wrong guess ${at}`, code });
  });
  assert.equal(proofs, `${'401 '.repeat(10)}429 429`);
  // Elsewhere the password is right each time, and each code is a guess.
  const codes = await statusesOf(10, async (at) => {
    const stranger = world.open();
    await stranger.get('/dashboard/sign-in');
    const known = { email: 'coder@shop.example', password: PASSWORD };
    const asked = await stranger.submit('/dashboard/sign-in', known);
    const step = /name="step" value="([^"]+)"/.exec(asked.markup)?.[1];
    if (step === undefined) return asked;
    return stranger.submit('/dashboard/sign-in', { step, code: `${100_000 + at}` });
  });
  assert.equal(codes, `${'401 '.repeat(8)}429 429`);
});
