// The statuses of all chains for many readers at once: who asks while a look is under way waits for
// the next one, which serves all of them.

import { createBatch } from '#base/batch.ts';
import type { Db } from '#db/db.ts';
import { type ChainStatus, listChainStatuses } from './chain-status.ts';

type Look = () => Promise<readonly ChainStatus[]>;

const looks = new WeakMap<Db, Look>();
const READERS_MOST = 1_000;

/** Never older than the moment of the call. */
export function sharedChainStatuses(db: Db): Promise<readonly ChainStatus[]> {
  const look = looks.get(db) ?? openLook(db);
  looks.set(db, look);
  return look();
}

function openLook(db: Db): Look {
  const batch = createBatch<undefined, readonly ChainStatus[]>({
    most: READERS_MOST,
    atOnce: 1,
    async run(readers) {
      const statuses = await listChainStatuses(db);
      return readers.map(() => statuses);
    },
  });
  return () => batch(undefined);
}
