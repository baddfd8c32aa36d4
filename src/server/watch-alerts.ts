// Looks at the installation every half minute, remembers what is wrong, and tells whoever is named
// in the settings. Guarantees: what is remembered, the mails and the messages are one transaction;
// of several processes one looks. Not guaranteed: that anybody is told while the database is away;
// whoever asks /ready from outside sees that.

import { stat } from 'node:fs/promises';
import { listAlerts, listNotedTroubles, replaceAlerts, takeAlertTurn } from '#alert/alert.ts';
import { decideAlerts } from '#alert/decide-alerts.ts';
import { sendDueMessages } from '#alert/send-alerts.ts';
import { alertSender, isAnybodyTold, tellAlert } from '#alert/tell-alert.ts';
import { sayAlert } from '#alert/write-alert.ts';
import { type Loop, startLoop } from '#runtime/loop.ts';
import type { App } from './app.ts';
import { decideTroubles, type MoreFacts } from './decide-troubles.ts';
import { createFacts, type LookAtFacts } from './facts.ts';
import { findBackupAge } from './make-backups.ts';
import { findIncrementAge } from './make-increments.ts';

const LOOK_SECONDS = 25;
const LOOK_IDLE_MS = 30_000;
const SEND_IDLE_MS = 2_000;

/** None where nobody is to be told. */
export function watchAlerts(app: App): Loop[] {
  if (!isAnybodyTold(app)) return [];
  const look = createFacts(app);
  const lookAtBackup = lookSeldom(app, () => lookAtBackups(app));
  const sending = alertSender(app);
  return [
    startLoop({
      name: 'alerts',
      step: () => lookForAlerts(app, look, lookAtBackup),
      idleMs: LOOK_IDLE_MS,
      ...app,
    }),
    startLoop({
      name: 'alert messages',
      step: (signal) => sendDueMessages(sending, signal),
      idleMs: SEND_IDLE_MS,
      ...app,
    }),
  ];
}

const BACKUP_MINUTES = 10;

type BackupsFound = Pick<MoreFacts, 'lastBackup' | 'increments'>;
type LookAtBackup = () => Promise<BackupsFound>;

async function lookAtBackups(app: App): Promise<BackupsFound> {
  const [lastBackup, increments] = await Promise.all([findBackupAge(app), findIncrementAge(app)]);
  return { lastBackup, increments };
}

/** The place of backups may be another machine, which is not asked every half minute. */
function lookSeldom({ clock }: App, look: LookAtBackup): LookAtBackup {
  let last: { readonly at: Temporal.Instant; readonly found: BackupsFound } | undefined;
  return async () => {
    const at = clock.now();
    if (last === undefined || at.since(last.at).total('minutes') >= BACKUP_MINUTES) {
      last = { at, found: await look() };
    }
    return last.found;
  };
}

/** One look. */
export async function lookForAlerts(
  app: App,
  look: LookAtFacts,
  lookAtBackup: LookAtBackup = () => lookAtBackups(app),
): Promise<'idle'> {
  const facts = await look();
  if (facts === undefined) return 'idle';
  const known = { ...(await readMore(app, facts)), ...(await lookAtBackup()) };
  const now = app.clock.now();
  await app.db.transact(async (tx) => {
    if (!(await takeAlertTurn(tx, now, { everySeconds: LOOK_SECONDS }))) return;
    const [before, noted] = await Promise.all([listAlerts(tx), listNotedTroubles(tx)]);
    const { alerts, told } = decideAlerts(before, [...decideTroubles(known), ...noted], now);
    replaceAlerts(tx, alerts);
    for (const { stage, alert } of told) {
      app.log.warn('alert', {
        stage,
        kind: alert.kind,
        subject: alert.subject,
        detail: alert.detail,
      });
      const { kind, subject } = alert;
      tellAlert(app, tx, { stage, kind, subject, ...sayAlert(stage, alert) });
    }
  });
  return 'idle';
}

async function readMore({ config }: App, facts: MoreFacts['facts']): Promise<MoreFacts> {
  const { backup, balances } = config.alerts;
  if (backup === undefined) return { facts, balances, backup: undefined };
  const found = await stat(backup.file).catch(() => undefined);
  const madeAt = found && Temporal.Instant.fromEpochMilliseconds(Math.floor(found.mtimeMs));
  return { facts, balances, backup: { madeAt, hours: backup.hours } };
}
