import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideRemoved } from './decide-kept.ts';

const POLICY = { days: 3, weeks: 2, months: 2 };
const at = (text: string) => ({ name: text, createdAt: Temporal.Instant.from(`${text}:00:00Z`) });
const stays = (policy: typeof POLICY, ...times: string[]) => {
  const removed = decideRemoved(times.map(at), policy);
  return times.filter((time) => !removed.includes(time));
};

test('of the last days that have a backup the newest of each stays', () => {
  assert.deepEqual(
    stays(
      { days: 3, weeks: 0, months: 0 },
      '2026-11-10T03',
      '2026-11-20T03',
      '2026-11-22T03',
      '2026-11-24T03',
      '2026-11-24T09',
    ),
    ['2026-11-20T03', '2026-11-22T03', '2026-11-24T09'],
  );
});

test('weeks begin on Monday, also across a year', () => {
  assert.deepEqual(
    stays(
      { days: 0, weeks: 2, months: 0 },
      '2026-12-20T03',
      '2026-12-27T03',
      '2026-12-28T03',
      '2027-01-03T03',
    ),
    ['2026-12-27T03', '2027-01-03T03'],
  );
});

test('each rule keeps what it wants, and one backup may serve several', () => {
  const times = Array.from({ length: 60 }, (_, index) =>
    Temporal.PlainDate.from('2026-10-01').add({ days: index }).toString(),
  ).map((day) => `${day}T03`);
  assert.deepEqual(stays(POLICY, ...times), [
    '2026-10-31T03',
    '2026-11-22T03',
    '2026-11-27T03',
    '2026-11-28T03',
    '2026-11-29T03',
  ]);
});

test('the newest stays whatever is asked for', () => {
  const none = { days: 0, weeks: 0, months: 0 };
  assert.deepEqual(stays(none, '2026-11-23T03', '2026-11-24T03'), ['2026-11-24T03']);
  assert.deepEqual(decideRemoved([], none), []);
});
