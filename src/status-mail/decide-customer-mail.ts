// Which mail a customer gets of what happened, by what is so now. Pure. A mail never says what is
// over: between the event and the mail the payment may have been confirmed, or taken back.

import type { CheckoutFlags, CheckoutState } from '#checkout/checkout.ts';
import type { EventType } from '#event/event.ts';
import type { CheckoutMailKind } from '#merchant/customer-mails.ts';
import type { PayerMailKind } from '#people/payer-mail.ts';

type CustomerMailFacts = {
  readonly state: CheckoutState;
  readonly flags: Pick<CheckoutFlags, 'reversed'>;
  /** Some of what was seen is in the asset that was asked for. */
  readonly isSeen: boolean;
  /** Of the refund that the event is about. */
  readonly refundState: string | undefined;
};

/** The mail, and the state of the checkout that it tells of. */
const OF_EVENT: Partial<Readonly<Record<EventType, readonly [CheckoutMailKind, CheckoutState]>>> = {
  CHECKOUT_PENDING: ['PAYMENT_SEEN', 'PENDING'],
  CHECKOUT_COMPLETED: ['PAID', 'COMPLETED'],
  CHECKOUT_UNDERPAID: ['UNDERPAID', 'UNDERPAID'],
  CHECKOUT_EXPIRED: ['EXPIRED', 'EXPIRED'],
};

/** Events that a customer may be mailed of. */
export const CUSTOMER_EVENTS = [
  ...(Object.keys(OF_EVENT) as EventType[]),
  'REFUND_COMPLETED',
] as const;

export function decideCustomerMail(
  type: EventType,
  { state, flags, isSeen, refundState }: CustomerMailFacts,
): CheckoutMailKind | undefined {
  if (type === 'REFUND_COMPLETED') return refundState === 'COMPLETED' ? 'REFUND_SENT' : undefined;
  const [kind, told] = OF_EVENT[type] ?? [];
  if (kind === undefined || state !== told) return undefined;
  if (kind === 'PAYMENT_SEEN' && !isSeen) return undefined;
  // Its money is gone again: nobody is thanked for it.
  if (kind === 'PAID' && flags.reversed !== undefined) return undefined;
  return kind;
}

/** Events that a payer is mailed of who asked for it on his page. */
export const PAYER_EVENTS: readonly EventType[] = [
  'CHECKOUT_COMPLETED',
  'CHECKOUT_UNDERPAID',
  'CHECKOUT_EXPIRED',
  'CHECKOUT_MISDIRECTED',
];

/**
 * What he is mailed: that it is paid, or what he can do where money came and did not pay it.
 * Without money there is no mail at all, so that nobody has one sent to a stranger for nothing.
 */
export function decidePayerMail({
  state,
  flags,
  hasMoney,
}: Pick<CustomerMailFacts, 'state' | 'flags'> & {
  /** Something was seen that is still there, whatever it is. */
  readonly hasMoney: boolean;
}): PayerMailKind | undefined {
  if (state === 'COMPLETED') return flags.reversed === undefined ? 'PAID' : undefined;
  if (state === 'UNDERPAID') return 'UNDERPAID';
  return hasMoney && (state === 'EXPIRED' || state === 'CANCELLED') ? 'EXPIRED' : undefined;
}
