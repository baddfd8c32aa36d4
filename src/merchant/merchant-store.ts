import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { placeOldestFirst } from '#db/page-cursor.ts';
import type { Merchant, MerchantSettings } from './merchant.ts';

export type NewMerchantRow = Merchant & {
  readonly sealedDataKey: Uint8Array;
  readonly environments: readonly {
    readonly environment: Environment;
    readonly sealedWebhookSecret: Uint8Array;
  }[];
};

export async function insertMerchant(tx: Tx, row: NewMerchantRow): Promise<void> {
  await tx.query(sql`
    with made as (
      insert into merchant (id, name, sealed_data_key, created_at)
      values (${row.id}, ${row.name}, ${row.sealedDataKey}, ${row.createdAt}) returning id
    )
    insert into merchant_environment (merchant_id, environment, sealed_webhook_secret)
    select made.id, side.environment, side.secret from made, unnest(
      ${row.environments.map(({ environment }) => environment)}::text[],
      ${row.environments.map(({ sealedWebhookSecret }) => sealedWebhookSecret)}::bytea[]
    ) as side (environment, secret)`);
}

export function selectMerchants(
  reader: Reader,
  { after, limit }: { readonly after: Merchant | undefined; readonly limit: number },
): Promise<Merchant[]> {
  const { at, id } = placeOldestFirst(after && { at: after.createdAt, id: after.id });
  return reader.query<Merchant>(sql`
    select id, name, created_at as "createdAt" from merchant
    where (created_at, id) > (${at}, ${id})
    order by created_at, id limit ${limit}`);
}

export async function findSealedDataKey(
  reader: Reader,
  merchantId: string,
): Promise<Uint8Array | undefined> {
  const [row] = await reader.query<{ sealed: Uint8Array }>(sql`
    select sealed_data_key as sealed from merchant where id = ${merchantId}`);
  return row?.sealed;
}

export async function updateMerchant(
  tx: Tx,
  merchantId: string,
  settings: Partial<MerchantSettings>,
): Promise<boolean> {
  const { shopName, sellerInfo } = settings;
  const rows = await tx.query(sql`
    update merchant set
      name = coalesce(${settings.name ?? null}, name),
      shop_name = case when ${shopName === undefined}::boolean then shop_name
        else ${shopName ?? null}::text end,
      seller_info =
        case when ${sellerInfo === undefined}::boolean then seller_info
        else ${sellerInfo ?? null}::text end,
      display_buyer_info = coalesce(${settings.displayBuyerInfo ?? null}, display_buyer_info),
      display_seller_info = coalesce(${settings.displaySellerInfo ?? null}, display_seller_info),
      fee_parts_per_million =
        coalesce(${settings.feePartsPerMillion ?? null}, fee_parts_per_million),
      underpaid_tolerance_parts_per_million = coalesce(
        ${settings.underpaidTolerancePartsPerMillion ?? null},
        underpaid_tolerance_parts_per_million)
    where id = ${merchantId} returning id`);
  return rows.length > 0;
}

export async function updateAllowedAddresses(
  tx: Tx,
  owner: { readonly merchantId: string; readonly environment: Environment },
  addresses: readonly string[],
): Promise<boolean> {
  const rows = await tx.query(sql`
    update merchant_environment set allowed_addresses = ${addresses}
    where merchant_id = ${owner.merchantId} and environment = ${owner.environment}
    returning environment`);
  return rows.length > 0;
}

/** The list with the range in it, or without; undefined for an unknown owner. */
export async function updateAllowedRange(
  tx: Tx,
  owner: { readonly merchantId: string; readonly environment: Environment },
  range: string,
  isAllowed: boolean,
): Promise<readonly string[] | undefined> {
  const [row] = await tx.query<{ addresses: readonly string[] }>(sql`
    update merchant_environment set allowed_addresses =
      array_remove(allowed_addresses, ${range}::text)
      || case when ${isAllowed}::boolean then array[${range}::text] else '{}'::text[] end
    where merchant_id = ${owner.merchantId} and environment = ${owner.environment}
    returning allowed_addresses as addresses`);
  return row?.addresses;
}

export async function findAllowedAddresses(
  reader: Reader,
  owner: { readonly merchantId: string; readonly environment: Environment },
): Promise<readonly string[] | undefined> {
  const [row] = await reader.query<{ addresses: readonly string[] }>(sql`
    select allowed_addresses as addresses from merchant_environment
    where merchant_id = ${owner.merchantId} and environment = ${owner.environment}`);
  return row?.addresses;
}
