// A thousand stories over simulated chains, real PostgreSQL and a process that dies now and then;
// what must always hold is looked at after every step. When it fails it names the seed:
//   QUITTANCE_TEST_SEED=4711 npm test -- test/simulation     plays that story again, step by step
//   npm run simulate -- --seeds 100000 --from 1              a long run
import assert from 'node:assert/strict';
import { env } from 'node:process';
import { test } from 'node:test';
import { simulate, summaryOf } from './simulate.ts';
import { COUNTERS } from './story.ts';

const SEEDS = 1000;
const oneSeed = env.QUITTANCE_TEST_SEED === undefined ? undefined : Number(env.QUITTANCE_TEST_SEED);

test('whatever happens, in whatever order, what must hold holds', async (t) => {
  const { counters, failure } = await simulate({
    from: oneSeed ?? 1,
    seeds: oneSeed === undefined ? SEEDS : 1,
    onStep: oneSeed === undefined ? undefined : (line) => t.diagnostic(line),
  });
  t.diagnostic(summaryOf(counters));
  if (failure !== undefined) {
    assert.fail(`${failure}\nAgain: QUITTANCE_TEST_SEED=<the seed> npm test -- test/simulation`);
  }
  if (oneSeed !== undefined) return;
  const absent = COUNTERS.filter((name) => counters[name] === 0);
  assert.deepEqual(absent, [], 'everything that can happen did happen');
});
