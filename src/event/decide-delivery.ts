// What follows from an attempt. Pure. The schedule is the promise of api-contract.md 7: fourteen
// attempts over about 76 hours, each with up to a fifth of jitter, then the delivery is parked.
import { assert } from '#base/assert.ts';
import { jitterMost, type Random, withJitter } from '#base/random.ts';
import type { WebhookAnswer } from '#webhook/send-webhook.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pause before each attempt, after the one before. */
export const DELIVERY_SCHEDULE_MS: readonly number[] = [
  0,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
];

/** The longest that the schedule can take, jitter and all. */
export const DELIVERY_SCHEDULE_MS_MOST = DELIVERY_SCHEDULE_MS.reduce(
  (sum, ms) => sum + ms + jitterMost(ms),
  0,
);

const RETRY_AFTER_MS_MOST = HOUR;

export type DeliveryDecision =
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'retry';
      readonly at: Temporal.Instant;
      /** The receiver asked for quiet: nothing goes to its lane before. */
      readonly holdUntil: Temporal.Instant | undefined;
    }
  | { readonly kind: 'parked'; readonly reason: string }
  | { readonly kind: 'disabled'; readonly reason: string };

/** `attemptCount` includes the attempt that was just made. */
export function decideDelivery(
  answer: WebhookAnswer,
  attemptCount: number,
  now: Temporal.Instant,
  random: Random,
): DeliveryDecision {
  assert(attemptCount >= 1, 'a decision follows an attempt');
  const status = answer.kind === 'answered' ? answer.status : undefined;
  if (status !== undefined && status >= 200 && status <= 299) return { kind: 'delivered' };
  if (status === 410) return { kind: 'disabled', reason: 'the receiver answered 410 Gone' };
  const pauseMs = DELIVERY_SCHEDULE_MS[attemptCount];
  if (pauseMs === undefined) {
    const last = answer.kind === 'answered' ? `status ${answer.status}` : answer.error;
    return { kind: 'parked', reason: `${attemptCount} attempts failed, the last with: ${last}` };
  }
  const scheduled = now.add({ milliseconds: withJitter(pauseMs, random) });
  const asked = askedPause(answer, now);
  const isLater = asked !== undefined && Temporal.Instant.compare(asked, scheduled) > 0;
  return { kind: 'retry', at: isLater ? asked : scheduled, holdUntil: asked };
}

/** Retry-After of 429 and 503: seconds or a date (RFC 9110 section 10.2.3), at most an hour. */
function askedPause(answer: WebhookAnswer, now: Temporal.Instant): Temporal.Instant | undefined {
  if (answer.kind !== 'answered' || (answer.status !== 429 && answer.status !== 503)) {
    return undefined;
  }
  const text = answer.retryAfter?.trim() ?? '';
  const latest = now.add({ milliseconds: RETRY_AFTER_MS_MOST });
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  const at = seconds === undefined ? parseHttpDate(text) : now.add({ seconds });
  if (at === undefined || Temporal.Instant.compare(at, now) <= 0) return undefined;
  return Temporal.Instant.compare(at, latest) > 0 ? latest : at;
}

const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function parseHttpDate(text: string): Temporal.Instant | undefined {
  const [, day, monthName = '', year, time] = HTTP_DATE.exec(text) ?? [];
  const month = String(MONTHS.indexOf(monthName) + 1).padStart(2, '0');
  try {
    return Temporal.Instant.from(`${year}-${month}-${day}T${time}Z`);
  } catch {
    return undefined;
  }
}
