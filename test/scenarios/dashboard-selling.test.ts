// Checkouts that people make in the dashboard, and where they show the customer to pay.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { readPayload } from '#charge/checkout-request.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { answerCheckout } from '#checkout/commit-checkout.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { changeRiskTolerance, readRiskTolerance } from '#merchant/merchant.ts';
import { getSeller } from '#merchant/seller.ts';
import { parseDecimal } from '#money/decimal.ts';
import { findCustomer } from '#people/customer.ts';
import { STAFF_ROLES } from '#staff/role.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';

let world: DashboardWorld;
let path: string;
before(async () => {
  world = await openDashboardWorld();
  path = `${world.shop}/sell`;
  await world.observe('LITECOIN');
});
after(() => world.close());

const ONE = { 'amount-1': '12,50', currency: 'EUR', settlement: 'ORIGIN' };

/** The one that the answer leads to. */
async function madeBy(location: string | undefined): Promise<CheckoutRecord> {
  const [, id] = /\/checkouts\/([a-z0-9]{12})#pay-here$/.exec(location ?? '') ?? [];
  assert(id !== undefined, `no checkout: ${location}`);
  return world.read(id);
}

test('a cashier makes a checkout of one amount, and shows its link, a code, and its row', async () => {
  const cashier = await world.comeAs('CASHIER', 'cora');
  const form = await cashier.get(path);
  assert.match(form.markup, /aria-current="page">New checkout/);
  const made = await cashier.submit(path, ONE);
  const record = await madeBy(made.location);
  assert.equal(record.origin, 'DASHBOARD');
  assert.equal(record.type, 'HOSTED');
  assert.equal(record.apiKey, undefined);
  assert.equal(record.environment, 'test');
  const { charge } = readPayload(record.payload);
  assert.deepEqual(
    charge?.lineItems.map(({ description }) => description),
    ['Sale'],
  );
  const shown = await cashier.get((made.location ?? '').replace(/#.*/, ''));
  const [, url = ''] = /data-copy="([^"]+)"/.exec(shown.markup) ?? [];
  assert.match(url, /^http:\/\/localhost:\d+\/auto\/checkout\/[\w-]{32}$/);
  assert.match(shown.markup, /<svg class="qr"/);
  const customer = await world.pages.request(new URL(url).pathname);
  assert.equal(customer.status, 200);
  assert.match(await customer.text(), /12[.,]50/);
  const [act] = await listActs(world.app.db, { about: `checkout:${record.id}` }, 9);
  assert.equal(act?.verb, 'checkout-create');
  assert.match(act?.actor ?? '', /^person /);
  assert.match((await cashier.get(`${world.shop}/checkouts`)).markup, new RegExp(record.id));
});

