// The body of a webhook: the shape of service.md "Events", and id, created, sequence, apiVersion.
// `data` comes as JSON text and goes in as it is: amounts inside `payload` must keep every digit.
import { assert } from '#base/assert.ts';
import { type ExactNumber, type ExactObject, parseStoredObject } from '#money/exact-json.ts';
import type { EventType } from './event.ts';

const eventApiVersion = '1';

export type EventBodyParts = {
  readonly id: string;
  readonly type: EventType;
  readonly created: Temporal.Instant;
  readonly sequence: number;
  /** JSON text of an object, for example `{"checkout":{...}}`. */
  readonly data: string;
};

/** The text that is stored with the event and sent, byte for byte, at each attempt. */
export function eventBody({ id, type, created, sequence, data }: EventBodyParts): string {
  assert(data.startsWith('{') && data.endsWith('}'), 'data is the text of a JSON object');
  // service.md: timestamps are ISO 8601 with offset.
  const at = created.toZonedDateTimeISO('UTC').toString({ timeZoneName: 'never' });
  return (
    `{"eventType":${JSON.stringify(type)},"data":${data},"id":${JSON.stringify(id)}` +
    `,"created":${JSON.stringify(at)},"sequence":${sequence}` +
    `,"apiVersion":${JSON.stringify(eventApiVersion)}}`
  );
}

/** What `eventBody` made, to be answered again. */
export function parseEventBody(text: string) {
  const body = parseStoredObject(text) as ExactObject & Written;
  return { ...body, sequence: Number(body.sequence.text) };
}

type Written = {
  readonly eventType: EventType;
  readonly data: ExactObject;
  readonly id: string;
  readonly created: string;
  readonly sequence: ExactNumber;
  readonly apiVersion: string;
};
