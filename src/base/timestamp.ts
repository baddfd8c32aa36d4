/** ISO 8601 with offset, whole seconds (service.md): how every time looks on the wire. */
export function timestamp(instant: Temporal.Instant): string {
  const text = instant.toString({ smallestUnit: 'second', timeZone: 'UTC' });
  return text.replace(/(?:Z|\+00:00)$/, '+00:00');
}
