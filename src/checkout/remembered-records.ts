// Checkouts as they were last read. A record is given again only after the database said, in this
// very look-up, that none of its rows changed since.

import type { CheckoutRecord } from './checkout.ts';

export type RememberedRecord = {
  readonly version: string;
  /**
   * The snapshot at which the version was last found unchanged. While it stays the same, nothing
   * was written.
   */
  readonly snapshot: string;
  readonly record: CheckoutRecord;
};

export type RememberedRecords = {
  get(id: string): RememberedRecord | undefined;
  set(id: string, remembered: RememberedRecord): void;
};

const RECORDS_MOST = 1_000;

export function createRememberedRecords(): RememberedRecords {
  // In order of last use: the longest unused leave first.
  const known = new Map<string, RememberedRecord>();
  return {
    get(id) {
      const found = known.get(id);
      if (found === undefined) return undefined;
      known.delete(id);
      known.set(id, found);
      return found;
    },
    set(id, remembered) {
      known.delete(id);
      known.set(id, remembered);
      if (known.size > RECORDS_MOST) known.delete(known.keys().next().value ?? '');
    },
  };
}
