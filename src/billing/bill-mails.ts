// Which mails a bill is to have and from which day on, and the SQL of that table. Guarantees: each
// is looked at once, and by hand a bill is reminded of at most once a day.

import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { defineTable, moment, optional, type Row, text } from '#db/table.ts';
import type { BILL_MAILS } from '#merchant/customer-mails.ts';
import { BILL, type IssuedBill, isIssued } from './bill.ts';

/** As a merchant switches them on, and one that is sent by hand. */
export type BillMailKind = (typeof BILL_MAILS)[number] | 'BILL_REMINDER';

const BILL_MAIL = defineTable('bill_mail', {
  billId: text(),
  kind: text<BillMailKind>(),
  /** A day of UTC, as ISO 8601 writes it. */
  tellOn: text(),
  toldAt: optional(moment),
});
type BillMailRow = Row<typeof BILL_MAIL>;

export type DueBillMail = {
  readonly bill: IssuedBill;
  readonly kind: BillMailKind;
  readonly tellOn: string;
};

const SOON_DAYS = 3;
const OVERDUE_DAYS = 7;

/** Nobody is reminded on the day on which he gets the bill. */
export function planBillMails({
  issuedOn,
  dueOn,
}: Pick<IssuedBill, 'issuedOn' | 'dueOn'>): readonly Pick<DueBillMail, 'kind' | 'tellOn'>[] {
  const due = Temporal.PlainDate.from(dueOn);
  const reminders = [
    { kind: 'BILL_DUE_SOON', tellOn: due.subtract({ days: SOON_DAYS }).toString() },
    { kind: 'BILL_DUE', tellOn: dueOn },
    { kind: 'BILL_OVERDUE', tellOn: due.add({ days: OVERDUE_DAYS }).toString() },
  ] as const;
  const later = reminders.filter(({ tellOn }) => tellOn > issuedOn);
  return [{ kind: 'BILL_SENT', tellOn: issuedOn }, ...later];
}

/** Of a bill that is issued in this transaction. */
export function insertBillMails(
  billId: string,
  dates: Pick<IssuedBill, 'issuedOn' | 'dueOn'>,
): Statement {
  const toldAt = undefined;
  return BILL_MAIL.insert(planBillMails(dates).map((one) => ({ billId, ...one, toldAt })));
}

/** Those of today and of days before that nobody has looked at. */
export async function listDueBillMails(
  reader: Reader,
  today: string,
  most: number,
): Promise<DueBillMail[]> {
  const rows = await BILL_MAIL.select(
    reader,
    sql`where told_at is null and tell_on <= ${today} order by tell_on, bill_id limit ${most}`,
  );
  const ids = rows.map(({ billId }) => billId);
  const bills =
    ids.length === 0 ? [] : await BILL.select(reader, sql`where id = any(${ids}::text[])`);
  const byId = new Map(bills.filter(isIssued).map((bill) => [bill.id, bill]));
  return rows.flatMap(({ billId, kind, tellOn }) => {
    const bill = byId.get(billId);
    return bill === undefined ? [] : [{ bill, kind, tellOn }];
  });
}

export async function findBillMail(
  reader: Reader,
  { billId, kind, tellOn }: { billId: string; kind: string; tellOn: string },
): Promise<DueBillMail | undefined> {
  const [row, bill] = await Promise.all([
    BILL_MAIL.find(
      reader,
      sql`where bill_id = ${billId} and kind = ${kind} and tell_on = ${tellOn}`,
    ),
    BILL.find(reader, sql`where id = ${billId}`),
  ]);
  if (row === undefined || bill === undefined || !isIssued(bill)) return undefined;
  return { bill, kind: row.kind, tellOn };
}

export function noteBillMailsTold(
  tx: Tx,
  mails: readonly DueBillMail[],
  toldAt: Temporal.Instant,
): void {
  const rows = mails.map(({ bill, kind, tellOn }) => ({ billId: bill.id, kind, tellOn, toldAt }));
  tx.send(
    BILL_MAIL.insert(
      rows,
      sql`on conflict (bill_id, kind, tell_on) do update set ${BILL_MAIL.excluded(['toldAt'])}`,
    ),
  );
}

/** Answers false when it was reminded of on this day already. */
export async function noteReminder(
  tx: Tx,
  billId: string,
  tellOn: string,
  toldAt: Temporal.Instant,
): Promise<boolean> {
  const row = { billId, kind: 'BILL_REMINDER' as const, tellOn, toldAt };
  const noted = await tx.query(
    BILL_MAIL.insert([row], sql`on conflict (bill_id, kind, tell_on) do nothing returning bill_id`),
  );
  return noted.length === 1;
}

/** Those that were seen to, in the order of their days. */
export function listToldBillMails(reader: Reader, billId: string): Promise<BillMailRow[]> {
  return BILL_MAIL.select(
    reader,
    sql`where bill_id = ${billId} and told_at is not null order by tell_on, kind`,
  );
}
