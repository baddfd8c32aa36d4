// Customers in the dashboard: found, looked at with everything they bought, taken along as a file,
// and erased so that nothing personal stays and the books do.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import type { Owner } from '#catalog/owner.ts';
import { sql } from '#db/db.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { createCustomer, findCustomer, parseNewCustomer } from '#people/customer.ts';
import { createRefund } from '#refund/create-refund.ts';
import {
  type DashboardWorld,
  openDashboardWorld,
  PASSWORD,
} from '#test/support/dashboard-world.ts';
import { PAYER_ADDRESS, payCheckout } from '#test/support/outgoing-money.ts';
import { SIMPLE_CHARGE } from '#test/support/test-app.ts';

let world: DashboardWorld;
let customers: string;
before(async () => {
  world = await openDashboardWorld();
  customers = `${world.shop}/customers`;
  await world.observe('LITECOIN');
  // What refunds cost is paid from what others bought.
  await payCheckout(world, await world.create());
});
after(() => world.close());

let visitors = 0;
function comeAs(role: Parameters<DashboardWorld['comeAs']>[0]) {
  visitors += 1;
  return world.comeAs(role, `${role.toLowerCase()}${visitors}`);
}

async function add(fields: object, owner: Owner = world.caller): Promise<string> {
  // Numbers are kept as they were written.
  const parsed = parseExactJson(JSON.stringify({ customer: fields }));
  assert.ok(parsed.ok);
  const { id } = await createCustomer(world.app, owner, parseNewCustomer(parsed.value));
  await world.clock.advance(1_000);
  return id;
}

