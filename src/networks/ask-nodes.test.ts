import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outage, Refusal } from '#base/refusal.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { NodeLie, RpcFailure } from './answer-fields.ts';
import { takeTurns } from './ask-nodes.ts';

function threeNodes() {
  const clock = manualClock('2030-01-01T00:00:00Z');
  const nodes = ['first', 'second', 'third'];
  return { clock, turns: takeTurns({ nodes, chain: 'live:CHAIN', clock, nameOf: (node) => node }) };
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
  await assert.rejects(turns.ask(fail(new NodeLie('two tips'))), {
    name: 'Outage',
    message: 'live:CHAIN: first contradicts itself: two tips',
  });
  assert.equal(turns.current(), 'second');
  assert.equal(turns.health().lastError, 'live:CHAIN: first contradicts itself: two tips');
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

test('a question that is refused is an outage in words too', async () => {
  const { turns } = threeNodes();
  await assert.rejects(turns.ask(fail(new RpcFailure('getblock', -8, 'no such block'))), {
    name: 'Outage',
    message: 'live:CHAIN: first refuses a question: getblock: no such block (-8)',
  });
});

test('of the others one that is away or lies is no fault, one of another chain is', async () => {
  const { turns } = threeNodes();
  const asked: string[] = [];
  await turns.checkOthers(async (node) => {
    asked.push(node);
    throw node === 'second' ? away : new NodeLie('two tips');
  });
  assert.deepEqual(asked, ['second', 'third']);
  assert.equal(turns.health().lastError, undefined);
  const refusal = new Refusal('mismatch', 'node_of_another_chain', 'it is of another chain');
  await assert.rejects(turns.checkOthers(fail(refusal)), refusal);
});
