import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryAfterMs } from './retry-after.ts';

const now = Temporal.Instant.from('2026-01-01T12:00:00Z');

for (const [said, ms] of [
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
  ['Fri, 02 Jan 2026 12:00:00 GMT', 86_400_000],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ['Thu, 32 Jan 2026 12:00:00 GMT', undefined],
  ['Thu, 01 Foo 2026 12:00:00 GMT', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['1e9', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
] as const) {
  test(`Retry-After: ${said} is ${ms === undefined ? 'nothing to go by' : `${ms} ms`}`, () => {
    assert.equal(retryAfterMs(said, now), ms);
  });
}
