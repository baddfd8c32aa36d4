import type { Reader } from '#db/db.ts';
import { cutPage, type PagePlace } from '#db/page-cursor.ts';
import type { Event, EventOwner, EventType } from './event.ts';
import { typesUnheard } from './event-scopes.ts';
import { type EventRow, selectEvent, selectEvents, selectToldCauses } from './event-store.ts';

export type EventPage = {
  readonly events: readonly Event[];
  /** For the next page; null on the last one. */
  readonly nextCursor: string | null;
};

export type ListEventsRequest = EventOwner & {
  readonly type?: EventType | undefined;
  readonly subjectId?: string;
  /** Of the key that asks; undefined: everything. */
  readonly scopes?: readonly string[] | undefined;
  /** The page begins after it. */
  readonly cursor?: PagePlace | undefined;
  readonly limit: number;
};

/** Newest first. Events that come in between pages neither repeat nor hide others. */
export async function listEvents(
  { db }: { readonly db: Reader },
  { cursor, limit, type, subjectId, scopes, ...owner }: ListEventsRequest,
): Promise<EventPage> {
  const filter = { type, subjectId, unheard: typesUnheard(scopes) };
  // One more than asked tells whether there is a next page.
  const rows = await db.query<EventRow>(selectEvents(owner, filter, cursor, limit + 1));
  const place = ({ created_at: at, id }: EventRow) => ({ at, id });
  const { shown, nextCursor } = cutPage(rows, limit, place);
  return { events: shown.map(toEvent), nextCursor };
}

/** Undefined also for somebody else's. */
export async function findEvent(
  { db }: { readonly db: Reader },
  { eventId, ...owner }: EventOwner & { readonly eventId: string },
): Promise<Event | undefined> {
  const [row] = await db.query<EventRow>(selectEvent(owner, eventId));
  return row === undefined ? undefined : toEvent(row);
}

/** Of these cause keys, those that have an event. */
export async function listToldCauses(
  reader: Reader,
  causeKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (causeKeys.length === 0) return new Set();
  const rows = await reader.query<{ cause_key: string }>(selectToldCauses(causeKeys));
  return new Set(rows.map((row) => row.cause_key));
}

function toEvent(row: EventRow): Event {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    type: row.type,
    subject: row.subject,
    subjectId: row.subject_id,
    sequence: row.sequence,
    causeKey: row.cause_key,
    body: row.body,
    apiKey: row.api_key ?? undefined,
    createdAt: row.created_at,
  };
}
