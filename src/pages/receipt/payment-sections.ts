// What was paid, in which asset, at which rate, and what was given back: one section each.
import { getAsset } from '#catalog/asset.ts';
import { networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import type { CheckoutRefund } from '#checkout/checkout-refund.ts';
import { commitmentOf, isStanding, isWrongAsset } from '#checkout/payment-progress.ts';
import type { Receipt } from '#deposit/receipt.ts';
import { assetText } from '#pages/asset-text.ts';
import { coinPriceText } from '#pages/coin-price.ts';
import { momentText } from '#pages/display.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import type { PaperRow, PaperSection } from './paper.ts';

export function paymentSections(record: CheckoutRecord, language: PageLanguage): PaperSection[] {
  const { texts } = language;
  return record.receipts.filter(isStanding).map((receipt, index) => ({
    title: texts.paper.payment(String(index + 1)),
    rows: paymentRows(record, receipt, language),
  }));
}

/** Only what has reached the payer. */
export function refundSections(record: CheckoutRecord, language: PageLanguage): PaperSection[] {
  const { texts } = language;
  const done = record.refunds.filter(({ state }) => state === 'COMPLETED');
  return done.map((refund, index) => ({
    title: texts.paper.refund(String(index + 1)),
    rows: refundRows(refund, language),
  }));
}

function paymentRows(record: CheckoutRecord, receipt: Receipt, language: PageLanguage): PaperRow[] {
  const { texts } = language;
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
    momentRow(texts.paper.arrived, receipt.seenAt, language),
    confirmed,
    { label: texts.seen.transaction, value: receipt.transaction, look: 'code' },
  ];
}

/** What the lock said; what the rate was on arrival, when that counted; both when both did. */
function rateRows(record: CheckoutRecord, receipt: Receipt, language: PageLanguage): PaperRow[] {
  const commitment = commitmentOf(record, receipt);
  const { assetCode } = getAsset(receipt.assetId);
  if (commitment === undefined || assetCode === record.billingCurrency) return [];
  const credit = record.credits.find(
    ({ receiptId, generation }) => receiptId === receipt.id && generation === receipt.generation,
  );
  const basis = credit?.rateBasis ?? 'LOCKED';
  const required = [
    ...(basis === 'LOCKED' || basis === 'MIXED' ? [commitment.paymentUnits] : []),
    ...(basis === 'LOCKED' || credit?.requiredNowUnits === undefined
      ? []
      : [credit.requiredNowUnits]),
  ];
  return required.map((units) => ({
    label: language.texts.paper.rate,
    value: `1\u00a0${assetCode} = ${coinPriceText(record, { assetId: receipt.assetId, units }, language)}`,
    look: 'text',
  }));
}

function refundRows(refund: CheckoutRefund, language: PageLanguage): PaperRow[] {
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
      : [{ label: texts.seen.transaction, value: transaction, look: 'code' } as const]),
  ];
}

export function momentRow(label: string, at: Temporal.Instant, { code }: PageLanguage): PaperRow {
  return { label, value: momentText(at, code), look: 'text', at };
}
