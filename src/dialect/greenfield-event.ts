// An event as a webhook of BTCPay Server (models WebhookEvent and WebhookInvoiceEvent of
// BTCPayServer.Client). Pure.

import { metadataOf, secondsOf } from './greenfield-invoice.ts';
import {
  type DialectDelivery,
  type DialectEvent,
  hasMoney,
  type ShownCheckout,
} from './shown-checkout.ts';

/** Their names of what happened, and which of our events they are. */
const EVENTS_BY_NAME: Readonly<Record<string, readonly string[]>> = {
  InvoiceCreated: [],
  InvoiceReceivedPayment: ['CHECKOUT_UNDERPAID'],
  InvoicePaymentSettled: [],
  InvoiceProcessing: ['CHECKOUT_PENDING'],
  InvoiceSettled: ['CHECKOUT_COMPLETED', 'CHECKOUT_RESTORED'],
  InvoiceExpired: ['CHECKOUT_EXPIRED'],
  InvoiceInvalid: ['CHECKOUT_CANCELLED', 'CHECKOUT_REVERSED'],
};

/** Undefined where there is no such name. */
export function eventsOfGreenfield(name: string): readonly string[] | undefined {
  return Object.hasOwn(EVENTS_BY_NAME, name) ? EVENTS_BY_NAME[name] : undefined;
}

export function greenfieldNames(eventTypes: readonly string[] | null): string[] {
  const names = Object.entries(EVENTS_BY_NAME);
  return names
    .filter(([, ours]) => ours.some((type) => eventTypes?.includes(type) ?? true))
    .map(([name]) => name);
}

/** Undefined for what BTCPay Server has no word for. */
export function greenfieldEvent(
  { eventType, created, checkout }: DialectEvent,
  { deliveryId, endpointId, merchantId }: DialectDelivery,
): object | undefined {
  const named = Object.entries(EVENTS_BY_NAME).find(([, ours]) => ours.includes(eventType));
  if (named === undefined) return undefined;
  const [type] = named;
  return {
    deliveryId,
    webhookId: endpointId,
    originalDeliveryId: deliveryId,
    isRedelivery: false,
    type,
    timestamp: secondsOf(Temporal.Instant.from(created)),
    storeId: merchantId,
    invoiceId: checkout.id,
    metadata: metadataOf(checkout),
    ...aboutEvent(type, checkout),
  };
}

function aboutEvent(type: string, checkout: ShownCheckout): object {
  const { flags, state } = checkout;
  const isOverPaid = flags.overpaid !== undefined;
  const isManual = flags.acceptedUnderpaid !== undefined || flags.manual !== undefined;
  switch (type) {
    case 'InvoiceSettled':
      return { manuallyMarked: isManual, overPaid: isOverPaid };
    case 'InvoiceProcessing':
      return { overPaid: isOverPaid };
    case 'InvoiceInvalid':
      return { manuallyMarked: state === 'CANCELLED' };
    case 'InvoiceExpired':
      return { partiallyPaid: hasMoney(checkout) };
    default:
      return { afterExpiration: flags.late !== undefined };
  }
}
