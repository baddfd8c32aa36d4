// What a payment session, and later its payment, keeps of its checkout. The storefront reads it: no
// secret is in it.
import { MedusaError } from '@medusajs/framework/utils';
import type { Sale } from '../../common/decide-payment.ts';

export type SessionData = Sale & {
  readonly session_id: string;
  /** Where the storefront sends the customer. */
  readonly url: string;
  /** Refunds that were asked for, newest last, each with the link for the payer. */
  readonly refunds?: readonly RefundData[];
};

export type RefundData = {
  readonly id: string;
  readonly state: string;
  readonly amount: string;
  readonly assetCode: string;
  readonly claimUrl: string | null;
};

/** @throws MedusaError where no checkout was created for it. */
export function readSessionData(data: Record<string, unknown> | undefined): SessionData {
  const { checkoutId, total, currency, session_id, url } = data ?? {};
  const texts = [checkoutId, total, currency, session_id, url];
  if (texts.every((text) => typeof text === 'string')) return data as SessionData;
  const message = 'This payment session has no checkout.';
  throw new MedusaError(MedusaError.Types.INVALID_DATA, message);
}
