// What a receipt and an invoice have in common: who sells and who buys, the lines of the bill, what
// was paid at which rate, what was given back, and what was out of the ordinary.

import { getAsset } from '#catalog/asset.ts';
import { type ChainId, chainOf, networkOf } from '#catalog/chain.ts';
import { explorerUrl } from '#catalog/explorer.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Receipt } from '#chain/receipt.ts';
import type { Charge } from '#charge/charge.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import type { CheckoutRefund } from '#checkout/checkout-refund.ts';
import {
  isStanding,
  isWrongAsset,
  paymentWorths,
  pricesOf,
} from '#checkout-settlement/payment-progress.ts';
import { compare, type Decimal, isZero, negate, ONE, roundDecimal } from '#money/decimal.ts';
import type { CheckoutPage } from '#pages/checkout/checkout-page.ts';
import { decideWords } from '#pages/checkout/decide-words.ts';
import { buyerLines } from '#pages/checkout/order-summary.ts';
import { noticeText } from '#pages/checkout/say-words.ts';
import {
  assetText,
  coinPriceText,
  momentText,
  moneyText,
  numberText,
  percentText,
} from '#pages/display.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import { verifyTexts } from '#pages/languages/verify-texts.ts';
import type { PaperLine, PaperParty, PaperRow, PaperSection } from './paper.ts';

export function paperParties(page: CheckoutPage): PaperParty[] {
  const { texts } = page.language;
  const { buyer } = page;
  const { shopName, sellerInfo } = page.summary;
  const address = sellerInfo?.split(/\r?\n/) ?? [];
  // Many addresses begin with the name.
  const seller = address[0]?.trim() === shopName.trim() ? address : [shopName, ...address];
  return [
    { label: texts.summary.seller, lines: filled(seller) },
    ...(buyer === undefined
      ? []
      : [{ label: texts.paper.buyer, lines: buyerLines(buyer, page.language) }]),
  ];
}

function filled(lines: readonly (string | null)[]): string[] {
  return lines.filter((line): line is string => line !== null && line.trim() !== '');
}

/** What the payer added himself. */
export function tipLines(
  { tip, billingCurrency }: Pick<CheckoutRecord, 'tip' | 'billingCurrency'>,
  { code, texts }: PageLanguage,
): PaperLine[] {
  if (isZero(tip)) return [];
  const amount = moneyText(tip, billingCurrency, code);
  return [{ kind: undefined, description: texts.paying.ask.tipLine, detail: undefined, amount }];
}

/** No lines where the stored charge cannot be read. The total is known all the same. */
export function chargeLines(
  charge: Charge | undefined,
  { code, texts }: PageLanguage,
): PaperLine[] {
  if (charge === undefined) return [];
  const money = (amount: Decimal) => moneyText(amount, charge.billingCurrency, code);
  return [
    ...charge.lineItems.map(({ description, netAmount, quantity, amount }) => ({
      kind: undefined,
      description,
      detail:
        compare(quantity, ONE) === 0
          ? undefined
          : `${numberText(quantity, code)} × ${money(netAmount)}`,
      amount: money(amount),
    })),
    ...charge.discountItems.map(({ description, netAmount }) => ({
      kind: texts.summary.discount,
      description,
      detail: undefined,
      amount: money(negate(netAmount)),
    })),
    ...charge.shippingCostItems.map(({ description, netAmount }) => ({
      kind: texts.summary.shipping,
      description,
      detail: undefined,
      amount: money(netAmount),
    })),
    ...charge.taxItems.map(({ name, percent, amount }) => ({
      kind: undefined,
      description: name,
      detail: percentText(percent, code),
      amount: money(roundDecimal(amount, charge.decimals, 'half-even')),
    })),
  ];
}

export function paymentSections(page: CheckoutPage): PaperSection[] {
  const { record, language } = page;
  const worths = paymentWorths(record);
  return record.receipts.filter(isStanding).map((receipt, index) => ({
    title: language.texts.paper.payment(String(index + 1)),
    rows: paymentRows(page, receipt, worths.get(receipt.id)),
  }));
}

/** Only what has reached the payer. */
export function refundSections(page: CheckoutPage): PaperSection[] {
  const { texts } = page.language;
  const done = page.record.refunds.filter(({ state }) => state === 'COMPLETED');
  return done.map((refund, index) => ({
    title: texts.paper.refund(String(index + 1)),
    rows: refundRows(page, refund),
  }));
}

