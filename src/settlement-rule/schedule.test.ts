import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isZone, latestDue, nextDue, PERIODS, type Schedule } from './schedule.ts';

const at = (text: string) => Temporal.Instant.from(text);
const berlin = { hour: 2, zone: 'Europe/Berlin' } as const;

describe('a schedule', () => {
  const rows: readonly [what: string, schedule: Schedule, after: string, due: string][] = [
    [
      'the same day',
      { every: 'DAY', day: undefined, ...berlin },
      '2026-11-21T00:00Z',
      '2026-11-21T01:00Z',
    ],
    [
      'the next day',
      { every: 'DAY', day: undefined, ...berlin },
      '2026-11-21T01:00Z',
      '2026-11-22T01:00Z',
    ],
    // Clocks go from 2:00 to 3:00 on this day.
    [
      'an hour there is not',
      { every: 'DAY', day: undefined, ...berlin },
      '2026-03-28T12:00Z',
      '2026-03-29T01:00Z',
    ],
    // Clocks go from 3:00 to 2:00 on this day, so there are two hours of this name.
    [
      'an hour there is twice',
      { every: 'DAY', day: undefined, ...berlin },
      '2026-10-24T12:00Z',
      '2026-10-25T00:00Z',
    ],
    [
      'after the first of the two',
      { every: 'DAY', day: undefined, ...berlin },
      '2026-10-25T00:30Z',
      '2026-10-26T01:00Z',
    ],
    [
      'a Monday',
      { every: 'WEEK', day: 1, hour: 8, zone: 'UTC' },
      '2026-11-21T10:00Z',
      '2026-11-23T08:00Z',
    ],
    [
      'a Sunday',
      { every: 'WEEK', day: 7, hour: 8, zone: 'UTC' },
      '2026-11-22T08:00Z',
      '2026-11-29T08:00Z',
    ],
    [
      'the end of a short month',
      { every: 'MONTH', day: 31, hour: 0, zone: 'UTC' },
      '2027-01-31T00:00Z',
      '2027-02-28T00:00Z',
    ],
    [
      'a month later it is the 31st again',
      { every: 'MONTH', day: 31, hour: 0, zone: 'UTC' },
      '2027-02-28T00:00Z',
      '2027-03-31T00:00Z',
    ],
    [
      'the day before in another zone',
      { every: 'MONTH', day: 1, hour: 0, zone: 'Pacific/Auckland' },
      '2026-11-21T00:00Z',
      '2026-11-30T11:00Z',
    ],
  ];
  for (const [what, schedule, after, due] of rows) {
    test(`is due at ${what}`, () =>
      assert.equal(String(nextDue(schedule, at(after))), String(at(due))));
  }

  const schedules = fc.record({
    every: fc.constantFrom(...PERIODS),
    day: fc.integer({ min: 1, max: 7 }),
    hour: fc.integer({ min: 0, max: 23 }),
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Asia/Gaza'),
  });
  const moments = fc
    .integer({ min: 1_262_304_000, max: 1_900_000_000 })
    .map((seconds) => Temporal.Instant.fromEpochMilliseconds(seconds * 1000));

  test('is due once in each of its periods, in order of time', () => {
    fc.assert(
      fc.property(schedules, moments, (schedule, after) => {
        const dates: string[] = [];
        let due = after;
        for (let step = 0; step < 6; step += 1) {
          const next = nextDue(schedule, due);
          assert.ok(Temporal.Instant.compare(next, due) > 0);
          // Whatever lies between is followed by the same moment.
          const half = (due.epochMilliseconds + next.epochMilliseconds) / 2;
          const between = Temporal.Instant.fromEpochMilliseconds(Math.floor(half));
          assert.equal(String(nextDue(schedule, between)), String(next));
          assert.equal(String(latestDue(schedule, due, between)), String(due));
          due = next;
          dates.push(due.toZonedDateTimeISO(schedule.zone).toPlainDate().toString());
        }
        assert.equal(new Set(dates).size, dates.length);
        assert.equal(String(latestDue(schedule, nextDue(schedule, after), due)), String(due));
      }),
    );
  });
});

test('a zone has a name: an offset or nonsense is none', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5']) {
    assert.ok(isZone(name), name);
  }
  for (const name of ['', '+02:00', 'Europe/Bonn', 'Berlin', 'Z', '../etc/passwd']) {
    assert.ok(!isZone(name), name);
  }
});
