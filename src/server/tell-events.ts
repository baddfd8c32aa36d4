// A line of the log, and a count, for each thing that happened to money: what merchants are told.
// Begins with what happens after the start of this process. Guarantees: no amount, address or text
// of anybody stands in it. Not guaranteed: once. Each process with the role `settle` tells it.

import { findSettledTop } from '#db/settled-top.ts';
import { EVENT_NUMBERS, EVENT_TYPES, listHappened } from '#event/event.ts';
import { type Loop, startLoop } from '#runtime/loop.ts';
import type { App } from './app.ts';

const IDLE_MS = 1_000;
const BATCH = 1_000;
const EVER = Temporal.Instant.fromEpochMilliseconds(0);

export function tellEvents(app: App): Loop {
  const step = followRecent(app);
  return startLoop({ name: 'log of events', step, idleMs: IDLE_MS, ...app });
}

/** One look each time. */
function followRecent({
  db,
  clock,
  log,
  meters,
}: Pick<App, 'db' | 'clock' | 'log' | 'meters'>): () => Promise<'idle' | 'busy'> {
  let after: bigint | undefined;
  return async () => {
    const upTo = await findSettledTop({ db, clock }, EVENT_NUMBERS, after ?? -1n);
    if (upTo === undefined) return 'idle';
    if (after === undefined) {
      after = upTo;
      return 'idle';
    }
    const asked = { types: EVENT_TYPES, after, upTo, since: EVER, limit: BATCH };
    const happened = await listHappened(db, asked);
    for (const { type, environment, merchantId, subjectId } of happened) {
      log.info('happened', { type, environment, merchantId, subjectId });
      meters.events.add({ type, environment });
    }
    const isWhole = happened.length < BATCH;
    after = isWhole ? upTo : (happened.at(-1)?.number ?? upTo);
    return isWhole ? 'idle' : 'busy';
  };
}
