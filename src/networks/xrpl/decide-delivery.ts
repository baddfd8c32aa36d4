// Whether a receiver on the XRP Ledger can take a payment, decided from its account as the ledger
// has it. What would fail there costs its fee all the same, and is refused before it is signed.
// Pure.

import { NATIVE_ISSUER } from '#catalog/asset.ts';
import { amountToText } from '#money/asset-amount.ts';
import { type OutgoingPayment, sentAsset } from '#networks/outgoing-payment.ts';
import type { AccountRoot } from './read-account-root.ts';

type DeliveryFacts = {
  readonly payment: OutgoingPayment;
  /** Of the receiver (`readAccountRoot`); NO_ACCOUNT_ROOT when there is none. */
  readonly receiver: Omit<AccountRoot, 'point'>;
  /** What a new account must have, in drops (`server_info`, reserve_base_xrp). */
  readonly reserveUnits: bigint;
};

type SourceFacts = {
  readonly payment: OutgoingPayment;
  readonly feeUnits: bigint;
  /** All that our account has, in drops. */
  readonly heldUnits: bigint;
  /** What the ledger makes it keep: base reserve, and one more for each object it owns. */
  readonly reserveUnits: bigint;
};

/**
 * Whether our account can pay it: the ledger takes a fee out of the reserve, and nothing else (XRPL
 * Reserves, tecUNFUNDED_PAYMENT). Why not, in a sentence; undefined when it can.
 */
export function againstReserve({
  payment,
  feeUnits,
  heldUnits,
  reserveUnits,
}: SourceFacts): string | undefined {
  const { assetIssuer, decimals } = sentAsset(payment);
  if (assetIssuer !== NATIVE_ISSUER) return undefined;
  const most = heldUnits - reserveUnits - feeUnits;
  if (payment.units <= most) return undefined;
  const [free, kept] = [most > 0n ? most : 0n, reserveUnits].map((one) =>
    amountToText(one, decimals),
  );
  return `the account can pay at most ${free} XRP: ${kept} XRP are its reserve, which stays`;
}

/**
 * The refusal is one sentence for whoever ordered it.
 * @throws Refusal invalid `payment_not_sendable` when nothing could be sent at all.
 */
export function decideXrplDelivery({
  payment,
  receiver,
  reserveUnits,
}: DeliveryFacts): 'payment' | { readonly refused: string } {
  const { assetIssuer, assetCode, decimals } = sentAsset(payment);
  const isXrp = assetIssuer === NATIVE_ISSUER;
  if (!receiver.exists && !isXrp) {
    return { refused: `the receiver's account does not exist, so it cannot receive ${assetCode}` };
  }
  if (!receiver.exists && payment.units < reserveUnits) {
    const reserve = amountToText(reserveUnits, decimals);
    return {
      refused: `the receiver's account does not exist; it takes at least ${reserve} XRP to begin one`,
    };
  }
  if (receiver.requiresTag && payment.account.destinationTag === undefined) {
    return { refused: 'the receiver demands a destination tag, and none is given' };
  }
  if (receiver.refusesDeposits) {
    return { refused: 'the receiver takes payments of those only that it has authorised' };
  }
  if (receiver.disallowsXrp && isXrp) {
    return { refused: 'the receiver asks not to be sent XRP (DisallowXRP)' };
  }
  return 'payment';
}
