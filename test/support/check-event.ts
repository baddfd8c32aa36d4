// Whether the body of a webhook is what is documented of its type: every event that a test sends to
// the receiver of webhook-receiver.ts is checked with it.
import { isDeepStrictEqual } from 'node:util';
import { findEventSchema } from '#api/event-schemas.ts';

/** A sentence, or undefined when the body has every documented field and none beside them. */
export function findEventFault(body: string): string | undefined {
  const event = JSON.parse(body) as { readonly eventType?: unknown };
  const schema = findEventSchema(String(event.eventType));
  if (schema === undefined) return `an event of an unknown type: ${body.slice(0, 200)}`;
  const parsed = schema.safeParse(event);
  if (!parsed.success) return `${event.eventType}: ${parsed.error.message}`;
  if (!isDeepStrictEqual(parsed.data, event)) {
    return `${event.eventType} has fields that are not documented: ${body}`;
  }
  return undefined;
}