function paymentRows(page: CheckoutPage, receipt: Receipt, worth: Decimal | undefined): PaperRow[] {
  const { record, language } = page;
  const { texts, code } = language;
  const network = networkOf(receipt.chain);
  const amount = assetText(network, receipt.assetId, receipt.units, language);
  const isWrong = isWrongAsset(record, receipt);
  const confirmed: PaperRow =
    receipt.finalAt === undefined || receipt.status !== 'FINAL'
      ? { label: texts.paper.state, value: texts.paper.notConfirmed, look: 'text' }
      : momentRow(texts.paper.confirmed, receipt.finalAt, language);
  return [
    {
      label: texts.paid.amount,
      value: isWrong ? `${amount} (${texts.seen.wrongAsset})` : amount,
      look: 'text',
    },
    { label: texts.paper.network, value: getNetwork(network).name, look: 'text' },
    ...(isWrong ? [] : rateRows(record, receipt, language)),
    ...(worth === undefined
      ? []
      : [
          {
            label: verifyTexts(code).worth,
            value: moneyText(worth, record.billingCurrency, code),
            look: 'text',
          } as const,
        ]),
    momentRow(texts.paper.arrived, receipt.seenAt, language),
    confirmed,
    { label: texts.seen.transaction, value: receipt.transaction, look: 'code' },
    ...explorerRows(page, receipt.chain, receipt.transaction),
  ];
}

/** Where anybody can look at it, unless the shop shows no such links. */
function explorerRows(page: CheckoutPage, chain: ChainId, transaction: string): PaperRow[] {
  if (!page.settings.explorerLinks) return [];
  const href = explorerUrl(page.explorers, chain, transaction);
  if (href === undefined) return [];
  return [{ label: verifyTexts(page.language.code).explorer, value: href, look: 'code', href }];
}

/** The rate of the lock, or the rate on arrival, whichever counted; both when both did. */
function rateRows(record: CheckoutRecord, receipt: Receipt, language: PageLanguage): PaperRow[] {
  const { lockedUnits, currentUnits } = pricesOf(record, receipt);
  const { assetCode } = getAsset(receipt.assetId);
  if (lockedUnits === undefined || assetCode === record.billingCurrency) return [];
  const credit = record.credits.find(
    ({ receiptId, generation }) => receiptId === receipt.id && generation === receipt.generation,
  );
  const basis = credit?.rateBasis ?? 'LOCKED';
  const required = [
    ...(basis === 'LOCKED' || basis === 'MIXED' ? [lockedUnits] : []),
    ...(basis === 'LOCKED' || currentUnits === undefined ? [] : [currentUnits]),
  ];
  return required.map((units) => ({
    label: language.texts.paper.rate,
    value: `1\u00a0${assetCode} = ${coinPriceText(record, { assetId: receipt.assetId, units }, language)}`,
    look: 'text',
  }));
}

function refundRows(page: CheckoutPage, refund: CheckoutRefund): PaperRow[] {
  const { record, language } = page;
  const { texts } = language;
  const { network, assetId, units, transaction } = refund;
  return [
    {
      label: texts.paid.amount,
      value: assetText(network, assetId, units, language),
      look: 'text',
    },
    { label: texts.paper.network, value: getNetwork(network).name, look: 'text' },
    momentRow(texts.paper.refunded, refund.finishedAt ?? refund.createdAt, language),
    ...(transaction === undefined
      ? []
      : [
          { label: texts.seen.transaction, value: transaction, look: 'code' } as const,
          ...explorerRows(page, chainOf(record.environment, network), transaction),
        ]),
  ];
}

export function momentRow(label: string, at: Temporal.Instant, { code }: PageLanguage): PaperRow {
  return { label, value: momentText(at, code), look: 'text', at };
}

/** What was out of the ordinary with the payment: the same sentences as on its page. */
export function paperNotes(page: CheckoutPage): string[] {
  const { trouble } = page.language.texts;
  const isTakenBack = page.state.kind === 'trouble' && page.state.cause === 'taken-back';
  const notices = decideWords(page).notices.filter(({ kind }) => KEPT.includes(kind));
  const notes = notices.map((notice) => noticeText(notice, page.language));
  return isTakenBack ? [trouble.reversed, ...notes] : notes;
}

/** What is still true when the paper is looked at again; refunds have sections of their own. */
const KEPT: readonly string[] = ['over', 'late', 'multiple', 'accepted-underpaid', 'reversed'];
