// What the other dialects need of a checkout, as GET /checkout and every event show it.

import type { ExactNumber, ExactObject } from '#money/exact-json.ts';

export type ShownCheckout = {
  readonly id: string;
  readonly state: string;
  readonly total: string;
  readonly billingCurrency: string;
  readonly hostedCheckoutUrl: string;
  readonly expirationTime: string | null;
  readonly quoteExpirationTime: string;
  readonly sourceAmountReceived: string | null;
  readonly stateHistory: readonly { readonly state: string; readonly timestamp: string }[];
  readonly flags: Readonly<Record<string, unknown>>;
  readonly payload: ExactObject;
  readonly meta?: ExactObject;
  readonly paymentMethods: readonly ShownMethod[];
  readonly depositInstructions: {
    readonly network: string;
    readonly assetCode: string;
    readonly amount: string;
    readonly address: string;
    readonly paymentUri: string | null;
  } | null;
  readonly blockchainTransactions: readonly ShownPayment[];
};

type ShownPayment = {
  readonly type: string;
  readonly network: string;
  readonly timestamp: string;
  readonly tx: string;
  readonly amount: string;
  readonly amountAssetCode: string;
  readonly confirmations: ExactNumber;
  /** Null while that is not known. */
  readonly confirmationsRequired: ExactNumber | null;
};

type ShownMethod = {
  readonly network: string;
  readonly assetCode: string;
  readonly paymentAmount: string;
};

/** One of our events about a checkout. */
export type DialectEvent = {
  readonly id: string;
  readonly eventType: string;
  readonly created: string;
  readonly checkout: ShownCheckout;
};

/** One attempt to tell a receiver of it. */
export type DialectDelivery = {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly merchantId: string;
  /** 1 for the first. */
  readonly attempt: number;
};

/** Money has come, of whatever kind and however little. */
export function hasMoney({ sourceAmountReceived }: ShownCheckout): boolean {
  return /[1-9]/.test(sourceAmountReceived ?? '');
}

export function isFinal({ confirmations, confirmationsRequired }: ShownPayment): boolean {
  if (confirmationsRequired === null) return false;
  return BigInt(String(confirmations)) >= BigInt(String(confirmationsRequired));
}

/** Taken back by the chain, with nothing in its place. */
export function wasUndone({ flags }: ShownCheckout): boolean {
  return flags.reversed !== undefined && flags.restored === undefined;
}

/** Until when it can be paid as it was asked for. */
export function endOf({ expirationTime, quoteExpirationTime }: ShownCheckout): Temporal.Instant {
  return Temporal.Instant.from(expirationTime ?? quoteExpirationTime);
}

export function madeAt({ stateHistory }: ShownCheckout): Temporal.Instant {
  return Temporal.Instant.from(stateHistory[0]?.timestamp ?? '');
}
