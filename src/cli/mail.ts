// Mails on their way, from the command line.

import { doNoted } from '#audit/act.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { mailDomainOf } from '#mail/letter.ts';
import { testLetter } from '#mail/letters.ts';
import {
  enqueueMail,
  findMail,
  type ListedMail,
  listMails,
  MAIL_STATES,
  retryParkedMail,
} from '#mail/mail.ts';
import { allowMailTo, listStops, stopMailTo, takeReport } from '#mail/mail-stop.ts';
import { REPORT_BYTES_MOST, readMailReport } from '#mail/read-report.ts';
import { sendDueMails } from '#mail/send-mails.ts';
import { openSmtp } from '#mail/smtp.ts';
import type { App } from '#server/app.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  onePositional,
  SAID_OPTIONS,
  SAID_USAGE,
  saidOf,
  textOption,
  type Values,
  wholeOption,
  whoOf,
} from './command.ts';
import { readBoundedInput } from './command-files.ts';

const ANSWER_LOOKS = 60;
const ANSWER_LOOK_MS = 500;

export const mailList: Command = {
  name: 'mail list',
  summary: 'mails on their way, sent and parked, the newest first',
  usage: `[--state ${MAIL_STATES.join('|')}] [--limit 1-1000]`,
  options: { state: { type: 'string' }, limit: { type: 'string' } },
  async run(context, { values }) {
    const app = await context.openApp();
    const most = wholeOption(values, 'limit', { initial: 100, least: 1, most: 1_000 });
    const mails = await listMails(app.db, { state: stateOption(values), most });
    const text = mails.length === 0 ? 'No mail.' : mails.map(mailText).join('\n');
    return { text, json: { mails: mails.map(mailJson) } };
  },
};

export const mailRetry: Command = {
  name: 'mail retry',
  summary: 'send a parked mail again, with all its attempts before it',
  usage: `ID ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const id = onePositional(positionals, 'the id of the mail, as mail list says it');
    const app = await context.openApp();
    const act = { actor: whoOf(values), verb: 'mail-retry', subject: `mail:${id}` };
    await doNoted(app, act, async ({ db }) => {
      const done = await db.single((tx) => tx.query(retryParkedMail(id, app.clock.now())));
      if (done.length === 0) {
        throw new Refusal('missing', 'mail_missing', `no mail that is parked is named ${id}`);
      }
    });
    return { text: `${id} is sent again.`, json: { id, retried: true } };
  },
};

export const mailTest: Command = {
  name: 'mail test',
  summary: 'send a mail to see that mail works, and say what the server answered',
  usage: `ADDRESS ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const receiver = onePositional(positionals, 'the address');
    const app = await context.openApp();
    const { mail } = app.config;
    if (mail === undefined) throw notSetUp();
    const actor = whoOf(values);
    const act = { actor, verb: 'mail-test', subject: (id: string) => `mail:${id}` };
    const at = app.clock.now();
    const asked = { kind: 'TEST' as const, receiver, letter: testLetter(app.publicUrl) };
    const id = await doNoted(app, act, ({ db }) =>
      db.transact(async (tx) =>
        enqueueMail(app, tx, { ...asked, causeKey: `test:${receiver}:${at.epochNanoseconds}` }),
      ),
    );
    const smtp = openSmtp(mail);
    try {
      await sendDueMails(app, smtp, id);
    } catch (error) {
      // It is in the outbox and goes when the server is there again.
      if (error instanceof Outage) return { ...testResult(id, error.message, 'PENDING') };
      throw error;
    } finally {
      smtp.close();
    }
    const sent = await findAnswered(app, id);
    const answer = sent?.lastAnswer ?? sent?.reason ?? 'another process sends it';
    return testResult(id, answer, sent?.state ?? 'SENT');
  },
};

/** The running service may have taken it a moment before: its answer is waited for. */
async function findAnswered(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  id: string,
): Promise<ListedMail | undefined> {
  for (let looks = 1; ; looks += 1) {
    const mail = await findMail(db, id);
    const isAnswered = mail?.state !== 'PENDING' || mail.lastAnswer !== undefined;
    if (isAnswered || looks === ANSWER_LOOKS) return mail;
    await clock.sleep(ANSWER_LOOK_MS);
  }
}

function testResult(id: string, answer: string, state: ListedMail['state']) {
  const text = `${id}  ${state}\n    ${answer}`;
  return { text, json: { id, state, answer }, exitCode: state === 'SENT' ? 0 : 1 };
}

