// Messages about alerts leave, under a lease and outside any transaction, as webhooks do
// (webhook/send-webhook.ts): to checked addresses alone, no redirect followed, bounded in time and
// bytes. Guarantees: a message is taken by its channel or is given up after the schedule, and what
// the channel answered is kept; neither a token nor an address of a channel is in the log or in the
// database. Not guaranteed: exactly once.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { type Random, withJitter } from '#base/random.ts';
import type { Db } from '#db/db.ts';
import { type SendLimits, sendWebhook, type WebhookAnswer } from '#webhook/send-webhook.ts';
import type { ResolveAddresses, TargetRules } from '#webhook/target-guard.ts';
import {
  type AlertChannel,
  type AlertMessage,
  claimMessages,
  forgetMessages,
  type MessageOutcome,
  recordMessage,
} from './alert.ts';
import { ntfyBody, telegramBody, webhookBody } from './write-alert.ts';

export type AlertTargets = {
  readonly webhook?: { readonly url: string; readonly token: string | undefined } | undefined;
  readonly ntfy?:
    | { readonly url: string; readonly topic: string; readonly token: string | undefined }
    | undefined;
  readonly telegram?:
    | { readonly origin: string; readonly chat: string; readonly token: string }
    | undefined;
};

export type SendAlertsApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly publicUrl: string;
  readonly alertTargets: AlertTargets;
  readonly targets: TargetRules;
  readonly resolve: ResolveAddresses;
  readonly limits?: SendLimits;
};

const LEASE_SECONDS = 60;
const AT_ONCE = 5;
const KEPT_DAYS = 30;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Pause before each attempt; about a day, after which a reminder says it better. */
const SCHEDULE_MS: readonly number[] = [
  ...[0, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR],
];

/** One claim. `only`: this message alone. */
export async function sendDueMessages(
  app: SendAlertsApp,
  signal: AbortSignal,
  only?: string,
): Promise<'idle' | 'busy'> {
  const { db, clock } = app;
  const now = clock.now();
  await forgetMessages(db, now.subtract({ hours: 24 * KEPT_DAYS }));
  const leaseUntil = now.add({ seconds: LEASE_SECONDS });
  const claimed = await claimMessages(db, { now, leaseUntil, most: AT_ONCE, only });
  await Promise.all(claimed.map((message) => sendOne(app, message, signal)));
  return claimed.length === AT_ONCE ? 'busy' : 'idle';
}

async function sendOne(
  app: SendAlertsApp,
  message: AlertMessage,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, random, log } = app;
  const { id, channel, stage, kind, attemptCount } = message;
  const request = requestOf(app, message);
  const answer: WebhookAnswer =
    request === undefined
      ? { kind: 'failed', error: `${channel} is not set up any more` }
      : (await sendWebhook({ ...app }, { ...request, environment: 'live' }, signal)).answer;
  const now = clock.now();
  const outcome: MessageOutcome =
    request === undefined
      ? { kind: 'given-up' }
      : decideMessage(answer, attemptCount + 1, now, random);
  const text = answerText(answer);
  const level = outcome.kind === 'sent' ? ('info' as const) : ('warn' as const);
  log[level]('alert message', { id, channel, stage, kind, outcome: outcome.kind, answer: text });
  await recordMessage(db, message, { outcome, answer: text, now });
}

function requestOf({ alertTargets, publicUrl }: SendAlertsApp, message: AlertMessage) {
  const { webhook, ntfy, telegram } = alertTargets;
  const requests: Record<AlertChannel, () => Sent | undefined> = {
    WEBHOOK: () =>
      webhook && {
        url: webhook.url,
        headers: { ...bearer(webhook.token), 'X-Alert-Id': message.id },
        body: webhookBody(message, publicUrl),
      },
    NTFY: () =>
      ntfy && {
        url: ntfy.url,
        headers: bearer(ntfy.token),
        body: ntfyBody(message, ntfy.topic, publicUrl),
      },
    TELEGRAM: () =>
      telegram && {
        url: `${telegram.origin}/bot${telegram.token}/sendMessage`,
        headers: {},
        body: telegramBody(message, telegram.chat, publicUrl),
      },
  };
  return requests[message.channel]();
}

type Sent = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

/** A channel says later in seconds (429 of ntfy and Telegram); that is kept to. */
function decideMessage(
  answer: WebhookAnswer,
  attemptCount: number,
  now: Temporal.Instant,
  random: Random,
): MessageOutcome {
  if (answer.kind === 'answered' && answer.status >= 200 && answer.status < 300) {
    return { kind: 'sent' };
  }
  const pauseMs = SCHEDULE_MS[attemptCount];
  if (pauseMs === undefined) return { kind: 'given-up' };
  const asked = answer.kind === 'answered' ? Number(answer.retryAfter) : Number.NaN;
  const askedMs = asked > 0 && asked <= 3_600 ? Math.ceil(asked) * SECOND : 0;
  const ms = Math.max(withJitter(pauseMs, random), askedMs);
  return { kind: 'retry', at: now.add({ milliseconds: ms }) };
}

/** What a channel that took it says is ours to nobody: Telegram tells of the chat. */
function answerText(answer: WebhookAnswer): string {
  if (answer.kind === 'failed') return answer.error;
  const { status, excerpt } = answer;
  return status >= 200 && status < 300 ? `${status}` : `${status} ${excerpt}`.trim();
}
