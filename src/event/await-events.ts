// Events of an account in the order in which they were numbered, for a program that follows them
// (GET /events/follow). Guarantees: whoever goes on after the last event of an answer gets each
// later one once. An event is answered only when none with a lower number can appear any more.
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, sql } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { findSettledTop } from '#db/settled-top.ts';
import { EVENT, EVENT_NUMBERS, EVENT_TYPES, type Event, findEvent, mayHear } from './event.ts';
import { withAnswers } from './told-answers.ts';

const POLL_MS = 500;
/** Of one account at a time in this process; one more is answered at once. */
const WAITING_MOST = 10;
/**
 * An event that is numbered later may have been begun earlier: its transaction took longer, or its
 * process has another clock. None takes so long.
 */
const OVERLAP_MINUTES = 10;

type FollowEventsApp = { readonly db: Db; readonly clock: Clock };

type FollowRequest = Owner & {
  /** Id of the event that was had last; undefined: from the first that is kept. */
  readonly after: string | undefined;
  /** Of the key that asks; undefined: everything. */
  readonly scopes: readonly string[] | undefined;
  readonly limit: number;
  readonly waitMs: number;
  readonly signal: AbortSignal;
};

const waiting = new Map<string, number>();

/** @throws Refusal missing `event_missing` when the event it is to go on after is not there. */
export async function awaitEvents(app: FollowEventsApp, request: FollowRequest): Promise<Event[]> {
  const { clock } = app;
  const { merchantId, signal } = request;
  const last = await findLast(app, request);
  const count = waiting.get(merchantId) ?? 0;
  const waitMs = count < WAITING_MOST ? request.waitMs : 0;
  const endsAtMs = clock.monotonicMs() + waitMs;
  waiting.set(merchantId, count + 1);
  try {
    for (;;) {
      const events = await listSettled(app, request, last);
      const leftMs = endsAtMs - clock.monotonicMs();
      if (events.length > 0 || leftMs <= 0 || signal.aborted) return events;
      await pause(clock, Math.min(POLL_MS, leftMs), signal);
    }
  } finally {
    const left = (waiting.get(merchantId) ?? 1) - 1;
    if (left > 0) waiting.set(merchantId, left);
    else waiting.delete(merchantId);
  }
}

/** The newest event of the account: a program that wants what comes from now on begins after it. */
export async function findNewestEvent(
  { db }: Pick<FollowEventsApp, 'db'>,
  owner: Owner,
): Promise<Event | undefined> {
  const [newest] = await EVENT.select(
    db,
    sql`where ${ownedBy(owner)} order by created_at desc, id desc limit 1`,
  );
  return newest && (await withAnswers(db, [newest]))[0];
}

type Last = Pick<Event, 'number' | 'createdAt'>;

async function findLast(app: FollowEventsApp, request: FollowRequest): Promise<Last | undefined> {
  const { after, merchantId, environment } = request;
  if (after === undefined) return undefined;
  const event = await findEvent(app, { merchantId, environment, eventId: after });
  if (event !== undefined) return event;
  throw new Refusal('missing', 'event_missing', 'after: no such event, or it was forgotten');
}

async function listSettled(
  app: FollowEventsApp,
  request: FollowRequest,
  last: Last | undefined,
): Promise<Event[]> {
  const [first] = await listAfter(app, request, last, undefined);
  if (first === undefined) return [];
  const top = await findSettledTop(app, EVENT_NUMBERS, first.number - 1n);
  if (top === undefined) return [];
  return withAnswers(app.db, await listAfter(app, request, last, top));
}

/** With `upTo` undefined one is enough. */
function listAfter(
  { db }: FollowEventsApp,
  { scopes, limit, ...owner }: FollowRequest,
  last: Last | undefined,
  upTo: bigint | undefined,
): Promise<Event[]> {
  const unheard = EVENT_TYPES.filter((one) => !mayHear(scopes, one));
  const since = last?.createdAt.subtract({ minutes: OVERLAP_MINUTES });
  return EVENT.select(
    db,
    sql`where ${ownedBy(owner)} and number > ${last?.number ?? 0n}
      ${since === undefined ? sql`` : sql`and created_at >= ${since}`}
      ${upTo === undefined ? sql`` : sql`and number <= ${upTo}`}
      ${unheard.length === 0 ? sql`` : sql`and type <> all(${unheard}::text[])`}
      order by number limit ${upTo === undefined ? 1 : limit}`,
  );
}

/** Ends early when the client goes away. */
async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
