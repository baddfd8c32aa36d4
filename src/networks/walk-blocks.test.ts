import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Block, BlockReference } from '#deposit/network.ts';
import { walkBlocks } from './walk-blocks.ts';

const minedAt = Temporal.Instant.from('2026-01-01T00:00:00Z');

function extend(chain: readonly Block[], fork: string, count: number): Block[] {
  const longer = [...chain];
  for (let added = 0; added < count; added += 1) {
    const parent = longer.at(-1);
    const height = BigInt(longer.length);
    const parentHash = parent?.hash ?? 'none';
    longer.push({ height, hash: `${fork}${height}`, parentHash, minedAt, arrivals: [] });
  }
  return longer;
}

function walk(node: readonly Block[], known: readonly Block[], mostBlocks = 100) {
  const recent: BlockReference[] = [...known].reverse();
  return walkBlocks({
    position: { cursor: recent[0], recent },
    tip: async () => node.at(-1) as Block,
    blockAt: async (height) => node[Number(height)],
    mostBlocks,
  });
}

const heights = (blocks: readonly Block[]) => blocks.map(({ height }) => Number(height));

test('the first step ever takes a few blocks up to the tip, without their arrivals', async () => {
  const node = extend([], 'a', 30);
  const walked = await walk(node, []);
  assert.equal(walked.blocks.length, 12);
  assert.equal(walked.blocks.at(-1)?.hash, 'a29');
  assert.equal(walked.complete, true);
});

test('at the tip nothing is asked', async () => {
  const node = extend([], 'a', 5);
  const walked = await walkBlocks({
    position: { cursor: node.at(-1), recent: [] },
    tip: async () => node.at(-1) as Block,
    blockAt: () => assert.fail('no block is needed'),
    mostBlocks: 10,
  });
  assert.deepEqual([walked.blocks, walked.rollbackTo, walked.complete], [[], undefined, true]);
});

test('many blocks are walked in bounded steps', async () => {
  const node = extend([], 'a', 10);
  const walked = await walk(node, node.slice(0, 3), 4);
  assert.deepEqual(heights(walked.blocks), [3, 4, 5, 6]);
  assert.equal(walked.complete, false);
});

test('a node that is behind undoes nothing', async () => {
  const node = extend([], 'a', 10);
  await assert.rejects(walk(node.slice(0, 7), node), /behind/);
});

test('no recorded block left in the chain of the node: a person decides', async () => {
  const known = extend([], 'a', 5);
  await assert.rejects(walk(extend([], 'b', 9), known), /none of the blocks that we keep/);
});

test('a chain that moves while it is read is left for the next step', async () => {
  const known = extend([], 'a', 5);
  const node = extend(known, 'a', 3);
  const moved = extend(known.slice(0, 2), 'b', 9);
  let asked = 0;
  const walked = await walkBlocks({
    position: { cursor: known.at(-1), recent: [...known].reverse() },
    tip: async () => node.at(-1) as Block,
    blockAt: async (height) => {
      asked += 1;
      return (asked > 2 ? moved : node)[Number(height)];
    },
    mostBlocks: 10,
  });
  assert.deepEqual(heights(walked.blocks), [5, 6]);
  assert.equal(walked.complete, false);
});

test('whatever the fork, the walk ends on the chain of the node', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: 30 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 7 }),
      async (shared, ours, theirs, mostBlocks) => {
        const trunk = extend([], 'a', shared);
        let known = extend(trunk, 'b', ours);
        const node = extend(trunk, 'c', theirs);
        for (let steps = 0; steps < 100; steps += 1) {
          const walked = await walk(node, known, mostBlocks);
          const kept =
            walked.rollbackTo === undefined ? known.length : Number(walked.rollbackTo.height) + 1;
          assert.ok(kept >= trunk.length, 'nothing shared is undone');
          known = [...known.slice(0, kept), ...walked.blocks];
          if (walked.complete) break;
        }
        assert.deepEqual(
          known.map(({ hash }) => hash),
          node.map(({ hash }) => hash),
        );
      },
    ),
    { numRuns: 200 },
  );
});
