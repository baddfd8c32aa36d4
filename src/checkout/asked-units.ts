import type { Commitment, Offer } from './checkout.ts';

/** What the customer is told to send: more than arrives where an anchor keeps a part of it. */
export function askedUnits({
  paymentUnits,
  sentUnits,
}: Pick<Offer | Commitment, 'paymentUnits' | 'sentUnits'>): bigint {
  return sentUnits ?? paymentUnits;
}
