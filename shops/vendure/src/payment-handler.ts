// What Vendure asks of a payment method. A payment exists only when its checkout is COMPLETED, so
// it is settled from the beginning; until then the order stays in ArrangingPayment.
import { type Injector, LanguageCode, PaymentMethodHandler } from '@vendure/core';
import { decideRefund } from '../../common/decide-refund.ts';
import { Checkouts, HANDLER_CODE } from './checkouts.ts';

let checkouts: Checkouts;

export const paymentHandler = new PaymentMethodHandler({
  code: HANDLER_CODE,
  description: [{ languageCode: LanguageCode.en, value: 'Crypto payment (Quittance)' }],
  args: {},

  init(injector: Injector) {
    checkouts = injector.get(Checkouts);
  },

  /** The amount is what was paid: an order that changed meanwhile owes the rest. */
  createPayment(_ctx, order, amount, _args, metadata) {
    const claimed = checkouts.findClaim(metadata.claim);
    if (claimed === undefined || String(claimed.orderId) !== String(order.id)) {
      const errorMessage = 'Payments of this kind are added when they are paid.';
      return { amount, state: 'Declined' as const, errorMessage, metadata: {} };
    }
    const { units, checkoutId, url } = claimed;
    return {
      amount: units,
      state: 'Settled' as const,
      transactionId: checkoutId,
      metadata: { checkoutId, public: { url } },
    };
  },

  settlePayment() {
    return { success: true };
  },

  async cancelPayment() {
    return { success: false, errorMessage: 'What is paid is refunded, not cancelled.' };
  },

  /** Pending until it is final on the network; the link for the payer is in its metadata. */
  async createRefund(_ctx, _input, amount, order, payment) {
    const checkout = await checkouts.service.checkout.get(payment.transactionId);
    const text = checkouts.amountOf(amount, order.currencyCode);
    const decision = decideRefund(checkout, text);
    if ('refusal' in decision) throw new Error(`The refund is refused: ${decision.refusal}.`);
    const refund = await checkouts.service.refunds.create(decision.request);
    const { id, claimUrl = null, amountAssetCode } = refund;
    return {
      state: 'Pending' as const,
      transactionId: id,
      metadata: { claimUrl, amount: refund.amount, assetCode: amountAssetCode },
    };
  },
});