test('several items have their texts, amounts and quantities; the total is that of the API', async () => {
  const owner = await world.comeAs('OWNER', 'oda');
  await owner.get(path);
  const made = await owner.submit(path, {
    ...ONE,
    'item-1': '<b>Tea</b> "green"',
    'amount-1': '3.10',
    'quantity-1': '2',
    'item-3': 'Time',
    'amount-3': '40',
    'quantity-3': '0,25',
    settlement: 'EUR:FIAT',
  });
  const record = await madeBy(made.location);
  const { charge } = readPayload(record.payload);
  assert.deepEqual(
    charge?.lineItems.map(({ description }) => description),
    ['<b>Tea</b> "green"', 'Time'],
  );
  assert.equal(record.settlementAsset, 'EUR:FIAT');
  const { markup } = await owner.get((made.location ?? '').replace(/#.*/, ''));
  assert.match(markup, /€16\.20/);
});

test('a mail address makes a customer once, and is named by each checkout after', async () => {
  const owner = await world.comeAs('OWNER', 'olga');
  const ids = [];
  for (const _ of [1, 2]) {
    await owner.get(path);
    const made = await owner.submit(path, { ...ONE, email: 'kim@customer.example' });
    ids.push((await madeBy(made.location)).customerId);
  }
  assert.equal(ids[0], ids[1]);
  const customer = await findCustomer(world.app, world.caller, ids[0] ?? '');
  assert.equal(customer?.email, 'kim@customer.example');
});

test('what cannot be taken is said, makes nothing, and stays in the form', async () => {
  const owner = await world.comeAs('OWNER', 'otto');
  await owner.get(path);
  const acts = async () => (await listActs(world.app.db, { verb: 'checkout-create' }, 99)).length;
  const before = await acts();
  for (const [wrong, says] of [
    [{ 'amount-1': 'much' }, /Write a text and an amount/],
    [{ 'amount-1': '1,000' }, /Write a text and an amount/],
    [{ 'amount-1': '0' }, /Write a text and an amount/],
    [{ 'amount-1': '-3' }, /Write a text and an amount/],
    [{ 'amount-1': '' }, /Write a text and an amount/],
    [{ 'amount-1': '1', 'item-2': 'free' }, /Write a text and an amount/],
    [{ email: 'kim' }, /Write an address such as/],
    [{ settlement: 'GOLD:BAR' }, /Your settings take no assets of this risk/],
  ] as const) {
    const refused = await owner.submit(path, { ...ONE, 'item-1': 'kept <words>', ...wrong });
    assert.ok(refused.status >= 400 && refused.status < 500, `${refused.status} ${says}`);
    assert.match(refused.markup, says);
    assert.match(refused.markup, /value="kept &lt;words&gt;"/);
  }
  assert.equal(await acts(), before);
});

test('an account that takes no risk is told so in place of a settlement that it takes not', async () => {
  const owner = await world.comeAs('OWNER', 'orla');
  const before = await readRiskTolerance(world.app.db, world.caller);
  await changeRiskTolerance(world.app, world.caller, 'LOW');
  await owner.get(path);
  const { markup, status } = await owner.submit(path, {
    ...ONE,
    settlement: 'USDT:0xdAC17F958D2ee523a2206206994597C13D831ec7',
  });
  await changeRiskTolerance(world.app, world.caller, before);
  assert.equal(status, 400);
  assert.match(markup, /Your settings take no assets of this risk/);
});

test('only roles that may sell make a checkout or see where it is paid', async () => {
  const seller = await world.comeAs('ADMIN', 'adam');
  await seller.get(path);
  const made = await seller.submit(path, ONE);
  const { id } = await madeBy(made.location);
  for (const role of STAFF_ROLES) {
    const browser = await world.comeAs(role, `sells-${role.toLowerCase()}`);
    const maySell = ['OWNER', 'ADMIN', 'CASHIER'].includes(role);
    assert.equal((await browser.get(path)).status, maySell ? 200 : 403, role);
    const { markup } = await browser.get(`${world.shop}/checkouts/${id}`);
    assert.equal(markup.includes('id="pay-here"'), maySell, role);
    assert.equal(markup.includes('/auto/checkout/'), maySell, role);
  }
});

test('whoever may not sell is refused though he sends the form by hand; another shop is missing', async () => {
  const viewer = await world.comeAs('VIEWER', 'vera');
  const { markup } = await viewer.get(`${world.shop}/checkouts`);
  const [, form = ''] = /name="form" value="([^"]+)"/.exec(markup) ?? [];
  assert.equal((await viewer.post(path, { ...ONE, form })).status, 403);
  const other = await createMerchant(world.app, { name: 'Another' });
  const owner = await world.comeAs('OWNER', 'olaf');
  assert.equal((await owner.get(`/dashboard/shop/${other.id}/test/sell`)).status, 404);
});

test('without real networks live money cannot be asked for, and that is said', async () => {
  const owner = await world.comeAs('OWNER', 'ole');
  const live = path.replace('/test/', '/live/');
  await owner.get(live);
  const { status, markup } = await owner.submit(live, ONE);
  assert.ok(status === 409 || status === 503, `${status}`);
  assert.match(markup, /Nothing can be received for this amount/);
});

test('what is paid shows no link any more', async () => {
  const owner = await world.comeAs('OWNER', 'odin');
  await owner.get(path);
  const made = await owner.submit(path, ONE);
  const { id } = await madeBy(made.location);
  await payCheckout(world, id);
  const { markup } = await owner.get(`${world.shop}/checkouts/${id}`);
  assert.match(markup, /data-checkout-state="COMPLETED"/);
  assert.doesNotMatch(markup, /id="pay-here"/);
});

const ASKED = {
  'ask-0-kind': 'TEXT',
  'ask-0-label': 'Table <b>',
  'ask-0-labels': 'de: Tisch',
  'ask-0-required': 'yes',
  'ask-1-kind': 'CHOICE',
  'ask-1-label': 'Size',
  'ask-1-choices': 'Small | de: Klein\nLarge',
  tipPercents: '10',
} as const;
const keysOf = (record: CheckoutRecord) => record.asking?.asks.map(({ key }) => key);

/** As the page of its payer answers. */
const answer = (record: CheckoutRecord, size: string) =>
  answerCheckout(world.app, {
    ...{ checkoutId: record.id, owner: 'page', isTermsAccepted: false },
    ...{ answers: new Map(Object.entries({ table: '7 <i>', size })), tip: parseDecimal('1.25') },
  });

