// What an invoice says: before the payment what is due and how to pay it, afterwards that it is
// paid. It asks for nothing that the page to pay from would not take any more.
import { unreachable } from '#base/assert.ts';
import { type Decimal, ZERO } from '#money/decimal.ts';
import type { CheckoutPage } from '#pages/checkout/checkout-page.ts';
import type { PageState } from '#pages/checkout/decide-page.ts';
import { assetText, moneyText } from '#pages/display.ts';
import type { Texts } from '#pages/languages/en.ts';
import type { Paper, PaperRow } from './paper.ts';
import {
  chargeLines,
  momentRow,
  paperNotes,
  paperParties,
  paymentSections,
  refundSections,
  tipLines,
} from './paper-parts.ts';

type PaperState = keyof Texts['paper']['states'];

export function writeInvoice(page: CheckoutPage, checkoutUrl: string): Paper {
  const { record, summary, language } = page;
  const { texts } = language;
  const state = paperState(page.state);
  const due = dueText(page);
  return {
    kind: 'invoice',
    language,
    title: texts.paper.invoice,
    reference: record.id,
    shopName: summary.shopName,
    isTest: record.environment === 'test',
    issuedAt: record.createdAt,
    facts: [
      { label: texts.summary.order, value: record.id, look: 'code' },
      momentRow(texts.paper.date, record.createdAt, language),
      { label: texts.paper.state, value: texts.paper.states[state], look: 'text' },
    ],
    parties: paperParties(page),
    lines: [...chargeLines(summary.charge, language), ...tipLines(record, language)],
    totals: [
      textRow(texts.summary.total, billed(page, record.total)),
      ...(due === undefined ? [] : [textRow(texts.paper.due, due)]),
    ],
    sections: [...paymentSections(page), ...refundSections(page)],
    notes: paperNotes(page),
    payment:
      state === 'open' || state === 'partial'
        ? { url: checkoutUrl, title: texts.paper.howToPay, hint: texts.paper.howToPayHint }
        : undefined,
  };
}

function paperState(state: PageState): PaperState {
  switch (state.kind) {
    case 'ask':
    case 'choose':
    case 'pay':
      return 'open';
    case 'seen':
      return state.rest === undefined ? 'underWay' : 'partial';
    case 'partial':
    case 'paid':
    case 'cancelled':
      return state.kind;
    // The window is over, whether or not we have heard of everything that came within it.
    case 'expired':
    case 'trouble':
      return 'over';
    default:
      return unreachable(state);
  }
}

/** Undefined where nothing should be sent now. */
function dueText(page: CheckoutPage): string | undefined {
  const { state, record, language } = page;
  switch (state.kind) {
    case 'ask':
    case 'choose':
    case 'pay':
      return billed(page, record.total);
    case 'seen':
    case 'partial': {
      if (state.rest === undefined) return billed(page, ZERO);
      const { commitment, units } = state.rest;
      return assetText(commitment.network, commitment.assetId, units, language);
    }
    case 'paid':
      return billed(page, ZERO);
    case 'expired':
    case 'cancelled':
    case 'trouble':
      return undefined;
    default:
      return unreachable(state);
  }
}

function billed({ record, language }: CheckoutPage, amount: Decimal): string {
  return moneyText(amount, record.billingCurrency, language.code);
}

function textRow(label: string, value: string): PaperRow {
  return { label, value, look: 'text' };
}
