// Money on its way out, as a transfer of the merchant or as a refund to a payer.

import type { Environment } from '#catalog/chain.ts';
import type { ReceivingAccount } from './executor.ts';

export const TRANSFER_STATES = [
  'QUOTED',
  'RESERVED',
  'SUBMITTED',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

export type TransferOwner = { readonly merchantId: string; readonly environment: Environment };

export type Transfer = TransferOwner & {
  readonly id: string;
  readonly kind: 'TRANSFER' | 'REFUND' | 'RETURN';
  readonly beneficiaryId: string | undefined;
  readonly network: string;
  readonly assetId: string;
  /** Undefined while the payer has not said where a refund goes. */
  readonly account: ReceivingAccount | undefined;
  /** What the merchant is debited: the other three together. */
  readonly units: bigint;
  readonly networkFeeUnits: bigint;
  readonly feeUnits: bigint;
  readonly targetUnits: bigint;
  /** Account that is debited, and gets it back when it fails: of the merchant, or suspense. */
  readonly source: 'merchant:available' | 'merchant:pending' | `suspense:${string}`;
  readonly state: TransferState;
  readonly apiKey: string | undefined;
  readonly signedTransaction: string | undefined;
  readonly transaction: string | undefined;
  readonly failure: string | undefined;
  readonly createdAt: Temporal.Instant;
  /** End of the quote; of a refund nobody claimed: when the money goes back. */
  readonly expiresAt: Temporal.Instant;
  readonly committedAt: Temporal.Instant | undefined;
  readonly submittedAt: Temporal.Instant | undefined;
  readonly finishedAt: Temporal.Instant | undefined;
  readonly nextStepAt: Temporal.Instant | undefined;
  /** In a row; none while it is new. */
  readonly stepFailures?: number;
};
