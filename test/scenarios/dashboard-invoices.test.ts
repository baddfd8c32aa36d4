// The room of invoices, as browsers without JavaScript use it: a draft by form, its number, its
// cancellation, who sends them, and what the trail says of each.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { findBill } from '#billing/bill.ts';
import { draftBill } from '#billing/draft-bill.ts';
import { decimalToText } from '#money/decimal.ts';
import { billRequest, issueNew, SENDER } from '#test/support/bill-fixture.ts';
import type { DashboardBrowser } from '#test/support/dashboard-browser.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';

let world: DashboardWorld;
let owner: DashboardBrowser;
let room: string;
before(async () => {
  world = await openDashboardWorld();
  room = `${world.shop}/invoices`;
  owner = await world.comeAs('OWNER', 'olga');
});
after(() => world.close());

const FORM = {
  name: 'Ann Client <b>',
  country: 'fr',
  city: 'Paris',
  email: 'ann@customers.test',
  item1: 'A good book',
  price1: '19,90',
  quantity1: '2',
  item3: 'A pen',
  price3: '3',
  quantity3: '',
  discountAmount: '5.00',
  shippingAmount: '4.90',
  taxable: 'yes',
  currency: 'EUR',
  category: 'S',
  percent: '19',
  dueDays: '10',
  prefix: 'R-',
  language: 'de',
  note: 'Thanks\r\nfor all',
};

async function fill(more: Readonly<Record<string, string>> = {}) {
  const { markup } = await owner.get(`${room}/new`);
  assert.match(markup, /name="item3"/);
  return owner.submit(room, { ...FORM, ...more });
}

const idIn = (location: string | undefined) =>
  /\/invoices\/([a-z0-9]{12})$/.exec(location ?? '')?.[1] ?? '';

test('what is refused is shown again as it was typed, with the reason', async () => {
  const refused = await fill({ country: 'Frankreich' });
  assert.equal(refused.status, 400);
  assert.match(refused.markup, /role="alert"[^>]*>Write the country as two letters/);
  assert.match(refused.markup, /value="Ann Client &lt;b&gt;"/);
  assert.match(refused.markup, /value="19,90"/);
  assert.match((await fill({ percent: '', category: 'S' })).markup, /percentage above zero/);
  assert.match((await fill({ price1: 'much' })).markup, /needs a description and a price/);
  assert.match((await fill({ category: 'E', percent: '' })).markup, /why no tax is charged/);
});

test('more lines can be asked for, and nothing typed is lost', async () => {
  const more = await fill({ act: 'more' });
  assert.equal(more.status, 200);
  assert.match(more.markup, /name="item8"/);
  assert.match(more.markup, /value="A pen"/);
});

test('a draft gets its number only when it is known who sends it', async () => {
  const { location } = await fill();
  const id = idIn(location);
  const bill = await findBill(world.app.db, world.caller, id);
  // (39.80 + 3.00 - 5.00 + 4.90) × 1.19
  assert.equal(bill && decimalToText(bill.total), '50.81');
  assert.equal(bill?.note, 'Thanks\nfor all');
  const path = `${room}/${id}`;
  assert.match((await owner.get(path)).markup, /Draft/);
  const early = await owner.submit(`${path}/issue`, {});
  assert.match(early.markup, /role="alert"[^>]*>Say first who sends/);
  await owner.get(`${room}/sender`);
  const half = await owner.submit(`${room}/sender`, { ...SENDER, vatId: '' });
  assert.equal(half.status, 400);
  assert.match(half.markup, /your VAT ID or your tax number/);
  const told = await owner.submit(`${room}/sender`, SENDER);
  assert.equal(told.location, `${room}/sender?done=1`);
  assert.match((await owner.get(`${room}/sender`)).markup, /Bücher &amp; Söhne GmbH/);
  await owner.get(path);
  assert.equal((await owner.submit(`${path}/issue`, {})).location, path);
  const { markup } = await owner.get(path);
  for (const said of [/R-0001/, /Issued/, /Ann Client &lt;b&gt;/, /€50.81/, /\/de\/invoice\//]) {
    assert.match(markup, said);
  }
  assert.match((await owner.get(room)).markup, /R-0001/);
  const [, page = ''] = /id="page" href="http:\/\/localhost:8080([^"]+)"/.exec(markup) ?? [];
  const shown = await world.open().get(page);
  assert.match(shown.markup, /Rabatt/);
  assert.match(shown.markup, /50,81/);
});

test('an issued one is cancelled by a document of its own; a draft is discarded', async () => {
  const { id, name } = await issueNew(world);
  const path = `${room}/${id}`;
  await owner.get(path);
  const { location = '' } = await owner.submit(`${path}/cancel`, {});
  const { markup } = await owner.get(location);
  assert.match(markup, /Cancellation/);
  assert.match((await owner.get(path)).markup, /Cancelled by/);
  assert.doesNotMatch((await owner.get(path)).markup, /id="cancel"/);
  const draft = await draftBill(world.app, world.caller, billRequest());
  await owner.get(`${room}/${draft.id}`);
  assert.equal((await owner.submit(`${room}/${draft.id}/discard`, {})).location, room);
  assert.equal((await owner.get(`${room}/${draft.id}`)).status, 404);
  const late = await owner.post(`${path}/discard`, {});
  assert.equal(late.status, 403, 'without the token of the form');
  assert.ok(name !== undefined);
});

test('each act is in the trail with who did it; what a role may not is no button', async () => {
  const { merchantId } = world.caller;
  const acts = await listActs(world.app.db, { merchantId }, 50);
  const mine = acts.filter(({ verb }) => verb.startsWith('bill-'));
  assert.deepEqual(
    [...new Set(mine.filter(({ actor }) => actor !== 'tester').map(({ verb }) => verb))].sort(),
    ['bill-cancel', 'bill-discard', 'bill-draft', 'bill-issue', 'bill-sender'],
  );
  const { id } = await issueNew(world);
  const cashier = await world.comeAs('CASHIER', 'carl');
  const { markup } = await cashier.get(`${room}/${id}`);
  assert.doesNotMatch(markup, /id="cancel"/);
  assert.match((await cashier.get(room)).markup, /id="create"/);
  const viewer = await world.comeAs('VIEWER', 'vera');
  assert.doesNotMatch((await viewer.get(room)).markup, /id="create"|id="sender"/);
});

test('test and live are apart: what one has, the other has not', async () => {
  const { id } = await issueNew(world);
  const live = room.replace(/test\/invoices$/, 'live/invoices');
  assert.equal((await owner.get(`${live}/${id}`)).status, 404);
  assert.match((await owner.get(live)).markup, /There is nothing here yet/);
});
