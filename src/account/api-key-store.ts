import type { RiskLevel } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import type { SealedApiSecret } from './api-key-secret.ts';

export type NewApiKeyRow = {
  readonly key: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly label: string | null;
  readonly basicAllowed: boolean;
  readonly scopes: readonly string[] | null;
  readonly createdAt: Temporal.Instant;
};

export async function insertApiKey(
  tx: Tx,
  row: NewApiKeyRow,
  { sealedSecret, basicHash }: SealedApiSecret,
): Promise<void> {
  await tx.query(sql`
    with made as (
      insert into api_key (key, merchant_id, environment, label, basic_allowed, scopes, created_at)
      values (${row.key}, ${row.merchantId}, ${row.environment}, ${row.label},
              ${row.basicAllowed}, ${row.scopes}::text[], ${row.createdAt})
      returning key, created_at
    )
    insert into api_key_secret (key, sealed_secret, basic_hash, created_at)
    select key, ${sealedSecret}::bytea, ${basicHash}::bytea, created_at from made`);
}

/** The owner of a key that is not revoked; the key stays locked until the transaction ends. */
export async function lockApiKey(
  tx: Tx,
  key: string,
): Promise<{ readonly merchantId: string; readonly sealedDataKey: Uint8Array } | undefined> {
  const [row] = await tx.query<{ merchantId: string; sealedDataKey: Uint8Array }>(sql`
    select k.merchant_id as "merchantId", m.sealed_data_key as "sealedDataKey"
    from api_key k join merchant m on m.id = k.merchant_id
    where k.key = ${key} and k.revoked_at is null for no key update of k`);
  return row;
}

export function endSecrets(
  tx: Tx,
  key: string,
  {
    now,
    currentUntil,
  }: { readonly now: Temporal.Instant; readonly currentUntil: Temporal.Instant },
): void {
  tx.send(sql`
    update api_key_secret
    set valid_until = case when valid_until is null then ${currentUntil}::timestamptz
                           else ${now}::timestamptz end
    where key = ${key} and (valid_until is null or valid_until > ${now}::timestamptz)`);
}

export function insertSecret(
  tx: Tx,
  key: string,
  { sealedSecret, basicHash }: SealedApiSecret,
  createdAt: Temporal.Instant,
): void {
  tx.send(sql`
    insert into api_key_secret (key, sealed_secret, basic_hash, created_at)
    values (${key}, ${sealedSecret}, ${basicHash}, ${createdAt})`);
}

