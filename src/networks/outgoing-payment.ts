// One payment as every family of chains makes a transaction of it, and what is said where a
// transaction cannot be made, cannot be read, or is not the one that was ordered.

import { Refusal } from '#base/refusal.ts';
import { type Asset, getAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';

export type OutgoingPayment = {
  readonly network: string;
  readonly assetId: string;
  readonly account: ReceivingAccount;
  /** What the receiver gets, in units of the asset. */
  readonly units: bigint;
};

/** A signed transaction that does what was ordered and nothing else. */
export type SignedPayment = {
  /** As the network takes it, in one spelling. */
  readonly signedTransaction: string;
  /** Its hash, by which the network knows it. */
  readonly transaction: string;
};

/** @throws Refusal invalid `payment_not_sendable` */
export function sentAsset({ network, assetId, units }: OutgoingPayment): Asset {
  if (!getNetwork(network).assets.includes(assetId)) {
    throw notSendable(`${network} does not carry ${assetId}`);
  }
  if (units <= 0n) throw notSendable('the amount must be above zero');
  return getAsset(assetId);
}

/** The payment, as it is, can never be sent. */
export function notSendable(sentence: string, options?: ErrorOptions): Refusal {
  return new Refusal('invalid', 'payment_not_sendable', sentence, options);
}

/** What came back is no signed transaction, or not one that any node would take. */
export function notSigned(sentence: string, options?: ErrorOptions): Refusal {
  return new Refusal('invalid', 'signed_transaction_invalid', sentence, options);
}

/** Nothing, or a sentence that says both. */
export function difference(
  what: string,
  found: bigint | string,
  ordered: bigint | string,
): readonly string[] {
  return found === ordered ? [] : [`${what} is ${found}; ordered is ${ordered}`];
}

/** @throws Refusal conflict `signed_transaction_differs` with a sentence for each difference. */
export function requireAsOrdered(differences: readonly string[]): void {
  if (differences.length === 0) return;
  throw new Refusal('conflict', 'signed_transaction_differs', differences);
}
