// What a receipt says. There is one as soon as money that was asked for is confirmed, also when it
// is not all of it: then it says what is missing.

import type { Receipt } from '#chain/receipt.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { hostedCheckoutUrl } from '#checkout/page-token.ts';
import {
  isStanding,
  isWrongAsset,
  paymentProgress,
} from '#checkout-settlement/payment-progress.ts';
import { type CheckoutPage, samePath } from '#pages/checkout/checkout-page.ts';
import { shownCommitment } from '#pages/checkout/decide-page.ts';
import { assetText, moneyText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import { verifyTexts } from '#pages/languages/verify-texts.ts';
import type { Paper, PaperRow, PaperSection } from './paper.ts';
import {
  chargeLines,
  momentRow,
  paperNotes,
  paperParties,
  paymentSections,
  refundSections,
  tipLines,
} from './paper-parts.ts';

/** How whoever holds a receipt finds out whether it is true. */
export type ReceiptProof = { readonly code: string; readonly url: string };

/** Undefined: nothing has arrived yet that a receipt could be given for. */
export function writeReceipt(page: CheckoutPage, proof?: ReceiptProof): Paper | undefined {
  const { record, summary, language } = page;
  const { texts, code } = language;
  const arrived = listArrived(record);
  const last = arrived.at(-1);
  if (last === undefined) return undefined;
  const issuedAt = record.completedAt ?? last.finalAt ?? last.seenAt;
  const isPaid = page.state.kind === 'paid';
  return {
    kind: 'receipt',
    language,
    title: texts.paper.receipt,
    reference: record.id,
    shopName: summary.shopName,
    isTest: record.environment === 'test',
    issuedAt,
    facts: [
      { label: texts.summary.order, value: record.id, look: 'code' },
      momentRow(texts.paper.date, issuedAt, language),
      {
        label: texts.paper.state,
        value: isPaid ? texts.paper.states.paid : texts.paper.states.partial,
        look: 'text',
      },
    ],
    parties: paperParties(page),
    lines: [...chargeLines(summary.charge, language), ...tipLines(record, language)],
    totals: [
      {
        label: texts.summary.total,
        value: moneyText(record.total, record.billingCurrency, code),
        look: 'text',
      },
      ...(isPaid ? [] : restRows(page, arrived)),
    ],
    sections: [
      ...paymentSections(page),
      ...refundSections(page),
      ...(proof === undefined ? [] : [proofSection(proof, language)]),
    ],
    notes: paperNotes(page),
    payment: undefined,
  };
}

/** On whatever has a code. */
export function proofSection({ code, url }: ReceiptProof, language: PageLanguage): PaperSection {
  const texts = verifyTexts(language.code);
  return {
    title: texts.title,
    rows: [
      { label: texts.code, value: code, look: 'code' },
      { label: texts.at, value: url, look: 'code', href: url },
    ],
  };
}

/** Whether the page of the receipt shows one. */
function hasReceipt(record: CheckoutRecord): boolean {
  return listArrived(record).length > 0;
}

/** What is confirmed, stands, and is what was asked for. */
export function listArrived(record: CheckoutRecord): Receipt[] {
  return record.receipts.filter(
    (receipt) =>
      receipt.status === 'FINAL' && isStanding(receipt) && !isWrongAsset(record, receipt),
  );
}

/** Counting only what is confirmed. */
function restRows(page: CheckoutPage, receipts: readonly Receipt[]): PaperRow[] {
  const { record, language } = page;
  const commitment = shownCommitment(record, page.query);
  if (commitment === undefined) return [];
  const { receivedUnits, remainingUnits } = paymentProgress({ ...record, receipts }, commitment);
  const { network, assetId } = commitment;
  const row = (label: string, units: bigint): PaperRow => ({
    label,
    value: assetText(network, assetId, units, language),
    look: 'text',
  });
  const { partial } = language.texts;
  return [row(partial.received, receivedUnits), row(partial.remaining, remainingUnits)];
}

// The papers of a checkout: their addresses, and the links from its page to them.

/** Nothing until money has arrived. */
export function receiptLinks(page: CheckoutPage): Html | undefined {
  if (!hasReceipt(page.record)) return undefined;
  const { paper } = page.language.texts;
  return html`<p class="ways no-print">
<a class="quiet" id="receipt" href="${addressOf(page, 'receipt')}">${paper.receipt}</a>
<a class="quiet" id="receipt-pdf" href="${addressOf(page, 'receipt.pdf')}">${paper.pdf}</a></p>`;
}

export function invoiceLink(page: CheckoutPage): Html {
  const { paper } = page.language.texts;
  return html`<a id="invoice" href="${addressOf(page, 'invoice')}">${paper.invoice}</a>`;
}

/** A sample has no papers: the link leads back to the sample. */
function addressOf(page: CheckoutPage, paper: 'receipt' | 'receipt.pdf' | 'invoice'): string {
  return page.sample === undefined ? paperPath(page, paper) : samePath(page);
}

/** Addresses of the papers of a checkout, on this service; `checkout` is its page to pay from. */
export function paperPath(
  { languageName, token }: Pick<CheckoutPage, 'languageName' | 'token'>,
  paper: 'checkout' | 'receipt' | 'receipt.pdf' | 'invoice',
): string {
  const name = encodeURIComponent(token);
  if (paper === 'invoice') return `/${languageName}/invoice/${name}`;
  const path = hostedCheckoutUrl('', languageName, name);
  return paper === 'checkout' ? path : `${path}/${paper}`;
}