/** Null leaves a setting as it is; a revoked key keeps the time it was revoked. */
export async function updateApiKey(
  tx: Tx,
  key: string,
  change: {
    readonly revokedAt: Temporal.Instant | null;
    readonly basicAllowed: boolean | null;
  },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update api_key set revoked_at = coalesce(revoked_at, ${change.revokedAt}),
      basic_allowed = coalesce(${change.basicAllowed}, basic_allowed)
    where key = ${key} returning key`);
  return rows.length > 0;
}

export type ApiKeyRow = {
  readonly key: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly basicAllowed: boolean;
  readonly scopes: readonly string[] | null;
  readonly name: string;
  readonly sealedDataKey: Uint8Array;
  readonly shopName: string | null;
  readonly sellerInfo: string | null;
  readonly displayBuyerInfo: boolean;
  readonly displaySellerInfo: boolean;
  /** Of the domain that was verified last; null when there is none. */
  readonly pageHost: string | null;
  readonly feePartsPerMillion: number;
  readonly underpaidTolerancePartsPerMillion: number;
  readonly lateFloorPartsPerMillion: number;
  readonly riskTolerance: RiskLevel;
  readonly callAddresses: readonly string[] | null;
  readonly withdrawalAddresses: readonly string[];
  /** The valid ones side by side, newest first; null when there are none. */
  readonly sealedSecrets: readonly Uint8Array[] | null;
  readonly basicHashes: readonly Uint8Array[] | null;
  /** When the first of them ends; null when none will. */
  readonly changesAt: Temporal.Instant | null;
};

function apiKeyWhere(condition: Statement, now: Temporal.Instant): Statement {
  return sql`
    select k.key, k.merchant_id as "merchantId", k.environment, k.basic_allowed as "basicAllowed",
      k.scopes, m.name, m.sealed_data_key as "sealedDataKey", m.shop_name as "shopName",
      m.seller_info as "sellerInfo", m.display_buyer_info as "displayBuyerInfo",
      m.display_seller_info as "displaySellerInfo", m.fee_parts_per_million as "feePartsPerMillion",
      m.underpaid_tolerance_parts_per_million as "underpaidTolerancePartsPerMillion",
      m.late_floor_parts_per_million as "lateFloorPartsPerMillion",
      m.risk_tolerance as "riskTolerance",
      e.call_addresses as "callAddresses", e.withdrawal_addresses as "withdrawalAddresses", secret.*,
      (select d.host from merchant_domain d
        where d.merchant_id = k.merchant_id and d.verified_at is not null
        order by d.verified_at desc, d.host limit 1) as "pageHost"
    from api_key k
    join merchant m on m.id = k.merchant_id
    join merchant_environment e on e.merchant_id = k.merchant_id and e.environment = k.environment
    cross join lateral (
      select array_agg(s.sealed_secret order by s.id desc) as "sealedSecrets",
        array_agg(s.basic_hash order by s.id desc) as "basicHashes",
        min(s.valid_until) as "changesAt"
      from api_key_secret s
      where s.key = k.key and (s.valid_until is null or s.valid_until > ${now}::timestamptz)
    ) secret
    where k.revoked_at is null and ${condition}`;
}

export async function findApiKeyRows(
  reader: Reader,
  keys: readonly string[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<string, ApiKeyRow>> {
  const rows = await reader.query<ApiKeyRow>(apiKeyWhere(sql`k.key = any(${keys})`, now));
  return new Map(rows.map((row) => [row.key, row]));
}

export async function findApiKeyRowByBasic(
  reader: Reader,
  basicHash: Uint8Array,
  now: Temporal.Instant,
): Promise<ApiKeyRow | undefined> {
  const ofHash = sql`k.key = (
    select s.key from api_key_secret s where s.basic_hash = ${basicHash}
      and (s.valid_until is null or s.valid_until > ${now}::timestamptz))`;
  const [row] = await reader.query<ApiKeyRow>(apiKeyWhere(ofHash, now));
  return row;
}

export type NewestSecretRow = SealedApiSecret & {
  readonly merchantId: string;
  readonly sealedDataKey: Uint8Array;
};

/** Of a revoked key too: what was created with it is still announced and signed. */
export async function findNewestSecret(
  reader: Reader,
  key: string,
  now: Temporal.Instant,
): Promise<NewestSecretRow | undefined> {
  const [row] = await reader.query<NewestSecretRow>(sql`
    select s.sealed_secret as "sealedSecret", s.basic_hash as "basicHash",
      k.merchant_id as "merchantId", m.sealed_data_key as "sealedDataKey"
    from api_key_secret s join api_key k on k.key = s.key join merchant m on m.id = k.merchant_id
    where s.key = ${key} and (s.valid_until is null or s.valid_until > ${now}::timestamptz)
    order by s.id desc limit 1`);
  return row;
}

export type ListedApiKey = {
  readonly key: string;
  readonly environment: Environment;
  readonly label: string | null;
  readonly basicAllowed: boolean;
  readonly scopes: readonly string[] | null;
  readonly createdAt: Temporal.Instant;
  readonly revokedAt: Temporal.Instant | null;
};

export function selectApiKeys(reader: Reader, merchantId: string): Promise<ListedApiKey[]> {
  return reader.query<ListedApiKey>(sql`
    select key, environment, label, basic_allowed as "basicAllowed", scopes,
      created_at as "createdAt", revoked_at as "revokedAt"
    from api_key where merchant_id = ${merchantId} order by environment, created_at, key`);
}
