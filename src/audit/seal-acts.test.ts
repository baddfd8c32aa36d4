import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { type Statement, sql } from '#db/db.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { doNoted, listActs, noteAct } from './act.ts';
import { sealActs, verifyActs } from './seal-acts.ts';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

async function note(count: number, actor = 'anna'): Promise<void> {
  const { db, clock } = world.app;
  await db.transact(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const act = { actedAt: clock.now(), actor, verb: 'limit-set', subject: `limit:${index}` };
      noteAct(tx, { ...act, environment: 'test', details: { most: `${index}` } });
    }
  });
}

const seal = () => sealActs(world.app, { limit: 3 });

test('acts are sealed in batches, and listed by who and what', async () => {
  await note(4);
  await note(1, 'berta');
  assert.deepEqual([await seal(), await seal(), await seal()], [3, 2, 0]);
  const { acts, seals, head, faults } = await verifyActs(world.app);
  assert.deepEqual([acts, seals, faults], [5n, 2n, []]);
  assert.match(head ?? '', /^[0-9a-f]{64}$/);
  const { db } = world.app;
  assert.equal((await listActs(db, { actor: 'berta' }, 10)).length, 1);
  const newest = await listActs(db, {}, 2);
  assert.deepEqual(
    newest.map(({ subject }) => subject),
    ['limit:3', 'limit:0'],
  );
  assert.equal((await listActs(db, { about: 'limit:0', verb: 'limit-set' }, 10)).length, 2);
  const counts = async (about: string) => (await listActs(db, { about }, 10)).length;
  assert.deepEqual(
    [await counts('limit'), await counts('limi'), await counts('limit:3')],
    [5, 0, 1],
  );
  const { clock } = world.app;
  assert.equal((await listActs(db, { since: clock.now() }, 10)).length, 5);
  assert.equal((await listActs(db, { since: clock.now().add({ seconds: 1 }) }, 10)).length, 0);
});

test('what is done is noted with it, and nothing of what is refused', async () => {
  const { app } = world;
  const act = { actor: 'anna', verb: 'limit-set', merchantId: undefined };
  const limit = (name: string) => (within: typeof app) =>
    within.db.transact(async (tx) => {
      noteAct(tx, { ...act, subject: 'inner', actedAt: within.clock.now() });
      if (name === 'refused') throw new Refusal('conflict', 'refused', 'no');
      return name;
    });
  await doNoted(app, { ...act, subject: (name) => `limit:${name}` }, limit('one'));
  await assert.rejects(doNoted(app, { ...act, subject: 'limit:two' }, limit('refused')), Refusal);
  const subjects = (await listActs(app.db, {}, 10)).map(({ subject }) => subject);
  assert.deepEqual(subjects, ['inner', 'limit:one']);
});

test('the database refuses to change an act, or to take it away', async () => {
  await note(1);
  const { db } = world.app;
  for (const change of [sql`update act set actor = 'nobody'`, sql`delete from act`]) {
    await assert.rejects(db.single((tx) => tx.query(change)));
  }
});

const CHANGES: readonly (readonly [what: string, change: Statement])[] = [
  ['another actor', sql`update act set actor = 'berta' where id = (select min(id) + 1 from act)`],
  ['details', sql`update act set details = '{}' where id = (select max(id) from act)`],
  ['an act gone', sql`delete from act where id = (select min(id) from act)`],
  ['the first seal gone', sql`delete from act_seal where number = 1`],
  ['a count', sql`update act_seal set act_count = act_count - 1 where number = 2`],
  ['a hash', sql`update act_seal set hash = sha256(hash) where number = 1`],
];
for (const [what, change] of CHANGES) {
  test(`what was changed past the service is found: ${what}`, async () => {
    await note(6);
    await seal();
    await seal();
    assert.deepEqual((await verifyActs(world.app)).faults, []);
    await world.app.db.transact(async (tx) => {
      // As somebody does it who owns the database.
      await tx.query(sql`set local session_replication_role = replica`);
      await tx.query(change);
    });
    assert.notDeepEqual((await verifyActs(world.app)).faults, []);
  });
}
