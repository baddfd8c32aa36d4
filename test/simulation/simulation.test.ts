// Hundreds of stories over simulated chains, real PostgreSQL and a process that dies now and then;
// what must always hold is looked at after every step. When it fails it names the seed:
//   QUITTANCE_TEST_SEED=4711 npm test -- test/simulation     plays that story again, step by step
//   npm run test:long -- test/simulation                       150 of them, in which everything happens
//   npm run simulate -- --seeds 100000 --from 1              a long run
import assert from 'node:assert/strict';
import { env } from 'node:process';
import { test } from 'node:test';
import { byLength, runLength } from '#test/support/run-length.ts';
import { absentOf, simulate, tableOf } from './simulate.ts';

const SEEDS = byLength({ short: 8, long: 150 });
/** A short run is shared out evenly between two threads. */
const seedsADatabase = byLength<number | undefined>({ short: SEEDS / 2, long: undefined });
const oneSeed = env.QUITTANCE_TEST_SEED === undefined ? undefined : Number(env.QUITTANCE_TEST_SEED);

test('whatever happens, in whatever order, what must hold holds', async (t) => {
  const { counters, failures } = await simulate({
    from: oneSeed ?? 1,
    seeds: oneSeed === undefined ? SEEDS : 1,
    seedsADatabase,
    onStep: oneSeed === undefined ? undefined : (line) => t.diagnostic(line),
  });
  for (const line of tableOf(counters).split('\n')) t.diagnostic(line);
  if (failures.length > 0) {
    assert.fail(
      `${failures.join('\n')}\nAgain: QUITTANCE_TEST_SEED=<the seed> npm test -- test/simulation`,
    );
  }
  // Fewer stories have less in them: that all of it happens is asked of the long run.
  if (oneSeed !== undefined || runLength === 'short') return;
  assert.deepEqual(absentOf(counters), [], 'everything that can happen did happen');
});
