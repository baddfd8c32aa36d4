// "I have paid, where is my money?": looks for a transaction among everything on record. Bounded:
// one look-up by index, no question to a node, and no more than a few in a minute for each checkout
// and each address.
import type { Clock } from '#base/clock.ts';
import { chainOf, environmentOf } from '#catalog/chain.ts';
import { isChainBehind } from '#chain/chain-status.ts';
import { listReceiptsByTransaction } from '#chain/receipt.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import type { Db } from '#db/db.ts';
import { createTokenBuckets } from '#runtime/token-buckets.ts';
import {
  decideFoundPayment,
  type FoundPayment,
  readTransactionText,
} from './decide-found-payment.ts';

type FindPaymentApp = { readonly db: Db; readonly clock: Clock };

/** `text` as it was pasted, of any length. */
export async function findPayment(
  app: FindPaymentApp,
  record: CheckoutRecord,
  text: string,
): Promise<FoundPayment> {
  const read = readTransactionText(text);
  if (read === undefined) return { kind: 'unreadable' };
  const now = app.clock.now();
  const networks = [...new Set(record.commitments.map(({ network }) => network))];
  const [found, behind] = await Promise.all([
    listReceiptsByTransaction(app.db, read.transactions),
    Promise.all(
      networks.map((network) => isChainBehind(app.db, chainOf(record.environment, network), now)),
    ),
  ]);
  return decideFoundPayment({
    record,
    text: read,
    // A test checkout must not reveal live payments.
    receipts: found.filter(({ chain }) => environmentOf(chain) === record.environment),
    behind: new Set(networks.filter((_network, index) => behind[index])),
  });
}

type FindPaymentLimits = {
  /** @throws Refusal too-many `rate_limited`. */
  take(checkoutId: string, address: string | undefined): void;
};

const perCheckout = 10;
const perAddress = 30;

/** `address`: who asks, as far as that is known. */
export function findPaymentLimits(clock: Clock): FindPaymentLimits {
  const checkouts = createTokenBuckets(clock, perCheckout, 'for this checkout');
  const addresses = createTokenBuckets(clock, perAddress, 'from this address');
  return {
    take(checkoutId, address) {
      if (address !== undefined) addresses.take(address);
      checkouts.take(checkoutId);
    },
  };
}
