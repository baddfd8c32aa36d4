// A short soak: two processes, each of which does everything, sell while everything goes wrong once. In a
// long run eight, each with its role, for a minute. `npm run test:soak` plays an hour of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSoak } from '#test/soak/run-soak.ts';
import { byLength } from '#test/support/run-length.ts';

const EVERYTHING = 'serve,watch,settle,deliver';
const ROLES = byLength({ short: [EVERYTHING], long: EVERYTHING.split(',') });
const SECONDS = byLength({ short: 5, long: 60 });
const SEED = 1;

test('under load, with whatever goes wrong, nothing acknowledged is lost or done twice, and nothing grows', async (t) => {
  const report = await runSoak({
    roles: ROLES,
    seconds: SECONDS,
    seed: SEED,
    measureSeconds: byLength({ short: 1, long: 10 }),
    faultTimes: {
      pauseMs: byLength({ short: [50, 300], long: [500, 2_500] }),
      lastsMs: byLength({ short: [300, 1_000], long: [1_000, 5_000] }),
    },
    sampleMs: 500,
    say: (line) => t.diagnostic(line),
  });
  assert.deepEqual(report.faults, []);
  assert.ok(report.found.credits > 0 && report.found.events > report.found.credits);
});
