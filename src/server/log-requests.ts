// One line of the log for each request, up to so many a second; how many went without one stands in
// the next line. Faults of ours always have theirs. A line has the name of the route and nothing
// that a caller wrote: an address of a page is a key to it.

import type { Answered } from '#api/http/server.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';

/** Asked every few seconds by machines: a line only when the answer is no. */
const PROBED = /^\/(?:live|ready|health|metrics)$/;

export function createRequestLines(
  { log, clock }: { readonly log: Log; readonly clock: Clock },
  linesASecond: number,
): (answered: Answered) => void {
  let second = 0;
  let said = 0;
  let unsaid = 0;
  return ({ method, route, status, requestId, milliseconds }) => {
    const isFault = status >= 500;
    if (!isFault && (linesASecond === 0 || (route !== undefined && PROBED.test(route)))) return;
    const now = Math.floor(clock.monotonicMs() / 1_000);
    if (now !== second) said = 0;
    second = now;
    if (!isFault && said >= linesASecond) {
      unsaid += 1;
      return;
    }
    said += 1;
    const more = unsaid === 0 ? {} : { unsaid };
    unsaid = 0;
    const ms = Math.round(milliseconds);
    log.info('request', { method, route: route ?? 'other', status, ms, requestId, ...more });
  };
}
