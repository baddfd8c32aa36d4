// A checkout: its states, its table, and everything that is known about it (api-contract.md 6).

import type { AnchorDeposit } from '#anchor/anchor-deposit.ts';
import { ANSWERED } from '#ask/ask.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import type { Receipt } from '#chain/receipt.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import {
  bytes,
  coded,
  defineTable,
  fractional,
  insertOnly,
  integer,
  json,
  jsonText,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  texts,
} from '#db/table.ts';
import type { DepositInstruction } from '#deposit/deposit-instruction.ts';
import type { AccountHolder } from '#deposit/network.ts';
import { decimalToText, parseDecimal } from '#money/decimal.ts';
import type { CheckoutRefund } from './checkout-refund.ts';
import type { Credit } from './credit.ts';
import { type DueAmount, type Offered, offeredText, parseOffered } from './offer.ts';
import type { SandboxStep } from './sandbox-steps.ts';

export type { Offer } from './offer.ts';

export const CHECKOUT_STATES = [
  'NEW',
  'AWAITING_PAYMENT',
  'PENDING',
  'UNDERPAID',
  'COMPLETED',
  'EXPIRED',
  'CANCELLED',
] as const;
export type CheckoutState = (typeof CHECKOUT_STATES)[number];

export type CheckoutType = 'HOSTED' | 'SELF_HOSTED';
export type CheckoutOrigin = 'API' | 'DASHBOARD' | 'PAYMENT_LINK';

/** End of the payment window and of the settlement quote (service.md, Limits). */
export const PAYMENT_WINDOW_MINUTES = 60;
/** A checkout that nobody chose a way to pay for expires then. It can still be committed. */
export const UNCOMMITTED_HOURS = 24;

/** A window of a commitment that ended before the one that it has now. */
export type PastWindow = {
  readonly instructionId: string;
  readonly arrivingUnits: bigint;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
  readonly committedAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
};

/**
 * A way to pay that was chosen, with its latest window: amounts and end are fixed when it is opened
 * and never moved (S7, S8).
 */
export type Commitment = DueAmount & {
  readonly checkoutId: string;
  readonly network: string;
  readonly assetId: string;
  readonly instruction: DepositInstruction;
  readonly settlementAssetId: string;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
  readonly feeUnits: bigint;
  readonly committedAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
  /** Oldest first. */
  readonly pastWindows: readonly PastWindow[];
  readonly paymentUri: string;
  /** Whose account it is, where a payer has to name it: banks. */
  readonly payee?: AccountHolder | undefined;
};

/** Independent facts beside the state; absent when they do not hold. */
export type CheckoutFlags = {
  readonly late?: { readonly at: string };
  readonly overpaid?: { readonly amount: string; readonly assetCode: string };
  readonly multiple?: { readonly count: number };
  /** The chain took it back, and nothing came in its place. */
  readonly reversed?: { readonly amount: string; readonly assetCode: string; readonly at: string };
  /** It was taken back, and it, or other money in its place, has been credited since. */
  readonly restored?: { readonly amount: string; readonly assetCode: string; readonly at: string };
  /** Paid for this, and not as asked: it lies in suspense, and is not credited. */
  readonly misdirected?: readonly MisdirectedMoney[];
  readonly acceptedUnderpaid?: { readonly at: string };
  readonly manual?: { readonly at: string };
  /** Paid to the right address on another chain than asked: it is held, and not credited. */
  readonly wrongNetwork?: {
    readonly network: string;
    readonly amount: string;
    readonly assetCode: string;
    readonly tx: string;
  };
};

export type MisdirectedMoney = {
  readonly reason: 'WRONG_ASSET' | 'WRONG_NETWORK';
  readonly network: string;
  readonly amount: string;
  readonly assetCode: string;
  readonly tx: string;
};

export const CHECKOUT = defineTable('checkout', {
  id: text(),
  merchantId: text(),
  environment: text<Environment>(),
  apiKey: optional(text()),
  type: text<CheckoutType>(),
  origin: text<CheckoutOrigin>(),
  pageTokenHash: insertOnly(bytes),
  customerId: optional(text()),
  /** JSON text of the request as echoed in events (`readPayload`). */
  payload: jsonText(),
  /** JSON text of the merchant's own data. */
  meta: optional(jsonText()),
  ...ANSWERED,
  billingCurrency: text(),
  total: coded(fractional, {
    decode: (stored) => parseDecimal(String(stored)),
    encode: decimalToText,
  }),
  /** An asset id, or ORIGIN. */
  settlementAsset: text(),
  language: text(),
  webhookUrl: optional(text()),
  /** Where its pages are; undefined: the public URL of the service. */
  pageOrigin: optional(text()),
  returnUrl: optional(text()),
  cancelUrl: optional(text()),
  offers: coded(jsonText(), { decode: parseOffered, encode: offeredText }),
  originUrl: insertOnly(optional(text())),
  /** The link by which it was opened; undefined: by none. */
  paymentLinkId: optional(text()),
  feePartsPerMillion: integer,
  underpaidTolerancePartsPerMillion: integer,
  /** What late money must be worth to complete the sale by itself. */
  lateFloorPartsPerMillion: integer,
  /** After its window, in which late money completes the sale by itself. */
  lateDays: integer,
  state: text<CheckoutState>(),
  version: selectOnly(integer),
  eventSequence: selectOnly(integer),
  sourceNetwork: selectOnly(optional(text())),
  sourceAssetId: selectOnly(optional(text())),
  flags: selectOnly(json<CheckoutFlags>()),
  createdAt: moment,
  /** Until then a commit keeps the amounts of the offers. */
  quotedUntil: moment,
  expiresAt: moment,
  completedAt: selectOnly(optional(moment)),
  cancelledAt: selectOnly(optional(moment)),
  acceptedUnderpaidAt: selectOnly(optional(moment)),
  /** When it is decided next. */
  settleAt: optional(moment),
  /** Of a test checkout: what its simulated payer does by itself (`sandbox-steps.ts`). */
  sandboxSteps: insertOnly(texts<SandboxStep>()),
});

