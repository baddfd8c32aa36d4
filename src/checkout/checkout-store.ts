// SQL of the checkout tables, private to this folder. Rows are parsed here and nowhere else.

import type { Reader, Tx } from '#db/db.ts';
import { sql } from '#db/db.ts';
import { decimalToText, parseDecimal } from '#money/decimal.ts';
import type {
  Checkout,
  CheckoutFlags,
  CheckoutOrigin,
  CheckoutState,
  CheckoutType,
  Offer,
  StateChange,
  WithheldOffer,
} from './checkout.ts';

export type CheckoutRow = {
  id: string;
  merchant_id: string;
  environment: 'test' | 'live';
  api_key: string | null;
  type: CheckoutType;
  origin: CheckoutOrigin;
  customer_id: string | null;
  payload: string;
  meta: string | null;
  billing_currency: string;
  total: string | bigint;
  settlement_asset: string;
  language: string;
  webhook_url: string | null;
  page_origin: string | null;
  return_url: string | null;
  cancel_url: string | null;
  offers: string;
  fee_parts_per_million: number;
  underpaid_tolerance_parts_per_million: number;
  late_floor_parts_per_million: number;
  state: CheckoutState;
  version: number;
  event_sequence: number;
  source_network: string | null;
  source_asset_id: string | null;
  flags: string;
  created_at: Temporal.Instant;
  quoted_until: Temporal.Instant;
  expires_at: Temporal.Instant;
  completed_at: Temporal.Instant | null;
  cancelled_at: Temporal.Instant | null;
  accepted_underpaid_at: Temporal.Instant | null;
  settle_at: Temporal.Instant | null;
};

const COLUMNS = sql`id, merchant_id, environment, api_key, type, origin, customer_id, payload, meta,
  billing_currency, total, settlement_asset, language, webhook_url, page_origin, return_url,
  cancel_url, offers, fee_parts_per_million, underpaid_tolerance_parts_per_million,
  late_floor_parts_per_million, state, version, event_sequence, source_network, source_asset_id,
  flags, created_at, quoted_until, expires_at, completed_at, cancelled_at, accepted_underpaid_at,
  settle_at`;

export function checkoutFromRow(row: CheckoutRow): Checkout {
  const { offers, withheld } = parseOffers(row.offers);
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    apiKey: row.api_key ?? undefined,
    type: row.type,
    origin: row.origin,
    customerId: row.customer_id ?? undefined,
    payload: row.payload,
    meta: row.meta ?? undefined,
    billingCurrency: row.billing_currency,
    total: parseDecimal(String(row.total)),
    settlementAsset: row.settlement_asset,
    language: row.language,
    webhookUrl: row.webhook_url ?? undefined,
    pageOrigin: row.page_origin ?? undefined,
    returnUrl: row.return_url ?? undefined,
    cancelUrl: row.cancel_url ?? undefined,
    offers,
    withheld,
    feePartsPerMillion: row.fee_parts_per_million,
    underpaidTolerancePartsPerMillion: row.underpaid_tolerance_parts_per_million,
    lateFloorPartsPerMillion: row.late_floor_parts_per_million,
    state: row.state,
    version: row.version,
    eventSequence: row.event_sequence,
    sourceNetwork: row.source_network ?? undefined,
    sourceAssetId: row.source_asset_id ?? undefined,
    flags: JSON.parse(row.flags) as CheckoutFlags,
    createdAt: row.created_at,
    quotedUntil: row.quoted_until,
    expiresAt: row.expires_at,
    completedAt: row.completed_at ?? undefined,
    cancelledAt: row.cancelled_at ?? undefined,
    acceptedUnderpaidAt: row.accepted_underpaid_at ?? undefined,
    settleAt: row.settle_at ?? undefined,
  };
}

type StoredOffer = Record<
  keyof Omit<Offer, 'rateIds' | 'paymentToSettlement' | 'sentUnits'>,
  string
> & {
  sentUnits?: string | undefined;
  rateIds: string[];
  paymentToSettlement: [string, string];
};

