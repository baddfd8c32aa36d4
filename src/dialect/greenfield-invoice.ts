// A checkout as an invoice of BTCPay Server's Greenfield API v1
// (docs.btcpayserver.org/API/Greenfield/v1, models of BTCPayServer.Client). Pure. Amounts stay
// texts; times are Unix seconds there.

import type { ExactObject } from '#money/exact-json.ts';
import {
  endOf,
  hasMoney,
  isFinal,
  madeAt,
  type ShownCheckout,
  wasUndone,
} from './shown-checkout.ts';

type InvoiceStatus = 'New' | 'Processing' | 'Settled' | 'Expired' | 'Invalid';
type AdditionalStatus = 'None' | 'PaidPartial' | 'PaidOver' | 'PaidLate' | 'Marked';

/** Each state of a checkout is one status there; what is beside it is the additional one. */
export function invoiceStatus(
  checkout: ShownCheckout,
  now: Temporal.Instant,
): readonly [InvoiceStatus, AdditionalStatus] {
  const { state, flags } = checkout;
  const isOver = Temporal.Instant.compare(endOf(checkout), now) <= 0;
  const isPartial = hasMoney(checkout);
  switch (state) {
    case 'PENDING':
      return ['Processing', flags.overpaid === undefined ? 'None' : 'PaidOver'];
    case 'UNDERPAID':
      return [isOver ? 'Expired' : 'New', 'PaidPartial'];
    case 'COMPLETED':
      if (wasUndone(checkout)) return ['Invalid', 'None'];
      return ['Settled', settledAs(flags)];
    case 'EXPIRED':
      return ['Expired', isPartial ? 'PaidPartial' : 'None'];
    case 'CANCELLED':
      return ['Invalid', 'Marked'];
    default:
      return ['New', 'None'];
  }
}

function settledAs(flags: ShownCheckout['flags']): AdditionalStatus {
  if (flags.acceptedUnderpaid !== undefined || flags.manual !== undefined) return 'Marked';
  if (flags.late !== undefined) return 'PaidLate';
  return flags.overpaid === undefined ? 'None' : 'PaidOver';
}

/** `storeId`: the merchant. */
export function invoiceView(checkout: ShownCheckout, storeId: string, now: Temporal.Instant) {
  const [status, additionalStatus] = invoiceStatus(checkout, now);
  const links = checkout.payload.links as { readonly returnUrl: string | null };
  const expirationTime = secondsOf(endOf(checkout));
  return {
    id: checkout.id,
    storeId,
    type: 'Standard',
    amount: checkout.total,
    currency: checkout.billingCurrency,
    checkoutLink: checkout.hostedCheckoutUrl,
    status,
    additionalStatus,
    createdTime: secondsOf(madeAt(checkout)),
    expirationTime,
    monitoringExpiration: expirationTime,
    availableStatusesForManualMarking: status === 'New' ? ['Invalid'] : [],
    archived: false,
    metadata: metadataOf(checkout),
    checkout: {
      paymentMethods: [...new Set(checkout.paymentMethods.map(paymentMethodId))],
      defaultPaymentMethod: null,
      redirectURL: links.returnUrl,
      redirectAutomatically: false,
    },
    receipt: { enabled: true, showQR: null, showPayments: null },
  };
}

export function metadataOf({ meta }: ShownCheckout): ExactObject {
  return meta ?? {};
}

const COIN_OF_NETWORK: Readonly<Record<string, string>> = { BITCOIN: 'BTC', LITECOIN: 'LTC' };

/** As BTCPay Server 2 names them: BTC-CHAIN, BTC-LN; ours beside these by asset and network. */
export function paymentMethodId({
  network,
  assetCode,
}: {
  readonly network: string;
  readonly assetCode: string;
}): string {
  if (network === 'LIGHTNING') return 'BTC-LN';
  const coin = COIN_OF_NETWORK[network];
  return coin === undefined ? `${assetCode}-${network}` : `${coin}-CHAIN`;
}

/** One for each way to pay; `activated` is the one that has an address by now. */
export function invoicePaymentMethods(checkout: ShownCheckout) {
  const { depositInstructions: open } = checkout;
  return checkout.paymentMethods.map((method) => {
    const isOpen = open?.network === method.network && open.assetCode === method.assetCode;
    const paid = checkout.blockchainTransactions.filter(
      ({ type, network, amountAssetCode }) =>
        type === 'CHECKOUT_ORIGIN' &&
        network === method.network &&
        amountAssetCode === method.assetCode,
    );
    const received = paid.length > 0 ? (checkout.sourceAmountReceived ?? '0') : '0';
    return {
      paymentMethodId: paymentMethodId(method),
      currency: method.assetCode,
      activated: isOpen,
      destination: isOpen ? open.address : null,
      paymentLink: isOpen ? open.paymentUri : null,
      amount: method.paymentAmount,
      totalPaid: received,
      paymentMethodPaid: received,
      networkFee: '0',
      payments: paid.map((payment) => ({
        id: payment.tx,
        receivedDate: secondsOf(Temporal.Instant.from(payment.timestamp)),
        value: payment.amount,
        fee: '0',
        status: isFinal(payment) ? 'Settled' : 'Processing',
        destination: isOpen ? open.address : null,
      })),
    };
  });
}

export function secondsOf(at: Temporal.Instant): number {
  return Math.floor(at.epochMilliseconds / 1000);
}
