// What an invoice of a shop says, as a page and as a PDF: the same words, lines and totals. What
// changes after it was issued (whether it is paid) is on the page alone: the document stays as it
// was sent.

import { type BillParty, chargeOf, type IssuedBill } from '#billing/bill.ts';
import type { BillStanding } from '#billing/decide-bill.ts';
import { dayText, moneyText } from '#pages/display.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import type { Paper, PaperParty, PaperRow } from '#pages/receipt/paper.ts';
import { chargeLines } from '#pages/receipt/paper-parts.ts';
import { proofSection, type ReceiptProof } from '#pages/receipt/write-receipt.ts';

export type BillView = {
  readonly bill: IssuedBill;
  /** The one that it cancels, if it is a cancellation. */
  readonly cancelled: IssuedBill | undefined;
  /** Where it is seen and paid, as it stands on it. */
  readonly url: string;
  /** Where it is checked; undefined of what was issued before there were codes. */
  readonly proof: ReceiptProof | undefined;
};

/** As it was issued. */
export function writeBill(
  { bill, cancelled, url, proof }: BillView,
  language: PageLanguage,
): Paper {
  const { texts, code } = language;
  const isCancellation = bill.kind === 'CANCELLATION';
  const charge = chargeOf(bill);
  const billed = (label: string, amount: typeof bill.total): PaperRow =>
    textRow(label, moneyText(amount, bill.billingCurrency, code));
  return {
    kind: 'invoice',
    language,
    title: isCancellation ? texts.bill.cancellation : texts.paper.invoice,
    reference: bill.name,
    shopName: bill.seller.name,
    isTest: bill.environment === 'test',
    issuedAt: bill.issuedAt,
    facts: [
      { label: texts.bill.number, value: bill.name, look: 'code' },
      textRow(texts.paper.date, dayText(bill.issuedOn, code)),
      ...(isCancellation ? [] : [textRow(texts.bill.dueOn, dayText(bill.dueOn, code))]),
      textRow(texts.bill.delivered, dayText(bill.deliveredOn, code)),
    ],
    parties: [
      partyOf(texts.summary.seller, bill.seller, language),
      partyOf(texts.paper.buyer, bill.buyer, language),
    ],
    lines: chargeLines(charge, language),
    totals: [
      ...(charge === undefined ? [] : [billed(texts.bill.net, charge.netCharged)]),
      billed(texts.summary.total, bill.total),
    ],
    sections: proof === undefined ? [] : [proofSection(proof, language)],
    notes: [
      ...(cancelled === undefined
        ? []
        : [texts.bill.cancels(cancelled.name, dayText(cancelled.issuedOn, code))]),
      ...[bill.taxReason, bill.note].filter((note) => note !== undefined),
    ],
    payment: isCancellation
      ? undefined
      : { url, title: texts.paper.howToPay, hint: texts.paper.howToPayHint },
  };
}

/** The same with how it stands now. */
export function writeOpenBill(
  view: BillView,
  { state, isOverdue, isUnderWay, payBy }: BillStanding,
  cancellation: IssuedBill | undefined,
  language: PageLanguage,
): Paper {
  const { bill, paper: words } = language.texts;
  const { states } = words;
  const paper = writeBill(view, language);
  const shown =
    state === 'PAID'
      ? states.paid
      : state === 'CANCELLED'
        ? states.cancelled
        : isUnderWay
          ? states.underWay
          : isOverdue
            ? bill.overdue
            : states.open;
  const isInvoice = view.bill.kind === 'INVOICE';
  return {
    ...paper,
    facts: [...paper.facts, ...(isInvoice ? [textRow(words.state, shown)] : [])],
    notes: [
      ...(cancellation === undefined ? [] : [bill.cancelledBy(cancellation.name)]),
      ...(isUnderWay && payBy !== undefined ? [bill.underWay] : []),
      ...paper.notes,
    ],
    payment: payBy === undefined ? undefined : paper.payment,
  };
}

function partyOf(label: string, party: BillParty, { texts, code }: PageLanguage): PaperParty {
  const { name, street, zip, city, country, email, vatId, taxNumber } = party;
  const countries = new Intl.DisplayNames(code, { type: 'region' });
  const lines = [
    ...[name, street, `${zip} ${city}`.trim(), countries.of(country) ?? country, email],
    vatId === '' ? '' : `${texts.bill.vatId}: ${vatId}`,
    taxNumber === '' ? '' : `${texts.bill.taxNumber}: ${taxNumber}`,
  ];
  return { label, lines: lines.filter((line) => line !== '') };
}

function textRow(label: string, value: string): PaperRow {
  return { label, value, look: 'text' };
}
