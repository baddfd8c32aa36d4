// What follows from what a mail server said. Pure. A server that says "later" (4xx) is asked again,
// up to ten times over about three days; one that refuses the receiver or the letter for good (5xx)
// is not asked again, the mail is parked. What our own server does not let us do at all (no
// connection, no TLS, no password that it takes) says nothing of any mail: it is no attempt.

import { type Random, withJitter } from '#base/random.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Pause before each attempt, after the one before. */
const SCHEDULE_MS: readonly number[] = [
  0,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
];
/** After that a mail that waits for a server that is away says nothing any more. */
export const MAIL_HOURS_MOST = 24 * 4;

/**
 * Bad mailbox, system or syntax, moved, or disabled (RFC 3463, 3.2 and 3.3): of the receiver
 * himself, not of what we sent or who we are.
 */
const IS_NOBODY = /^5\d\d[ -]5\.(?:1\.(?:1|2|3|6|10)|2\.1)\b/;

export type SmtpAnswer =
  | { readonly kind: 'taken'; readonly text: string }
  /** `isOfThisMail`: said of the receiver or the letter, not of us. */
  | { readonly kind: 'refused'; readonly status: number; readonly isOfThisMail: boolean }
  /** The connection broke, or nothing came in time, while the letter was under way. */
  | { readonly kind: 'broken' };

type MailDecision =
  | { readonly kind: 'sent' }
  | { readonly kind: 'retry'; readonly at: Temporal.Instant }
  /** `isNobody`: the server said that there is no such receiver. */
  | { readonly kind: 'parked'; readonly reason: string; readonly isNobody: boolean };

/** `attemptCount` includes the attempt that was just made; `text` is what the server said. */
export function decideMail(
  answer: SmtpAnswer,
  text: string,
  attemptCount: number,
  { now, random }: { readonly now: Temporal.Instant; readonly random: Random },
): MailDecision {
  if (answer.kind === 'taken') return { kind: 'sent' };
  if (answer.kind === 'refused' && answer.status >= 500 && answer.isOfThisMail) {
    const reason = `the mail server refused it for good: ${text}`;
    return { kind: 'parked', reason, isNobody: IS_NOBODY.test(text) };
  }
  const pauseMs = SCHEDULE_MS[attemptCount];
  if (pauseMs === undefined) {
    const reason = `${attemptCount} attempts failed, the last with: ${text}`;
    return { kind: 'parked', reason, isNobody: false };
  }
  return { kind: 'retry', at: now.add({ milliseconds: withJitter(pauseMs, random) }) };
}
