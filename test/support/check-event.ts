// Whether the body of a webhook is what is documented of its type: every event that a test sends to
// the receiver of webhook-receiver.ts is checked with it.
import { isDeepStrictEqual } from 'node:util';
import { findEventSchema } from '#api/event-schemas.ts';
import { LATEST_VERSION } from '#versions/api-version.ts';
import { VERSION_CHANGES } from '#versions/version-changes.ts';

/** A sentence, or undefined when the body has every documented field and none beside them. */
export function findEventFault(body: string): string | undefined {
  const event = inNewest(JSON.parse(body));
  const schema = findEventSchema(String(event.eventType));
  if (schema === undefined) return `an event of an unknown type: ${body.slice(0, 200)}`;
  const parsed = schema.safeParse(event);
  if (!parsed.success) return `${event.eventType}: ${parsed.error.message}`;
  if (!isDeepStrictEqual(parsed.data, event)) {
    return `${event.eventType} has fields that are not documented: ${body}`;
  }
  return undefined;
}

type Sent = { readonly eventType?: unknown; readonly apiVersion?: unknown; readonly data: object };

/** One of the first version, which a receiver has where no key says another, is held against it. */
function inNewest(event: Sent): Sent {
  if (event.apiVersion !== '1') return event;
  const data = VERSION_CHANGES.reduce<object>(
    (told, { events }) => events[String(event.eventType)]?.newer({ ...told }) ?? told,
    event.data,
  );
  return { ...event, data, apiVersion: LATEST_VERSION };
}
