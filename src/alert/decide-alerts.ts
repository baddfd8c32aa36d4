// From what is wrong now, and what was, to what is remembered and told. Pure. Guarantees: one
// trouble is told once, and again only after the time of a reminder; what was told is told to be
// over, once; what comes and goes faster than its rule says is one trouble all along.

import { ALERT_RULES, type AlertKind } from './alert-kinds.ts';

export type Trouble = {
  readonly kind: AlertKind;
  /** With what: a chain, an asset; empty where there is only one. */
  readonly subject: string;
  /** What is to be seen now, in a sentence. */
  readonly detail: string;
};

export type Alert = Trouble & {
  readonly beganAt: Temporal.Instant;
  readonly absentSince: Temporal.Instant | undefined;
  readonly toldAt: Temporal.Instant | undefined;
  readonly repeatedAt: Temporal.Instant | undefined;
};

export type AlertStage = 'ON' | 'REMINDER' | 'OFF';

type AlertDecision = {
  /** In the place of all that was remembered. */
  readonly alerts: readonly Alert[];
  readonly told: readonly { readonly stage: AlertStage; readonly alert: Alert }[];
};

export function decideAlerts(
  known: readonly Alert[],
  troubles: readonly Trouble[],
  now: Temporal.Instant,
): AlertDecision {
  const seen = new Map(troubles.map((trouble) => [keyOf(trouble), trouble]));
  const before = new Map(known.map((alert) => [keyOf(alert), alert]));
  const alerts: Alert[] = [];
  const told: { stage: AlertStage; alert: Alert }[] = [];
  for (const key of new Set([...before.keys(), ...seen.keys()])) {
    const { alert, stage } = decideOne(before.get(key), seen.get(key), now);
    if (stage !== undefined) told.push({ stage, alert });
    if (stage !== 'OFF' && !isOver(alert, now)) alerts.push(alert);
  }
  return { alerts, told };
}

function keyOf({ kind, subject }: Trouble): string {
  return `${kind} ${subject}`;
}

type Decided = { readonly alert: Alert; readonly stage: AlertStage | undefined };

function decideOne(
  before: Alert | undefined,
  trouble: Trouble | undefined,
  now: Temporal.Instant,
): Decided {
  if (trouble === undefined) return decideAbsent(before as Alert, now);
  const { toldAt, repeatedAt, beganAt = now } = before ?? {};
  const alert: Alert = { ...trouble, beganAt, absentSince: undefined, toldAt, repeatedAt };
  const { onAfterSeconds, remindAfterHours } = ALERT_RULES[trouble.kind];
  if (toldAt === undefined || repeatedAt === undefined) {
    if (secondsSince(beganAt, now) < onAfterSeconds) return { alert, stage: undefined };
    return { alert: { ...alert, toldAt: now, repeatedAt: now }, stage: 'ON' };
  }
  if (secondsSince(repeatedAt, now) < remindAfterHours * 3_600) return { alert, stage: undefined };
  return { alert: { ...alert, repeatedAt: now }, stage: 'REMINDER' };
}

function decideAbsent(before: Alert, now: Temporal.Instant): Decided {
  const alert = { ...before, absentSince: before.absentSince ?? now };
  const isTold = before.toldAt !== undefined;
  return { alert, stage: isTold && isOver(alert, now) ? 'OFF' : undefined };
}

function isOver({ kind, absentSince }: Alert, now: Temporal.Instant): boolean {
  if (absentSince === undefined) return false;
  return secondsSince(absentSince, now) >= ALERT_RULES[kind].offAfterSeconds;
}

function secondsSince(since: Temporal.Instant, now: Temporal.Instant): number {
  return now.since(since).total('seconds');
}
