import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { silentLog } from '#base/log.ts';
import { chainOf } from '#catalog/chain.ts';
import { readPosition } from '#chain/chain-status.ts';
import type { Db, Statement } from '#db/db.ts';
import { type BankWorld, openBankWorld, SEPA_ACCOUNT } from '#test/fakes/bank-world.ts';
import { openBankNetworks } from './open-bank-networks.ts';

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

/** One question after the other; the act is done just before the one of that number is asked. */
function askedInTurn(db: Db, number: number, act: () => Promise<unknown>) {
  let asked = 0;
  let last: Promise<unknown> = Promise.resolve();
  const query = <Row>(statement: Statement): Promise<Row[]> => {
    const turnOf = asked;
    asked += 1;
    const answer = last.then(async () => {
      if (turnOf === number) await act();
      return db.query<Row>(statement);
    });
    last = answer;
    return answer;
  };
  return { db: { ...db, query }, asked: () => asked };
}

test('who sees a payment sees the gap before its statement, whenever the statement is imported', async () => {
  const SEPA = chainOf('live', 'SEPA');
  let [day, isSeen] = [1, true];
  const importDay = async (opening: bigint, cents: bigint) => {
    day += 1;
    const date = Temporal.PlainDate.from('2026-02-01').add({ days: day }).toString();
    await world.import({ id: `G-${day}`, day: date, opening, entries: [{ cents }] });
  };
  await importDay(0n, 1n);
  for (let number = 0; isSeen; number += 1) {
    await world.follow();
    // Each day begins with more than any day before ended with.
    const imported = () => importDay(BigInt(day) * 1_000n, 5n);
    const turns = askedInTurn(world.app.db, number, imported);
    const parts = { db: turns.db, clock: world.time, log: silentLog };
    const [opened] = openBankNetworks([SEPA_ACCOUNT], parts);
    assert.ok(opened !== undefined);
    const position = await readPosition(world.app.db, SEPA);
    const { blocks, brake = [] } = await opened.network.observe(position);
    isSeen = number < turns.asked();
    const gaps = brake.filter(({ reason }) => reason.includes(`G-${day} of`));
    if (blocks.length > 0) assert.equal(gaps.length, 1, `imported before question ${number}`);
    else assert.ok(number > 0, 'what was imported before the first question is seen');
  }
});
