// A reporter of node --test: each failed test as a line of JSON.
import { relative } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

export default async function* listFailures(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:fail' || data.nesting > 0) continue;
    yield `${JSON.stringify({ file: relative('.', data.file ?? ''), test: data.name })}\n`;
  }
}
