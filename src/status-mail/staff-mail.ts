// Mails to the people of a merchant, before they are written: who wants them and may have them, and
// what they are about. Guarantees: nobody is mailed what his role does not show him; nothing in
// them is a text of a customer.

import type { Clock } from '#base/clock.ts';
import { findBillOfCheckout } from '#billing/bill.ts';
import { countPaidAgain } from '#billing/paid-again.ts';
import { readStanding } from '#billing/pay-bill.ts';
import type { Environment } from '#catalog/chain.ts';
import { type DashboardLanguageCode, nearestDashboardLanguage } from '#catalog/language.ts';
import type { Owner } from '#catalog/owner.ts';
import { type FindCheckoutApp, findAnyCheckout } from '#checkout/find-checkout.ts';
import { sumTotals } from '#checkout/list-checkouts.ts';
import { type Happened, listHappenedBetween } from '#event/event.ts';
import type { Letter } from '#mail/letter.ts';
import type { NewMail } from '#mail/mail.ts';
import { getSeller, type Seller } from '#merchant/seller.ts';
import type { Decimal } from '#money/decimal.ts';
import { listMailReceivers, type MailReceiver } from '#staff/person.ts';
import { getsMail } from '#staff/role.ts';
import {
  decideStaffMail,
  NEEDS_PERSON_EVENTS,
  type NeedsPersonReason,
} from './decide-staff-mail.ts';

export type StaffFact =
  | {
      readonly kind: 'PAID';
      readonly id: string;
      readonly total: Decimal;
      readonly currency: string;
    }
  | { readonly kind: 'NEEDS_PERSON'; readonly id: string; readonly reason: NeedsPersonReason }
  | {
      readonly kind: 'DAILY_SUMMARY';
      /** Noon of the day. */
      readonly at: Temporal.Instant;
      readonly paid: number;
      readonly totals: readonly { readonly currency: string; readonly total: Decimal }[];
      readonly needs: number;
    };

export type StaffMail = {
  readonly language: DashboardLanguageCode;
  readonly seller: Seller;
  readonly environment: Environment;
  readonly fact: StaffFact;
  /** Where he looks, or decides. */
  readonly link: string;
  /** Where he says which mails he wants. */
  readonly wishes: string;
};

export type StaffMailApp = FindCheckoutApp & {
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Draws it. */
  readonly writeStaffLetter: (mail: StaffMail) => Letter;
};

/** Of an event, one to each who wants it. */
export async function staffMailsOfEvent(app: StaffMailApp, event: Happened): Promise<NewMail[]> {
  const { type, subjectId, merchantId, environment, causeKey } = event;
  const record = type.startsWith('CHECKOUT_') ? await findAnyCheckout(app, subjectId) : undefined;
  const isBillPaidAgain = type === 'CHECKOUT_COMPLETED' && (await isPaidAgain(app, subjectId));
  const { state, flags = {} } = record ?? {};
  const decision = decideStaffMail(type, { state, flags, isBillPaidAgain });
  if (decision === undefined) return [];
  const receivers = await listMailReceivers(app.db, merchantId, decision.kind);
  if (receivers.length === 0) return [];
  const seller = await getSeller(app.db, merchantId);
  const room = record === undefined ? '/checkouts' : `/checkouts/${record.id}`;
  const fact: StaffFact | undefined =
    decision.kind === 'NEEDS_PERSON'
      ? { ...decision, id: subjectId }
      : record && {
          kind: 'PAID',
          id: subjectId,
          total: record.total,
          currency: record.billingCurrency,
        };
  if (fact === undefined) return [];
  const about = { seller, environment, fact, room };
  return receivers.map((receiver) => mailTo(app, receiver, about, causeKey));
}

/** It has paid an invoice that another checkout had paid. */
async function isPaidAgain(app: StaffMailApp, checkoutId: string): Promise<boolean> {
  const bill = await findBillOfCheckout(app.db, checkoutId);
  if (bill === undefined) return false;
  const { paidBy } = await readStanding(app, bill);
  return paidBy.includes(checkoutId) && paidBy[0] !== checkoutId;
}

/** The days of summaries are those of UTC: the last one that is over ended then. */
export function lastDayEnd(now: Temporal.Instant): Temporal.Instant {
  return now.toZonedDateTimeISO('UTC').startOfDay().toInstant();
}

/** Of the day that ended then, for test and live; nothing where nothing happened. */
export async function summaryMails(
  app: StaffMailApp,
  receiver: MailReceiver,
  endedAt: Temporal.Instant,
): Promise<NewMail[]> {
  const { merchantId, role, mails } = receiver;
  if (!getsMail(role, mails ?? undefined, 'DAILY_SUMMARY')) return [];
  const seller = await getSeller(app.db, merchantId);
  const written: NewMail[] = [];
  for (const environment of ['live', 'test'] as const) {
    const fact = await summaryOf(app, { merchantId, environment }, endedAt);
    if (fact.paid + fact.needs === 0) continue;
    const about = { seller, environment, fact, room: '/checkouts' };
    const cause = `summary:${merchantId}:${environment}:${endedAt.toString()}`;
    written.push(mailTo(app, receiver, about, cause));
  }
  return written;
}

async function summaryOf(app: StaffMailApp, owner: Owner, to: Temporal.Instant) {
  const from = to.subtract({ hours: 24 });
  const completed = ['CHECKOUT_COMPLETED'] as const;
  const [paid, needs, again] = await Promise.all([
    listHappenedBetween(app.db, owner, { types: completed, from, to }),
    listHappenedBetween(app.db, owner, { types: NEEDS_PERSON_EVENTS, from, to }),
    countPaidAgain(app.db, owner, { from, to }),
  ]);
  const totals = await sumTotals(
    app.db,
    paid.map(({ subjectId }) => subjectId),
  );
  const at = to.subtract({ hours: 12 });
  const waiting = needs.length + again;
  return { kind: 'DAILY_SUMMARY', at, paid: paid.length, totals, needs: waiting } as const;
}

function mailTo(
  { publicUrl, writeStaffLetter }: StaffMailApp,
  { personId, merchantId, email, language }: MailReceiver,
  about: Pick<StaffMail, 'seller' | 'environment' | 'fact'> & { readonly room: string },
  cause: string,
): NewMail {
  const { room, ...said } = about;
  const shop = `${publicUrl}/dashboard/shop/${merchantId}/${said.environment}`;
  return {
    causeKey: `person:${personId}:${cause}`,
    kind: said.fact.kind,
    merchantId,
    receiver: email,
    letter: writeStaffLetter({
      ...said,
      language: language ?? nearestDashboardLanguage(said.seller.page.defaultLanguage),
      link: `${shop}${room}`,
      wishes: `${publicUrl}/dashboard/mails`,
    }),
  };
}
