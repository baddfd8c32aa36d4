import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '#base/clock.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { takeTurns } from './take-turns.ts';

class Lie extends Error {}

function threeNodes() {
  const clock = manualClock('2030-01-01T00:00:00Z');
  const inWords = (error: unknown) =>
    error instanceof Lie
      ? new Outage('chain', { cause: new Error(`lie: ${error.message}`) })
      : error;
  return { clock, turns: takeTurns({ nodes: ['first', 'second', 'third'], clock, inWords }) };
}

const away = new Outage('chain', { cause: new Error('away') });
const fail = (error: Error) => async () => {
  throw error;
};

test('the first node is asked until it fails, and after the last one the first again', async () => {
  const { turns } = threeNodes();
  for (const node of ['first', 'first']) assert.equal(await turns.ask(async (one) => one), node);
  for (const [node, others] of [
    ['second', ['third', 'first']],
    ['third', ['first', 'second']],
    ['first', ['second', 'third']],
  ] as const) {
    await assert.rejects(turns.ask(fail(away)), away);
    assert.equal(turns.current(), node);
    assert.deepEqual(turns.others(), others);
  }
});

test('questions that fail beside each other lead to the next node, not past it', async () => {
  const { turns } = threeNodes();
  const asked = [turns.ask(fail(away)), turns.ask(fail(away)), turns.ask(fail(away))];
  await Promise.allSettled(asked);
  assert.equal(turns.current(), 'second');
});

test('a lie is an outage in words and leads to the next node', async () => {
  const { turns } = threeNodes();
  await assert.rejects(turns.ask(fail(new Lie('two tips'))), {
    name: 'Outage',
    message: 'chain: lie: two tips',
  });
  assert.equal(turns.current(), 'second');
  assert.equal(turns.health().lastError, 'chain: lie: two tips');
});

test('what is no outage is thrown as it is and leads nowhere', async () => {
  const { turns } = threeNodes();
  const refusal = new Refusal('mismatch', 'node_of_another_chain', 'it is of another chain');
  await assert.rejects(turns.ask(fail(refusal)), refusal);
  assert.equal(turns.current(), 'first');
  assert.equal(turns.health().lastError, 'it is of another chain');
});

test('health says when a node was heard last, and the last error until one is heard', async () => {
  const { clock, turns } = threeNodes();
  assert.deepEqual(turns.health(), { lastHeardAt: undefined, lastError: undefined });
  await turns.ask(async () => undefined);
  const lastHeardAt = clock.now();
  await clock.advance(1000);
  await assert.rejects(turns.ask(fail(away)), away);
  assert.deepEqual(turns.health(), { lastHeardAt, lastError: 'chain: away' });
  await turns.ask(async () => undefined);
  assert.deepEqual(turns.health(), { lastHeardAt: clock.now(), lastError: undefined });
});
