// Two records of one customer become one: by who may, after both were looked at, and for good.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { listCheckouts } from '#checkout/list-checkouts.ts';
import { sql } from '#db/db.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import {
  changeCustomer,
  createCustomer,
  eraseCustomer,
  findCustomer,
  listCustomers,
  parseNewCustomer,
  searchCustomers,
} from '#people/customer.ts';
import { MERGED_MOST, mergeCustomers, mergeSeen } from '#people/merge-customers.ts';
import type { DashboardBrowser } from '#test/support/dashboard-browser.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';
import { SIMPLE_CHARGE } from '#test/support/test-app.ts';

let world: DashboardWorld;
let customers: string;
before(async () => {
  world = await openDashboardWorld();
  customers = `${world.shop}/customers`;
  await world.observe('LITECOIN');
});
after(() => world.close());

type Fields = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

async function add(fields: Fields): Promise<string> {
  const { id } = await createCustomer(
    world.app,
    world.caller,
    parseNewCustomer({ customer: fields }),
  );
  await world.clock.advance(1_000);
  return id;
}

const buy = (customerId: string) => world.create({ charge: { ...SIMPLE_CHARGE, customerId } });
const ofCustomer = (customerId: string) => ({
  ...{ customerId, state: undefined, from: undefined, to: undefined, meta: new Map() },
});

async function boughtBy(customerId: string): Promise<readonly string[]> {
  const page = { cursor: undefined, limit: 50 };
  const { app, caller } = world;
  const { checkouts } = await listCheckouts(app, caller, ofCustomer(customerId), page);
  return checkouts.map(({ id }) => id);
}

async function merge(into: string, from: string): Promise<void> {
  const { app, caller } = world;
  const [one, other] = [
    await findCustomer(app, caller, into),
    await findCustomer(app, caller, from),
  ];
  assert.ok(one && other);
  await mergeCustomers(app, caller, { into, from, seen: mergeSeen(one, other) });
}

/** The fields of the form that is shown beside both. */
async function openPair(browser: DashboardBrowser, into: string, from: string) {
  const { markup } = await browser.get(`${customers}/${into}/merge?with=${from}`);
  const read = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(markup)?.[1];
  const hidden = { form: read('form') ?? '', once: read('once') ?? '', seen: read('seen') ?? '' };
  return { markup, hidden: { ...hidden, with: from } };
}

test('both are shown side by side, and one of them is left, with everything that was bought', async () => {
  const { app, caller } = world;
  const into = await add({ email: 'ann@first.example', firstname: 'Ann', city: 'Bonn' });
  const from = await add({
    ...{ email: 'ann@second.example', firstname: 'Anne <i>', company: 'Fox & sons' },
    ...{ phonenumber: '+49 1', meta: { tier: 'gold' } },
  });
  const [old, recent] = [await buy(from), await buy(into)];
  await payCheckout(world, old);
  const booked = () =>
    app.db.query(sql`select id, cause_key from ledger_entry where subject_id = ${old}`);
  const told = () => app.db.query(sql`select id, body from event where subject_id = ${old}`);
  const before = [await booked(), await told(), await world.read(old)] as const;
  const admin = await world.comeAs('ADMIN', 'adele');
  const card = await admin.get(`${customers}/${into}`);
  assert.match(card.markup, /id="merge-card"/);
  const found = await admin.get(`${customers}/${into}/merge?find=ann`);
  assert.match(found.markup, new RegExp(`/customers/${into}/merge\\?with=${from}"`));
  assert.doesNotMatch(found.markup, new RegExp(`with=${into}"`), 'not itself');
  const { markup, hidden } = await openPair(admin, into, from);
  assert.match(markup, /This cannot be undone/);
  assert.match(markup, /<strong><bdi>Ann<\/bdi>[\s\S]*<s><bdi>Anne &lt;i&gt;<\/bdi><\/s>/);
  assert.match(markup, /<td>–<\/td><td><strong><bdi>Fox &amp; sons/);
  const path = `${customers}/${into}/merge`;
  const unsure = await admin.post(path, hidden);
  assert.equal(unsure.status, 400);
  assert.match(unsure.markup, /Tick the box/);
  const sure = { ...(await openPair(admin, into, from)).hidden, sure: 'yes' };
  const both = await Promise.all([admin.post(path, sure), admin.post(path, sure)]);
  for (const { location } of both) assert.equal(location, `${customers}/${into}?merged=1`);
  const page = (await admin.get(`${customers}/${into}?merged=1`)).markup;
  assert.match(page, /The two records are one now/);
  assert.match(page, new RegExp(`Other references</dt><dd><code>${from}`));
  // Of one moment: which comes first is in their ids.
  const bought = [old, recent].toSorted();
  assert.deepEqual((await boughtBy(into)).toSorted(), bought);
  assert.deepEqual((await boughtBy(from)).toSorted(), bought);
  const customer = await findCustomer(app, caller, into);
  assert.deepEqual(
    [customer?.email, customer?.firstname, customer?.company, customer?.city, customer?.meta],
    ['ann@first.example', 'Ann', 'Fox & sons', 'Bonn', '{"tier":"gold"}'],
  );
  const [row] = await app.db.query<{ row: string }>(
    sql`select customer::text as row from customer where id = ${from}`,
  );
  assert.doesNotMatch(row?.row ?? '', /second|anne|fox|gold|\+49/i, 'nothing personal is left');
  assert.deepEqual([await booked(), await told(), await world.read(old)], before);
  assert.deepEqual((await verifyLedger(app.db)).faults, []);
  const acts = await listActs(app.db, { about: `customer:${into}` }, 5);
  assert.deepEqual(
    acts.map(({ verb, details }) => [verb, details]),
    [['customer-merge', `{"from":"${from}"}`]],
  );
  const checkout = (await admin.get(`${world.shop}/checkouts/${old}`)).markup;
  assert.match(checkout, new RegExp(`href="${customers}/${into}"><bdi>ann@first`));
  assert.equal((await admin.get(`${customers}/${from}`)).location, `${customers}/${into}`);
});

