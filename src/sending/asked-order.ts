// What whoever signs was asked, as it is kept beside the draft.
import { Refusal } from '#base/refusal.ts';
import { readQuestion, signQuestion, writeLine } from '#signer/protocol.ts';
import type { SignOrder } from '#signer/sign-order.ts';

export function writeAskedOrder(order: SignOrder): string {
  return writeLine(signQuestion(order));
}

/** @throws Refusal conflict */
export function readAskedOrder(question: string): SignOrder {
  const read = readQuestion(question);
  if ('ask' in read && read.ask === 'sign') return read.order;
  throw new Refusal('conflict', 'draft_refused', 'what was asked for it cannot be read again');
}
