// The queue of mails. Guarantees: a mail is leased to one worker at a time, and only the holder of
// the newest lease records an outcome; nobody gets more than a number of mails in an hour, and none
// are sent in the name of one merchant beyond another, however many wait; of what only tells what
// was paid fewer are sent in an hour than of all together. Those over that are put off, so that
// they stand in nobody's way.

import { type Db, sql, type Tx } from '#db/db.ts';
import type { SealedMail } from './mail.ts';
import { dropDeclined, parkStopped, stopMailTo } from './mail-stop.ts';

/** In any hour. */
const RECEIVER_MOST = 30;
/**
 * Of those, of what only tells what was paid: a busy shop leaves room for what needs somebody, and
 * for what somebody has to know of his own way in.
 */
const RECEIVER_NEWS_MOST = 20;
const MERCHANT_MOST = 1_000;
const PUT_OFF_MINUTES = 15;
/** Claims follow one another: otherwise two workers could each give a receiver his share. */
const CLAIM_LOCK = 7_305_002n;

export type ClaimedMail = SealedMail & {
  readonly epoch: bigint;
  readonly receiver: string;
  readonly attemptCount: number;
  readonly createdAt: Temporal.Instant;
};

type ClaimRequest = {
  readonly now: Temporal.Instant;
  readonly leaseUntil: Temporal.Instant;
  readonly most: number;
  /** This one alone. */
  readonly only: string | undefined;
};

/** `looked`: how many were due, those put off with them. */
export async function claimMails(
  db: Db,
  { now, leaseUntil, most, only }: ClaimRequest,
): Promise<{ readonly claimed: readonly ClaimedMail[]; readonly looked: number }> {
  const hourAgo = now.subtract({ hours: 1 });
  const putOffUntil = now.add({ minutes: PUT_OFF_MINUTES });
  const isAsked = only === undefined ? sql`` : sql`and id = ${only}`;
  const rows = await db.transact((tx) => {
    tx.send(sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`);
    tx.send(parkStopped(now));
    tx.send(dropDeclined(now));
    return tx.query<ClaimedMail & { readonly isAllowed: boolean }>(sql`
      with due as (
        select id, receiver, merchant_id, next_attempt_at, kind = 'PAID' as is_news from mail
        where state = 'PENDING' and next_attempt_at <= ${now}
          and (lease_until is null or lease_until <= ${now}) ${isAsked}
        order by next_attempt_at, id limit ${most} for update
      ), ranked as (
        select id,
          row_number() over (partition by receiver order by is_news, next_attempt_at, id) + (
            select count(*) from mail sent where sent.receiver = due.receiver
              and sent.state = 'SENT' and sent.finished_at > ${hourAgo}) as of_receiver,
          row_number() over (partition by merchant_id order by next_attempt_at, id) + (
            select count(*) from mail sent where sent.merchant_id = due.merchant_id
              and sent.state = 'SENT' and sent.finished_at > ${hourAgo}) as of_merchant,
          merchant_id is null as is_of_nobody, is_news
        from due
      ), decided as (
        select id, of_receiver <= case when is_news then ${RECEIVER_NEWS_MOST}::integer
            else ${RECEIVER_MOST}::integer end
          and (is_of_nobody or of_merchant <= ${MERCHANT_MOST}) as is_allowed
        from ranked
      )
      update mail m set
        lease_until = case when is_allowed then ${leaseUntil}::timestamptz end,
        lease_epoch = m.lease_epoch + 1,
        next_attempt_at = case when is_allowed then m.next_attempt_at
          else ${putOffUntil}::timestamptz end
      from decided where m.id = decided.id
      returning m.id, m.lease_epoch as epoch, m.receiver, m.sealed_key as "sealedKey",
        m.sealed_content as "sealedContent", m.attempt_count as "attemptCount",
        m.created_at as "createdAt", is_allowed as "isAllowed"`);
  });
  const claimed = rows.flatMap(({ isAllowed, ...mail }) => (isAllowed ? [mail] : []));
  return { claimed, looked: rows.length };
}

type Held = Pick<ClaimedMail, 'id' | 'epoch'>;

/** Gives a lease back unused: it is due again at once. */
export function releaseMail(tx: Tx, { id, epoch }: Held): void {
  tx.send(sql`
    update mail set lease_until = null
    where id = ${id} and lease_epoch = ${epoch} and state = 'PENDING'`);
}

type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'retry'; readonly at: Temporal.Instant }
  | { readonly kind: 'parked'; readonly reason: string; readonly isNobody: boolean };

/**
 * Answers false when the lease was taken over. What was sent is not kept; to whom there is nobody
 * nothing is sent again.
 */
export async function recordMail(
  db: Db,
  { id, epoch, receiver }: Held & Pick<ClaimedMail, 'receiver'>,
  { outcome, answer, now }: { outcome: MailOutcome; answer: string; now: Temporal.Instant },
): Promise<boolean> {
  const after =
    outcome.kind === 'sent'
      ? sql`state = 'SENT', finished_at = ${now}, sealed_key = null, sealed_content = null`
      : outcome.kind === 'parked'
        ? sql`state = 'PARKED', finished_at = ${now}, reason = ${outcome.reason}`
        : sql`next_attempt_at = ${outcome.at}`;
  return db.transact(async (tx) => {
    const recorded = await tx.query(sql`
      update mail set ${after}, attempt_count = attempt_count + 1, lease_until = null,
        last_answer = ${answer}
      where id = ${id} and lease_epoch = ${epoch} and state = 'PENDING' and lease_until is not null
      returning id`);
    if (recorded.length === 0) return false;
    if (outcome.kind === 'parked' && outcome.isNobody) {
      stopMailTo(tx, { address: receiver, cause: 'REFUSED', detail: answer, stoppedAt: now });
    }
    return true;
  });
}

/** Mails that waited for a server that was away for so long; those that ended go after a while. */
export async function parkAndForget(
  db: Db,
  request: {
    readonly now: Temporal.Instant;
    readonly waitedSince: Temporal.Instant;
    readonly endedBefore: Temporal.Instant;
  },
): Promise<void> {
  const { now, waitedSince, endedBefore } = request;
  await db.transact(async (tx) => {
    tx.send(sql`
      update mail set state = 'PARKED', finished_at = ${now},
        reason = 'it waited for the mail server for too long'
      where state = 'PENDING' and created_at < ${waitedSince}
        and (lease_until is null or lease_until <= ${now})`);
    tx.send(sql`delete from mail where finished_at < ${endedBefore}`);
  });
}
