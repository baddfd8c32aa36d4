import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  instantsOf,
  namedPeriods,
  type ReportPeriod,
  readDay,
  readDays,
  readNamedPeriod,
} from './report-period.ts';

const told = (period: ReportPeriod | undefined) => period && `${period.from} ${period.to}`;

test('a month, a quarter and a year are read by their names, and nothing else is', () => {
  for (const [code, days] of [
    ['2024-02', '2024-02-01 2024-02-29'],
    ['2026-12', '2026-12-01 2026-12-31'],
    ['2026-Q1', '2026-01-01 2026-03-31'],
    ['2026-Q4', '2026-10-01 2026-12-31'],
    ['2026', '2026-01-01 2026-12-31'],
    ['2026-13', undefined],
    ['2026-Q5', undefined],
    ['2026-Q', undefined],
    ['26', undefined],
    ['', undefined],
    ['2026-01-01', undefined],
  ] as const) {
    assert.equal(told(readNamedPeriod(code)), days, code);
  }
});

test('every period that is offered is read back as itself, the one that is not over first', () => {
  for (const today of ['2026-01-31', '2026-12-31', '2024-02-29', '2026-05-15']) {
    const named = namedPeriods(Temporal.PlainDate.from(today));
    for (const { code, ...period } of [...named.months, ...named.quarters, ...named.years]) {
      assert.equal(told(readNamedPeriod(code)), told(period), code);
    }
    for (const list of Object.values(named)) {
      const [first] = list;
      assert.ok(first !== undefined && `${first.from}` <= today && today <= `${first.to}`);
      const ends = list.slice(1).map(({ to }) => `${to.add({ days: 1 })}`);
      assert.deepEqual(
        ends,
        list.slice(0, -1).map(({ from }) => `${from}`),
        'without a gap',
      );
    }
  }
});

test('days are of the calendar, in their order, and end at midnight UTC', () => {
  assert.equal(told(readDays('2026-01-02', '2026-01-02')), '2026-01-02 2026-01-02');
  assert.equal(readDays('2026-01-03', '2026-01-02'), undefined);
  assert.equal(readDay('2026-02-30'), undefined);
  assert.equal(readDay('today'), undefined);
  const period = readDays('2026-01-02', '2026-01-03');
  assert.ok(period !== undefined);
  const { from, to } = instantsOf(period);
  assert.equal(`${from} ${to}`, '2026-01-02T00:00:00Z 2026-01-04T00:00:00Z');
});
