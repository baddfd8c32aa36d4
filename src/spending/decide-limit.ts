// Whether one more act fits under a limit of 24 hours, how much is left of it, and from when it
// fits. Pure.

/** What an act took, in units of what the limit counts. */
export type Spent = { readonly units: bigint; readonly at: Temporal.Instant };

export type LimitVerdict =
  | { readonly fits: true; readonly leftUnits: bigint }
  | {
      readonly fits: false;
      readonly leftUnits: bigint;
      /** When what was spent before has left the window as far as needed; undefined: never. */
      readonly fitsFrom: Temporal.Instant | undefined;
    };

export const LIMIT_WINDOW = { hours: 24 } as const;

/** `spent`: what is in the window, in any order. */
export function decideLimit(
  mostUnits: bigint,
  spent: readonly Spent[],
  wantedUnits: bigint,
): LimitVerdict {
  let used = spent.reduce((sum, { units }) => sum + units, 0n);
  const leftUnits = used < mostUnits ? mostUnits - used : 0n;
  if (wantedUnits <= mostUnits - used) return { fits: true, leftUnits };
  const oldestFirst = spent.toSorted((one, other) => Temporal.Instant.compare(one.at, other.at));
  for (const { units, at } of oldestFirst) {
    used -= units;
    if (wantedUnits <= mostUnits - used) {
      return { fits: false, leftUnits, fitsFrom: at.add(LIMIT_WINDOW) };
    }
  }
  return { fits: false, leftUnits, fitsFrom: undefined };
}
