// Finding API keys with everything a request needs, in one query, or in none while the process can
// hear that keys change (key-cache.ts). What is found by `X-Basic` is never remembered.

import { createBatch } from '#base/batch.ts';
import type { Clock } from '#base/clock.ts';
import { isId } from '#base/id.ts';
import type { Reader } from '#db/db.ts';
import { basicHash, openSecret } from './api-key-secret.ts';
import {
  type ApiKeyRow,
  findApiKeyRowByBasic,
  findApiKeyRows,
  findNewestSecret,
  type ListedApiKey,
  selectApiKeys,
} from './api-key-store.ts';
import type { Caller } from './caller.ts';
import { unknownApiKey } from './change-api-key.ts';
import { domainOrigin } from './domain-name.ts';
import type { KeyCache, RememberedKey } from './key-cache.ts';
import type { Keyring } from './keyring.ts';
import type { AllowLists } from './merchant-store.ts';

export type { ListedApiKey } from './api-key-store.ts';

/** A key that works now. */
export type ApiKeyRecord = {
  readonly caller: Omit<Caller, 'method'>;
  readonly basicAllowed: boolean;
  /** From where it may be used. */
  readonly allowed: AllowLists;
  /** The valid secrets as text, newest first: one, or two during a rotation. */
  readonly secrets: readonly string[];
};

type App = {
  readonly db: Reader;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Absent: every look-up asks the database. */
  readonly keyCache?: KeyCache | undefined;
};

type KeyLookUp = (key: string) => Promise<RememberedKey | undefined>;

/** One look-up for all requests that arrive together; what is revoked is refused from then on. */
const lookUps = new WeakMap<Reader, KeyLookUp>();
const LOOK_UPS_AT_ONCE = 1;
const KEYS_PER_LOOK_UP = 100;

/** Undefined for what is unknown, revoked, or not a key at all. */
export async function findApiKey(app: App, key: string): Promise<ApiKeyRecord | undefined> {
  if (!isId(key)) return undefined;
  const known = app.keyCache?.find(key);
  if (known !== undefined) return known;
  const remember = app.keyCache?.begin();
  const lookUp = lookUps.get(app.db) ?? openLookUp(app);
  lookUps.set(app.db, lookUp);
  const found = await lookUp(key);
  if (found !== undefined) remember?.(key, found);
  return found?.record;
}

function openLookUp({ db, keyring, clock }: App): KeyLookUp {
  return createBatch({
    most: KEYS_PER_LOOK_UP,
    atOnce: LOOK_UPS_AT_ONCE,
    async run(keys: readonly string[]) {
      const rows = await findApiKeyRows(db, [...new Set(keys)], clock.now());
      const records = new Map(
        [...rows].map(([key, row]) => {
          const changesAt = row.changesAt ?? undefined;
          return [key, { record: recordOf(keyring, row), changesAt }];
        }),
      );
      return keys.map((key) => records.get(key));
    },
  });
}

/**
 * By the value of `X-Basic`, 64 hexadecimal digits in either case. Whether the key accepts the
 * method is `basicAllowed`, for the caller to check.
 */
export async function findApiKeyByBasic(
  app: App,
  headerValue: string,
): Promise<ApiKeyRecord | undefined> {
  if (!/^[0-9a-fA-F]{64}$/.test(headerValue)) return undefined;
  const hash = basicHash(app.keyring, headerValue.toLowerCase());
  const row = await findApiKeyRowByBasic(app.db, hash, app.clock.now());
  return row && recordOf(app.keyring, row);
}

/**
 * The newest valid secret of the key, as text, for `X-Webhook-Auth`; of a revoked key its last one.
 * @throws Refusal `missing` for an unknown key.
 */
export async function apiSecretForWebhook(
  app: Pick<App, 'db' | 'keyring'>,
  apiKey: string,
  now: Temporal.Instant,
): Promise<string> {
  const row = await findNewestSecret(app.db, apiKey, now);
  if (row === undefined) throw unknownApiKey(apiKey);
  const dataKey = app.keyring.openDataKey(row.merchantId, row.sealedDataKey);
  return openSecret(app.keyring, dataKey, { merchantId: row.merchantId, key: apiKey }, row);
}

/** Every key of the merchant, revoked ones too, without secrets. */
export function listApiKeys(reader: Reader, merchantId: string): Promise<ListedApiKey[]> {
  return selectApiKeys(reader, merchantId);
}

function recordOf(keyring: Keyring, row: ApiKeyRow): ApiKeyRecord {
  const { key, merchantId } = row;
  const dataKey = keyring.openDataKey(merchantId, row.sealedDataKey);
  const hashes = row.basicHashes ?? [];
  const secrets = (row.sealedSecrets ?? []).map((sealedSecret, index) =>
    openSecret(keyring, dataKey, { merchantId, key }, { sealedSecret, basicHash: hashes[index]! }),
  );
  return {
    caller: {
      merchantId,
      environment: row.environment,
      apiKey: key,
      merchantName: row.name,
      shopName: row.shopName ?? row.name,
      sellerInfo: row.sellerInfo ?? undefined,
      displayBuyerInfo: row.displayBuyerInfo,
      displaySellerInfo: row.displaySellerInfo,
      pageOrigin: row.pageHost === null ? undefined : domainOrigin(row.pageHost),
      feePartsPerMillion: row.feePartsPerMillion,
      underpaidTolerancePartsPerMillion: row.underpaidTolerancePartsPerMillion,
      lateFloorPartsPerMillion: row.lateFloorPartsPerMillion,
      riskTolerance: row.riskTolerance,
      scopes: row.scopes ?? undefined,
    },
    basicAllowed: row.basicAllowed,
    allowed: { calls: row.callAddresses ?? undefined, withdrawals: row.withdrawalAddresses },
    secrets,
  };
}
