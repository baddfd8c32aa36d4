// Telling of changes inside a process, and of changes that another process wrote.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { chainOf } from '#catalog/chain.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { sql } from '#db/db.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { type Changes, changesLook, createChanges, createWakes, onObserved } from './changes.ts';

const open = new AbortController().signal;
const litecoin = chainOf('test', 'LITECOIN');

let world: TestApp;
let changes: Changes;
/** As of a process that writes nothing itself. */
let look: () => Promise<void>;
before(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
});
after(() => world.close());
beforeEach(() => {
  changes = createChanges();
  look = changesLook({ db: world.app.db, changes });
});

/** Counts how often each topic was told of. */
function listenTo(...topics: string[]): { readonly told: string[]; leave(): void } {
  const told: string[] = [];
  const leaves = topics.map((topic) => changes.listen(topic, () => told.push(topic)));
  return {
    told,
    leave: () => {
      for (const leave of leaves) leave();
    },
  };
}

test('who waits is told at once, and only of what it waits for', async () => {
  let isOver = false;
  const waiting = changes.wait('one', 60_000, open).then(() => {
    isOver = true;
  });
  changes.tell('two');
  await Promise.resolve();
  assert.equal(isOver, false);
  changes.tell('one');
  await waiting;
  assert.equal(changes.isAnyoneListening(), false);
});

test('who listens twice with the same callback is told twice, and leaves by itself', () => {
  let count = 0;
  const onTold = () => {
    count += 1;
  };
  const leaveFirst = changes.listen('one', onTold);
  const leaveSecond = changes.listen('one', onTold);
  changes.tell('one');
  assert.equal(count, 2);
  leaveFirst();
  leaveFirst();
  changes.tell('one');
  assert.equal(count, 3);
  leaveSecond();
  assert.equal(changes.isAnyoneListening(), false);
});

test('the end of the process is told to all', async () => {
  const waiting = changes.wait('one', 60_000, open);
  assert.equal(changes.hasEnded(), false);
  changes.end();
  await waiting;
  assert.equal(changes.hasEnded(), true);
});

test('a block wakes what follows money that left, on its chain; a simulated one wakes nobody', async () => {
  const wakes = createWakes();
  const [ours, other] = [chainOf('live', 'LITECOIN'), chainOf('live', 'BITCOIN')];
  const woken = async (wake: { wait: (typeof wakes.deliver)['wait'] }) => {
    const controller = new AbortController();
    const clock = { ...systemClock, sleep: () => Promise.resolve(controller.abort()) };
    await wake.wait(1_000, controller.signal, clock);
    return !controller.signal.aborted;
  };
  const told = () =>
    Promise.all([wakes.departures, wakes.signer(ours), wakes.signer(other)].map(woken));
  const app = { changes: createChanges(), wakes };
  onObserved(app).onRecorded([]);
  onObserved(app, chainOf('test', 'LITECOIN')).onRecorded([]);
  assert.deepEqual(await told(), [false, false, false]);
  onObserved(app, ours).onRecorded([]);
  assert.deepEqual(await told(), [true, true, false]);
  assert.equal(await woken(wakes.settle), false, 'nothing is to be decided');
});

test('the first look tells everybody: what went before it is not known', async () => {
  const { told, leave } = listenTo('abcdefghij12', 'test:LITECOIN');
  await look();
  assert.deepEqual(told, ['abcdefghij12', 'test:LITECOIN']);
  await look();
  assert.equal(told.length, 2, 'nothing changed since');
  leave();
});

test('each thing that another process writes is told once: choice, payment, block, decision, cancelling', async () => {
  const id = await world.create();
  const other = await world.create();
  const { told, leave } = listenTo(id, other, litecoin);
  await look();
  const toldSince = async () => {
    told.length = 0;
    await look();
    return [...told];
  };

  const { app } = world;
  const made = await commitCheckout(app, { checkoutId: id, owner: 'page', network: 'LITECOIN' });
  assert.deepEqual(await toldSince(), [id]);
  assert.deepEqual(await toldSince(), []);

  const { destination } = made.instruction;
  const outputs = [{ destination, assetId: made.assetId, units: made.arrivingUnits }];
  await paySandbox(app, { chain: litecoin, outputs });
  await world.observe('LITECOIN');
  assert.deepEqual(await toldSince(), [id], 'seen, before anything was decided');
  await world.settle();
  assert.deepEqual(await toldSince(), [id]);

  await mineBlocks(app, litecoin, 1);
  await world.observe('LITECOIN');
  assert.deepEqual((await toldSince()).sort(), [id, litecoin].sort());
  await mineBlocks(app, litecoin, 1);
  await world.observe('LITECOIN');
  assert.ok((await toldSince()).includes(litecoin), 'one more confirmation');

  await cancelCheckout(app, { checkoutId: other, owner: 'page' });
  assert.deepEqual(await toldSince(), [other]);
  leave();
});

test('a change that is committed later than one that began after it is not missed', async () => {
  const [early, late] = [await world.create(), await world.create()];
  const { told, leave } = listenTo(early, late);
  await look();
  told.length = 0;
  const { db } = world.app;
  const touch = (id: string) =>
    sql`update checkout set changed_in = pg_current_xact_id() where id = ${id}`;
  await db.transact(async (tx) => {
    await tx.query(touch(early));
    await db.single((other) => other.query(touch(late)));
    await look();
    assert.deepEqual(told, [late]);
  });
  await look();
  assert.deepEqual(told, [late, early]);
  leave();
});

test('nothing is asked while nobody listens, and whoever comes then is told to look', async () => {
  const id = await world.create();
  listenTo(id).leave();
  await look();
  await cancelCheckout(world.app, { checkoutId: id, owner: 'page' });
  const { told, leave } = listenTo(id);
  await look();
  assert.deepEqual(told, [id]);
  leave();
});

test('changes restored from a server with higher transaction numbers are not told of for ever', async () => {
  const id = await world.create();
  await world.app.db.single((tx) =>
    tx.query(sql`update checkout set changed_in = '9000000000' where id = ${id}`),
  );
  const { told, leave } = listenTo(id);
  await look();
  told.length = 0;
  await look();
  assert.deepEqual(told, []);
  leave();
});