/** `offers` holds what is offered and what is not; a checkout shows both side by side. */
export type Checkout = Omit<Row<typeof CHECKOUT>, 'offers'> & Offered;

export const CHECKOUT_STATE_CHANGE = defineTable('checkout_state_change', {
  checkoutId: text(),
  version: insertOnly(integer),
  state: text<CheckoutState>(),
  changedAt: moment,
});
type StateChange = Pick<Row<typeof CHECKOUT_STATE_CHANGE>, 'state' | 'changedAt'>;

/** A checkout with everything that is known about it. */
export type CheckoutRecord = Checkout & {
  readonly commitments: readonly Commitment[];
  readonly receipts: readonly Receipt[];
  /** What anchors say about payments that go through them. */
  readonly anchorDeposits: readonly AnchorDeposit[];
  readonly credits: readonly Credit[];
  readonly refunds: readonly CheckoutRefund[];
  readonly stateHistory: readonly StateChange[];
};

/** `rest` begins behind the name of the table: `where …`. */
export async function selectCheckouts(reader: Reader, rest: Statement): Promise<Checkout[]> {
  const rows = await CHECKOUT.select(reader, rest);
  return rows.map((row) => ({ ...row, ...row.offers }));
}

/** Held until the transaction ends: nobody else decides, changes or refunds it meanwhile. */
export async function lockCheckoutRow(tx: Tx, id: string): Promise<Checkout | undefined> {
  const [checkout] = await selectCheckouts(tx, sql`where id = ${id} for update`);
  return checkout;
}

/**
 * `page`: the customer, who opened the page by its token.
 * @throws Refusal missing `checkout_missing`, also for one of another merchant or environment (E9).
 */
export function requireOwn(checkout: Checkout | undefined, owner: Owner | 'page'): Checkout {
  const isOwn =
    owner === 'page' ||
    (checkout?.merchantId === owner.merchantId && checkout.environment === owner.environment);
  if (checkout !== undefined && isOwn) return checkout;
  throw new Refusal('missing', 'checkout_missing', 'checkoutId: no such checkout');
}

/** Under its lock. It stays watched: what arrives is still credited. */
export function writeCancelled(tx: Tx, id: string, now: Temporal.Instant): void {
  tx.send(sql`
    update checkout set cancelled_at = coalesce(cancelled_at, ${now}), settle_at = ${now},
      changed_in = pg_current_xact_id()
    where id = ${id}`);
}

/** Under its lock. */
export function writeAccepted(tx: Tx, id: string, now: Temporal.Instant): void {
  tx.send(sql`
    update checkout set accepted_underpaid_at = ${now}, changed_in = pg_current_xact_id()
    where id = ${id}`);
}

/** Under its lock. */
export function writeFlags(tx: Tx, id: string, flags: CheckoutFlags): void {
  tx.send(sql`
    update checkout set flags = ${JSON.stringify(flags)}, changed_in = pg_current_xact_id()
    where id = ${id}`);
}

/** What a settlement made of it, whose version is one above that which stands in the table. */
export function writeDecided(
  tx: Tx,
  decided: Checkout,
  isStateChange: boolean,
  now: Temporal.Instant,
): void {
  tx.send(sql`
    with changed as (
      update checkout set state = ${decided.state}, version = ${decided.version},
        event_sequence = ${decided.eventSequence}, flags = ${JSON.stringify(decided.flags)},
        source_network = ${decided.sourceNetwork ?? null},
        source_asset_id = ${decided.sourceAssetId ?? null},
        completed_at = ${decided.completedAt ?? null}, settle_at = ${decided.settleAt ?? null},
        settle_failures = 0, parked_reason = null, changed_in = pg_current_xact_id()
      where id = ${decided.id} and version = ${decided.version - 1}
      returning id, version, state)
    ${noteState(isStateChange, now)}`);
}

/** A settlement changed nothing of it. `settleAt`: when it is decided next. */
export function writeSettleAt(tx: Tx, id: string, settleAt: Temporal.Instant | undefined): void {
  tx.send(sql`
    update checkout set settle_at = ${settleAt ?? null}, settle_failures = 0, parked_reason = null
    where id = ${id}`);
}

/** A line of the history for the rows that a statement calls `changed`, if their state changed. */
function noteState(isStateChange: boolean, now: Temporal.Instant): Statement {
  return sql`
    insert into checkout_state_change (checkout_id, version, state, changed_at)
    select id, version, state, ${now}::timestamptz from changed where ${isStateChange}`;
}
