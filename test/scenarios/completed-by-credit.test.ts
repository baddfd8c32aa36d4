// The database itself refuses a checkout that is completed by nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { acceptUnderpaid } from '#checkout-settlement/act-on-checkout.ts';
import { ConstraintViolation, sql } from '#db/db.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

let world: TestApp;
before(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
});
after(() => world.close());

const complete = (id: string) =>
  world.app.db.transact((tx) =>
    tx.query(sql`
      update checkout set state = 'COMPLETED', completed_at = created_at where id = ${id}`),
  );

const isRefused = (error: unknown) =>
  error instanceof ConstraintViolation && error.constraint === 'checkout_completed_by_credit';

test('a checkout for which nothing was credited cannot be completed', async () => {
  const id = await world.create();
  await assert.rejects(complete(id), isRefused);
  assert.equal((await world.read(id)).state, 'NEW');
});

test('pending money completes nothing before it is released', async () => {
  const id = await world.create();
  await payCheckout(world, id, 50n);
  await assert.rejects(complete(id), isRefused);
  assert.equal((await world.read(id)).state, 'UNDERPAID');
  await acceptUnderpaid(world.app, { checkoutId: id, owner: world.caller });
  await world.settle();
  assert.equal((await world.read(id)).state, 'COMPLETED');
});
