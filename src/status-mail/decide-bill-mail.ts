// What a mail about an invoice says, on the day on which it is looked at, or that there is none.
// Pure. A mail never says what is over: the words follow the day, not the kind, so that one that
// was late does not call due what is overdue.

import type { BillMailKind } from '#billing/bill-mails.ts';
import type { BillStanding } from '#billing/decide-bill.ts';

export type BillWords = 'sent' | 'soon' | 'today' | 'overdue';

/** Days as ISO 8601 writes them: in the order of their letters they are in the order of time. */
type BillMailFacts = Pick<BillStanding, 'state' | 'isUnderWay'> & {
  readonly tellOn: string;
  readonly dueOn: string;
  readonly today: string;
};

/** Older news is none: as of events. */
const NEWS_DAYS = 4;

export function decideBillMail(
  kind: BillMailKind,
  { state, isUnderWay, tellOn, dueOn, today }: BillMailFacts,
): BillWords | undefined {
  // Paid or cancelled; or its money was seen, and nobody is asked again for it.
  if (state !== 'ISSUED' || isUnderWay) return undefined;
  const over = Temporal.PlainDate.from(tellOn).add({ days: NEWS_DAYS }).toString();
  if (today >= over) return undefined;
  if (kind === 'BILL_SENT') return 'sent';
  const words = today < dueOn ? 'soon' : today === dueOn ? 'today' : 'overdue';
  // The mail of the day itself comes, and one is enough.
  return kind === 'BILL_DUE_SOON' && words !== 'soon' ? undefined : words;
}