function parseOffers(text: string): { offers: Offer[]; withheld: WithheldOffer[] } {
  const stored = JSON.parse(text) as { offers: StoredOffer[]; withheld: WithheldOffer[] };
  const offers = stored.offers.map((offer) => ({
    network: offer.network,
    assetId: offer.assetId,
    paymentUnits: BigInt(offer.paymentUnits),
    sentUnits: offer.sentUnits === undefined ? undefined : BigInt(offer.sentUnits),
    settlementAssetId: offer.settlementAssetId,
    settlementUnits: BigInt(offer.settlementUnits),
    netUnits: BigInt(offer.netUnits),
    feeUnits: BigInt(offer.feeUnits),
    rateIds: offer.rateIds.map((id) => BigInt(id)),
    paymentToSettlement: {
      numerator: BigInt(offer.paymentToSettlement[0]),
      denominator: BigInt(offer.paymentToSettlement[1]),
    },
  }));
  return { offers, withheld: stored.withheld };
}

function offersText(offers: readonly Offer[], withheld: readonly WithheldOffer[]): string {
  const stored = offers.map((offer): StoredOffer => {
    const { numerator, denominator } = offer.paymentToSettlement;
    return {
      network: offer.network,
      assetId: offer.assetId,
      paymentUnits: String(offer.paymentUnits),
      sentUnits: offer.sentUnits?.toString(),
      settlementAssetId: offer.settlementAssetId,
      settlementUnits: String(offer.settlementUnits),
      netUnits: String(offer.netUnits),
      feeUnits: String(offer.feeUnits),
      rateIds: offer.rateIds.map(String),
      paymentToSettlement: [String(numerator), String(denominator)],
    };
  });
  return JSON.stringify({ offers: stored, withheld });
}

export type NewCheckout = Pick<
  Checkout,
  | 'id'
  | 'merchantId'
  | 'environment'
  | 'apiKey'
  | 'type'
  | 'origin'
  | 'customerId'
  | 'payload'
  | 'meta'
  | 'billingCurrency'
  | 'total'
  | 'settlementAsset'
  | 'language'
  | 'webhookUrl'
  | 'pageOrigin'
  | 'returnUrl'
  | 'cancelUrl'
  | 'offers'
  | 'withheld'
  | 'feePartsPerMillion'
  | 'underpaidTolerancePartsPerMillion'
  | 'lateFloorPartsPerMillion'
  | 'createdAt'
  | 'quotedUntil'
  | 'expiresAt'
> & { readonly pageTokenHash: Uint8Array; readonly originUrl: string | undefined };

/**
 * Checkouts and the first lines of their history: one statement, one round trip for all of them.
 */
