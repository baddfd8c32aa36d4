// The counter of a shop without JavaScript: amounts, saved items, tips, a sale that turns to paid,
// and a browser that shows nothing else.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { readPayload } from '#charge/checkout-request.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { decimalToText } from '#money/decimal.ts';
import {
  type DashboardWorld,
  openDashboardWorld,
  PASSWORD,
} from '#test/support/dashboard-world.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';

let world: DashboardWorld;
let path: string;
before(async () => {
  world = await openDashboardWorld();
  path = `${world.shop}/pos`;
  await world.observe('LITECOIN');
});
after(() => world.close());

const ASKED = { amount: '12,50', currency: 'EUR', settlement: 'ORIGIN', tip: '0' };

async function saleAt(location: string | undefined): Promise<CheckoutRecord> {
  const [, id] = /\/pos\/sales\/([a-z0-9]{12})$/.exec(location ?? '') ?? [];
  assert(id !== undefined, `no sale: ${location}`);
  return world.read(id);
}

function linesOf({ payload }: CheckoutRecord): string[] {
  const items = readPayload(payload).charge?.lineItems ?? [];
  return items.map(({ description, quantity, netAmount }) =>
    [decimalToText(quantity), description, decimalToText(netAmount)].join(' '),
  );
}

test('a cashier asks for an amount, shows the code, and sees it turn to paid', async () => {
  const cashier = await world.comeAs('CASHIER', 'carl');
  const counter = await cashier.get(path);
  assert.match(counter.markup, /aria-current="page">Point of sale/);
  assert.match(counter.markup, /class="keypad"[^>]* hidden/, 'a keypad needs JavaScript');
  const { location } = await cashier.submit(path, ASKED);
  const record = await saleAt(location);
  assert.equal(record.origin, 'DASHBOARD');
  assert.deepEqual(linesOf(record), ['1 Sale 12.5']);
  const open = await cashier.get(location ?? '');
  assert.match(open.markup, /data-sale-state="NEW"/);
  assert.match(open.markup, /<svg class="qr"/);
  assert.doesNotMatch(open.markup, /class="rooms"/, 'the customer looks at it too');
  assert.match(open.markup, /<noscript><meta http-equiv="refresh" content="5">/);
  const [, watched = ''] = /data-watch="([^"]+)"/.exec(open.markup) ?? [];
  assert.equal((await world.pages.request(watched.replace(/\/events$/, ''))).status, 200);
  await payCheckout(world, record.id);
  const paid = await cashier.get(location ?? '');
  assert.match(paid.markup, /data-sale-state="COMPLETED"/);
  assert.match(paid.markup, /role="status"[^>]*>Paid</);
  assert.doesNotMatch(paid.markup, /class="qr"|data-watch|http-equiv="refresh"/);
  assert.match(paid.markup, /href="[^"]*\/pos\?currency=EUR&amp;settlement=ORIGIN#counter"/);
});

test('saved items are counted at the price that is saved, whatever the form says', async () => {
  const owner = await world.comeAs('OWNER', 'ines');
  await owner.get(path);
  for (const [name, price] of [
    ['Espresso <b>', '2,20'],
    ['Cake', '4'],
  ] as const) {
    await owner.submit(`${path}/items`, { name, price, currency: 'EUR' });
    await owner.get(path);
  }
  const { markup } = await owner.get(path);
  assert.match(markup, /Espresso &lt;b&gt;/);
  const ids = Array.from(markup.matchAll(/name="count-([a-z0-9]{12})"/g), ([, id]) => id);
  const [cake, espresso] = ids;
  const sold = { ...ASKED, amount: '', [`count-${espresso}`]: '3', [`count-${cake}`]: '1' };
  const { location } = await owner.submit(path, { ...sold, price: '0.01', tip: '10' });
  const record = await saleAt(location);
  assert.deepEqual(linesOf(record), ['1 Cake 4', '3 Espresso <b> 2.2', '1 Tip 1.06']);
  await owner.get(path);
  await owner.submit(`${path}/items`, { remove: cake ?? '', currency: 'EUR' });
  assert.doesNotMatch((await owner.get(path)).markup, /Cake/);
  assert.doesNotMatch((await owner.get(`${path}?currency=USD`)).markup, /Espresso/);
  const acts = await listActs(world.app.db, { about: `counter-item:${cake}` }, 9);
  assert.deepEqual(
    acts.map(({ verb }) => verb),
    ['counter-item-add', 'counter-item-remove'],
  );
});

