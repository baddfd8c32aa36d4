import { Refusal } from '#base/refusal.ts';
import type { Reader } from '#db/db.ts';
import type { Event, EventOwner, EventType } from './event.ts';
import { type EventPlace, type EventRow, selectEvents, selectToldCauses } from './event-store.ts';

export type EventPage = {
  readonly events: readonly Event[];
  /** For the next page; undefined on the last one. */
  readonly nextCursor: string | undefined;
};

export type ListEventsRequest = EventOwner & {
  readonly type?: EventType;
  readonly subjectId?: string;
  readonly cursor?: string;
  readonly limit: number;
};

/**
 * Newest first. Events that come in between pages neither repeat nor hide others.
 * @throws Refusal invalid `cursor_invalid`.
 */
export async function listEvents(
  { db }: { readonly db: Reader },
  { cursor, limit, type, subjectId, ...owner }: ListEventsRequest,
): Promise<EventPage> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const filter = { type, subjectId };
  // One more than asked tells whether there is a next page.
  const rows = await db.query<EventRow>(selectEvents(owner, filter, after, limit + 1));
  const events = rows.slice(0, limit).map(toEvent);
  const last = events.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { events, nextCursor: hasMore ? encodeCursor(last) : undefined };
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

function encodeCursor({ createdAt, id }: EventPlace): string {
  const bytes = new TextEncoder().encode(`${createdAt} ${id}`);
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

function decodeCursor(cursor: string): EventPlace {
  try {
    const bytes = Uint8Array.fromBase64(cursor, { alphabet: 'base64url' });
    const [, createdAt = '', id = ''] =
      /^(\S{20,40}) ([a-z0-9]{12})$/.exec(new TextDecoder().decode(bytes)) ?? [];
    return { createdAt: Temporal.Instant.from(createdAt), id };
  } catch (error) {
    throw new Refusal('invalid', 'cursor_invalid', 'cursor is not one of ours.', { cause: error });
  }
}
