// API keys this process has seen, so that a request does not ask the database who is calling.
//
// Guarantees: nothing is answered from here while changes of keys could not be heard (`isTrusted`),
// or past the moment at which a secret ends; what was read before a change was heard is not
// remembered after it. So a key revoked or rotated is refused some milliseconds after that was
// committed, and after three seconds at the most when the connection to the database died silently.

import type { Clock } from '#base/clock.ts';
import type { ApiKeyRecord } from './authenticate-key.ts';

export type RememberedKey = {
  readonly record: ApiKeyRecord;
  /** When one of its secrets ends; undefined when none will. */
  readonly changesAt: Temporal.Instant | undefined;
};

export type KeyCache = {
  find(key: string): ApiKeyRecord | undefined;
  /** What a look-up begun now may remember at its end. */
  begin(): (key: string, found: RememberedKey) => void;
  forgetAll(): void;
};

const KEYS_MOST = 10_000;

export function createKeyCache(clock: Clock, isTrusted: () => boolean): KeyCache {
  let known = new Map<string, RememberedKey>();
  return {
    find(key) {
      const found = known.get(key);
      if (found === undefined || !isTrusted()) return undefined;
      const { record, changesAt } = found;
      const isOver = changesAt && Temporal.Instant.compare(clock.now(), changesAt) >= 0;
      return isOver ? undefined : record;
    },
    begin() {
      const begunWith = known;
      return (key, found) => {
        if (begunWith !== known) return;
        if (known.size >= KEYS_MOST) known.clear();
        known.set(key, found);
      };
    },
    forgetAll() {
      known = new Map();
    },
  };
}
