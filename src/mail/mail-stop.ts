// Addresses that no mail is sent to, customers who want none of a merchant any more, and the SQL of
// both tables. Guarantees: a report that a
// stranger made up stops nobody, because it has to name a mail of ours by its id, which only its
// receiver and the servers on its way know; and what it stops is the receiver of that mail,
// whatever address the report says.

import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { bytes, defineTable, insertOnly, moment, type Row, text } from '#db/table.ts';
import type { Keyring } from '#installation/keyring.ts';
import { readReceiver } from './letter.ts';
import type { MailReport } from './read-report.ts';

const MAIL_STOP = defineTable('mail_stop', {
  address: text(),
  cause: text<'REFUSED' | 'BOUNCED' | 'COMPLAINED' | 'SAID'>(),
  detail: text(),
  stoppedAt: moment,
});
type MailStop = Row<typeof MAIL_STOP>;

/** The first word stays. @throws Refusal invalid `email` */
export function stopMailTo(tx: Tx, { address, ...stop }: MailStop): void {
  const row = { ...stop, address: readReceiver(address).toLowerCase() };
  tx.send(MAIL_STOP.insert([row], sql`on conflict (address) do nothing`));
}

/** Answers false when it was not stopped. */
export async function allowMailTo(tx: Tx, address: string): Promise<boolean> {
  const gone = await tx.query(sql`
    delete from mail_stop where address = ${readReceiver(address).toLowerCase()}
    returning address`);
  return gone.length === 1;
}

/** The newest first. */
export function listStops(reader: Reader, most: number): Promise<MailStop[]> {
  return MAIL_STOP.select(reader, sql`order by stopped_at desc, address limit ${most}`);
}

/** What waits for an address that is stopped waits for a person. */
export function parkStopped(now: Temporal.Instant): Statement {
  return sql`
    update mail m set state = 'PARKED', finished_at = ${now},
      reason = 'no mail goes to this address: ' || stop.detail
    from mail_stop stop
    where stop.address = lower(m.receiver) and m.state = 'PENDING' and m.next_attempt_at <= ${now}
      and (m.lease_until is null or m.lease_until <= ${now})`;
}

/**
 * Stops the receivers of the mails that a report names. Answers their addresses; none when it is of
 * no mail of ours, or of one that may still arrive.
 */
export async function takeReport(
  tx: Tx,
  { clock }: { readonly clock: Clock },
  report: MailReport,
): Promise<readonly string[]> {
  const { cause, detail } = report;
  if (cause === undefined || report.mailIds.length === 0) return [];
  const rows = await tx.query<{ receiver: string }>(sql`
    select distinct receiver from mail where id = any(${report.mailIds}::text[])
    order by receiver`);
  const stoppedAt = clock.now();
  for (const { receiver } of rows) stopMailTo(tx, { address: receiver, cause, detail, stoppedAt });
  return rows.map(({ receiver }) => receiver);
}

// Who declines the mails of one merchant (RFC 8058) goes on to get those of others. Neither the
// link nor the row names his address: both hold a MAC of it, which nobody makes without the key
// file.

const MAIL_LEFT = defineTable('mail_left', {
  merchantId: insertOnly(text()),
  reader: insertOnly(bytes),
  leftAt: moment,
});

type ReaderKeys = Pick<Keyring, 'mac'>;
const READER_BYTES = 16;

/** The same for each spelling of one address. */
export function mailReader({ mac }: ReaderKeys, merchantId: string, address: string): Uint8Array {
  const named = JSON.stringify(['reader', merchantId, address.toLowerCase()]);
  return mac('mail', new TextEncoder().encode(named)).subarray(0, READER_BYTES);
}

/** The last part of the link by which he declines: who it is, and that we have made it. */
export function leaveToken(keys: ReaderKeys, merchantId: string, reader: Uint8Array): string {
  return Buffer.from([...reader, ...proofOf(keys, merchantId, reader)]).toString('base64url');
}

/** Undefined for a link that is none of ours. */
export function readLeaveToken(
  keys: ReaderKeys,
  merchantId: string,
  token: string,
): Uint8Array | undefined {
  const given = Buffer.from(token, 'base64url');
  if (given.length !== 2 * READER_BYTES) return undefined;
  const reader = new Uint8Array(given.subarray(0, READER_BYTES));
  const proof = proofOf(keys, merchantId, reader);
  return timingSafeEqual(given.subarray(READER_BYTES), proof) ? reader : undefined;
}

function proofOf({ mac }: ReaderKeys, merchantId: string, reader: Uint8Array): Uint8Array {
  const named = JSON.stringify(['leave', merchantId, reader.toHex()]);
  return mac('mail', new TextEncoder().encode(named)).subarray(0, READER_BYTES);
}

export async function hasLeft(db: Reader, merchantId: string, reader: Uint8Array) {
  const found = await db.query(sql`
    select 1 from mail_left where merchant_id = ${merchantId} and reader = ${reader}`);
  return found.length > 0;
}

/** `isLeft`: false: he wants them again. */
export function declineMails(
  tx: Tx,
  {
    isLeft,
    leftAt,
    ...who
  }: {
    readonly merchantId: string;
    readonly reader: Uint8Array;
    readonly isLeft: boolean;
    readonly leftAt: Temporal.Instant;
  },
): void {
  const { merchantId, reader } = who;
  tx.send(
    isLeft
      ? MAIL_LEFT.insert([{ ...who, leftAt }], sql`on conflict (merchant_id, reader) do nothing`)
      : sql`delete from mail_left where merchant_id = ${merchantId} and reader = ${reader}`,
  );
}

/**
 * What a customer of a merchant was and is to be mailed: nothing of it is left. What is on its way
 * at this moment still arrives.
 */
export function forgetReceiver(
  tx: Tx,
  { merchantId, receiver }: { readonly merchantId: string; readonly receiver: string },
): void {
  tx.send(sql`
    delete from mail
    where merchant_id = ${merchantId} and receiver = ${receiver} and reader is not null`);
}

/** The same of mails that are known by their causes. */
export function forgetMails(tx: Tx, causeKeys: readonly string[]): void {
  if (causeKeys.length === 0) return;
  tx.send(sql`delete from mail where cause_key = any(${causeKeys}::text[])`);
}

/** What is due to whoever left since it was written goes: he said so after it. */
export function dropDeclined(now: Temporal.Instant): Statement {
  return sql`
    delete from mail m using mail_left l
    where l.merchant_id = m.merchant_id and l.reader = m.reader and m.state = 'PENDING'
      and m.next_attempt_at <= ${now} and (m.lease_until is null or m.lease_until <= ${now})`;
}
