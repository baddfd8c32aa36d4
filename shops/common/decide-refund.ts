// How much of what was paid a refund of a shop gives back. A shop refunds in the currency of its
// order, the service in what the payer sent: the same share of it, rounded down.
import { isSameAmount, shareDown, subtract } from './decimal.ts';
import { currencyDigits } from './shop-amount.ts';

/** What is read of a checkout, as `GET /checkout` gives it. */
export type RefundFacts = {
  readonly id: string;
  readonly total: string;
  readonly sourceAssetId: string | null;
  readonly sourceAmountReceived: string | null;
  readonly flags: { readonly overpaid?: { readonly amount?: string } };
  readonly blockchainTransactions: readonly {
    readonly type: string;
    readonly network: string;
    readonly amountAssetCode: string;
  }[];
  readonly refunds: readonly unknown[];
};

export type RefundDecision =
  | { readonly request: { checkoutId: string; kind: 'full' | 'amount'; amount?: string } }
  | { readonly refusal: string };

/** `amount`: in the currency of the checkout. */
export function decideRefund(checkout: RefundFacts, amount: string): RefundDecision {
  const { id, total, sourceAssetId, sourceAmountReceived, flags } = checkout;
  if (sourceAssetId === null || sourceAmountReceived === null) {
    return { refusal: 'nothing was paid' };
  }
  if (waysPaid(checkout) > 1) {
    return { refusal: 'it was paid in several ways: refund each in the dashboard of the service' };
  }
  const overpaid = flags.overpaid?.amount;
  const isAll = isSameAmount(amount, total) && checkout.refunds.length === 0;
  if (isAll && overpaid === undefined) return { request: { checkoutId: id, kind: 'full' } };
  const paid =
    overpaid === undefined ? sourceAmountReceived : subtract(sourceAmountReceived, overpaid);
  const share = shareDown(paid, amount, total, assetDigits(sourceAssetId));
  if (isSameAmount(share, '0')) return { refusal: 'it is less than can be sent' };
  return { request: { checkoutId: id, kind: 'amount', amount: share } };
}

function waysPaid({ blockchainTransactions }: RefundFacts): number {
  const payments = blockchainTransactions.filter(({ type }) => type === 'CHECKOUT_ORIGIN');
  return new Set(payments.map(({ network, amountAssetCode }) => `${network} ${amountAssetCode}`))
    .size;
}

/** As many as every network of this kind of asset takes; some would take more. */
function assetDigits(assetId: string): number {
  const [code = '', issuer] = assetId.split(':');
  if (issuer === 'FIAT') return currencyDigits(code);
  if (issuer !== 'NATIVE') return 6;
  if (code === 'XRP') return 6;
  return code === 'XLM' ? 7 : 8;
}
