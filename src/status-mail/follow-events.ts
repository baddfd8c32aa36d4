// Reads what happened and writes the mails that tell of it. Guarantees: the place in the events and
// the mails of what lies before it are one transaction, so that a process that dies in between has
// told nothing twice and left out nothing; events are read in their order, below a number under
// which none can appear any more; of one cause there is one mail, however many processes read; what
// cannot be written waits for a person (unwritten-mail.ts).

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import { Outage } from '#base/refusal.ts';
import { findBillMail, listDueBillMails, noteBillMailsTold } from '#billing/bill-mails.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import { findSettledTop } from '#db/settled-top.ts';
import { bigInteger, defineTable, text } from '#db/table.ts';
import { EVENT_NUMBERS, type EventType, type Happened, listHappened } from '#event/event.ts';
import { enqueueMail, type MailApp, type NewMail } from '#mail/mail.ts';
import { dropPayerAddresses, forgetOldPayerMails } from '#people/payer-mail.ts';
import { findAnyRefund, listUntoldClaims, noteClaimsTold } from '#refund/refund.ts';
import { type Loop, startLoop } from '#runtime/loop.ts';
import {
  findMailReceiver,
  listDueSummaries,
  type MailReceiver,
  noteSummarized,
} from '#staff/person.ts';
import { type BillMailApp, dayOf, mailsOfBill } from './bill-mail.ts';
import { type CustomerMailApp, mailsOfClaim, mailsOfEvent } from './customer-mail.ts';
import { CUSTOMER_EVENTS, PAYER_EVENTS } from './decide-customer-mail.ts';
import { STAFF_EVENTS } from './decide-staff-mail.ts';
import { payerMailsOfEvent } from './payer-mail.ts';
import { lastDayEnd, type StaffMailApp, staffMailsOfEvent, summaryMails } from './staff-mail.ts';
import {
  faultLine,
  listToWriteAgain,
  parkUnwritten,
  type Source,
  takeUnwritten,
  type Unwritten,
} from './unwritten-mail.ts';

type Follower = Extract<Source, 'customers' | 'people' | 'payers'>;

const MAIL_FOLLOW = defineTable('mail_follow', {
  follower: text<Follower>(),
  number: bigInteger,
});

type FollowEventsApp = CustomerMailApp &
  StaffMailApp &
  BillMailApp &
  Omit<MailApp, 'hasMail'> & {
    readonly db: Db;
    readonly clock: Clock;
    readonly random: Random;
    readonly log: Log;
  };

const IDLE_MS = 1_000;
const OLD_ROWS_MS = 600_000;
const BATCH = 50;
/** Older news is none: as long as a mail waits for its server. */
const NEWS_HOURS = 24 * 4;

/** Whose mails are written apart from each other: a fact may be told to both. */
type Telling = {
  readonly follower: Follower;
  readonly types: readonly EventType[];
  readonly write: (app: FollowEventsApp, event: Happened) => Promise<readonly NewMail[]>;
  /** In the transaction that stores the mails of these. */
  readonly after?: (tx: Tx, told: readonly Happened[]) => void;
};

const TELLINGS: readonly Telling[] = [
  { follower: 'customers', types: CUSTOMER_EVENTS, write: mailsOfEvent },
  { follower: 'people', types: STAFF_EVENTS, write: staffMailsOfEvent },
  { follower: 'payers', types: PAYER_EVENTS, write: payerMailsOfEvent, after: dropTold },
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
    await tellAgain(app),
  );
  return most === BATCH ? 'busy' : 'idle';
}

/** Answers how many it looked at. */
async function tellEvents(
  app: FollowEventsApp,
  { follower, types, write, after: afterwards }: Telling,
  since: Temporal.Instant,
): Promise<number> {
  const { db } = app;
  const place = await MAIL_FOLLOW.find(db, sql`where follower = ${follower}`);
  const after = place?.number ?? 0n;
  const upTo = await findSettledTop(app, EVENT_NUMBERS, after);
  if (upTo === undefined) return 0;
  const events = await listHappened(db, { types, after, upTo, since, limit: BATCH });
  const told = await written(app, follower, events, write, ({ number }) => `${number}`);
  const last = events.length < BATCH ? upTo : (events.at(-1)?.number ?? upTo);
  await db.transact(async (tx) => {
    const moved = await tx.query(sql`
      update mail_follow set number = ${last}
      where follower = ${follower} and number = ${after} returning number`);
    // Another process has told of them.
    if (moved.length === 0) return;
    store(app, tx, told);
    const left = new Set(told.unwritten.map(({ fact }) => fact));
    afterwards?.(
      tx,
      events.filter(({ number }) => !left.has(`${number}`)),
    );
  });
  return events.length;
}

/** Who was told that it is paid is told nothing more. */
function dropTold(tx: Tx, told: readonly Happened[]): void {
  const paid = told.filter(({ type }) => type === 'CHECKOUT_COMPLETED');
  dropPayerAddresses(
    tx,
    paid.map(({ subjectId }) => subjectId),
  );
}

