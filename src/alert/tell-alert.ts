// Whom an alert is told, and how what leaves is sent: the service and the command do the same.

import type { Db, Tx } from '#db/db.ts';
import { alertLetter } from '#mail/letters.ts';
import { enqueueMail, type MailApp } from '#mail/mail.ts';
import { createResolver, type TargetRules } from '#webhook/target-guard.ts';
import { ALERT_CHANNELS, type AlertChannel, enqueueMessage, type NewMessage } from './alert.ts';
import type { AlertTargets, SendAlertsApp } from './send-alerts.ts';
import { operatorPage } from './write-alert.ts';

export type AlertReceivers = {
  readonly mailTo: readonly string[];
  readonly targets: AlertTargets;
  /** What of these may be reached. */
  readonly rules: TargetRules;
};

type WithReceivers = { readonly config: { readonly alerts: AlertReceivers } };

type TellAlertApp = WithReceivers & Omit<MailApp, 'hasMail'> & { readonly publicUrl: string };

type Said = Omit<NewMessage, 'channel'>;

export function isAnybodyTold({ config: { alerts } }: WithReceivers): boolean {
  return alerts.mailTo.length > 0 || channelsOf(alerts).length > 0;
}

function channelsOf({ targets: { webhook, ntfy, telegram } }: AlertReceivers) {
  const isSet = { WEBHOOK: webhook, NTFY: ntfy, TELEGRAM: telegram };
  return ALERT_CHANNELS.filter((channel) => isSet[channel] !== undefined);
}

/** Sent with COMMIT. */
export function tellAlert(app: TellAlertApp, tx: Tx, said: Said): void {
  const { alerts } = app.config;
  const { stage, kind, subject, title, detail } = said;
  const now = app.clock.now();
  for (const channel of channelsOf(alerts)) {
    enqueueMessage(tx, { ...said, channel }, { random: app.random, now });
  }
  const letter = alertLetter({ title, detail, href: operatorPage(app.publicUrl) });
  for (const receiver of alerts.mailTo) {
    const causeKey = `alert:${stage}:${kind}:${subject}:${receiver}:${now.epochMilliseconds}`;
    enqueueMail(app, tx, { causeKey, kind: 'ALERT', receiver, letter });
  }
}

/** A message to everybody who would be told; it leaves as all others do. Answers whom. */
export async function sendTestAlert(
  app: TellAlertApp,
  { db }: { readonly db: Db },
): Promise<readonly (AlertChannel | string)[]> {
  const said: Said = {
    stage: 'TEST',
    kind: 'test',
    subject: '',
    title: 'Alerts work',
    detail: `Somebody asked for this at ${app.publicUrl}. Nothing is wrong.`,
    happenedAt: app.clock.now(),
  };
  await db.transact(async (tx) => tellAlert(app, tx, said));
  const { alerts } = app.config;
  return [...channelsOf(alerts), ...alerts.mailTo];
}

/** What sends the messages. */
export function alertSender(
  app: WithReceivers & Omit<SendAlertsApp, 'alertTargets' | 'targets' | 'resolve'>,
): SendAlertsApp {
  const { targets, rules } = app.config.alerts;
  return { ...app, alertTargets: targets, targets: rules, resolve: createResolver() };
}
