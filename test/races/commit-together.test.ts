// Customers of several checkouts choose at once: they share a transaction, and nothing else.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { sql } from '#db/db.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

let world: TestApp;
before(async () => {
  world = await openTestApp({ connections: 10 });
  for (const network of ['LITECOIN', 'BITCOIN', 'STELLAR']) await world.observe(network);
});
after(() => world.close());

const commit = (checkoutId: string, network = 'LITECOIN') =>
  commitCheckout(world.app, { checkoutId, owner: world.caller, network });

const createMany = (count: number) =>
  Promise.all(Array.from({ length: count }, () => world.create()));

async function givenOut(): Promise<bigint> {
  const [row] = await world.app.db.query<{ sum: bigint }>(sql`
    select coalesce(sum(next_index - first_index), 0)::bigint as sum from address_source`);
  return row?.sum ?? 0n;
}

test('fifty at once on three networks have an address each, and no index is left out', async () => {
  const ids = await createMany(50);
  const before = await givenOut();
  const networks = ['LITECOIN', 'BITCOIN', 'STELLAR'];
  const made = await Promise.all(ids.map((id, index) => commit(id, networks[index % 3])));
  assert.equal((await givenOut()) - before, 50n);
  const places = made.map(({ instruction }) => `${instruction.destination} ${instruction.memo}`);
  assert.equal(new Set(places).size, 50);
  for (const [index, id] of ids.entries()) {
    const { state, commitments, stateHistory, sourceNetwork } = await world.read(id);
    assert.equal(state, 'AWAITING_PAYMENT');
    assert.equal(sourceNetwork, networks[index % 3]);
    assert.deepEqual(
      stateHistory.map((change) => change.state),
      ['NEW', 'AWAITING_PAYMENT'],
    );
    const { meta: _, ...answered } = made[index]!;
    assert.deepEqual(commitments, [answered]);
  }
});

test('those that are refused are refused alone, and say why', async () => {
  const ids = await createMany(12);
  const [cancelled = '', other = ''] = ids;
  await cancelCheckout(world.app, { checkoutId: cancelled, owner: world.caller });
  const outcomes = await Promise.allSettled([
    ...ids.map((id) => commit(id)),
    commit('nothing00000'),
    commit(other, 'NOWHERE'),
  ]);
  const codes = outcomes.map((one) => {
    if (one.status === 'fulfilled') return 'made';
    return one.reason instanceof Refusal ? one.reason.code : String(one.reason);
  });
  assert.deepEqual(codes, [
    'checkout_cancelled',
    ...Array.from({ length: 11 }, () => 'made'),
    'checkout_missing',
    'payment_method_unknown',
  ]);
});

test('a checkout that somebody holds keeps only its own customer waiting', async () => {
  const ids = await createMany(6);
  const [held = '', ...free] = ids;
  const release = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const holding = world.app.db.transact(async (tx) => {
    await tx.query(sql`select id from checkout where id = ${held} for update`);
    isHeld.resolve();
    await release.promise;
  });
  await isHeld.promise;
  let isAnswered = false;
  const waiting = commit(held).then((made) => {
    isAnswered = true;
    return made;
  });
  const made = await Promise.all(free.map((id) => commit(id)));
  assert.equal(new Set(made.map(({ instruction }) => instruction.address)).size, 5);
  assert.equal(isAnswered, false);
  release.resolve();
  await holding;
  assert.equal((await waiting).checkoutId, held);
});

test('of two ways and the same way twice for one checkout, each way is opened once', async () => {
  const [id = ''] = await createMany(1);
  const made = await Promise.all([commit(id), commit(id, 'BITCOIN'), commit(id)]);
  const [one, two, again] = made.map(({ instruction }) => instruction.address);
  assert.equal(one, again);
  assert.notEqual(one, two);
  assert.equal((await world.read(id)).commitments.length, 2);
});