export async function insertCheckouts(tx: Tx, checkouts: readonly NewCheckout[]): Promise<void> {
  await tx.query(sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(checkouts.map(insertedRow))}::json) as row(
        id text, merchant text, environment text, key text, type text, origin text, token text,
        customer text, payload text, meta text, currency text, total numeric, settlement text,
        language text, webhook text, page text, return text, cancel text, offers text,
        "originUrl" text, fee integer, tolerance integer, floor integer, created timestamptz,
        quoted timestamptz, expires timestamptz)),
    made as (
      insert into checkout (id, merchant_id, environment, api_key, type, origin, page_token_hash,
        customer_id, payload, meta, billing_currency, total, settlement_asset, language,
        webhook_url, page_origin, return_url, cancel_url, offers, origin_url,
        fee_parts_per_million, underpaid_tolerance_parts_per_million, late_floor_parts_per_million,
        state, created_at, quoted_until, expires_at, settle_at)
      select id, merchant, environment, key, type, origin, decode(token, 'hex'), customer, payload,
        meta, currency, total, settlement, language, webhook, page, return, cancel, offers,
        "originUrl", fee, tolerance, floor, 'NEW', created, quoted, expires, expires
      from given
      returning id, state, created_at)
    insert into checkout_state_change (checkout_id, version, state, changed_at)
    select id, 1, state, created_at from made`);
}

function insertedRow(checkout: NewCheckout) {
  return {
    id: checkout.id,
    merchant: checkout.merchantId,
    environment: checkout.environment,
    key: checkout.apiKey,
    type: checkout.type,
    origin: checkout.origin,
    token: checkout.pageTokenHash.toHex(),
    customer: checkout.customerId,
    payload: checkout.payload,
    meta: checkout.meta,
    currency: checkout.billingCurrency,
    total: decimalToText(checkout.total),
    settlement: checkout.settlementAsset,
    language: checkout.language,
    webhook: checkout.webhookUrl,
    page: checkout.pageOrigin,
    return: checkout.returnUrl,
    cancel: checkout.cancelUrl,
    offers: offersText(checkout.offers, checkout.withheld),
    originUrl: checkout.originUrl,
    fee: checkout.feePartsPerMillion,
    tolerance: checkout.underpaidTolerancePartsPerMillion,
    floor: checkout.lateFloorPartsPerMillion,
    created: checkout.createdAt.toString(),
    quoted: checkout.quotedUntil.toString(),
    expires: checkout.expiresAt.toString(),
  };
}

export function findCheckoutRows(reader: Reader, ids: readonly string[]): Promise<CheckoutRow[]> {
  return reader.query<CheckoutRow>(
    sql`select ${COLUMNS} from checkout where id = any(${ids}::text[])`,
  );
}

export async function findCheckoutIdByPageToken(
  reader: Reader,
  hash: Uint8Array,
): Promise<string | undefined> {
  const [row] = await reader.query<{ id: string }>(
    sql`select id from checkout where page_token_hash = ${hash}`,
  );
  return row?.id;
}

export async function lockCheckoutRow(tx: Tx, id: string): Promise<CheckoutRow | undefined> {
  const rows = await tx.query<CheckoutRow>(
    sql`select ${COLUMNS} from checkout where id = ${id} for update`,
  );
  return rows[0];
}

/** Like `lockCheckoutRow`, but gives up at once when another worker is at it. */
export async function lockDueCheckoutRow(tx: Tx, id: string): Promise<CheckoutRow | undefined> {
  const rows = await tx.query<CheckoutRow>(
    sql`select ${COLUMNS} from checkout where id = ${id} for update skip locked`,
  );
  return rows[0];
}

/** The customer chose a way to pay: the state is decided again at `settleAt` or before. */
export function chooseSource(
  tx: Tx,
  change: {
    readonly checkoutId: string;
    readonly version: number;
    readonly state: CheckoutState;
    readonly network: string;
    readonly assetId: string;
    readonly expiresAt: Temporal.Instant;
    readonly settleAt: Temporal.Instant;
    readonly isStateChange: boolean;
    readonly now: Temporal.Instant;
  },
): void {
  tx.send(sql`
    with changed as (
      update checkout set source_network = ${change.network}, source_asset_id = ${change.assetId},
        expires_at = ${change.expiresAt}, state = ${change.state}, version = ${change.version},
        settle_at = least(settle_at, ${change.settleAt}), changed_in = pg_current_xact_id()
      where id = ${change.checkoutId} returning id, version, state)
    insert into checkout_state_change (checkout_id, version, state, changed_at)
    select id, version, state, ${change.now}::timestamptz from changed
    where ${change.isStateChange}`);
}

export function cancelCheckoutRow(tx: Tx, checkoutId: string, now: Temporal.Instant): void {
  tx.send(sql`
    update checkout set cancelled_at = coalesce(cancelled_at, ${now}), settle_at = ${now},
      changed_in = pg_current_xact_id()
    where id = ${checkoutId}`);
}

/** Decided in the same transaction. */
export function acceptUnderpaidRow(tx: Tx, checkoutId: string, now: Temporal.Instant): void {
  tx.send(sql`
    update checkout set accepted_underpaid_at = ${now}, changed_in = pg_current_xact_id()
    where id = ${checkoutId}`);
}

export async function listStateChanges(
  reader: Reader,
  checkoutIds: readonly string[],
): Promise<(StateChange & { readonly checkoutId: string })[]> {
  type Row = { checkout_id: string; state: CheckoutState; changed_at: Temporal.Instant };
  const rows = await reader.query<Row>(sql`
    select checkout_id, state, changed_at from checkout_state_change
    where checkout_id = any(${checkoutIds}::text[]) order by version`);
  return rows.map((row) => ({
    checkoutId: row.checkout_id,
    state: row.state,
    changedAt: row.changed_at,
  }));
}

/** Ends every lock of a test checkout now. The instructions stay watched. */
export function expireLocks(tx: Tx, checkoutId: string, now: Temporal.Instant): void {
  tx.send(sql`
    update commitment
    set expires_at = greatest(${now}::timestamptz, committed_at + interval '1 millisecond')
    where checkout_id = ${checkoutId} and expires_at > ${now}`);
  tx.send(sql`
    update checkout set expires_at = least(expires_at, ${now}::timestamptz), settle_at = ${now},
      changed_in = pg_current_xact_id()
    where id = ${checkoutId}`);
}
