// What is told to merchants (api-contract.md 7) and how far each telling has come.
import type { Environment } from '#catalog/chain.ts';

export const EVENT_TYPES = [
  'CHECKOUT_COMPLETED',
  'CHECKOUT_PENDING',
  'CHECKOUT_UNDERPAID',
  'CHECKOUT_EXPIRED',
  'CHECKOUT_CANCELLED',
  'CHECKOUT_REVERSED',
  'CHECKOUT_RESTORED',
  'CHECKOUT_PENDING_WITHDRAWN',
  'CHECKOUT_MISDIRECTED',
  'CHECKOUT_PAID_AGAIN',
  'UNDERPAID_ACCEPTED',
  'REFUND_COMPLETED',
  'REFUND_FAILED',
  'DEPOSIT_PENDING',
  'DEPOSIT_PENDING_WITHDRAWN',
  'DEPOSIT_COMPLETED',
  'DEPOSIT_REVERSED',
  'DEPOSIT_MISDIRECTED',
  'SUSPENSE_RESOLVED',
  'SWAP_COMPLETED',
  'SWAP_FAILED',
  'TRANSFER_COMPLETED',
  'TRANSFER_FAILED',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const EVENT_SUBJECTS = [
  'checkout',
  'deposit-address',
  'refund',
  'suspense',
  'swap',
  'transfer',
] as const;
export type EventSubject = (typeof EVENT_SUBJECTS)[number];

/** PENDING until an attempt succeeds, the schedule is over, or the receiver answers 410. */
export const DELIVERY_STATES = ['PENDING', 'DELIVERED', 'PARKED', 'DISABLED'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Whose data: part of every query, so that a miss and a foreign row look the same. */
export type EventOwner = { readonly merchantId: string; readonly environment: Environment };

export type Event = EventOwner & {
  readonly id: string;
  readonly type: EventType;
  readonly subject: EventSubject;
  readonly subjectId: string;
  /** Rises per subject: a receiver that keeps the highest ends in the true state. */
  readonly sequence: number;
  readonly causeKey: string;
  /** The exact text that is sent, frozen when the event was written. */
  readonly body: string;
  readonly apiKey: string | undefined;
  readonly createdAt: Temporal.Instant;
};

export type DeliveryAttempt = {
  readonly number: number;
  readonly attemptedAt: Temporal.Instant;
  readonly durationMs: number;
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly answerExcerpt: string | undefined;
};

/** One event to one URL. */
export type Delivery = {
  readonly id: bigint;
  readonly eventId: string;
  /** The account-wide endpoint; undefined for the webhook URL of a checkout. */
  readonly endpointId: string | undefined;
  readonly url: string;
  readonly state: DeliveryState;
  readonly attemptCount: number;
  readonly nextAttemptAt: Temporal.Instant;
  readonly createdAt: Temporal.Instant;
  readonly finishedAt: Temporal.Instant | undefined;
  readonly reason: string | undefined;
  readonly redeliveryOf: bigint | undefined;
  readonly attempts: readonly DeliveryAttempt[];
};

/** How long a parked or delivered event can be sent again (api-contract.md 7). */
export const replayableHours = 60 * 24;
