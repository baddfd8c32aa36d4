// Who makes a request: found by an API key in one query, or in none while this process can hear
// that keys change. What is found by `X-Basic` is never remembered.
//
// Guarantees of the cache: nothing is answered from it while changes of keys could not be heard
// (`isTrusted`), or past the moment at which a secret ends; what was read before a change was heard
// is not remembered after it. So a key revoked or rotated is refused some milliseconds after that
// was committed, and after three seconds at the most when the connection to the database died
// silently.

import type { PayerAsking } from '#ask/ask.ts';
import type { Clock } from '#base/clock.ts';
import { isId } from '#base/id.ts';
import { findAsset, isWithinRisk, type RiskLevel } from '#catalog/asset.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Reader, type Statement, sql } from '#db/db.ts';
import type { Row } from '#db/table.ts';
import type { Keyring } from '#installation/keyring.ts';
import { domainOrigin, latestHost } from '#merchant/domain.ts';
import {
  joinEnvironment,
  joinMerchant,
  MERCHANT,
  MERCHANT_ENVIRONMENT,
  unknownMerchant,
} from '#merchant/merchant.ts';
import { createBatch } from '#runtime/batch.ts';
import { keptApiVersion } from '#versions/api-version.ts';
import type { AllowLists } from './allow-list.ts';
import { API_KEY, basicHash, openSecret } from './api-key.ts';

/** Everything a checkout needs to know of its merchant. */
export type MerchantTerms = Owner & {
  readonly merchantName: string;
  /** What customers see: the shop name, or the merchant's name when there is none. */
  readonly shopName: string;
  readonly sellerInfo: string | undefined;
  readonly displayBuyerInfo: boolean;
  readonly displaySellerInfo: boolean;
  /** What its hosted pages ask payers, where nobody says otherwise. */
  readonly asking: PayerAsking | undefined;
  /** Where its pages are: of the domain it proved last; undefined: the public URL. */
  readonly pageOrigin: string | undefined;
  readonly feePartsPerMillion: number;
  readonly underpaidTolerancePartsPerMillion: number;
  /** What late money must be worth, of the total, to complete a sale by itself. */
  readonly lateFloorPartsPerMillion: number;
  /** After its window, in which late money completes a sale by itself. */
  readonly lateDays: number;
  /** Riskier assets are neither offered nor settled in. */
  readonly riskTolerance: RiskLevel;
  /** Of what is sold by hand, by links and invoices, where nobody says otherwise. */
  readonly settlementAsset: string;
  /** Ways to pay in the order of customers, and those that are not offered (`wayName`). */
  readonly methodOrder: readonly string[];
  readonly methodsOff: readonly string[];
};

/** Who makes a request, after authentication. */
export type Caller = MerchantTerms & {
  readonly apiKey: string;
  readonly method: 'digest' | 'basic';
  /** What the key may do; undefined means everything. */
  readonly scopes: readonly string[] | undefined;
  /** Of the API, that it has where a request names none. */
  readonly apiVersion: string;
};

/** A key that works now. */
export type ApiKeyRecord = {
  readonly caller: Omit<Caller, 'method'>;
  readonly basicAllowed: boolean;
  /** From where it may be used. */
  readonly allowed: AllowLists;
  /** The valid secrets as text, newest first: one, or two during a rotation. */
  readonly secrets: readonly string[];
};

type RememberedKey = {
  readonly record: ApiKeyRecord;
  /** When one of its secrets ends; undefined when none will. */
  readonly changesAt: Temporal.Instant | undefined;
};

export type KeyCache = {
  find(key: string): ApiKeyRecord | undefined;
  /** What a look-up begun now may remember at its end. */
  begin(): (key: string, found: RememberedKey) => void;
  forgetAll(): void;
};

const KEYS_MOST = 10_000;

