// A mail about an invoice, before it is written: to the address that stands on it, in its language,
// with its own links. Guarantees: none when it is paid, cancelled or under way; who has declined
// the mails of this merchant gets none, by hand neither.

import { getMerchantTerms } from '#access/caller.ts';
import { noteAct } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { billTokenSubject, type IssuedBill, isIssued, lockBill } from '#billing/bill.ts';
import { type DueBillMail, noteReminder } from '#billing/bill-mails.ts';
import { readStanding } from '#billing/pay-bill.ts';
import type { Owner } from '#catalog/owner.ts';
import { type PageTokenKeys, pageOrigin, pageToken } from '#checkout/page-token.ts';
import type { Db, Reader } from '#db/db.ts';
import type { Keyring } from '#installation/keyring.ts';
import type { Letter } from '#mail/letter.ts';
import { enqueueMail, type MailApp, type NewMail } from '#mail/mail.ts';
import { hasLeft, leaveToken, mailReader } from '#mail/mail-stop.ts';
import {
  type BILL_MAILS,
  findMailWords,
  type MailWords,
  readCustomerMails,
} from '#merchant/customer-mails.ts';
import { getSeller, type Seller } from '#merchant/seller.ts';
import { type BillWords, decideBillMail } from './decide-bill-mail.ts';

export type BillMail = {
  readonly words: BillWords;
  readonly bill: IssuedBill;
  readonly seller: Seller;
  /** What the shop says beside what the mail does. */
  readonly ownWords: MailWords;
  readonly links: {
    /** Where it is read and paid. */
    readonly bill: string;
    /** Where he declines further mails. */
    readonly leave: string;
  };
};

export type BillMailApp = {
  readonly clock: MailApp['clock'];
  readonly publicUrl: string;
  readonly keyring: PageTokenKeys & Keyring;
  /** Draws it. */
  readonly writeBillLetter: (mail: BillMail) => Letter;
};

/** Days are those of UTC. */
export function dayOf(at: Temporal.Instant): string {
  return at.toZonedDateTimeISO('UTC').toPlainDate().toString();
}

/** Of one mail under this cause there is one. */
export function billMailCause({ kind, tellOn }: Omit<DueBillMail, 'bill'>, billId: string): string {
  return `bill:${billId}:${kind}:${tellOn}`;
}

/** One, or none when nobody is mailed of it. */
export async function mailsOfBill(
  app: BillMailApp & { readonly db: Reader },
  due: DueBillMail,
): Promise<NewMail[]> {
  const on: readonly string[] = await readCustomerMails(app.db, due.bill);
  if (!on.includes(due.kind) || due.bill.buyer.email === '') return [];
  const mail = await mailAbout(app, due);
  return mail === 'left' || mail === 'over' ? [] : [mail];
}

type RemindApp = BillMailApp & MailApp & { readonly db: Db };

/**
 * Mails the buyer what is due, at once and whatever is switched on: somebody of the shop asks.
 * @throws Refusal missing `bill_missing`; conflict `bill_state` when there is nothing to pay,
 * `bill_no_address`, `bill_left` when he wants none, `bill_reminded` when he had one today
 */
export async function remindBill(
  app: RemindApp,
  { actor, ...owner }: Owner & { readonly actor: string },
  id: string,
): Promise<void> {
  const now = app.clock.now();
  const tellOn = dayOf(now);
  await app.db.transact(async (tx) => {
    const bill = await lockBill(tx, owner, id);
    if (!isIssued(bill)) throw new Refusal('conflict', 'bill_state', 'it is not issued');
    if (bill.buyer.email === '') {
      throw new Refusal('conflict', 'bill_no_address', 'no e-mail address stands on it');
    }
    const mail = await mailAbout({ ...app, db: tx }, { bill, kind: 'BILL_REMINDER', tellOn });
    if (mail === 'over') throw new Refusal('conflict', 'bill_state', 'there is nothing to pay');
    if (mail === 'left') {
      throw new Refusal('conflict', 'bill_left', 'the customer wants no mails of this shop');
    }
    if (!(await noteReminder(tx, id, tellOn, now))) {
      throw new Refusal('conflict', 'bill_reminded', 'a reminder was sent today');
    }
    enqueueMail(app, tx, mail);
    noteAct(tx, { actor, ...owner, actedAt: now, verb: 'bill-remind', subject: `bill:${id}` });
  });
}

async function mailAbout(
  app: BillMailApp & { readonly db: Reader },
  due: DueBillMail,
): Promise<NewMail | 'left' | 'over'> {
  const { bill, kind, tellOn } = due;
  const { merchantId, language, dueOn } = bill;
  const standing = await readStanding(app, bill);
  const today = dayOf(app.clock.now());
  const words = decideBillMail(kind, { ...standing, tellOn, dueOn, today });
  if (words === undefined) return 'over';
  const receiver = bill.buyer.email;
  const reader = mailReader(app.keyring, merchantId, receiver);
  if (await hasLeft(app.db, merchantId, reader)) return 'left';
  const seller = await getSeller(app.db, merchantId);
  const ownWords = await findMailWords(app.db, bill, { kind: KIND_OF_WORDS[words], language });
  const origin = pageOrigin(app, await getMerchantTerms(app.db, bill));
  const token = pageToken(app.keyring, billTokenSubject(bill.id));
  const leave = leaveToken(app.keyring, merchantId, reader);
  const links = {
    bill: `${origin}/${language}/invoice/${token}`,
    leave: `${app.publicUrl}/${language}/mails/${merchantId}/${leave}`,
  };
  return {
    causeKey: billMailCause(due, bill.id),
    ...{ kind, merchantId, reader, receiver },
    letter: app.writeBillLetter({ words, bill, seller, ownWords, links }),
  };
}

/** Own words follow the words of the mail, also where somebody sent it by hand. */
const KIND_OF_WORDS: Readonly<Record<BillWords, (typeof BILL_MAILS)[number]>> = {
  sent: 'BILL_SENT',
  soon: 'BILL_DUE_SOON',
  today: 'BILL_DUE',
  overdue: 'BILL_OVERDUE',
};
