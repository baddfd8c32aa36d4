import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALERT_RULES } from './alert-kinds.ts';
import { type Alert, decideAlerts, type Trouble } from './decide-alerts.ts';

const START = Temporal.Instant.from('2030-01-01T00:00:00Z');
const NODE: Trouble = { kind: 'node', subject: 'live:LITECOIN', detail: 'nobody answers' };

/** Minutes at which it was wrong, and until when is looked, each minute. */
type Story = {
  readonly what: string;
  readonly trouble?: Trouble;
  readonly wrong: (minute: number) => boolean;
  readonly minutes: number;
  readonly told: readonly string[];
};

const between = (from: number, to: number) => (minute: number) => minute >= from && minute < to;

const STORIES: readonly Story[] = [
  { what: 'nothing is wrong', wrong: () => false, minutes: 60, told: [] },
  {
    what: 'a node is away for four minutes',
    wrong: between(1, 5),
    minutes: 60,
    told: [],
  },
  {
    what: 'a node is away for ten minutes: told after five, over two after the end',
    wrong: between(0, 10),
    minutes: 60,
    told: ['5 ON', '12 OFF'],
  },
  {
    what: 'it comes back for a minute now and then: one trouble',
    wrong: (minute) => minute < 30 && minute % 4 !== 3,
    minutes: 60,
    told: ['5 ON', '32 OFF'],
  },
  {
    what: 'it comes back for longer: two troubles',
    wrong: (minute) => between(0, 10)(minute) || between(20, 30)(minute),
    minutes: 60,
    told: ['5 ON', '12 OFF', '25 ON', '32 OFF'],
  },
  {
    what: 'it stays: a reminder every six hours',
    wrong: () => true,
    minutes: 13 * 60,
    told: ['5 ON', '365 REMINDER', '725 REMINDER'],
  },
  {
    what: 'what is wrong for certain is told at once, and over at once',
    trouble: { kind: 'ledger', subject: '', detail: 'The ledger has 1 fault' },
    wrong: between(3, 6),
    minutes: 10,
    told: ['3 ON', '6 OFF'],
  },
  {
    what: 'a brake that comes and goes is one alert',
    trouble: { kind: 'brake', subject: 'live:BITCOIN', detail: 'slow' },
    wrong: (minute) => minute < 100 && minute % 10 < 6,
    minutes: 120,
    told: ['2 ON', '106 OFF'],
  },
];

for (const { what, trouble = NODE, wrong, minutes, told } of STORIES) {
  test(what, () => {
    let alerts: readonly Alert[] = [];
    const said: string[] = [];
    for (let minute = 0; minute <= minutes; minute += 1) {
      const now = START.add({ minutes: minute });
      const decision = decideAlerts(alerts, wrong(minute) ? [trouble] : [], now);
      alerts = decision.alerts;
      said.push(...decision.told.map(({ stage }) => `${minute} ${stage}`));
    }
    assert.deepEqual(said, told);
  });
}

test('troubles of one kind with several subjects are several, each with what is seen now', () => {
  const other: Trouble = { ...NODE, subject: 'live:BITCOIN' };
  const first = decideAlerts([], [NODE, other], START);
  const later = START.add({ minutes: 6 });
  const second = decideAlerts(first.alerts, [{ ...NODE, detail: 'of another chain' }], later);
  assert.deepEqual(
    second.told.map(({ stage, alert }) => [stage, alert.subject, alert.detail]),
    [['ON', 'live:LITECOIN', 'of another chain']],
  );
  assert.equal(second.alerts.length, 2);
  assert.deepEqual(
    second.alerts.find(({ subject }) => subject === other.subject)?.absentSince,
    later,
  );
});

test('nothing is remembered of what is over', () => {
  const { alerts } = decideAlerts([], [NODE], START);
  const absent = decideAlerts(alerts, [], START.add({ minutes: 1 }));
  assert.equal(absent.alerts.length, 1);
  assert.deepEqual(decideAlerts(absent.alerts, [], START.add({ minutes: 3 })).alerts, []);
});

test('each rule waits no longer than it reminds, and says what it is about', () => {
  for (const [kind, one] of Object.entries(ALERT_RULES)) {
    assert.ok(one.onAfterSeconds < one.remindAfterHours * 3_600, kind);
    assert.match(one.title, /^[A-Z].*[a-z]$/, kind);
  }
});
