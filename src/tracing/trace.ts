// Pieces of work that are timed and told to a collector, where the operator has one. What is under
// way is known by its place in the calls, and is written with an event, so that its delivery, by
// another process and later, belongs to the same story. Without a tracer nothing is made or loaded.

import { AsyncLocalStorage } from 'node:async_hooks';

/** From lists of the program, or numbers: nothing that anybody wrote, no id of anybody. */
type Attributes = Readonly<Record<string, string | number>>;

export type SpanStart = {
  readonly name: string;
  /** Asked by somebody, asking somebody, or neither. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes?: Attributes;
  /** What it belongs to, as `currentTrace` said it; what is under way, where that is not given. */
  readonly parent?: string | undefined;
};

export interface Span {
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** It did not do what it was for. */
  fail(kind: string): void;
}

export interface Tracer {
  /** What is thrown goes through; of it the span has the name alone. */
  span<T>(start: SpanStart, act: (span: Span) => Promise<T>): Promise<T>;
  /** Tells what is left, for a few seconds at most. */
  close(): Promise<void>;
}

const underWay = new AsyncLocalStorage<string>();

/** As in the header `traceparent` (W3C Trace Context); undefined where nothing is traced. */
export function currentTrace(): string | undefined {
  return underWay.getStore();
}

export function withinTrace<T>(trace: string, act: () => Promise<T>): Promise<T> {
  return underWay.run(trace, act);
}

const NO_SPAN: Span = { rename() {}, set() {}, fail() {} };

export function traced<T>(
  tracer: Tracer | undefined,
  start: SpanStart,
  act: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer === undefined ? act(NO_SPAN) : tracer.span(start, act);
}
