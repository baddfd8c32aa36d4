// SQL of the refunds, private to this folder. Rows are parsed here and nowhere else.

import type { Owner } from '#catalog/owner.ts';
import type { RefundContext, RefundKind, RefundPayment, RefundState } from '#checkout/checkout.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';
import type { Refund } from './refund.ts';

type RefundRow = {
  id: string;
  merchant_id: string;
  environment: 'test' | 'live';
  checkout_id: string;
  kind: RefundKind;
  context: RefundContext;
  network: string;
  asset_id: string;
  units: bigint;
  state: RefundState;
  payment: RefundPayment;
  address: string | null;
  transfer_id: string;
  account: string | null;
  transaction: string | null;
  failure: string | null;
  api_key: string | null;
  created_at: Temporal.Instant;
  finished_at: Temporal.Instant | null;
  language: string;
  webhook_url: string | null;
  page_origin: string | null;
  checkout_api_key: string | null;
  checkout_state: string;
  checkout_meta: string | null;
  claimable_until: Temporal.Instant;
};

async function readRefunds(reader: Reader, condition: Statement): Promise<Refund[]> {
  const rows = await reader.query<RefundRow>(sql`
    select r.id, r.merchant_id, r.environment, r.checkout_id, r.kind, r.context, r.network,
      r.asset_id, r.units, r.state, r.payment, r.address, r.transfer_id, t.account, t.transaction,
      t.failure, r.api_key, r.created_at, r.finished_at, c.language, c.webhook_url, c.page_origin,
      c.api_key as checkout_api_key, c.state as checkout_state,
      c.meta as checkout_meta, t.expires_at as claimable_until
    from refund r join transfer t on t.id = r.transfer_id join checkout c on c.id = r.checkout_id
    where ${condition}`);
  return rows.map((row) => ({
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    checkoutId: row.checkout_id,
    kind: row.kind,
    context: row.context,
    network: row.network,
    assetId: row.asset_id,
    units: row.units,
    state: row.state,
    payment: row.payment,
    address: row.address ?? undefined,
    transferId: row.transfer_id,
    account: row.account === null ? undefined : (JSON.parse(row.account) as ReceivingAccount),
    transaction: row.transaction ?? undefined,
    failure: row.failure ?? undefined,
    apiKey: row.api_key ?? undefined,
    createdAt: row.created_at,
    finishedAt: row.finished_at ?? undefined,
    language: row.language,
    webhookUrl: row.webhook_url ?? undefined,
    pageOrigin: row.page_origin ?? undefined,
    checkoutApiKey: row.checkout_api_key ?? undefined,
    checkoutState: row.checkout_state,
    checkoutMeta: row.checkout_meta ?? undefined,
    claimableUntil: row.claimable_until,
  }));
}

export async function findRefundRow(reader: Reader, id: string): Promise<Refund | undefined> {
  return (await readRefunds(reader, sql`r.id = ${id}`))[0];
}

export async function findRefundRowByClaim(
  reader: Reader,
  hash: Uint8Array,
): Promise<Refund | undefined> {
  return (await readRefunds(reader, sql`r.claim_token_hash = ${hash}`))[0];
}

export async function findRefundRowByTransfer(
  reader: Reader,
  transferId: string,
): Promise<Refund | undefined> {
  return (await readRefunds(reader, sql`r.transfer_id = ${transferId}`))[0];
}

/** Newest first. */
export function listRefundRows(
  reader: Reader,
  { merchantId, environment }: Owner,
  after: PagePlace | undefined,
  limit: number,
): Promise<Refund[]> {
  const { at, id } = placeNewestFirst(after);
  return readRefunds(
    reader,
    sql`r.merchant_id = ${merchantId} and r.environment = ${environment}
      and (r.created_at, r.id) < (${at}, ${id})
      order by r.created_at desc, r.id desc limit ${limit}`,
  );
}

export function insertRefundRow(
  tx: Tx,
  refund: Refund & { readonly claimTokenHash: Uint8Array | undefined },
): void {
  tx.send(sql`
    insert into refund (id, merchant_id, environment, checkout_id, kind, context, network, asset_id,
      units, state, claim_token_hash, address, transfer_id, api_key, created_at)
    values (${refund.id}, ${refund.merchantId}, ${refund.environment}, ${refund.checkoutId},
      ${refund.kind}, ${refund.context}, ${refund.network}, ${refund.assetId}, ${refund.units},
      ${refund.state}, ${refund.claimTokenHash ?? null}, ${refund.address ?? null},
      ${refund.transferId}, ${refund.apiKey ?? null}, ${refund.createdAt})`);
}

/** False when it was claimed before, or is over. */
export async function markClaimed(tx: Tx, id: string, address: string): Promise<boolean> {
  const claimed = await tx.query(sql`
    update refund set state = 'UNDER_WAY', address = ${address}
    where id = ${id} and state = 'AWAITING_ADDRESS' returning id`);
  return claimed.length === 1;
}

export function markRefundEnded(
  tx: Tx,
  id: string,
  end: {
    readonly state: 'COMPLETED' | 'FAILED';
    readonly eventSequence: number;
    readonly finishedAt: Temporal.Instant;
  },
): void {
  tx.send(sql`
    update refund set state = ${end.state}, event_sequence = ${end.eventSequence},
      finished_at = ${end.finishedAt}
    where id = ${id}`);
}
