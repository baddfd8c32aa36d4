// Reads what happened and writes the mails that tell of it. Guarantees: the place in the events and
// the mails of what lies before it are one transaction, so that a process that dies in between has
// told nothing twice and left out nothing; events are read in their order, below a number under
// which none can appear any more; of one cause there is one mail, however many processes read.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { listDueBillMails, noteBillMailsTold } from '#billing/bill-mails.ts';
import { type Db, sql } from '#db/db.ts';
import { findSettledTop } from '#db/settled-top.ts';
import { bigInteger, defineTable, text } from '#db/table.ts';
import { EVENT_NUMBERS, type EventType, type Happened, listHappened } from '#event/event.ts';
import { enqueueMail, type MailApp, type NewMail } from '#mail/mail.ts';
import { listUntoldClaims, noteClaimsTold } from '#refund/refund.ts';
import { type Loop, startLoop } from '#runtime/loop.ts';
import { listDueSummaries, type MailReceiver, noteSummarized } from '#staff/person.ts';
import { type BillMailApp, billMailCause, dayOf, mailsOfBill } from './bill-mail.ts';
import { type CustomerMailApp, mailsOfClaim, mailsOfEvent } from './customer-mail.ts';
import { CUSTOMER_EVENTS } from './decide-customer-mail.ts';
import { STAFF_EVENTS } from './decide-staff-mail.ts';
import { lastDayEnd, type StaffMailApp, staffMailsOfEvent, summaryMails } from './staff-mail.ts';

type Follower = 'customers' | 'people';

const MAIL_FOLLOW = defineTable('mail_follow', {
  follower: text<Follower>(),
  number: bigInteger,
});

type FollowEventsApp = CustomerMailApp &
  StaffMailApp &
  BillMailApp &
  Omit<MailApp, 'hasMail'> & { readonly db: Db; readonly clock: Clock; readonly log: Log };

const IDLE_MS = 1_000;
const BATCH = 50;
/** Older news is none: as long as a mail waits for its server. */
const NEWS_HOURS = 24 * 4;

/** Whose mails are written apart from each other: a fact may be told to both. */
type Telling = {
  readonly follower: Follower;
  readonly types: readonly EventType[];
  readonly write: (app: FollowEventsApp, event: Happened) => Promise<readonly NewMail[]>;
};

const TELLINGS: readonly Telling[] = [
  { follower: 'customers', types: CUSTOMER_EVENTS, write: mailsOfEvent },
  { follower: 'people', types: STAFF_EVENTS, write: staffMailsOfEvent },
];

/** Any number of processes may do it. */
export async function followEvents(app: FollowEventsApp): Promise<'idle' | 'busy'> {
  const since = app.clock.now().subtract({ hours: NEWS_HOURS });
  let most = 0;
  for (const telling of TELLINGS) most = Math.max(most, await tellEvents(app, telling, since));
  most = Math.max(
    most,
    await tellClaims(app, since),
    await tellSummaries(app),
    await tellBills(app),
  );
  return most === BATCH ? 'busy' : 'idle';
}

/** Answers how many it looked at. */
async function tellEvents(
  app: FollowEventsApp,
  { follower, types, write }: Telling,
  since: Temporal.Instant,
): Promise<number> {
  const { db } = app;
  const place = await MAIL_FOLLOW.find(db, sql`where follower = ${follower}`);
  const after = place?.number ?? 0n;
  const upTo = await findSettledTop(app, EVENT_NUMBERS, after);
  if (upTo === undefined) return 0;
  const events = await listHappened(db, { types, after, upTo, since, limit: BATCH });
  const mails = await written(app, events, write, ({ causeKey }) => causeKey);
  const last = events.length < BATCH ? upTo : (events.at(-1)?.number ?? upTo);
  await db.transact(async (tx) => {
    const moved = await tx.query(sql`
      update mail_follow set number = ${last}
      where follower = ${follower} and number = ${after} returning number`);
    // Another process has told of them.
    if (moved.length === 0) return;
    for (const mail of mails) enqueueMail(app, tx, mail);
  });
  return events.length;
}

/** Of the last day that is over, to whoever has none of it yet. */
async function tellSummaries(app: FollowEventsApp): Promise<number> {
  const { db, clock } = app;
  const endedAt = lastDayEnd(clock.now());
  const receivers = await listDueSummaries(db, endedAt, BATCH);
  if (receivers.length === 0) return 0;
  const write = (within: FollowEventsApp, one: MailReceiver) => summaryMails(within, one, endedAt);
  const mails = await written(app, receivers, write, ({ personId }) => `summary:${personId}`);
  await db.transact(async (tx) => {
    for (const mail of mails) enqueueMail(app, tx, mail);
    for (const receiver of receivers) noteSummarized(tx, receiver, endedAt);
  });
  return receivers.length;
}

/** No event tells a merchant what it has asked for itself: refunds that wait for their payer. */
async function tellClaims(app: FollowEventsApp, since: Temporal.Instant): Promise<number> {
  const { db, clock } = app;
  const refunds = await listUntoldClaims(db, BATCH);
  if (refunds.length === 0) return 0;
  const isNews = (at: Temporal.Instant) => Temporal.Instant.compare(at, since) >= 0;
  const news = refunds.filter(({ createdAt }) => isNews(createdAt));
  const mails = await written(app, news, mailsOfClaim, ({ id }) => `refund:${id}`);
  const ids = refunds.map(({ id }) => id);
  await db.transact(async (tx) => {
    for (const mail of mails) enqueueMail(app, tx, mail);
    noteClaimsTold(tx, ids, clock.now());
  });
  return refunds.length;
}

/** Of invoices that are to be mailed of today, or of a day before. */
async function tellBills(app: FollowEventsApp): Promise<number> {
  const { db, clock } = app;
  const now = clock.now();
  const due = await listDueBillMails(db, dayOf(now), BATCH);
  if (due.length === 0) return 0;
  const mails = await written(app, due, mailsOfBill, (one) => billMailCause(one, one.bill.id));
  await db.transact(async (tx) => {
    for (const mail of mails) enqueueMail(app, tx, mail);
    noteBillMailsTold(tx, due, now);
  });
  return due.length;
}

/** What cannot be told is said aloud in the log, and keeps nobody else's mail back. */
async function written<Fact>(
  app: FollowEventsApp,
  facts: readonly Fact[],
  write: (app: FollowEventsApp, fact: Fact) => Promise<readonly NewMail[]>,
  nameOf: (fact: Fact) => string,
): Promise<NewMail[]> {
  const mails: NewMail[] = [];
  for (const fact of facts) {
    try {
      mails.push(...(await write(app, fact)));
    } catch (error) {
      if (error instanceof Outage) throw error;
      app.log.error('a mail could not be written', { cause: nameOf(fact), error });
    }
  }
  return mails;
}

/** Where no mail server is set up nobody follows, and nothing waits. */
export function startStatusMails(app: FollowEventsApp): Loop {
  return startLoop({
    name: 'status-mails',
    step: () => followEvents(app),
    idleMs: IDLE_MS,
    ...app,
  });
}
