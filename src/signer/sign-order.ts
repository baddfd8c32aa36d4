// What the signer is asked to sign: who is to get what, what it may cost, and the unsigned
// transaction that is said to do that. Pure.

import { createHash } from 'node:crypto';
import type { Environment } from '#catalog/chain.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';

/**
 * CANCEL takes the place of what was signed for the same order, and pays nobody. CONVERT gives to
 * ourselves, as another asset, at the market of the network. RELAY sends what somebody else has
 * signed to pay us: it gives away nothing but the gas.
 */
export const ORDER_KINDS = ['PAY', 'CANCEL', 'CONVERT', 'RELAY'] as const;

/** What comes for what is given: at least so much of it, or nothing is given. */
export type Bought = { readonly assetId: string; readonly leastUnits: bigint };

export type OrderedPayment = {
  readonly assetId: string;
  readonly units: bigint;
  readonly account: ReceivingAccount;
  /** Of a receiver that is said to be ours: its number below an extended key. */
  readonly index?: bigint | undefined;
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
  /**
   * Bitcoin and Litecoin: `txid:vout` of all that is spent. EVM: where owners of a Safe have signed
   * it, `address/nonce` of the Safe; the account that pays sends it there.
   */
  readonly spends?: readonly string[] | undefined;
  /** The service says that nothing which was signed for the order can land any more. */
  readonly isAnew?: boolean | undefined;
  /** The service brings our own money together: it goes where the signer was told, or nowhere. */
  readonly isSweep?: boolean | undefined;
};

export type SignOrder = {
  /** The same for every attempt at the same payment. */
  readonly id: string;
  /** Ids of more orders in the same transaction: then each has one payment, in this order. */
  readonly beside?: readonly string[] | undefined;
  readonly environment: Environment;
  readonly network: string;
  readonly kind: (typeof ORDER_KINDS)[number];
  /** None of CANCEL. */
  readonly payments: readonly OrderedPayment[];
  /** Of CONVERT. */
  readonly buys?: Bought | undefined;
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
export function purposeDigest(purpose: Purpose): string {
  const { id, environment, network, payments, buys, before } = purpose;
  const paid = payments.map(({ assetId, units, account }) => [
    assetId,
    `${units}`,
    Object.entries(account).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
  const bought = buys === undefined ? [] : [['buys', buys.assetId, `${buys.leastUnits}`]];
  const anew = before === undefined ? [] : [['after', ...before]];
  return sha256Text(
    JSON.stringify(['quittance order', 1, id, environment, network, paid, ...bought, ...anew]),
  );
}

/**
 * One after the other, what the transaction is for; of what pays nobody each is without payments.
 * Undefined where it is not said which payment is whose.
 */
export function ordersIn(order: SignOrder): readonly Purpose[] | undefined {
  const { id, beside = [], environment, network, kind, payments, buys } = order;
  const ids = [id, ...beside];
  if (beside.length === 0) return [{ id, environment, network, payments, ...(buys && { buys }) }];
  if (new Set(ids).size < ids.length) return undefined;
  if (kind === 'CONVERT' || payments.length !== (kind === 'PAY' ? ids.length : 0)) return undefined;
  return ids.map((one, at) => {
    return { id: one, environment, network, payments: payments.slice(at, at + 1) };
  });
}

export type Purpose = Pick<SignOrder, 'id' | 'environment' | 'network' | 'payments' | 'buys'> & {
  /** Signed for it before, and beside which it is to be signed anew. */
  readonly before?: readonly string[] | undefined;
};

/** SHA-256 of the text in UTF-8, in hexadecimal. */
export function sha256Text(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