test('a tip is a part of the sum, rounded down, or what was typed', async () => {
  const owner = await world.comeAs('OWNER', 'tina');
  const cases: readonly [Readonly<Record<string, string>>, readonly string[]][] = [
    [{ amount: '9.99', tip: '15' }, ['1 Sale 9.99', '1 Tip 1.49']],
    [{ amount: '9.99', tip: '15', 'tip-own': '2' }, ['1 Sale 9.99', '1 Tip 2']],
    [{ amount: '9.99', tip: '1000' }, ['1 Sale 9.99']],
  ];
  for (const [given, lines] of cases) {
    await owner.get(path);
    const { location } = await owner.submit(path, { ...ASKED, ...given });
    assert.deepEqual(linesOf(await saleAt(location)), lines);
  }
});

test('what cannot be sold is said, and stays in the form', async () => {
  const owner = await world.comeAs('OWNER', 'wim');
  await owner.get(path);
  const sales: readonly Readonly<Record<string, string>>[] = [
    ...[{ amount: '' }, { amount: '0' }, { amount: '1,000' }, { amount: '-1' }],
    { amount: '5', 'tip-own': 'x' },
  ];
  for (const wrong of sales) {
    const refused = await owner.submit(path, { ...ASKED, ...wrong });
    assert.equal(refused.status, 400, JSON.stringify(wrong));
    assert.match(refused.markup, /Write an amount above zero/);
    await owner.get(path);
  }
  for (const wrong of [
    { name: '', price: '1' },
    { name: 'x', price: '0' },
    { name: 'x'.repeat(101), price: '1' },
  ]) {
    const refused = await owner.submit(`${path}/items`, { ...wrong, currency: 'EUR' });
    assert.equal(refused.status, 400);
    assert.match(refused.markup, /Write a name of up to 100 characters/);
    await owner.get(path);
  }
});

test('a sale is cancelled at the counter; a sale of live money is missing among test ones', async () => {
  const cashier = await world.comeAs('CASHIER', 'cyd');
  await cashier.get(path);
  const { location = '' } = await cashier.submit(path, ASKED);
  const { id } = await saleAt(location);
  const sale = `${path}/sales/${id}`;
  assert.equal((await cashier.get(sale.replace('/test/', '/live/'))).status, 404);
  await cashier.get(sale);
  assert.equal((await cashier.submit(`${sale}/cancel`, {})).location, sale);
  assert.equal((await world.read(id)).state, 'CANCELLED');
  assert.match((await cashier.get(sale)).markup, /data-sale-state="CANCELLED"/);
});

test('a browser in kiosk mode shows the counter alone, until somebody proves who he is', async () => {
  const owner = await world.comeAs('OWNER', 'kim');
  await owner.get(path);
  await owner.submit(`${path}/kiosk`, {});
  const counter = await owner.get(path);
  assert.doesNotMatch(counter.markup, /class="rooms"|id="sign-out"|id="items"/);
  const rooms = [`${world.shop}/checkouts`, `${world.shop}/money`, `${world.shop}/people`];
  const own = ['/dashboard', '/dashboard/security', '/dashboard/mails'];
  for (const away of [...rooms, ...own, path.replace('/test/', '/live/')]) {
    assert.equal((await owner.get(away)).location, path, away);
  }
  await owner.get(path);
  const { location = '' } = await owner.submit(path, ASKED);
  assert.equal((await owner.get(location)).status, 200, 'it sells');
  await owner.get(path);
  const proof = await owner.submit(`${path}/kiosk`, {});
  assert.equal(proof.location, `/dashboard/proof?to=${encodeURIComponent(path)}`);
  assert.equal((await owner.get(`${world.shop}/money`)).location, path, 'asking is not leaving');
  await owner.get(proof.location);
  const proven = await owner.submit('/dashboard/proof', { password: PASSWORD, to: path });
  assert.equal(proven.location, path);
  await owner.get(path);
  assert.equal((await owner.submit(`${path}/kiosk`, {})).location, path);
  assert.equal((await owner.get(`${world.shop}/money`)).status, 200);
  const acts = await listActs(world.app.db, { about: 'person' }, 99);
  const kiosk = acts.map(({ verb }) => verb).filter((verb) => verb.startsWith('kiosk'));
  assert.deepEqual(kiosk, ['kiosk-start', 'kiosk-end']);
});
