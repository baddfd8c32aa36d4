// What is wrong now, and whether somebody would be told, from the command line.

import { listAlerts, listTestMessages } from '#alert/alert.ts';
import { sendDueMessages } from '#alert/send-alerts.ts';
import { alertSender, sendTestAlert } from '#alert/tell-alert.ts';
import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { BY_OPTION, BY_USAGE, type Command, whoOf } from './command.ts';

const LOOKS = 20;
const LOOK_MS = 1_000;

export const alertList: Command = {
  name: 'alert list',
  summary: 'what is wrong now, since when, and when somebody was told',
  usage: '',
  options: {},
  async run(context) {
    const app = await context.openApp();
    const alerts = await listAlerts(app.db);
    const lines = alerts.map(({ kind, subject, detail, beganAt, toldAt }) => {
      const told = toldAt === undefined ? 'not told yet' : `told ${toldAt}`;
      return `${kind} ${subject}  since ${beganAt}  ${told}\n    ${detail}`;
    });
    return {
      text: lines.length === 0 ? 'Nothing is wrong.' : lines.join('\n'),
      json: {
        alerts: alerts.map((alert) => ({ ...alert, absentSince: alert.absentSince ?? null })),
      },
    };
  },
};

export const alertTest: Command = {
  name: 'alert test',
  summary: 'tell everybody who is told of alerts that alerts work, and say what they answered',
  usage: BY_USAGE,
  options: BY_OPTION,
  async run(context, { values }) {
    const app = await context.openApp();
    const at = app.clock.now();
    const act = { actor: whoOf(values), verb: 'alert-test', subject: 'alerts' };
    const told = await doNoted(app, act, (within) => sendTestAlert(app, within));
    if (told.length === 0) {
      throw new Refusal('conflict', 'alerts_not_set_up', [
        'nobody is told: set ALERT_MAIL, ALERT_WEBHOOK_URL, ALERT_NTFY_URL or ALERT_TELEGRAM_CHAT',
      ]);
    }
    const sender = alertSender(app);
    await sendDueMessages(sender, new AbortController().signal);
    let messages = await listTestMessages(app.db, at);
    // The running service may have taken one a moment before.
    for (
      let looks = 0;
      messages.some(({ answer }) => answer === null) && looks < LOOKS;
      looks += 1
    ) {
      await app.clock.sleep(LOOK_MS);
      messages = await listTestMessages(app.db, at);
    }
    const mails = app.config.alerts.mailTo.map(
      (receiver) => `MAIL to ${receiver}: npx quittance mail list`,
    );
    const lines = messages.map(
      ({ channel, state, answer }) => `${channel}  ${state}  ${answer ?? ''}`,
    );
    const isWell = messages.every(({ state }) => state === 'SENT');
    return {
      text: [...lines, ...mails].join('\n'),
      json: { messages, told },
      exitCode: isWell ? 0 : 1,
    };
  },
};
