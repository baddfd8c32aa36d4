// Follows what changes, from look to look. The first look cannot know what went before it, so
// everything counts as changed.

import type { Reader } from '#db/db.ts';
import { readCheckoutChanges } from './checkout-change-store.ts';

export type ChangeFollower = {
  /** What changed since the last look that succeeded; 'all' when that cannot be said. */
  look(reader: Reader): Promise<readonly string[] | 'all'>;
  /** Called when nobody wants to know for a while. The next look is a first one again. */
  forget(): void;
};

export function followChanges(): ChangeFollower {
  let since: string | undefined;
  return {
    async look(reader) {
      const isFirst = since === undefined;
      const { snapshot, checkoutIds } = await readCheckoutChanges(reader, since);
      since = snapshot;
      return isFirst || checkoutIds === undefined ? 'all' : checkoutIds;
    },
    forget() {
      since = undefined;
    },
  };
}
