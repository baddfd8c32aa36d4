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
        underpaid_tolerance_parts_per_million),
      late_floor_parts_per_million = coalesce(
        ${settings.lateFloorPartsPerMillion ?? null}, late_floor_parts_per_million),
      risk_tolerance = coalesce(${settings.riskTolerance ?? null}, risk_tolerance)
    where id = ${merchantId} returning id`);
  return rows.length > 0;
}

export type AllowLists = {
  /** CIDR ranges that may call; undefined: any address may, empty: none. */
  readonly calls: readonly string[] | undefined;
  /** CIDR ranges that may move money out. */
  readonly withdrawals: readonly string[];
};

type AllowListOwner = { readonly merchantId: string; readonly environment: Environment };
type AllowListRow = { calls: readonly string[] | null; withdrawals: readonly string[] };

/** The lists with the range in the one for calls, or without; undefined for an unknown owner. */
export async function updateCallRange(
  tx: Tx,
  owner: AllowListOwner,
  range: string,
  isAllowed: boolean,
): Promise<AllowLists | undefined> {
  const added = isAllowed ? [range] : [];
  const rows = await tx.query<AllowListRow>(sql`
    update merchant_environment set call_addresses =
      case when call_addresses is null and ${!isAllowed}::boolean then null
        else array_remove(call_addresses, ${range}::text) || ${added}::text[] end
    where merchant_id = ${owner.merchantId} and environment = ${owner.environment}
    returning call_addresses as calls, withdrawal_addresses as withdrawals`);
  return allowLists(rows);
}

/** The same for the list of those that may move money out. */
export async function updateWithdrawalRange(
  tx: Tx,
  owner: AllowListOwner,
  range: string,
  isAllowed: boolean,
): Promise<AllowLists | undefined> {
  const added = isAllowed ? [range] : [];
  const rows = await tx.query<AllowListRow>(sql`
    update merchant_environment set withdrawal_addresses =
      array_remove(withdrawal_addresses, ${range}::text) || ${added}::text[]
    where merchant_id = ${owner.merchantId} and environment = ${owner.environment}
    returning call_addresses as calls, withdrawal_addresses as withdrawals`);
  return allowLists(rows);
}

export async function clearCallAddresses(
  tx: Tx,
  owner: AllowListOwner,
): Promise<AllowLists | undefined> {
  const rows = await tx.query<AllowListRow>(sql`
    update merchant_environment set call_addresses = null
    where merchant_id = ${owner.merchantId} and environment = ${owner.environment}
    returning call_addresses as calls, withdrawal_addresses as withdrawals`);
  return allowLists(rows);
}

export async function findAllowLists(
  reader: Reader,
  owner: AllowListOwner,
): Promise<AllowLists | undefined> {
  const rows = await reader.query<AllowListRow>(sql`
    select call_addresses as calls, withdrawal_addresses as withdrawals
    from merchant_environment
    where merchant_id = ${owner.merchantId} and environment = ${owner.environment}`);
  return allowLists(rows);
}

function allowLists([row]: readonly AllowListRow[]): AllowLists | undefined {
  return row && { calls: row.calls ?? undefined, withdrawals: row.withdrawals };
}
