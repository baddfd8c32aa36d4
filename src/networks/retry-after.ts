// What the header Retry-After says (RFC 9110): seconds, or the date until when to wait.

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
/** `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that servers may still write. */
const DATE = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;

/** Undefined when it says nothing that can be read; never below zero. */
export function retryAfterMs(text: string | null | undefined, now: Temporal.Instant) {
  const said = text?.trim() ?? '';
  if (/^\d{1,9}$/.test(said)) return Number(said) * 1000;
  const until = readDate(said);
  if (until === undefined) return undefined;
  return Math.max(0, until.epochMilliseconds - now.epochMilliseconds);
}

function readDate(text: string): Temporal.Instant | undefined {
  const [, day, name = '', year, hour, minute, second] = DATE.exec(text) ?? [];
  const month = `${MONTHS.indexOf(name) + 1}`.padStart(2, '0');
  try {
    return Temporal.Instant.from(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  } catch {
    return undefined;
  }
}
