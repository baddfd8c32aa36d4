// Which mail the people of a merchant get of what happened, by what is so now. Pure.

import type { CheckoutFlags, CheckoutState } from '#checkout/checkout.ts';
import type { EventType } from '#event/event.ts';

/** What waits for a person, and why. */
const NEEDS = {
  CHECKOUT_UNDERPAID: 'underpaid',
  CHECKOUT_MISDIRECTED: 'misdirected',
  DEPOSIT_MISDIRECTED: 'misdirected',
  CHECKOUT_PAID_AGAIN: 'again',
  CHECKOUT_REVERSED: 'reversed',
  DEPOSIT_REVERSED: 'reversed',
  REFUND_FAILED: 'failed',
  REFUND_RETURNED: 'failed',
  TRANSFER_FAILED: 'failed',
  TRANSFER_RETURNED: 'failed',
} as const satisfies Partial<Readonly<Record<EventType, string>>>;
export type NeedsPersonReason = (typeof NEEDS)[keyof typeof NEEDS] | 'billAgain';

export const NEEDS_PERSON_EVENTS = Object.keys(NEEDS) as readonly EventType[];
export const STAFF_EVENTS: readonly EventType[] = ['CHECKOUT_COMPLETED', ...NEEDS_PERSON_EVENTS];

type StaffMailFacts = {
  /** Of the checkout that the event is about, if it is about one. */
  readonly state: CheckoutState | undefined;
  readonly flags: Pick<CheckoutFlags, 'reversed'>;
  /** The checkout paid an invoice that another one has paid before. */
  readonly isBillPaidAgain: boolean;
};

type StaffMailDecision =
  | { readonly kind: 'PAID' }
  | { readonly kind: 'NEEDS_PERSON'; readonly reason: NeedsPersonReason };

export function decideStaffMail(
  type: EventType,
  { state, flags, isBillPaidAgain }: StaffMailFacts,
): StaffMailDecision | undefined {
  if (type === 'CHECKOUT_COMPLETED') {
    if (state !== 'COMPLETED' || flags.reversed !== undefined) return undefined;
    return isBillPaidAgain ? { kind: 'NEEDS_PERSON', reason: 'billAgain' } : { kind: 'PAID' };
  }
  const reason = (NEEDS as Partial<Record<EventType, NeedsPersonReason>>)[type];
  if (reason === undefined) return undefined;
  // The rest came, or somebody has accepted it already.
  if (reason === 'underpaid' && state !== 'UNDERPAID') return undefined;
  return { kind: 'NEEDS_PERSON', reason };
}
