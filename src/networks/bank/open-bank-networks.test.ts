import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { chainOf } from '#catalog/chain.ts';
import { type BankWorld, openBankWorld } from '#test/fakes/bank-world.ts';

const MOST_MS = 5_000;

let world: BankWorld;
before(async () => {
  world = await openBankWorld();
});
after(() => world?.close());

/** The wait of the loop that watches; `goOn` lets so many milliseconds go by. */
function startWaiting(signal = new AbortController().signal) {
  const { app, time } = world;
  const network = app.networks.get(chainOf('live', 'SEPA')) ?? assert.fail();
  let isOver = false;
  const over = network.waitForHint(MOST_MS, signal).finally(() => {
    isOver = true;
  });
  const goesOn = async () => {
    while (!isOver && time.sleepers() === 0) await turn();
  };
  return {
    over,
    isOver: () => isOver,
    async goOn(ms: number) {
      await goesOn();
      await time.advance(ms);
      await goesOn();
    },
  };
}

test('a statement that another process imports is seen within half a second', async () => {
  await world.follow();
  const waiting = startWaiting();
  await waiting.goOn(1_000);
  assert.equal(waiting.isOver(), false, 'nothing was imported');
  const { reference } = await world.open(500n);
  await world.import({ entries: [{ cents: 500n, transactions: [{ structured: reference }] }] });
  await waiting.goOn(500);
  assert.equal(waiting.isOver(), true);
  // Until it was looked at there is no reason to wait.
  await startWaiting().over;
  await world.follow();
  const again = startWaiting();
  for (let passed = 0; passed < MOST_MS; passed += 500) {
    assert.equal(again.isOver(), false, `after ${passed} ms`);
    await again.goOn(500);
  }
  await again.over;
});

test('who stops to watch waits no longer', async () => {
  const ended = new AbortController();
  const waiting = startWaiting(ended.signal);
  await waiting.goOn(0);
  ended.abort(new Error('over'));
  await assert.rejects(waiting.over, /over/);
});