function stateOption(values: Values) {
  const given = textOption(values, 'state')?.toUpperCase();
  if (given === undefined) return undefined;
  const state = MAIL_STATES.find((one) => one === given);
  if (state !== undefined) return state;
  throw new Refusal('invalid', 'usage', [`--state: must be one of ${MAIL_STATES.join(', ')}`]);
}

function mailText(mail: ListedMail): string {
  const { id, state, kind, receiver, createdAt, attemptCount } = mail;
  const said = mail.reason ?? mail.lastAnswer;
  const head = `${id}  ${state}  ${kind}  ${receiver}  ${createdAt}  attempts ${attemptCount}`;
  return said === undefined ? head : `${head}\n    ${said}`;
}

function mailJson({ createdAt, finishedAt, nextAttemptAt, ...mail }: ListedMail) {
  return {
    ...mail,
    merchantId: mail.merchantId ?? null,
    lastAnswer: mail.lastAnswer ?? null,
    reason: mail.reason ?? null,
    createdAt: createdAt.toString(),
    nextAttemptAt: mail.state === 'PENDING' ? nextAttemptAt.toString() : null,
    finishedAt: finishedAt?.toString() ?? null,
  };
}

export const mailReport: Command = {
  name: 'mail report',
  summary: 'take in a bounce (RFC 3464) or a complaint (RFC 5965) that came back, - for a pipe',
  usage: `FILE|- ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const path = onePositional(positionals, 'the file, or - for what is piped in');
    const bytes = await readBoundedInput(path, REPORT_BYTES_MOST, 'file');
    const app = await context.openApp();
    const { mail } = app.config;
    if (mail === undefined) throw notSetUp();
    const report = readMailReport(new TextDecoder().decode(bytes), mailDomainOf(mail.from));
    const act = { actor: whoOf(values), verb: 'mail-report', subject: 'mail:report' };
    const stopped = await doNoted(app, act, ({ db }) =>
      db.transact((tx) => takeReport(tx, app, report)),
    );
    const text =
      stopped.length === 0
        ? 'It names no mail of ours that can arrive no more.'
        : `No mail goes to ${stopped.join(', ')} any more: ${report.detail}`;
    return { text, json: { stopped, cause: report.cause ?? null, detail: report.detail } };
  },
};

export const mailStop: Command = {
  name: 'mail stop',
  summary: 'send no mail to an address any more',
  usage: `ADDRESS ${SAID_USAGE}`,
  options: SAID_OPTIONS,
  async run(context, { positionals, values }) {
    const address = onePositional(positionals, 'the address');
    const { actor, reason } = saidOf(values);
    const app = await context.openApp();
    const act = { actor, verb: 'mail-stop', subject: 'mail:stop', details: { address, reason } };
    const stop = { address, cause: 'SAID' as const, detail: reason, stoppedAt: app.clock.now() };
    await doNoted(app, act, ({ db }) => db.transact(async (tx) => stopMailTo(tx, stop)));
    return { text: `No mail goes to ${address} any more.`, json: { address, stopped: true } };
  },
};

export const mailAllow: Command = {
  name: 'mail allow',
  summary: 'send mail to an address again that was stopped',
  usage: `ADDRESS ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const address = onePositional(positionals, 'the address');
    const app = await context.openApp();
    const act = { actor: whoOf(values), verb: 'mail-allow', subject: 'mail:stop' };
    await doNoted(app, { ...act, details: { address } }, async ({ db }) => {
      if (await db.transact((tx) => allowMailTo(tx, address))) return;
      throw new Refusal('missing', 'mail_stop_missing', `${address} is not stopped`);
    });
    return { text: `Mail goes to ${address} again.`, json: { address, stopped: false } };
  },
};

export const mailStops: Command = {
  name: 'mail stops',
  summary: 'addresses that no mail is sent to, and why',
  usage: '[--limit 1-1000]',
  options: { limit: { type: 'string' } },
  async run(context, { values }) {
    const app = await context.openApp();
    const most = wholeOption(values, 'limit', { initial: 100, least: 1, most: 1_000 });
    const stops = await listStops(app.db, most);
    const lines = stops.map(
      (one) => `${one.address}  ${one.cause}  ${one.stoppedAt}  ${one.detail}`,
    );
    const json = stops.map((one) => ({ ...one, stoppedAt: one.stoppedAt.toString() }));
    return { text: lines.join('\n') || 'None.', json: { stops: json } };
  },
};

function notSetUp(): Refusal {
  return new Refusal(
    'conflict',
    'mail_not_set_up',
    'mail is not set up: set SMTP_URL and MAIL_FROM (docs/operate/mail.md)',
  );
}