/** Of the last day that is over, to whoever has none of it yet. */
async function tellSummaries(app: FollowEventsApp): Promise<number> {
  const { db, clock } = app;
  const endedAt = lastDayEnd(clock.now());
  const receivers = await listDueSummaries(db, endedAt, BATCH);
  if (receivers.length === 0) return 0;
  const write = (within: FollowEventsApp, one: MailReceiver) => summaryMails(within, one, endedAt);
  const factOf = (one: MailReceiver) => JSON.stringify([one.personId, one.merchantId, endedAt]);
  const told = await written(app, 'summaries', receivers, write, factOf);
  await db.transact(async (tx) => {
    store(app, tx, told);
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
  const told = await written(app, 'claims', news, mailsOfClaim, ({ id }) => id);
  const ids = refunds.map(({ id }) => id);
  await db.transact(async (tx) => {
    store(app, tx, told);
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
  const told = await written(app, 'bills', due, mailsOfBill, ({ bill, kind, tellOn }) =>
    JSON.stringify([bill.id, kind, tellOn]),
  );
  await db.transact(async (tx) => {
    store(app, tx, told);
    noteBillMailsTold(tx, due, now);
  });
  return due.length;
}

/** What a person looked at and asked for again; what is wrong still waits on. */
async function tellAgain(app: FollowEventsApp): Promise<number> {
  const asked = await listToWriteAgain(app.db, BATCH);
  for (const one of asked) {
    const write = () => mailsAgain(app, one);
    const told = await written(app, one.source, [one], write, ({ fact }) => fact);
    await app.db.transact(async (tx) => {
      if (await takeUnwritten(tx, one)) store(app, tx, told);
    });
  }
  return asked.length;
}

/** Of what there is still: an event that is not kept any more is told nobody. */
async function mailsAgain(
  app: FollowEventsApp,
  { source, fact }: Pick<Unwritten, 'source' | 'fact'>,
): Promise<readonly NewMail[]> {
  const { db } = app;
  if (source === 'claims') {
    const refund = await findAnyRefund(db, fact);
    return refund === undefined ? [] : mailsOfClaim(app, refund);
  }
  if (source === 'summaries' || source === 'bills') {
    const [one = '', other = '', third = ''] = JSON.parse(fact) as readonly string[];
    if (source === 'bills') {
      const due = await findBillMail(db, { billId: one, kind: other, tellOn: third });
      return due === undefined ? [] : mailsOfBill(app, due);
    }
    const receiver = await findMailReceiver(db, { personId: one, merchantId: other });
    const endedAt = Temporal.Instant.from(third);
    return receiver === undefined ? [] : summaryMails(app, receiver, endedAt);
  }
  const telling = TELLINGS.find(({ follower }) => follower === source);
  if (telling === undefined) return [];
  const number = BigInt(fact);
  const { types, write } = telling;
  const since = Temporal.Instant.fromEpochMilliseconds(0);
  const place = { after: number - 1n, upTo: number, since, limit: 1 };
  const [event] = await listHappened(db, { types, ...place });
  return event === undefined ? [] : write(app, event);
}

type Told = { readonly mails: readonly NewMail[]; readonly unwritten: readonly Unwritten[] };

function store(app: FollowEventsApp, tx: Tx, { mails, unwritten }: Told): void {
  for (const mail of mails) enqueueMail(app, tx, mail);
  parkUnwritten(app, tx, unwritten);
}

/** What cannot be told waits for a person, and keeps nobody else's mail back. */
async function written<Fact>(
  app: FollowEventsApp,
  source: Source,
  facts: readonly Fact[],
  write: (app: FollowEventsApp, fact: Fact) => Promise<readonly NewMail[]>,
  factOf: (fact: Fact) => string,
): Promise<Told> {
  const mails: NewMail[] = [];
  const unwritten: Unwritten[] = [];
  for (const one of facts) {
    try {
      mails.push(...(await write(app, one)));
    } catch (error) {
      if (error instanceof Outage) throw error;
      const fact = factOf(one);
      app.log.error('a mail could not be written', { source, fact, error });
      unwritten.push({ source, fact, reason: faultLine(error) });
    }
  }
  return { mails, unwritten };
}

/** Where no mail server is set up nobody follows, and nothing waits. */
export function startStatusMails(app: FollowEventsApp): Loop {
  let tidiedMs = -OLD_ROWS_MS;
  const step = async () => {
    if (app.clock.monotonicMs() - tidiedMs >= OLD_ROWS_MS) {
      await forgetOldPayerMails(app);
      tidiedMs = app.clock.monotonicMs();
    }
    return followEvents(app);
  };
  return startLoop({ name: 'status-mails', step, idleMs: IDLE_MS, ...app });
}
