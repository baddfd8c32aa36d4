// Addresses that no mail is sent to, and the SQL of their table. Guarantees: a report that a
// stranger made up stops nobody, because it has to name a mail of ours by its id, which only its
// receiver and the servers on its way know; and what it stops is the receiver of that mail,
// whatever address the report says.

import type { Clock } from '#base/clock.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { defineTable, moment, type Row, text } from '#db/table.ts';
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
