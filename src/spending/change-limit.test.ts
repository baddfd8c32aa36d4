// The limit above which one person is not enough is not lifted by one person.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { notedActs } from '#test/support/noted-acts.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { approveAct, listWaiting } from './approval.ts';
import { changeLimit } from './change-limit.ts';
import { type LimitName, listAllLimits } from './spending-limit.ts';

const EUR: LimitName = {
  ...{ kind: 'TWO_PEOPLE', environment: 'test', merchantId: undefined, measure: 'EUR' },
};
const SUBJECT = 'limit:TWO_PEOPLE:EUR:test:everyone';

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

const say = (mostUnits: bigint | undefined, { actor = 'anna', name = EUR } = {}) =>
  changeLimit(world.app, name, { mostUnits, actor, reason: 'test', setAt: world.clock.now() });
const approve = (approver: string, subject = SUBJECT) =>
  approveAct(world.app, subject, { approver });
const isRefused = (error: unknown) => error instanceof Refusal && error.code === 'second_person';
const held = async () =>
  (await listAllLimits(world.app.db, 'test')).map(({ mostUnits }) => mostUnits);
const waiting = () => listWaiting(world.app.db, { now: world.clock.now() });

for (const [what, mostUnits, after] of [
  ['raised', 500_001n, [500_001n]],
  ['taken away', undefined, []],
] as const) {
  test(`it is ${what} only when another person has approved exactly that`, async () => {
    await say(500_000n);
    await assert.rejects(say(mostUnits), isRefused);
    assert.deepEqual(await held(), [500_000n]);
    const [asked] = await waiting();
    assert.deepEqual([asked?.subject, asked?.maker], [SUBJECT, 'anna']);
    assert.match(asked?.about ?? '', new RegExp(`5000 EUR is ${what}`));
    await assert.rejects(say(mostUnits, { actor: 'bob' }), isRefused, 'still the word of one');
    await assert.rejects(approve(' Anna '), isRefused);
    await approve('bob');
    assert.deepEqual(await held(), [500_000n], 'it is said again');
    await say(mostUnits);
    assert.deepEqual(await held(), after);
    assert.deepEqual(await notedActs(world.app.db, 3), [
      'anna: limit-set',
      'bob: approve',
      `anna: limit-${mostUnits === undefined ? 'remove' : 'set'}`,
    ]);
  });
}

test('an approval is of one change, and used once', async () => {
  await say(500_000n);
  await assert.rejects(say(600_000n), isRefused);
  await approve('bob');
  await assert.rejects(say(600_001n), isRefused, 'another amount');
  await assert.rejects(say(600_000n), isRefused, 'the other one was asked for since');
  await approve('bob');
  await say(400_000n);
  await assert.rejects(say(600_000n), isRefused, 'it holds at less than was shown');
  await approve('bob');
  await say(600_000n);
  await say(400_000n);
  await assert.rejects(say(600_000n), isRefused, 'used already');
  await world.clock.advance(73 * 3_600_000);
  assert.deepEqual(await waiting(), []);
  await assert.rejects(say(600_000n), isRefused);
  assert.equal((await waiting()).length, 1, 'asked anew');
});

test('what makes it tighter, and other limits, need nobody else', async () => {
  const { merchantId } = world.caller;
  await say(500_000n);
  await say(500_000n);
  await say(499_999n);
  await say(500_000n, { name: { ...EUR, merchantId } });
  await say(1n, { name: { ...EUR, measure: 'LTC:NATIVE' } });
  for (const kind of ['DAY', 'COOL_DOWN'] as const) {
    for (const mostUnits of [1n, 2n, undefined]) await say(mostUnits, { name: { ...EUR, kind } });
  }
  assert.deepEqual(await waiting(), []);
});

test('a key of the merchant does not help to lift what holds for it', async () => {
  const { merchantId } = world.caller;
  const name = { ...EUR, merchantId };
  const subject = `limit:TWO_PEOPLE:EUR:test:${merchantId}`;
  await say(500_000n, { name });
  await assert.rejects(say(undefined, { name }), isRefused);
  const byKey = approveAct(world.app, subject, { approver: 'key k1', owner: world.caller });
  await assert.rejects(byKey, { code: 'approval_missing' });
  await approve('bob', subject);
  await say(undefined, { name });
});
