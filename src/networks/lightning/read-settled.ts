// What Core Lightning and Electrum say of a payment that arrived. Guarantees: it counts only with
// the preimage of its payment hash and an amount within the rules, which is all that it can be held
// against: these nodes do not tell the HTLCs it was made of.

import { NodeLie } from '#networks/answer-fields.ts';
import type { InvoiceFact } from './lightning-backend.ts';
import { fromHex, requirePreimage, requireReceived, requireUnixTime } from './read-answer.ts';

export type SettledState = Extract<InvoiceFact['state'], { readonly kind: 'settled' }>;

/** As the node wrote it, but for what was asked: that is read already. */
type SaidOfPayment = {
  readonly received: unknown;
  readonly askedMillisatoshis: bigint;
  readonly preimage: unknown;
  /** Seconds since 1970. */
  readonly paidAt: unknown;
};

/** @throws NodeLie */
export function readSettled(paymentHash: string, said: SaidOfPayment): SettledState {
  const paid = `what was paid for ${paymentHash}`;
  const receivedMillisatoshis = requireReceived(said.received, paid);
  requireWithinRules(receivedMillisatoshis, said.askedMillisatoshis, paid);
  requirePreimage(fromHex(said.preimage, 'a preimage'), paymentHash);
  const settledAt = requireUnixTime(said.paidAt, `the time of payment of ${paymentHash}`);
  return { kind: 'settled', receivedMillisatoshis, settledAt };
}

/**
 * BOLT 4: a node takes at least what was asked and at most twice of it. What these nodes enforce
 * themselves is the one thing an amount that nothing else confirms can be compared with.
 */
function requireWithinRules(received: bigint, asked: bigint, what: string): void {
  if (received < asked || received > 2n * asked) {
    throw new NodeLie(`${what} is ${received} msat where ${asked} msat were asked`);
  }
}
