// A mail in the outbox, and the SQL of its table. It is written in the transaction of what it tells
// of; how it is sent is in send-mails.ts.

import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import {
  bytes,
  defineTable,
  integer,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';
import type { Keyring } from '#installation/keyring.ts';
import { cleanLetter, type Letter, readReceiver } from './letter.ts';

type MailKind =
  | 'TEST'
  /** To whom ALERT_MAIL names. */
  | 'ALERT'
  | 'INVITATION'
  | 'SIGN_IN_LINK'
  | 'NEW_SIGN_IN'
  | 'CHANGED_SECURITY'
  | 'BRAKE_RELEASED'
  /** To customers. */
  | 'PAYMENT_SEEN'
  | 'PAID'
  | 'UNDERPAID'
  | 'EXPIRED'
  | 'REFUND_CLAIM'
  | 'REFUND_SENT'
  | 'BILL_SENT'
  | 'BILL_DUE_SOON'
  | 'BILL_DUE'
  | 'BILL_OVERDUE'
  | 'BILL_REMINDER'
  /** To people of a merchant; PAID is the same. */
  | 'NEEDS_PERSON'
  | 'DAILY_SUMMARY';

export const MAIL_STATES = ['PENDING', 'SENT', 'PARKED'] as const;
type MailState = (typeof MAIL_STATES)[number];

export const MAIL = defineTable('mail', {
  id: text(),
  /** Of one cause there is one mail. */
  causeKey: text(),
  kind: text<MailKind>(),
  /** Undefined: of the installation. */
  merchantId: optional(text()),
  receiver: text(),
  /** Whom the merchant writes to (mail-stop.ts); undefined of what cannot be declined. */
  reader: optional(bytes),
  /** Both undefined when it was sent. */
  sealedKey: optional(bytes),
  sealedContent: optional(bytes),
  state: text<MailState>(),
  attemptCount: selectOnly(integer),
  nextAttemptAt: moment,
  lastAnswer: selectOnly(optional(text())),
  reason: selectOnly(optional(text())),
  createdAt: moment,
  finishedAt: selectOnly(optional(moment)),
});
const LISTED = MAIL.only(
  'id',
  'kind',
  'merchantId',
  'receiver',
  'state',
  'attemptCount',
  'nextAttemptAt',
  'lastAnswer',
  'reason',
  'createdAt',
  'finishedAt',
);
const OF_CAUSE = MAIL.only(
  'id',
  'causeKey',
  'kind',
  'receiver',
  'state',
  'createdAt',
  'finishedAt',
);
export type ListedMail = Row<typeof LISTED>;

export type MailApp = {
  /** Without a mail server nothing is written. */
  readonly hasMail: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyring: Keyring;
};

export type NewMail = {
  readonly causeKey: string;
  readonly kind: MailKind;
  readonly merchantId?: string | undefined;
  readonly receiver: string;
  readonly reader?: Uint8Array | undefined;
  readonly letter: Letter;
};

/**
 * Sent with COMMIT; a cause that has its mail already gets no second one. Answers the id of the new
 * one. @throws Refusal invalid `email`
 */
export function enqueueMail(
  { clock, random, keyring }: Omit<MailApp, 'hasMail'>,
  tx: Tx,
  { letter, receiver, ...mail }: NewMail,
): string {
  const id = newId(random);
  const { dataKey, sealed: sealedKey } = keyring.newDataKey(id);
  const content = new TextEncoder().encode(JSON.stringify(cleanLetter(letter)));
  const now = clock.now();
  const row = {
    ...mail,
    id,
    merchantId: mail.merchantId,
    reader: mail.reader,
    receiver: readReceiver(receiver),
    sealedKey,
    sealedContent: keyring.seal(dataKey, labelOf(id), content),
    state: 'PENDING' as const,
    nextAttemptAt: now,
    createdAt: now,
  };
  tx.send(MAIL.insert([row], sql`on conflict (cause_key) do nothing`));
  return id;
}

/** Takes back what this transaction wrote, where it must not be told. Else it does nothing. */
export function dropMail(tx: Tx, id: string, isIt: boolean): void {
  tx.send(sql`delete from mail where id = ${id} and ${isIt}`);
}

/** The same where there is a mail server: without one nobody would ever get it. */
export function tellByMail(app: MailApp, tx: Tx, mail: NewMail): void {
  if (app.hasMail) enqueueMail(app, tx, mail);
}

/** @throws UnsealFailure */
export function openLetter(keyring: Keyring, { id, sealedKey, sealedContent }: SealedMail): Letter {
  const content = keyring.unseal(keyring.openDataKey(id, sealedKey), labelOf(id), sealedContent);
  return JSON.parse(new TextDecoder().decode(content)) as Letter;
}

export type SealedMail = {
  readonly id: string;
  readonly sealedKey: Uint8Array;
  readonly sealedContent: Uint8Array;
};

function labelOf(id: string): readonly string[] {
  return [id, 'mail'];
}

/** The newest first. */
export function listMails(
  reader: Reader,
  { state, most }: { readonly state: MailState | undefined; readonly most: number },
): Promise<ListedMail[]> {
  const isAsked = state === undefined ? sql`` : sql`where state = ${state}`;
  return LISTED.select(reader, sql`${isAsked} order by created_at desc, id desc limit ${most}`);
}

export function findMail(reader: Reader, id: string): Promise<ListedMail | undefined> {
  return LISTED.find(reader, sql`where id = ${id}`);
}

/** Of these causes, those that are known still. */
export function listMailsOf(
  reader: Reader,
  causeKeys: readonly string[],
): Promise<readonly Row<typeof OF_CAUSE>[]> {
  return OF_CAUSE.select(reader, sql`where cause_key = any(${causeKeys}::text[])`);
}

/** As `npx quittance parked list` shows them (list-parked.ts). */
export function selectParkedMails(): Statement {
  return sql`
    select 'mail' as kind, id, finished_at as since, reason as why, false as "isMended"
    from mail where state = 'PARKED'`;
}

/** Makes it due at once, with all its attempts before it. Answers no row when it does not wait. */
export function retryParkedMail(id: string, now: Temporal.Instant): Statement {
  return sql`
    update mail set state = 'PENDING', attempt_count = 0, reason = null, finished_at = null,
      next_attempt_at = ${now}, created_at = ${now}
    where id = ${id} and state = 'PARKED' returning id`;
}

const MEASURED_MOST = 10_000;

/** Those that wait, up to 10,000, and since when the oldest of them does. */
export async function measureMails(
  reader: Reader,
): Promise<{ readonly waiting: number; readonly oldestAt: Temporal.Instant | null }> {
  const [measured] = await reader.query<{ waiting: number; oldestAt: Temporal.Instant | null }>(sql`
    select count(*)::integer as waiting, min(created_at) as "oldestAt"
    from (select created_at from mail where state = 'PENDING' limit ${MEASURED_MOST}) m`);
  return measured ?? { waiting: 0, oldestAt: null };
}
