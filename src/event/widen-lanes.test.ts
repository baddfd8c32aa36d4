import assert from 'node:assert/strict';
import { test } from 'node:test';
import { widenLanes } from './widen-lanes.ts';

const widthOf = (lanes: ReturnType<typeof widenLanes>, name: string) =>
  lanes.list().find(({ lane }) => lane === name)?.most;

test('a lane gets a place more with each answer, up to the most', () => {
  const lanes = widenLanes({ least: 2, most: 5 });
  const widths = [];
  for (let answers = 0; answers < 5; answers += 1) {
    lanes.note('a', 'answered');
    widths.push(widthOf(lanes, 'a'));
  }
  assert.deepEqual(widths, [3, 4, 5, 5, 5]);
  assert.equal(widthOf(lanes, 'b'), undefined);
});

test('after a failure it is a new one again; what is our own fault says nothing of it', () => {
  const lanes = widenLanes({ least: 2, most: 5 });
  for (const outcome of ['answered', 'answered', 'none'] as const) lanes.note('a', outcome);
  assert.equal(widthOf(lanes, 'a'), 4);
  lanes.note('a', 'failed');
  assert.equal(widthOf(lanes, 'a'), undefined);
  lanes.note('a', 'answered');
  assert.equal(widthOf(lanes, 'a'), 3);
});

test('of many lanes those are remembered that were answered last', () => {
  const lanes = widenLanes({ least: 2, most: 5 });
  for (let lane = 0; lane < 1_500; lane += 1) lanes.note(`lane ${lane}`, 'answered');
  lanes.note('lane 600', 'answered');
  lanes.note('new', 'answered');
  assert.equal(lanes.list().length, 1_000);
  assert.deepEqual(
    ['lane 0', 'lane 500', 'lane 501', 'lane 600', 'new'].map((lane) => widthOf(lanes, lane)),
    [undefined, undefined, 3, 4, 3],
  );
});
