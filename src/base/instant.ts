// Which of two times is earlier. The engine's own comparison makes a copy of both on each call, and
// the collector has to free those one by one: where thousands are compared it is most of the work.

/** Below zero when `a` is the earlier one, as sorting wants it. */
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
