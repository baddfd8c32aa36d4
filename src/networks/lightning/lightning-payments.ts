// What a Lightning node must be able to do to pay, whatever its API: lnd-payments.ts,
// core-lightning-payments.ts, electrum-payments.ts. Each reads answers; what follows from them is
// lightning-payer.ts's part, and src/invoice's.

import { Refusal } from '#base/refusal.ts';
import type { InvoicePayer, PaymentOrder } from '#deposit/money-out.ts';
import { NodeLie } from '#networks/answer-fields.ts';
import { MILLISATOSHIS } from './lightning-backend.ts';

export type LightningPayments = Pick<InvoicePayer, 'pay' | 'findPayment'> & { close(): void };

/** What a payment is asked about by. */
export type WantedPayment = Pick<PaymentOrder, 'paymentHash' | 'units'>;

/** The node understood and does not pay. Whether something is in flight is asked of it anyway. */
export function paymentRefused(sentence: string): Refusal {
  return new Refusal('conflict', 'payment_refused', `the node does not pay: ${sentence}`);
}

/** In whole satoshi: a part of one has left us too. */
export function feeUnits(sentMillisatoshis: bigint, units: bigint): bigint {
  const fee = sentMillisatoshis - units * MILLISATOSHIS;
  if (fee < 0n) throw new NodeLie('the node paid less than the invoice asks for');
  return (fee + MILLISATOSHIS - 1n) / MILLISATOSHIS;
}
