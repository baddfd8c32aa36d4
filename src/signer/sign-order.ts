// What the signer is asked to sign: who is to get what, what it may cost, and the unsigned
// transaction that is said to do that. Pure.

import { createHash } from 'node:crypto';
import type { Environment } from '#catalog/chain.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';

/** CANCEL takes the place of what was signed for the same order, and pays nobody. */
export const ORDER_KINDS = ['PAY', 'CANCEL'] as const;

export type OrderedPayment = {
  readonly assetId: string;
  readonly units: bigint;
  readonly account: ReceivingAccount;
};

/** What the service reserved for it; compared with what the transaction says. */
type OrderFacts = {
  /** The account that pays; of an EVM chain its address. */
  readonly source?: string | undefined;
  /** Number of the address below an extended key (EVM). */
  readonly index?: bigint | undefined;
  /** Nonce or sequence number. */
  readonly sequence?: bigint | undefined;
  /** XRP Ledger, in the place of a sequence number. */
  readonly ticket?: bigint | undefined;
  /** Bitcoin and Litecoin: `txid:vout` of all that is spent. */
  readonly spends?: readonly string[] | undefined;
  /** The service says that nothing which was signed for the order can land any more. */
  readonly isAnew?: boolean | undefined;
};

export type SignOrder = {
  /** The same for every attempt at the same payment. */
  readonly id: string;
  readonly environment: Environment;
  readonly network: string;
  readonly kind: (typeof ORDER_KINDS)[number];
  /** None of CANCEL. */
  readonly payments: readonly OrderedPayment[];
  /** Most that the network may take, in units of its own coin. */
  readonly feeUnits: bigint;
  readonly facts: OrderFacts;
  /** PSBT or envelope in base64, or bytes in hexadecimal. */
  readonly unsigned: string;
};

/**
 * SHA-256 of what the order is for: who gets what, where. Attempts at one order have the same; it
 * is what a second person approves, for fees and numbers change while that person is looked for.
 */
export function purposeDigest({ id, environment, network, payments, before }: Purpose): string {
  const paid = payments.map(({ assetId, units, account }) => [
    assetId,
    `${units}`,
    Object.entries(account).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
  const anew = before === undefined ? [] : [['after', ...before]];
  return sha256Text(
    JSON.stringify(['quittance order', 1, id, environment, network, paid, ...anew]),
  );
}

export type Purpose = Pick<SignOrder, 'id' | 'environment' | 'network' | 'payments'> & {
  /** Signed for it before, and beside which it is to be signed anew. */
  readonly before?: readonly string[] | undefined;
};

/** SHA-256 of the text in UTF-8, in hexadecimal. */
export function sha256Text(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