test('an old id names the one that stayed: read, changed, found, bought for, erased', async () => {
  const { app, caller } = world;
  const [first, second, third] = [
    await add({ email: 'bea@first.example' }),
    await add({ email: 'bea@second.example' }),
    await add({ email: 'bea@third.example', city: 'Ulm' }),
  ];
  await merge(second, first);
  await merge(third, second);
  for (const id of [first, second, third]) {
    assert.equal((await findCustomer(app, caller, id))?.id, third);
    const found = await searchCustomers(app, caller, { begins: id, most: 5 });
    assert.deepEqual(
      found.map((one) => one.id),
      [third],
    );
  }
  const { customers: all } = await listCustomers(app, caller, { limit: 50, cursor: undefined });
  assert.equal(all.filter(({ email }) => email.startsWith('bea@')).length, 1);
  const bought = await buy(first);
  assert.equal((await world.read(bought)).customerId, first, 'told as it was asked');
  assert.deepEqual(await boughtBy(third), [bought]);
  const changed = await changeCustomer(app, caller, first, { city: 'Köln' });
  assert.deepEqual([changed.id, changed.city], [third, 'Köln']);
  assert.equal(await eraseCustomer(app, caller, second), third);
  for (const id of [first, second, third]) {
    assert.equal(await findCustomer(app, caller, id), undefined);
  }
  assert.deepEqual(await boughtBy(third), [bought], 'checkouts keep the reference');
});

test('what changed since it was looked at is looked at again; nobody merges with himself or a stranger', async () => {
  const { app, caller } = world;
  const [into, from] = [
    await add({ email: 'carl@first.example' }),
    await add({ email: 'carl@second.example' }),
  ];
  const owner = await world.comeAs('OWNER', 'oscar');
  const { hidden } = await openPair(owner, into, from);
  await changeCustomer(app, caller, from, { phonenumber: '+49 30' });
  const late = await owner.post(`${customers}/${into}/merge`, { ...hidden, sure: 'yes' });
  assert.equal(late.status, 409);
  assert.match(late.markup, /has changed since you looked[\s\S]*\+49 30/);
  const other = await createMerchant(app, { name: 'Other shop' });
  const { id: theirs } = await createCustomer(
    app,
    { merchantId: other.id, environment: 'test' },
    parseNewCustomer({ customer: { email: 'carl@third.example' } }),
  );
  for (const withId of [into, theirs, 'nobody123456', '', "'"]) {
    const path = `${customers}/${into}/merge`;
    const { status, markup } = await owner.get(`${path}?with=${encodeURIComponent(withId)}`);
    assert.equal(status, 200);
    assert.doesNotMatch(markup, /id="pair"|carl@third/);
    const fresh = (await openPair(owner, into, from)).hidden;
    const sent = await owner.post(path, { ...fresh, with: withId, sure: 'yes' });
    assert.ok(sent.status >= 400 && sent.status < 500, `${withId}: ${sent.status}`);
  }
  assert.equal((await owner.get(`${customers}/${theirs}/merge`)).status, 404);
  assert.equal((await findCustomer(app, caller, from))?.id, from);
});

test('a customer has a bounded number of other ids', async () => {
  const into = await add({ email: 'dora@first.example' });
  for (let number = 0; number < MERGED_MOST; number += 1) {
    await merge(into, await add({ email: `dora@${number}.example` }));
  }
  const more = await add({ email: 'dora@more.example' });
  await assert.rejects(merge(into, more), { code: 'customer_merged_often' });
  await assert.rejects(merge(more, into), { code: 'customer_merged_often' });
});
