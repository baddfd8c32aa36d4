// A checkout is found by whatever somebody has of it, taken along as a table, and shown with what
// was told of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { LOOKED_MOST } from '#checkout/list-checkouts.ts';
import { listEvents } from '#event/event.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { createCustomer, parseNewCustomer } from '#people/customer.ts';
import { createRefund } from '#refund/create-refund.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { addNewer } from '#test/support/newer-checkouts.ts';
import { PAYER_ADDRESS, payCheckout } from '#test/support/outgoing-money.ts';
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
  assert.equal(
    head,
    'timestamp,checkoutId,state,total,billingCurrency,completed,customerId,meta,tip,termsAccepted,answers',
  );
  const rows = lines.map((line) => line.split(','));
  assert.ok(ids.every((id) => rows.some((row) => row[1] === id && row[3] === '31.41')));
  assert.ok(rows.every((row) => row[2] === 'NEW'));
});

/** What a page says happened, in its order: the kind and the words of each. */
function timelineOf(markup: string): { readonly kind: string; readonly text: string }[] {
  const [, list = ''] = /<ol class="timeline">([\s\S]*?)<\/ol>/.exec(markup) ?? [];
  return list
    .split('<li data-kind="')
    .slice(1)
    .map((item) => ({
      kind: item.slice(0, item.indexOf('"')),
      text: item
        .replace(/^[^>]*>/, '')
        .replaceAll(/<[^>]*>|\s+/g, ' ')
        .replaceAll(/ +/g, ' '),
    }));
}

test('one checkout is a story in order of time: who, what, at which price, and who was told', async () => {
  const id = await world.create({ webhook: 'https://shop.example/hook' });
  await world.clock.advance(60_000);
  await payCheckout(world, id);
  await world.clock.advance(60_000);
  const asked = { kind: 'full', address: PAYER_ADDRESS, amount: undefined } as const;
  await createRefund(world.app, world.caller, {
    ...{ ...asked, checkoutId: id, network: undefined, asset: undefined },
  });
  const admin = await world.comeAs('ADMIN', 'astrid');
  const { markup } = await admin.get(`${shop}/checkouts/${id}`);
  const story = timelineOf(markup);
  const times = [...markup.matchAll(/<li data-kind[\s\S]*?datetime="([^"]+)"/g)].map(
    ([, at]) => at,
  );
  assert.deepEqual(times, times.toSorted(), 'the first comes first');
  const [{ receipts, credits }] = [await world.read(id)];
  const says = (kind: string, ...wanted: (string | RegExp)[]) => {
    const found = story.find(
      (one) => one.kind === kind && wanted.every((part) => one.text.match(part)),
    );
    assert.ok(found, `${kind}: ${wanted.join(', ')}\n${JSON.stringify(story, null, 1)}`);
  };
  says('made', 'Created: €19.90', /by your shop \(API\)/);
  says('made', 'A way to pay was chosen: Litecoin', /To be paid 0\.\d+ LTC/, 'Until');
  says('payment', /Payment seen: 0\.22\d+ LTC/, receipts[0]?.transaction ?? '');
  says('final', 'Payment is final', /3 of 3 confirmations/);
  says('credit', 'Credited to your balance', /Rate 1 LTC = €8\d\.\d/, 'Worth €19.90', 'Fee');
  says('credit', /Price taken .*kept for the customer/, 'fixed table of the test networks');
  says('state', 'State: Paid');
  says('person', 'Refund ordered', PAYER_ADDRESS.slice(0, 4), `key ${world.caller.apiKey}`);
  says('told', 'CHECKOUT_COMPLETED', 'https://shop.example/hook', /on its way|delivered/);
  assert.equal(credits.length, 1);
  const viewer = await world.comeAs('VIEWER', 'viola');
  const seen = timelineOf((await viewer.get(`${shop}/checkouts/${id}`)).markup);
  assert.ok(seen.some(({ text }) => text.includes('Refund ordered')));
  const others = seen.filter(({ kind, text }) => kind === 'told' || text.includes('key '));
  assert.deepEqual(others, [], 'who did it, and webhooks, are not for everybody');
});

test('what a person did with a checkout stands in it with his name', async () => {
  const id = await world.create();
  const admin = await world.comeAs('ADMIN', 'alma');
  await admin.get(`${shop}/checkouts/${id}`);
  await admin.submit(`${shop}/checkouts/${id}/cancel`, {});
  const story = timelineOf((await admin.get(`${shop}/checkouts/${id}`)).markup);
  const act = story.find(({ kind }) => kind === 'person');
  assert.match(act?.text ?? '', /Cancelled alma/);
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
  assert.match(markup, /id="timeline"[\s\S]*CHECKOUT_COMPLETED/);
  const path = `${shop}/events/${event.id}`;
  const sent = await admin.submit(`${path}/again`, { event: event.id });
  assert.ok(sent.status === 303 || sent.status === 409, `${sent.status}`);
  const cashier = await world.comeAs('CASHIER', 'cleo');
  assert.doesNotMatch((await cashier.get(`${shop}/checkouts/${id}`)).markup, /CHECKOUT_COMPLETED/);
});

test('own data of an old one in a large shop: how far was looked is said, and the rest is offered', async () => {
  const id = await world.create({ ...charged('12'), meta: { order: 'old' } });
  await addNewer(world.app.db, id, LOOKED_MOST);
  const viewer = await world.comeAs('VIEWER', 'vito');
  const { markup } = await viewer.get(`${shop}/checkouts?find=order%3Dold`);
  assert.match(markup, /id="looked">10000 were looked through/);
  assert.doesNotMatch(markup, /Nothing was found|nothing here/);
  const [, older = ''] = /id="older" href="([^"]+)"/.exec(markup) ?? [];
  const last = await viewer.get(older.replaceAll('&amp;', '&'));
  assert.equal(last.location, `${shop}/checkouts/${id}`);
});
