// For which days reports are made: a month, a quarter, a year, or from one day to another. Pure.
// Days are those of UTC, as in every report.

const MONTHS = 15;
const QUARTERS = 8;
const YEARS = 5;
const MONTHS_OF_QUARTER = 3;

export type ReportPeriod = {
  readonly from: Temporal.PlainDate;
  /** Included. */
  readonly to: Temporal.PlainDate;
};

/** `2026-01`, `2026-Q1` or `2026`. */
type NamedPeriod = ReportPeriod & { readonly code: string };

/** The last ones, each with the one that is not over: newest first. */
export function namedPeriods(today: Temporal.PlainDate): {
  readonly months: readonly NamedPeriod[];
  readonly quarters: readonly NamedPeriod[];
  readonly years: readonly NamedPeriod[];
} {
  const quarter = today.with({ day: 1, month: firstMonth(quarterOf(today)) });
  const list = (count: number, at: (before: number) => ReportPeriod, name: Namer) =>
    Array.from({ length: count }, (_, before) => {
      const period = at(before);
      return { ...period, code: name(period.from) };
    });
  return {
    months: list(MONTHS, (before) => monthsFrom(today.subtract({ months: before }), 1), monthCode),
    quarters: list(
      QUARTERS,
      (before) => monthsFrom(quarter.subtract({ months: before * MONTHS_OF_QUARTER }), 3),
      quarterCode,
    ),
    years: list(
      YEARS,
      (before) => monthsFrom(today.with({ month: 1 }).subtract({ years: before }), 12),
      ({ year }) => String(year),
    ),
  };
}

type Namer = (from: Temporal.PlainDate) => string;

function monthCode(from: Temporal.PlainDate): string {
  return from.toPlainYearMonth().toString();
}

function quarterCode(from: Temporal.PlainDate): string {
  return `${from.year}-Q${quarterOf(from)}`;
}

export function quarterOf({ month }: Temporal.PlainDate): number {
  return Math.ceil(month / MONTHS_OF_QUARTER);
}

function firstMonth(quarter: number): number {
  return (quarter - 1) * MONTHS_OF_QUARTER + 1;
}

function monthsFrom(day: Temporal.PlainDate, months: number): ReportPeriod {
  const from = day.with({ day: 1 });
  return { from, to: from.add({ months }).subtract({ days: 1 }) };
}

/** Undefined for what names none. */
export function readNamedPeriod(code: string): ReportPeriod | undefined {
  const [, year, month, quarter] = /^([12]\d{3})(?:-(0[1-9]|1[0-2])|-Q([1-4]))?$/.exec(code) ?? [];
  if (year === undefined) return undefined;
  const first = new Temporal.PlainDate(Number(year), 1, 1);
  if (month !== undefined) return monthsFrom(first.with({ month: Number(month) }), 1);
  if (quarter === undefined) return monthsFrom(first, 12);
  return monthsFrom(first.with({ month: firstMonth(Number(quarter)) }), MONTHS_OF_QUARTER);
}

/** Undefined for what is no day, or where the last is before the first. */
export function readDays(first: string, last: string): ReportPeriod | undefined {
  const [from, to] = [readDay(first), readDay(last)];
  const isOne = from !== undefined && to !== undefined && Temporal.PlainDate.compare(from, to) <= 0;
  return isOne ? { from, to } : undefined;
}

/** Undefined for what is no day. */
export function readDay(text: string): Temporal.PlainDate | undefined {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text)) return undefined;
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    // No day of the calendar, such as February 30.
    return undefined;
  }
}

/** In UTC. */
export function startOf(day: Temporal.PlainDate): Temporal.Instant {
  return day.toZonedDateTime('UTC').toInstant();
}

/** Business time, from included, to not. */
export function instantsOf({ from, to }: ReportPeriod) {
  return { from: startOf(from), to: startOf(to.add({ days: 1 })) };
}
