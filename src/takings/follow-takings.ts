// Sums what came in, while it comes in, and notes invoices that were paid a second time.
// Guarantees: the place in the events and the sums of what lies before it are one transaction, so
// each sale is in them once, however often a process dies or how many do it; events are read below
// a number under which none can appear any more.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { findPaidAgain, notePaidAgain } from '#billing/paid-again.ts';
import { sumPaid } from '#checkout/list-checkouts.ts';
import { type Db, sql } from '#db/db.ts';
import { findSettledTop } from '#db/settled-top.ts';
import { bigInteger, defineTable } from '#db/table.ts';
import { sumDeposits } from '#deposit-address/deposit-address.ts';
import { EVENT_NUMBERS, type EventType, type Happened, listHappened } from '#event/event.ts';
import { ZERO } from '#money/decimal.ts';
import { type Loop, startLoop } from '#runtime/loop.ts';
import { addTakings, type Taking } from './taking.ts';

const TAKING_FOLLOW = defineTable('taking_follow', { number: bigInteger });

const IDLE_MS = 1_000;
const BATCH = 1_000;
const TYPES = ['CHECKOUT_COMPLETED', 'DEPOSIT_COMPLETED', 'DEPOSIT_REVERSED'] as const;
const EVER = Temporal.Instant.fromEpochMilliseconds(0);

/** Any number of processes may do it. */
export async function followTakings(app: {
  readonly db: Db;
  readonly clock: Clock;
}): Promise<'idle' | 'busy'> {
  const { db } = app;
  const place = await TAKING_FOLLOW.find(db, sql`limit 1`);
  const after = place?.number ?? 0n;
  const upTo = await findSettledTop(app, EVENT_NUMBERS, after);
  if (upTo === undefined) return 'idle';
  const asked = { types: TYPES, after, upTo, since: EVER, limit: BATCH };
  const events = await listHappened(db, asked);
  const completed = events.filter(({ type }) => type === 'CHECKOUT_COMPLETED');
  const [sums, again] = await Promise.all([
    sumsOf(db, events),
    findPaidAgain(
      app,
      completed.map(({ subjectId }) => subjectId),
    ),
  ]);
  const last = events.length < BATCH ? upTo : (events.at(-1)?.number ?? upTo);
  await db.transact(async (tx) => {
    const moved = await tx.query(sql`
      update taking_follow set number = ${last} where number = ${after} returning number`);
    // Another process has summed them.
    if (moved.length === 0) return;
    for (const sum of sums) addTakings(tx, sum);
    notePaidAgain(tx, again);
  });
  return events.length < BATCH ? 'idle' : 'busy';
}

async function sumsOf(db: Db, events: readonly Happened[]): Promise<Taking[][]> {
  const ofType = (wanted: EventType) => events.filter(({ type }) => type === wanted);
  const causes = (type: EventType) => ofType(type).map(({ causeKey }) => causeKey);
  const [paid, credited, reversed] = await Promise.all([
    sumPaid(
      db,
      ofType('CHECKOUT_COMPLETED').map(({ subjectId }) => subjectId),
    ),
    sumDeposits(db, causes('DEPOSIT_COMPLETED')),
    sumDeposits(db, causes('DEPOSIT_REVERSED')),
  ]);
  const unbilled = { language: '', currency: '', total: ZERO };
  return [
    paid.map((sum) => ({ ...sum, units: 0n })),
    credited.map((sum) => ({ ...sum, ...unbilled })),
    reversed.map(({ payments, units, ...sum }) => ({
      ...{ ...sum, ...unbilled },
      payments: -payments,
      units: -units,
    })),
  ];
}

export function startTakings(app: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}): Loop {
  return startLoop({ name: 'takings', step: () => followTakings(app), idleMs: IDLE_MS, ...app });
}
