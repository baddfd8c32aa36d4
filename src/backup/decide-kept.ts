// Which backups stay: of the last days, weeks and months that have one, the newest of each (UTC,
// weeks from Monday). The newest of all stays whatever is asked for. Days without a backup are not
// counted: when backups stop, none is removed.

import type { ShownManifest } from './manifest.ts';

/** How many of each. */
export type KeepPolicy = {
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
};

type Kept = Pick<ShownManifest, 'name' | 'createdAt'>;

/** Names of those that go. */
export function decideRemoved(backups: readonly Kept[], policy: KeepPolicy): string[] {
  const newestFirst = [...backups].sort((one, other) =>
    Temporal.Instant.compare(other.createdAt, one.createdAt),
  );
  const kept = new Set(newestFirst.slice(0, 1).map(({ name }) => name));
  const keep = (most: number, periodOf: (day: Temporal.PlainDate) => string) => {
    const seen = new Set<string>();
    for (const { name, createdAt } of newestFirst) {
      const period = periodOf(createdAt.toZonedDateTimeISO('UTC').toPlainDate());
      if (seen.has(period)) continue;
      if (seen.size === most) return;
      seen.add(period);
      kept.add(name);
    }
  };
  keep(policy.days, (day) => day.toString());
  keep(policy.weeks, ({ yearOfWeek, weekOfYear }) => `${yearOfWeek} ${weekOfYear}`);
  keep(policy.months, ({ year, month }) => `${year} ${month}`);
  return newestFirst.filter(({ name }) => !kept.has(name)).map(({ name }) => name);
}
