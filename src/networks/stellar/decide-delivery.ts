// How a payment on Stellar reaches its receiver, decided from what Horizon says of the receiver's
// account. What could not arrive is refused before anything is signed. Pure.

import { NATIVE_ISSUER } from '#catalog/asset.ts';
import { amountToText } from '#money/asset-amount.ts';
import { type OutgoingPayment, sentAsset } from '#networks/outgoing-payment.ts';
import type { AccountState } from './read-account.ts';

export type StellarDelivery =
  | { readonly by: 'payment' }
  /** The receiver's account begins with it; lumens only. */
  | { readonly by: 'create-account' }
  /** The receiver fetches it (CAP-23); from then on we may take it back. */
  | { readonly by: 'claimable-balance'; readonly reclaimableAt: Temporal.Instant }
  | StellarFetch
  | StellarExchange;

/** Of what its receiver never fetched. */
export type StellarFetch = { readonly by: 'fetch'; readonly balanceId: string };

/** To ourselves, as another asset: at least so much of it arrives, or nothing is sent. */
export type StellarExchange = {
  readonly by: 'exchange';
  readonly assetId: string;
  readonly leastUnits: bigint;
  /** Assets between the two, in order; as `<CODE>:<ISSUER>`. */
  readonly path: readonly string[];
};

type DeliveryFacts = {
  readonly payment: OutgoingPayment;
  /** Of the receiver (`readAccount`); NO_ACCOUNT when there is none. */
  readonly receiver: Pick<AccountState, 'balances' | 'requiresMemo'>;
  /** What a new account must have: two base reserves, in stroops. */
  readonly reserveUnits: bigint;
  /** Undefined where claimable balances are not wanted. */
  readonly reclaimableAt: Temporal.Instant | undefined;
};

/**
 * The refusal is one sentence for whoever ordered it.
 * @throws Refusal invalid `payment_not_sendable` when nothing could be sent at all.
 */
export function decideStellarDelivery(
  facts: DeliveryFacts,
): Exclude<StellarDelivery, StellarExchange | StellarFetch> | { readonly refused: string } {
  const { payment, receiver } = facts;
  const { assetIssuer, assetCode } = sentAsset(payment);
  const { account = '', memo } = payment.account;
  if (receiver.balances.size === 0) return decideForNobody(facts);
  if (receiver.requiresMemo && memo === undefined) {
    return { refused: 'the receiver demands a memo (SEP-29), and none is given' };
  }
  // An issuer has no trust line to itself: what is paid to it ceases to be.
  if (account === assetIssuer) return { by: 'payment' };
  const balance = receiver.balances.get(payment.assetId);
  if (balance?.isReceivable === true) return { by: 'payment' };
  if (balance !== undefined) {
    return {
      refused:
        `the receiver cannot receive ${assetCode} now: its trust line is not authorised, or is ` +
        'full',
    };
  }
  return decideWithoutTrust(facts, assetCode);
}

function decideForNobody({ payment, reserveUnits }: DeliveryFacts) {
  const { assetIssuer, assetCode, decimals } = sentAsset(payment);
  if (assetIssuer !== NATIVE_ISSUER) {
    return { refused: `the receiver's account does not exist, so it cannot receive ${assetCode}` };
  }
  if (payment.units >= reserveUnits) return { by: 'create-account' } as const;
  const reserve = amountToText(reserveUnits, decimals);
  return {
    refused: `the receiver's account does not exist; it takes at least ${reserve} XLM to begin one`,
  };
}

function decideWithoutTrust({ payment, reclaimableAt }: DeliveryFacts, assetCode: string) {
  if (payment.account.memo !== undefined) {
    return {
      refused:
        `the receiver has no trust line for ${assetCode}, and who is told apart by a memo would ` +
        'not find a claimable balance',
    };
  }
  if (reclaimableAt === undefined) {
    return { refused: `the receiver has no trust line for ${assetCode}` };
  }
  return { by: 'claimable-balance', reclaimableAt } as const;
}
