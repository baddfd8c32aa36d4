import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { type Db, sql } from '#db/db.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { findAnyCheckout } from './find-checkout.ts';

let world: TestApp;

before(async () => {
  world = await openTestApp();
});
after(() => world.close());

test('a checkout that did not change is given again as it was read', async () => {
  const id = await world.create();
  const first = await world.read(id);
  assert.equal(await world.read(id), first);
});

test('a change of any of its rows is seen by the next look', async () => {
  const id = await world.create();
  const changes: Record<string, () => Promise<unknown>> = {
    checkout: () => world.app.db.query(sql`update checkout set flags = '{}' where id = ${id}`),
    cancel: () => cancelCheckout(world.app, { checkoutId: id, owner: world.caller }),
  };
  for (const [name, change] of Object.entries(changes)) {
    const before = await world.read(id);
    await change();
    assert.notEqual(await world.read(id), before, name);
  }
  assert.equal((await world.read(id)).state, 'CANCELLED');
});

test('a change between the look at the version and the read is seen by the look after', async () => {
  const id = await world.create();
  let isChanged = false;
  // As if somebody else committed between the two statements.
  const db: Db = {
    ...world.app.db,
    read: (act) =>
      world.app.db.read((reader) =>
        act({
          async query(statement) {
            if (!isChanged && statement.text.includes('from checkout_state_change')) {
              isChanged = true;
              await cancelCheckout(world.app, { checkoutId: id, owner: world.caller });
            }
            return reader.query(statement);
          },
        }),
      ),
  };
  const app = { ...world.app, db };
  await findAnyCheckout(app, id);
  const seen = await findAnyCheckout(app, id);
  assert.ok(isChanged);
  assert.equal(seen?.state, 'CANCELLED');
  assert.equal(seen.stateHistory.length, 2);
});

test('while nothing was written that alone is asked, and what is written then is seen at once', async () => {
  const id = await world.create();
  let asked: string[] = [];
  const { db } = world.app;
  const told: Db = {
    ...db,
    query(statement) {
      asked.push('query');
      return db.query(statement);
    },
    read(act) {
      asked.push('read');
      return db.read(act);
    },
  };
  const app = { ...world.app, db: told };
  const first = await findAnyCheckout(app, id);
  // Other files may write to the same server at any time: a look between two of their writes.
  for (let looks = 0; looks < 500 && asked.join() !== 'query'; looks += 1) {
    asked = [];
    assert.equal(await findAnyCheckout(app, id), first);
  }
  assert.deepEqual(asked, ['query']);
  await cancelCheckout(world.app, { checkoutId: id, owner: world.caller });
  assert.equal((await findAnyCheckout(app, id))?.state, 'CANCELLED');
});

test('of many that are asked for together each gets its own, and nothing for what is unknown', async () => {
  const ids = await Promise.all([world.create(), world.create(), world.create()]);
  await world.read(ids[1] ?? '');
  const asked = [...ids, 'aaaaaaaaaaaa', ...ids];
  const found = await Promise.all(asked.map((id) => findAnyCheckout(world.app, id)));
  assert.deepEqual(
    found.map((record) => record?.id),
    asked.map((id) => (id === 'aaaaaaaaaaaa' ? undefined : id)),
  );
});