test('an owner says what payers are asked: faults stand beside their fields, and the page beside the form', async () => {
  const room = `${world.shop}/settings/asking`;
  const owner = await world.comeAs('OWNER', 'quirin');
  const empty = await owner.get(room);
  assert.match(empty.markup, /aria-current="page">Asked of payers/);
  const more = await owner.submit(room, { ...ASKED, act: 'more-fields' });
  assert.equal(more.status, 200);
  assert.match(more.markup, /name="ask-2-label"[^>]*value=""/);
  assert.match(more.markup, /name="ask-0-label"[^>]*value="Table &lt;b&gt;"/);
  assert.equal((await getSeller(world.app.db, world.caller.merchantId)).page.asking, null);

  const wrong = await owner.submit(room, { ...ASKED, 'ask-1-choices': '', tipPercents: '101' });
  assert.equal(wrong.status, 400);
  assert.match(wrong.markup, /role="alert" id="fault">Nothing was saved/);
  const described = 'aria-invalid="true" aria-describedby="ask-1-choices-hint ask-1-choices-fault"';
  assert.ok(wrong.markup.includes(described), wrong.markup);
  assert.match(wrong.markup, /id="ask-1-choices-fault">Write each choice once/);
  assert.match(wrong.markup, /id="tipPercents-fault">Write up to 6 percentages/);
  assert.doesNotMatch(wrong.markup, /id="ask-0-label-fault"|<b>/);

  const saved = await owner.submit(room, ASKED);
  assert.equal(saved.location, `${room}?done=1`, saved.markup);
  const shown = await owner.get(room);
  assert.match(shown.markup, /name="ask-0-key"[^>]*value="table_b"/);
  assert.match(shown.markup, /\nSmall \| de: Klein\nLarge<\/textarea>/);
  const preview = await owner.get(`${room}/preview`);
  assert.match(preview.markup, /Table &lt;b&gt;/);
  const typed = new URLSearchParams({ ...ASKED, 'ask-0-label': 'Typed', shown: 'de' });
  const german = await owner.get(`${room}/preview?${typed}`);
  assert.match(german.markup, />Tisch<[\s\S]*<option value="Small">Klein</);
  assert.doesNotMatch(german.markup, /Typed/);
  const half = new URLSearchParams({ ...ASKED, 'ask-0-label': 'Half', tipPercents: 'x' });
  assert.match((await owner.get(`${room}/preview?${half}`)).markup, /Table &lt;b&gt;/);
  const { merchantId } = world.caller;
  const [act] = await listActs(world.app.db, { about: `merchant:${merchantId}` }, 1);
  assert.equal(act?.verb, 'merchant-page-set');
  assert.match(JSON.stringify(act?.details), /table_b/);

  // The counter has asked for a tip already: whoever pays there is asked nothing.
  await owner.get(`${world.shop}/pos`);
  const sale = await owner.submit(`${world.shop}/pos`, { amount: '5', currency: 'EUR' });
  const [, saleId = ''] = /\/pos\/sales\/([a-z0-9]{12})/.exec(sale.location ?? '') ?? [];
  assert.equal((await world.read(saleId)).asking, undefined);
  await owner.get(path);
  const made = await madeBy((await owner.submit(path, ONE)).location);
  assert.deepEqual(keysOf(made), ['table_b', 'size']);

  await owner.get(room);
  await owner.submit(room, { 'ask-0-kind': 'TEXT' });
  assert.equal((await getSeller(world.app.db, merchantId)).page.asking, null);
  assert.match((await owner.get(`${room}/preview`)).markup, /data-state="choose"/);
});

test('a checkout made here asks what its form says, and shows what was answered', async () => {
  const cashier = await world.comeAs('CASHIER', 'quinn');
  await cashier.get(path);
  const own = { ...ONE, ...ASKED, 'ask-0-key': 'table', asking: 'own' };
  const more = await cashier.submit(path, { ...own, act: 'more-fields' });
  assert.match(more.markup, /<details id="asking-fold" open>[\s\S]*name="ask-2-label"/);
  const wrong = await cashier.submit(path, { ...own, tipPercents: '0' });
  assert.equal(wrong.status, 400);
  assert.match(wrong.markup, /id="tipPercents-fault"/);
  assert.match(wrong.markup, /name="amount-1"[^>]*value="12,50"/);
  await cashier.get(path);
  // What stands in the form while the settings are wanted is not asked.
  const usual = await madeBy((await cashier.submit(path, { ...own, asking: 'account' })).location);
  assert.equal(usual.asking, undefined);

  await cashier.get(path);
  const made = await madeBy((await cashier.submit(path, own)).location);
  assert.deepEqual(keysOf(made), ['table', 'size']);
  const room = `${world.shop}/checkouts/${made.id}`;
  assert.match((await cashier.get(room)).markup, /id="asked"[\s\S]*Not answered yet/);
  assert.equal((await answer(made, 'Small')).faults.length, 0);
  const { markup } = await cashier.get(room);
  assert.match(markup, /<dt>[^/]*Table &lt;b&gt;[\s\S]*?<dd>[^/]*7 &lt;i&gt;/);
  assert.match(markup, /<dt>Tip<\/dt><dd>€1\.25<\/dd>/);
  assert.doesNotMatch(markup, /erase-answers/);
  assert.doesNotMatch(markup, /Not answered yet/);

  const owner = await world.comeAs('OWNER', 'quentin');
  await owner.get(room);
  const erased = await owner.submit(`${room}/answers`, {});
  assert.equal(erased.location, `${room}#asked`, erased.markup);
  const left = (await owner.get(room)).markup;
  assert.doesNotMatch(left, /7 &lt;i&gt;|erase-answers/);
  assert.match(left, /<dt>Tip<\/dt><dd>€1\.25<\/dd>/);
  const [act] = await listActs(world.app.db, { about: `checkout:${made.id}` }, 1);
  assert.match(act?.verb ?? '', /^checkout-/);
});