export function createKeyCache(clock: Clock, isTrusted: () => boolean): KeyCache {
  let known = new Map<string, RememberedKey>();
  return {
    find(key) {
      const found = known.get(key);
      if (found === undefined || !isTrusted()) return undefined;
      const { record, changesAt } = found;
      const isOver = changesAt && Temporal.Instant.compare(clock.now(), changesAt) >= 0;
      return isOver ? undefined : record;
    },
    begin() {
      const begunWith = known;
      return (key, found) => {
        if (begunWith !== known) return;
        if (known.size >= KEYS_MOST) known.clear();
        known.set(key, found);
      };
    },
    forgetAll() {
      known = new Map();
    },
  };
}

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
      const ofThese = sql`k.key = any(${[...new Set(keys)]})`;
      const rows = await readKeys(db, ofThese, clock.now());
      const records = new Map(
        rows.map((row) => {
          const changesAt = row.changesAt ?? undefined;
          return [row.key, { record: recordOf(keyring, row), changesAt }];
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
  const now = app.clock.now();
  const ofHash = sql`k.key = (
    select s.key from api_key_secret s where s.basic_hash = ${hash}
      and (s.valid_until is null or s.valid_until > ${now}::timestamptz))`;
  const [row] = await readKeys(app.db, ofHash, now);
  return row && recordOf(app.keyring, row);
}

const CALLING_KEY = API_KEY.only(
  'key',
  'merchantId',
  'environment',
  'basicAllowed',
  'scopes',
  'apiVersion',
);
const CALLED_MERCHANT = MERCHANT.only(
  'name',
  'sealedDataKey',
  'shopName',
  'sellerInfo',
  'displayBuyerInfo',
  'displaySellerInfo',
  'asking',
  'feePartsPerMillion',
  'underpaidTolerancePartsPerMillion',
  'lateFloorPartsPerMillion',
  'lateDays',
);
const OF_ENVIRONMENT = MERCHANT_ENVIRONMENT.only(
  'callAddresses',
  'withdrawalAddresses',
  'riskTolerance',
  'settlementAsset',
  'methodOrder',
  'methodsOff',
);

type TermsRow = Row<typeof CALLED_MERCHANT> &
  Row<typeof OF_ENVIRONMENT> & {
    /** Of the domain that was verified last; null when there is none. */
    readonly pageHost: string | null;
  };

type KeyRow = Row<typeof CALLING_KEY> &
  TermsRow & {
    /** The valid ones side by side, newest first; null when there are none. */
    readonly sealedSecrets: readonly Uint8Array[] | null;
    readonly basicHashes: readonly Uint8Array[] | null;
    /** When the first of them ends; null when none will. */
    readonly changesAt: Temporal.Instant | null;
  };

async function readKeys(
  reader: Reader,
  condition: Statement,
  now: Temporal.Instant,
): Promise<KeyRow[]> {
  const rows = await reader.query<KeyRow>(sql`
    select ${CALLING_KEY.columnsOf('k')}, ${CALLED_MERCHANT.columnsOf('m')},
      ${OF_ENVIRONMENT.columnsOf('e')}, secret.*, ${latestHost(sql`k.merchant_id`)} as "pageHost"
    from api_key k ${joinMerchant(sql`k.merchant_id`)}
    ${joinEnvironment(sql`k.merchant_id`, sql`k.environment`)}
    cross join lateral (
      select array_agg(s.sealed_secret order by s.id desc) as "sealedSecrets",
        array_agg(s.basic_hash order by s.id desc) as "basicHashes",
        min(s.valid_until) as "changesAt"
      from api_key_secret s
      where s.key = k.key and (s.valid_until is null or s.valid_until > ${now}::timestamptz)
    ) secret
    where k.revoked_at is null and ${condition}`);
  return rows.map((row) => CALLING_KEY.parse(CALLED_MERCHANT.parse(OF_ENVIRONMENT.parse(row))));
}

function recordOf(keyring: Keyring, row: KeyRow): ApiKeyRecord {
  const { key, merchantId } = row;
  const dataKey = keyring.openDataKey(merchantId, row.sealedDataKey);
  const hashes = row.basicHashes ?? [];
  const secrets = (row.sealedSecrets ?? []).map((sealedSecret, index) =>
    openSecret(keyring, dataKey, { merchantId, key }, { sealedSecret, basicHash: hashes[index]! }),
  );
  return {
    caller: {
      ...termsOf(row, row),
      apiKey: key,
      scopes: row.scopes ?? undefined,
      apiVersion: keptApiVersion(row.apiVersion),
    },
    basicAllowed: row.basicAllowed,
    allowed: { calls: row.callAddresses, withdrawals: row.withdrawalAddresses },
    secrets,
  };
}

/**
 * For what is sold without a key: by a person in the dashboard, or by a link.
 * @throws Refusal `missing` for an unknown merchant.
 */
export async function getMerchantTerms(
  reader: Reader,
  { merchantId, environment }: Owner,
): Promise<MerchantTerms> {
  const [row] = await reader.query<TermsRow>(sql`
    select ${CALLED_MERCHANT.columnsOf('m')}, ${OF_ENVIRONMENT.columnsOf('e')},
      ${latestHost(sql`m.id`)} as "pageHost"
    from (values (${merchantId}::text, ${environment}::text)) as o (merchant_id, environment)
    ${joinMerchant(sql`o.merchant_id`)}
    ${joinEnvironment(sql`o.merchant_id`, sql`o.environment`)}`);
  if (row === undefined) throw unknownMerchant(merchantId);
  return termsOf({ merchantId, environment }, CALLED_MERCHANT.parse(OF_ENVIRONMENT.parse(row)));
}

/** What the account would not take any more stops no sale: it is credited as it was paid. */
function usableSettlement({
  settlementAsset,
  riskTolerance,
}: Pick<TermsRow, 'settlementAsset' | 'riskTolerance'>): string {
  const asset = findAsset(settlementAsset);
  const isUsable = asset?.settlement === true && isWithinRisk(asset, riskTolerance);
  return isUsable ? settlementAsset : 'ORIGIN';
}

function termsOf({ merchantId, environment }: Owner, row: TermsRow): MerchantTerms {
  return {
    merchantId,
    environment,
    merchantName: row.name,
    shopName: row.shopName ?? row.name,
    sellerInfo: row.sellerInfo ?? undefined,
    displayBuyerInfo: row.displayBuyerInfo,
    displaySellerInfo: row.displaySellerInfo,
    asking: row.asking ?? undefined,
    pageOrigin: row.pageHost === null ? undefined : domainOrigin(row.pageHost),
    feePartsPerMillion: row.feePartsPerMillion,
    underpaidTolerancePartsPerMillion: row.underpaidTolerancePartsPerMillion,
    lateFloorPartsPerMillion: row.lateFloorPartsPerMillion,
    lateDays: row.lateDays,
    riskTolerance: row.riskTolerance,
    settlementAsset: usableSettlement(row),
    methodOrder: row.methodOrder,
    methodsOff: row.methodsOff,
  };
}