/** Ids in the order in which they are listed. */
function listed(markup: string): string[] {
  return [...markup.matchAll(/\/customers\/([a-z0-9]{12})"/g)].map(([, id]) => id ?? '');
}

test('customers are listed newest first, and found by how they are called', async () => {
  const viewer = await comeAs('VIEWER');
  assert.match((await viewer.get(customers)).markup, /There are no customers yet/);
  const ann = await add({ email: 'ann@first.example', firstname: 'Ann', lastname: 'O’Hara' });
  const bob = await add({ email: 'bob@second.example', company: 'Annex <b>Ltd</b>' });
  const carl = await add({ email: 'carl@third.example', lastname: 'Annan' });
  const list = (await viewer.get(customers)).markup;
  assert.deepEqual(listed(list), [carl, bob, ann]);
  assert.match(list, /Ann O’Hara/);
  assert.match(list, /Annex &lt;b&gt;Ltd/);
  assert.doesNotMatch(list, /customer-files/, 'who may not export sees no way to');
  const found = async (text: string) =>
    listed((await viewer.get(`${customers}?find=${encodeURIComponent(text)}`)).markup);
  assert.deepEqual(await found('ann'), [carl, bob, ann]);
  assert.deepEqual(await found('ANN@first'), [ann]);
  assert.deepEqual(await found('o’h'), [ann]);
  assert.deepEqual(await found('second'), [], 'only how it begins');
  assert.deepEqual(await found(bob), [bob]);
  for (const hostile of ['%', '_', "'", '\\', '\u0000', '"><script>', 'a'.repeat(5_000)]) {
    const { status, markup } = await viewer.get(`${customers}?find=${encodeURIComponent(hostile)}`);
    assert.equal(status, 200, hostile);
    assert.doesNotMatch(markup, /<script>/);
    if (hostile !== '\u0000') assert.match(markup, /Nobody is called like that/, hostile);
  }
  for (let number = 0; number < 25; number += 1) await add({ email: `n${number}@many.example` });
  const first = (await viewer.get(customers)).markup;
  assert.equal(listed(first).length, 25);
  const older = /id="older" href="([^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
  assert.deepEqual(listed((await viewer.get(older)).markup), [carl, bob, ann]);
});

/** Somebody who bought, paid and got it back. */
async function addBuyer(fields: object): Promise<{ id: string; checkoutId: string }> {
  const id = await add(fields);
  const checkoutId = await world.create({ charge: { ...SIMPLE_CHARGE, customerId: id } });
  await payCheckout(world, checkoutId);
  await createRefund(world.app, world.caller, {
    ...{ kind: 'full', address: PAYER_ADDRESS, amount: undefined },
    ...{ checkoutId, network: undefined, asset: undefined },
  });
  return { id, checkoutId };
}

test('one is shown with what he bought, paid and got back, and where it went', async () => {
  const { id, checkoutId } = await addBuyer({
    ...{ email: 'dora@fourth.example', firstname: '<i>Dora</i>', countrycode: 'de' },
    ...{ note: '\u202eevil', meta: { tier: 1.1 } },
  });
  const owner = await comeAs('OWNER');
  const { markup } = await owner.get(`${customers}/${id}`);
  assert.match(markup, /<h1 id="title">&lt;i&gt;Dora/);
  assert.match(markup, /<dt>Country<\/dt><dd><bdi>DE<\/bdi>/);
  assert.match(markup, /<bdi>evil<\/bdi>/);
  assert.match(markup, /\{&quot;tier&quot;:1\.1\}/);
  assert.match(markup, new RegExp(`/checkouts/${checkoutId}"[^>]*><strong>€19\\.90`));
  assert.match(markup, /Paid: 0\.22885[0-9]*\u00a0LTC, Litecoin/);
  assert.match(markup, /Given back: /);
  assert.match(markup, new RegExp(`id="addresses">[\\s\\S]*${PAYER_ADDRESS}`));
  const checkout = (await owner.get(`${world.shop}/checkouts/${checkoutId}`)).markup;
  assert.match(checkout, new RegExp(`href="${customers}/${id}"><bdi>dora@fourth`));
  const viewer = await comeAs('VIEWER');
  assert.doesNotMatch((await viewer.get(`${customers}/${id}`)).markup, /id="erase|customer-files/);
});

test('all of them are a file, and so is one with his history', async () => {
  const { id, checkoutId } = await addBuyer({ email: 'emil@fifth.example', lastname: '=1+1' });
  const accountant = await comeAs('ACCOUNTANT');
  const files = `${world.shop}/customer-files`;
  const csv = await accountant.get(`${files}?format=csv`);
  assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="customers.csv"');
  const [head, newest = ''] = csv.markup.split('\r\n');
  assert.match(head ?? '', /^id,email,firstname,.*,note,meta,timestamp$/);
  assert.ok(newest.startsWith(`${id},emil@fifth.example,,'=1+1,`), 'no formula of a spreadsheet');
  const all = JSON.parse((await accountant.get(`${files}?format=json`)).markup) as {
    readonly customers: readonly { readonly id: string; readonly lastname: string }[];
  };
  assert.equal(all.customers[0]?.lastname, '=1+1');
  const [count] = await world.app.db.query<{ count: number }>(
    sql`select count(*)::int as count from customer where deleted_at is null`,
  );
  assert.equal(all.customers.length, count?.count);
  const one = JSON.parse((await accountant.get(`${files}/${id}?format=json`)).markup) as {
    readonly customer: { readonly email: string };
    readonly history: readonly Readonly<Record<string, string | null>>[];
  };
  assert.equal(one.customer.email, 'emil@fifth.example');
  assert.deepEqual(
    one.history.map(({ what, state, address }) => [what, state, address]),
    [
      ['checkout', 'COMPLETED', null],
      ['payment', 'FINAL', null],
      ['refund', 'UNDER_WAY', PAYER_ADDRESS],
    ],
  );
  const rows = (await accountant.get(`${files}/${id}?format=csv`)).markup.trim().split('\r\n');
  assert.equal(rows.length, 4);
  assert.match(rows[1] ?? '', new RegExp(`checkout,${checkoutId},COMPLETED,19.9,EUR`));
});

test('what is personal is erased for good by who may, and the books stay', async () => {
  const { app, caller } = world;
  const { id, checkoutId } = await addBuyer({
    ...{ email: 'fay@sixth.example', firstname: 'Fay', adr1: 'Elm street 6', taxid: 'T-6' },
    ...{ note: 'pays late', meta: { secret: 'sixth' } },
  });
  const path = `${customers}/${id}`;
  const entriesOf = () =>
    app.db.query(sql`select id, cause_key from ledger_entry where subject_id = ${checkoutId}`);
  const entries = await entriesOf();
  const admin = await comeAs('ADMIN');
  await admin.get(path);
  const unsure = await admin.submit(path, {});
  assert.equal(unsure.status, 400);
  assert.match(unsure.markup, /Tick the box/);
  assert.ok(await findCustomer(app, caller, id));
  await world.clock.advance(Temporal.Duration.from({ minutes: 11 }));
  await admin.get(path);
  const asked = await admin.submit(path, { sure: 'yes' });
  assert.equal(asked.location, `/dashboard/proof?to=${encodeURIComponent(path)}`);
  await admin.get(asked.location);
  const proven = await admin.submit('/dashboard/proof', { password: PASSWORD, to: path });
  assert.equal(proven.location, `${path}#kept`);
  await admin.get(path);
  const done = await admin.submit(path, { sure: 'yes' });
  assert.equal(done.location, `${customers}?done=1`);
  const list = (await admin.get(done.location)).markup;
  assert.match(list, /The customer was erased/);
  assert.ok(!listed(list).includes(id));
  assert.equal((await admin.get(path)).status, 404);
  const [row] = await app.db.query<{ row: string }>(
    sql`select customer::text as row from customer where id = ${id}`,
  );
  assert.doesNotMatch(row?.row ?? '', /fay|elm|T-6|late|sixth/i);
  assert.deepEqual(await entriesOf(), entries);
  const { markup } = await admin.get(`${world.shop}/checkouts/${checkoutId}`);
  assert.match(markup, new RegExp(`<dd><code>${id}</code>`), 'the reference stays');
  const acts = await listActs(app.db, { about: `customer:${id}` }, 5);
  assert.deepEqual(
    acts.map(({ verb, details }) => [verb, details]),
    [['customer-erase', '{}']],
  );
  assert.match(acts[0]?.actor ?? '', /^person /);
  assert.deepEqual((await verifyLedger(app.db)).faults, []);
});

test('nobody reaches a customer of another shop, or of the other environment', async () => {
  const { app, caller } = world;
  const other = await createMerchant(app, { name: 'Other shop' });
  const theirs = await add(
    { email: 'gus@seventh.example' },
    { merchantId: other.id, environment: 'test' },
  );
  const live = await add(
    { email: 'gus@eighth.example' },
    { merchantId: caller.merchantId, environment: 'live' },
  );
  const owner = await comeAs('OWNER');
  for (const id of [theirs, live]) {
    assert.equal((await owner.get(`${customers}/${id}`)).status, 404);
    assert.equal((await owner.get(`${world.shop}/customer-files/${id}?format=json`)).status, 404);
    assert.deepEqual(listed((await owner.get(`${customers}?find=${id}`)).markup), []);
    const list = await owner.get(customers);
    const form = /name="form" value="([^"]+)"/.exec(list.markup)?.[1] ?? '';
    const { status } = await owner.post(`${customers}/${id}`, { form, sure: 'yes' });
    assert.equal(status, 404);
  }
  assert.deepEqual(listed((await owner.get(`${customers}?find=gus`)).markup), []);
  const file = await owner.get(`${world.shop}/customer-files?format=json`);
  assert.doesNotMatch(file.markup, /gus@/);
  const [kept] = await app.db.query<{ count: number }>(
    sql`select count(*)::int as count from customer where email like 'gus@%'`,
  );
  assert.equal(kept?.count, 2);
});
