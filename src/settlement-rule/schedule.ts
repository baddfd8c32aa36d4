// When a rule is due: at an hour of a day, of a weekday or of a day of the month, on the clock of a
// named time zone. Pure. Guarantees: one moment for each of these days, also where the clock is put
// forward over the hour (then it is the moment after) or back (then it is the first of the two).

import { isBefore } from '#base/instant.ts';

export const PERIODS = ['DAY', 'WEEK', 'MONTH'] as const;

export type Schedule = {
  readonly every: (typeof PERIODS)[number];
  /** 1 (Monday) to 7 of WEEK; 1 to 31 of MONTH, or its last day; undefined of DAY. */
  readonly day: number | undefined;
  /** 0 to 23. */
  readonly hour: number;
  /** IANA name, such as Europe/Berlin. */
  readonly zone: string;
};

/** The first moment of the schedule after another moment. */
export function nextDue(schedule: Schedule, after: Temporal.Instant): Temporal.Instant {
  let period = firstDay(schedule, after.toZonedDateTimeISO(schedule.zone).toPlainDate());
  for (;;) {
    const due = momentIn(schedule, period);
    if (isBefore(after, due)) return due;
    period = period.add(LENGTH[schedule.every]);
  }
}

/** The last moment of the schedule from `due` up to `now`: what was missed is not made up for. */
export function latestDue(
  schedule: Schedule,
  due: Temporal.Instant,
  now: Temporal.Instant,
): Temporal.Instant {
  let latest = due;
  for (;;) {
    const next = nextDue(schedule, latest);
    if (isBefore(now, next)) return latest;
    latest = next;
  }
}

const LENGTH = { DAY: { days: 1 }, WEEK: { weeks: 1 }, MONTH: { months: 1 } } as const;

/** A day of the period that has `date`: its first one, or the one of the week that is asked for. */
function firstDay({ every, day = 1 }: Schedule, date: Temporal.PlainDate): Temporal.PlainDate {
  if (every === 'DAY') return date;
  if (every === 'MONTH') return date.with({ day: 1 });
  return date.add({ days: day - date.dayOfWeek });
}

function momentIn({ every, day, hour, zone }: Schedule, period: Temporal.PlainDate) {
  const last = period.daysInMonth;
  const date = every === 'MONTH' ? period.with({ day: Math.min(day ?? last, last) }) : period;
  const plainTime = Temporal.PlainTime.from({ hour });
  return date.toZonedDateTime({ timeZone: zone, plainTime }).toInstant();
}

const NAME = /^[A-Za-z]{2,}(?:[/_+-][A-Za-z0-9]+)*$/;

/** Whether it is the name of a time zone, and no offset. */
export function isZone(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    // Temporal says so by a RangeError.
    return false;
  }
}
