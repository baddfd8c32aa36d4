// What whoever signs was asked, as it is kept beside the draft.
import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import { findSourceIndex } from '#deposit/deposit-instruction.ts';
import type { DraftPayment } from '#deposit/money-out.ts';
import { LINE_MOST, readQuestion, signQuestion, writeLine } from '#signer/protocol.ts';
import type { OrderedPayment, SignOrder } from '#signer/sign-order.ts';

/** Of an address of ours with its number: whoever signs knows then that the money stays. */
export async function orderedPayment(
  reader: Reader,
  chain: ChainId,
  { account, assetId, units }: DraftPayment,
): Promise<OrderedPayment> {
  const { address } = account;
  const index = address === undefined ? undefined : await findSourceIndex(reader, chain, address);
  return { account, assetId, units, index };
}

/** @throws Refusal conflict when it is more than the signer reads at once. */
export function writeAskedOrder(order: SignOrder): string {
  const line = writeLine(signQuestion(order));
  if (Buffer.byteLength(line) <= LINE_MOST) return line;
  throw new Refusal('conflict', 'draft_refused', [
    'it spends so many coins that the signer would not read it: make fewer of them ' +
      '(npx quittance custody consolidate), or send it by hand',
  ]);
}

/** @throws Refusal conflict */
export function readAskedOrder(question: string): SignOrder {
  const read = readQuestion(question);
  if ('ask' in read && read.ask === 'sign') return read.order;
  throw new Refusal('conflict', 'draft_refused', 'what was asked for it cannot be read again');
}
