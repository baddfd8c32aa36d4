// A checkout as a charge of Coinbase Commerce (API version 2018-03-22), and an event as its
// webhook. Pure. Which fields there are: the public clients and documentation of that API.

import { type ExactObject, isJsonObject } from '#money/exact-json.ts';
import {
  type DialectDelivery,
  type DialectEvent,
  endOf,
  isFinal,
  madeAt,
  type ShownCheckout,
  wasUndone,
} from './shown-checkout.ts';

export const COMMERCE_VERSION = '2018-03-22';
/** Where name and description of a charge are kept in `meta`, beside its own metadata. */
export const COMMERCE_KEY = 'commerce';

type TimelineEntry = { readonly time: string; readonly status: string; readonly context?: string };

/** Each state that they have a word for, in its order. */
export function timelineOf(checkout: ShownCheckout): readonly TimelineEntry[] {
  const { flags, stateHistory } = checkout;
  const isResolved = flags.acceptedUnderpaid !== undefined || flags.manual !== undefined;
  const words: Readonly<Record<string, Omit<TimelineEntry, 'time'>>> = {
    NEW: { status: 'NEW' },
    PENDING: { status: 'PENDING' },
    UNDERPAID: { status: 'UNRESOLVED', context: 'UNDERPAID' },
    COMPLETED: { status: isResolved ? 'RESOLVED' : 'COMPLETED' },
    EXPIRED: { status: 'EXPIRED' },
    CANCELLED: { status: 'CANCELED' },
  };
  const entries = stateHistory.flatMap(({ state, timestamp }) => {
    const word = words[state];
    return word === undefined ? [] : [{ time: zulu(timestamp), ...word }];
  });
  const reversed = flags.reversed as { readonly at?: string } | undefined;
  if (!wasUndone(checkout) || reversed?.at === undefined) return entries;
  return [...entries, { time: zulu(reversed.at), status: 'UNRESOLVED', context: 'OTHER' }];
}

export function chargeView(checkout: ShownCheckout) {
  const { [COMMERCE_KEY]: about, ...metadata } = checkout.meta ?? {};
  const { name, description } = isJsonObject(about) ? about : ({} as ExactObject);
  const links = checkout.payload.links as { returnUrl: string | null; cancelUrl: string | null };
  const timeline = timelineOf(checkout);
  const confirmed = timeline.findLast(({ status }) => /COMPLETED|RESOLVED$/.test(status));
  const { depositInstructions: open } = checkout;
  return {
    id: checkout.id,
    resource: 'charge',
    code: checkout.id.toUpperCase(),
    name: name ?? 'Checkout',
    description: description ?? '',
    hosted_url: checkout.hostedCheckoutUrl,
    created_at: zulu(madeAt(checkout).toString()),
    expires_at: zulu(endOf(checkout).toString()),
    ...(confirmed && { confirmed_at: confirmed.time }),
    timeline,
    metadata,
    pricing_type: 'fixed_price',
    pricing: {
      local: { amount: checkout.total, currency: checkout.billingCurrency },
      ...Object.fromEntries(
        checkout.paymentMethods.map(({ network, assetCode, paymentAmount }) => [
          methodName(network, assetCode),
          { amount: paymentAmount, currency: assetCode },
        ]),
      ),
    },
    addresses: open === null ? {} : { [methodName(open.network, open.assetCode)]: open.address },
    redirect_url: links.returnUrl,
    cancel_url: links.cancelUrl,
    payments: paymentsOf(checkout),
  };
}

function paymentsOf({ blockchainTransactions }: ShownCheckout) {
  return blockchainTransactions
    .filter(({ type }) => type === 'CHECKOUT_ORIGIN')
    .map((payment) => ({
      network: payment.network.toLowerCase(),
      transaction_id: payment.tx,
      status: isFinal(payment) ? 'CONFIRMED' : 'PENDING',
      detected_at: zulu(payment.timestamp),
      value: { crypto: { amount: payment.amount, currency: payment.amountAssetCode } },
    }));
}

/** `bitcoin`, `litecoin`, `ethereum`; an asset that is not the network's own stands behind it. */
function methodName(network: string, assetCode: string): string {
  const own = ['BTC', 'LTC', 'ETH', 'SAT', 'XLM', 'XRP', 'POL'].includes(assetCode);
  return own ? network.toLowerCase() : `${network}_${assetCode}`.toLowerCase();
}

/** As `2026-01-01T00:00:00Z`. */
function zulu(text: string): string {
  return Temporal.Instant.from(text).toString({ smallestUnit: 'second' });
}

/** Undefined for what Coinbase Commerce has no word for. */
export function commerceEvent(
  { id, eventType, created, checkout }: DialectEvent,
  { deliveryId, attempt }: DialectDelivery,
): object | undefined {
  const type = commerceType(eventType, checkout);
  if (type === undefined) return undefined;
  const createdAt = zulu(created);
  return {
    id: deliveryId,
    scheduled_for: createdAt,
    attempt_number: attempt,
    event: {
      id,
      resource: 'event',
      type,
      api_version: COMMERCE_VERSION,
      created_at: createdAt,
      data: chargeView(checkout),
    },
  };
}

function commerceType(eventType: string, { flags }: ShownCheckout): string | undefined {
  switch (eventType) {
    case 'CHECKOUT_PENDING':
      return 'charge:pending';
    case 'CHECKOUT_COMPLETED': {
      const isResolved = flags.acceptedUnderpaid !== undefined || flags.manual !== undefined;
      return isResolved ? 'charge:resolved' : 'charge:confirmed';
    }
    case 'CHECKOUT_RESTORED':
      return 'charge:confirmed';
    case 'CHECKOUT_UNDERPAID':
      return 'charge:delayed';
    case 'CHECKOUT_EXPIRED':
    case 'CHECKOUT_CANCELLED':
    case 'CHECKOUT_REVERSED':
      return 'charge:failed';
    default:
      return undefined;
  }
}
