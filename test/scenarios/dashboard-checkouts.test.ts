// A checkout is found by whatever somebody has of it, taken along as a table, and shown with what
// was told of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { listEvents } from '#event/event.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { createCustomer, parseNewCustomer } from '#people/customer.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';
import { SIMPLE_CHARGE } from '#test/support/test-app.ts';

let world: DashboardWorld;
let shop: string;
before(async () => {
  world = await openDashboardWorld();
  shop = world.shop;
  await world.observe('LITECOIN');
});
after(() => world.close());

const charged = (netAmount: string, customerId?: string) => ({
  charge: { ...SIMPLE_CHARGE, customerId, lineItems: [{ description: 'A book', netAmount }] },
});

test('by its amount, address, transaction, customer and own data, and none of another shop', async () => {
  const { app, caller } = world;
  const { id: customerId } = await createCustomer(
    app,
    caller,
    parseNewCustomer({ customer: { email: 'zoe@buyer.example', lastname: 'Zimmer' } }),
  );
  const id = await world.create({ ...charged('77.31', customerId), meta: { order: 'A=7' } });
  await world.create(charged('5'));
  const way = { checkoutId: id, owner: caller, network: 'LITECOIN', asset: undefined };
  const { instruction } = await commitCheckout(app, way);
  await payCheckout(world, id);
  const [receipt] = (await world.read(id)).receipts;
  const wanted = [
    ...[id, '77.31', 'zoe@buyer', 'zimmer', 'order=A=7', instruction.destination],
    ...[instruction.destination.toUpperCase(), receipt?.transaction ?? ''],
  ];
  const viewer = await world.comeAs('VIEWER', 'vera');
  const ask = (room: string, find: string, more = '') =>
    viewer.get(`${room}/checkouts?find=${encodeURIComponent(find)}${more}`);
  for (const find of wanted) {
    assert.equal((await ask(shop, find)).location, `${shop}/checkouts/${id}`, find);
    const { markup } = await ask(shop, find, '&state=CANCELLED');
    assert.match(markup, /Nothing was found/, `${find}, of another state`);
    const { markup: before } = await ask(shop, find, '&to=2020-01-01');
    assert.match(before, /Nothing was found/, `${find}, of another time`);
    const live = await ask(shop.replace(/test$/, 'live'), find);
    assert.match(live.markup, /Nothing was found/, `${find}, with real money`);
  }
  for (const find of ['order=A', '77.3', '"><script>', '%', 'a\u0000b', '='.repeat(300)]) {
    const { status, markup } = await ask(shop, find);
    assert.equal(status, 200);
    assert.match(markup, /Nothing was found/, find);
    assert.doesNotMatch(markup, /"><script>/);
  }

  const other = await createMerchant(app, { name: 'Other shop' });
  const stranger = await world.comeAs('OWNER', 'stan', other.id);
  for (const find of wanted) {
    const path = `/dashboard/shop/${other.id}/test/checkouts?find=${encodeURIComponent(find)}`;
    const { status, markup } = await stranger.get(path);
    assert.equal(status, 200);
    assert.match(markup, /Nothing was found/, `${find}, of another shop`);
  }
});

test('several of one amount are a list, and those of some days a table', async () => {
  const ids = [await world.create(charged('31.41')), await world.create(charged('31.41'))];
  const accountant = await world.comeAs('ACCOUNTANT', 'arne');
  const { markup } = await accountant.get(`${shop}/checkouts?find=31.41`);
  assert.ok(ids.every((id) => markup.includes(`/checkouts/${id}"`)));
  assert.doesNotMatch(markup, /id="csv"/, 'a search is no view of a time');
  const view = 'state=NEW&from=2026-01-01&to=2099-12-31';
  const list = await accountant.get(`${shop}/checkouts?${view}`);
  const [, path = ''] = /id="csv" href="([^"]+)"/.exec(list.markup) ?? [];
  const file = await accountant.get(path.replaceAll('&amp;', '&'));
  assert.equal(file.headers.get('content-disposition'), 'attachment; filename="checkouts.csv"');
  const [head, ...lines] = file.markup.trimEnd().split('\r\n');
  assert.equal(head, 'timestamp,checkoutId,state,total,billingCurrency,completed,customerId,meta');
  const rows = lines.map((line) => line.split(','));
  assert.ok(ids.every((id) => rows.some((row) => row[1] === id && row[3] === '31.41')));
  assert.ok(rows.every((row) => row[2] === 'NEW'));
});

test('what was told of it stands there, and whoever sees webhooks sends it again', async () => {
  const id = await world.create({ webhook: 'https://shop.example/hook' });
  await payCheckout(world, id);
  const { merchantId, environment } = world.caller;
  const owner = { merchantId, environment };
  const { events } = await listEvents(world.app, { ...owner, subjectId: id, limit: 9 });
  const [event] = events;
  assert.ok(event);
  const admin = await world.comeAs('ADMIN', 'adda');
  const { markup } = await admin.get(`${shop}/checkouts/${id}`);
  assert.match(markup, /id="events"[\s\S]*CHECKOUT_COMPLETED/);
  const path = `${shop}/events/${event.id}`;
  const sent = await admin.submit(`${path}/again`, { event: event.id });
  assert.ok(sent.status === 303 || sent.status === 409, `${sent.status}`);
  const cashier = await world.comeAs('CASHIER', 'cleo');
  assert.doesNotMatch((await cashier.get(`${shop}/checkouts/${id}`)).markup, /id="events"/);
});
