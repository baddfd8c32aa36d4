// A moment: how it looks on the wire, and which of two is earlier.

/** ISO 8601 with offset, whole seconds (service.md): how every time looks on the wire. */
export function timestamp(instant: Temporal.Instant): string {
  const text = instant.toString({ smallestUnit: 'second', timeZone: 'UTC' });
  return text.replace(/(?:Z|\+00:00)$/, '+00:00');
}

/**
 * Below zero when `a` is the earlier one, as sorting wants it. The engine's own comparison makes a
 * copy of both on each call, and the collector has to free those one by one: where thousands are
 * compared it is most of the work.
 */
export function compareInstants(a: Temporal.Instant, b: Temporal.Instant): number {
  const order = a.epochMilliseconds - b.epochMilliseconds;
  if (order !== 0 || a === b) return order;
  const [first, second] = [a.epochNanoseconds, b.epochNanoseconds];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

export function isBefore(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return compareInstants(a, b) < 0;
}
