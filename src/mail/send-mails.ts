// Sends what is due in the outbox. Guarantees: each committed mail is taken by the mail server, or
// ends PARKED with a reason; nothing is sent inside a transaction. Not guaranteed: exactly once. A
// mail whose answer was lost is sent again, under the same Message-ID.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import { Outage } from '#base/refusal.ts';
import type { Db } from '#db/db.ts';
import type { Keyring } from '#installation/keyring.ts';
import { type Loop, startLoop } from '#runtime/loop.ts';
import {
  type ClaimedMail,
  claimMails,
  parkAndForget,
  recordMail,
  releaseMail,
} from './claim-mails.ts';
import { decideMail, MAIL_HOURS_MOST } from './decide-mail.ts';
import type { Letter } from './letter.ts';
import { openLetter } from './mail.ts';
import { SMTP_CONNECTIONS, type Smtp } from './smtp.ts';

export type SendMailsApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly keyring: Keyring;
  /** Told of what the mail server made of each. */
  readonly onMail?: ((outcome: 'sent' | 'later' | 'parked') => void) | undefined;
};

/** Longer than all the waits of one letter together. */
const LEASE_SECONDS = 300;
const IDLE_MS = 1_000;
const OLD_ROWS_MS = 600_000;
/** Days after which a mail goes that was sent or parked. */
const KEPT_DAYS = 90;

/**
 * One claim, sent over a few connections at one time. `only`: this mail alone.
 * @throws Outage when the mail server is away: what was leased is due again at once.
 */
export async function sendDueMails(
  app: SendMailsApp,
  smtp: Smtp,
  only?: string,
): Promise<'idle' | 'busy'> {
  const now = app.clock.now();
  const leaseUntil = now.add({ seconds: LEASE_SECONDS });
  const { claimed, looked } = await claimMails(app.db, {
    now,
    leaseUntil,
    most: SMTP_CONNECTIONS,
    only,
  });
  const ended = await Promise.allSettled(claimed.map((mail) => sendOne(app, smtp, mail)));
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed !== undefined && 'reason' in failed) throw failed.reason;
  return looked === SMTP_CONNECTIONS ? 'busy' : 'idle';
}

async function sendOne(app: SendMailsApp, smtp: Smtp, mail: ClaimedMail): Promise<void> {
  const { db, clock, random, log } = app;
  const { id, receiver, attemptCount, createdAt } = mail;
  const letter = openOrSay(app.keyring, mail);
  if (typeof letter === 'string') {
    const outcome = { kind: 'parked', reason: letter, isNobody: false } as const;
    log.error('mail parked', { mailId: id, reason: letter });
    await recordMail(db, mail, { outcome, answer: letter, now: clock.now() });
    return;
  }
  try {
    const { answer, text } = await smtp.send({ id, receiver, letter, at: createdAt });
    const now = clock.now();
    const outcome = decideMail(answer, text, attemptCount + 1, { now, random });
    if (outcome.kind === 'parked') log.warn('mail parked', { mailId: id, reason: outcome.reason });
    else log.info('mail', { mailId: id, outcome: outcome.kind });
    app.onMail?.(outcome.kind === 'retry' ? 'later' : outcome.kind);
    if (!(await recordMail(db, mail, { outcome, answer: text, now }))) {
      log.warn('the lease of a mail was taken over', { mailId: id });
    }
  } catch (error) {
    if (error instanceof Outage) await db.transact(async (tx) => releaseMail(tx, mail));
    throw error;
  }
}

/** Why not, of one that was changed, or sealed under another key file: no other waits for it. */
function openOrSay(keyring: Keyring, mail: ClaimedMail): Letter | string {
  try {
    return openLetter(keyring, mail);
  } catch (error) {
    return `what it says cannot be opened: ${error instanceof Error ? error.message : error}`;
  }
}

/** Any number of processes may run it. */
export function startMail(app: SendMailsApp, smtp: Smtp): Loop {
  let tidiedMs = -OLD_ROWS_MS;
  const step = async () => {
    if (app.clock.monotonicMs() - tidiedMs >= OLD_ROWS_MS) {
      const now = app.clock.now();
      const waitedSince = now.subtract({ hours: MAIL_HOURS_MOST });
      const endedBefore = now.subtract({ hours: 24 * KEPT_DAYS });
      await parkAndForget(app.db, { now, waitedSince, endedBefore });
      tidiedMs = app.clock.monotonicMs();
    }
    return sendDueMails(app, smtp);
  };
  const loop = startLoop({ name: 'mail', step, idleMs: IDLE_MS, ...app });
  return {
    health: () => loop.health(),
    async stop() {
      await loop.stop();
      smtp.close();
    },
  };
}
