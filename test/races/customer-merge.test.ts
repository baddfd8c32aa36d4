// Two records of one customer become one while others act on them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listCheckouts } from '#checkout/list-checkouts.ts';
import {
  changeCustomer,
  createCustomer,
  findCustomer,
  listCustomerIds,
  parseNewCustomer,
} from '#people/customer.ts';
import { mergeCustomers, mergeSeen } from '#people/merge-customers.ts';
import { openTestApp, SIMPLE_CHARGE, type TestApp } from '#test/support/test-app.ts';

let world: TestApp;
before(async () => {
  world = await openTestApp();
});
after(() => world.close());

const ROUNDS = 8;

async function add(name: string): Promise<string> {
  const customer = { email: `${name}@buyer.example` };
  return (await createCustomer(world.app, world.caller, parseNewCustomer({ customer }))).id;
}

async function merge(into: string, from: string): Promise<void> {
  const { app, caller } = world;
  const [one, other] = await Promise.all([into, from].map((id) => findCustomer(app, caller, id)));
  assert.ok(one && other);
  await mergeCustomers(app, caller, { into, from, seen: mergeSeen(one, other) });
}

const succeeded = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.filter(({ status }) => status === 'fulfilled').length;

test('a checkout that is made for the old id meanwhile belongs to the one that stays', async () => {
  const { app, caller } = world;
  for (let round = 0; round < ROUNDS; round += 1) {
    const [into, from] = [await add('into'), await add('from')];
    const charge = { ...SIMPLE_CHARGE, customerId: from };
    const [ids] = await Promise.all([
      Promise.all([world.create({ charge }), world.create({ charge }), world.create({ charge })]),
      merge(into, from),
    ]);
    const filter = { state: undefined, from: undefined, to: undefined, meta: new Map() };
    const page = { cursor: undefined, limit: 9 };
    const of = { ...filter, customerId: into };
    const { checkouts } = await listCheckouts(app, caller, of, page);
    assert.deepEqual(checkouts.map(({ id }) => id).toSorted(), ids.toSorted());
  }
});

test('of each into the other at once one happens, and somebody is left', async () => {
  const { app, caller } = world;
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, other] = [await add('one'), await add('other')];
    const settled = await Promise.allSettled([merge(one, other), merge(other, one)]);
    assert.equal(succeeded(settled), 1);
    const left = await Promise.all([one, other].map((id) => findCustomer(app, caller, id)));
    assert.equal(left[0]?.id, left[1]?.id);
    assert.ok(left[0]);
  }
});

test('a chain that is made at once ends at one, by every id', async () => {
  const { app, caller } = world;
  for (let round = 0; round < ROUNDS; round += 1) {
    const [first, second, third] = [await add('first'), await add('second'), await add('third')];
    const settled = await Promise.allSettled([merge(second, first), merge(third, second)]);
    assert.ok(succeeded(settled) >= 1);
    const ids = await listCustomerIds(app.db, caller, third);
    assert.equal(ids.length, succeeded(settled) + 1);
    for (const id of ids) assert.equal((await findCustomer(app, caller, id))?.id, third);
  }
});

test('what is changed meanwhile is in the one that stays, or is refused', async () => {
  const { app, caller } = world;
  for (let round = 0; round < ROUNDS; round += 1) {
    const [into, from] = [await add('into'), await add('from')];
    const change = changeCustomer(app, caller, from, { city: 'Bonn' });
    const [changed, merged] = await Promise.allSettled([change, merge(into, from)]);
    const left = await findCustomer(app, caller, from);
    assert.ok(left, 'nobody is lost');
    if (changed.status === 'fulfilled') assert.equal(left.city, 'Bonn');
    else assert.equal(merged.status, 'fulfilled');
  }
});
