// What was really sent and answered, one exchange an operation, and one body an event: recorded by
// tests, which hold it against the schemas (test/scenarios/recorded-examples.test.ts). Secrets are
// cut, and of lists of objects the first two are shown.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventType } from '#event/event.ts';

export type RecordedExchange = {
  /** `GET /api/v1/customer?id=xekya5rzumfv` */
  readonly request: string;
  readonly body?: unknown;
  readonly answer: unknown;
};

export type RecordedExamples = {
  readonly operations: { readonly [operationId: string]: RecordedExchange };
  readonly events: { readonly [type in EventType]?: unknown };
};

export const RECORDED_FILE = join(import.meta.dirname, 'recorded.json');

let read: RecordedExamples | undefined;

/** Read once, by who shows them first. */
export function recordedExamples(): RecordedExamples {
  read ??= JSON.parse(readFileSync(RECORDED_FILE, 'utf8')) as RecordedExamples;
  return read;
}
