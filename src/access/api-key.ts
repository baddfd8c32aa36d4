// Keys of the API with their secrets, and the SQL of their two tables. A key is made, rotated and
// revoked here; whether a request has one is in caller.ts.
import { createHash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import { newApiSecret, newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import {
  bytes,
  defineTable,
  flag,
  moment,
  nullable,
  optional,
  type Row,
  selectOnly,
  text,
  texts,
} from '#db/table.ts';
import type { DataKey, Keyring } from '#installation/keyring.ts';
import {
  type AuthenticationMethod,
  changeEnvironment,
  joinMerchant,
  MERCHANT,
  readPreferredAuthentication,
} from '#merchant/merchant.ts';
import {
  assertOverlap,
  getMerchantDataKey,
  sealText,
  unsealText,
} from '#merchant/merchant-secret.ts';
import { FIRST_VERSION, LATEST_VERSION } from '#versions/api-version.ts';

/** What an API key may be limited to; a key without scopes may do everything. */
export const SCOPES = [
  'read',
  'checkout',
  'customer',
  'money',
  'report',
  'settings',
  /** To be the second person for what another key made. */
  'approve',
] as const;
export type Scope = (typeof SCOPES)[number];

export const API_KEY = defineTable('api_key', {
  key: text(),
  merchantId: text(),
  environment: text<Environment>(),
  label: nullable(text()),
  /** Whether `X-Basic` is accepted. */
  basicAllowed: flag,
  /** Null: everything. */
  scopes: nullable(texts()),
  /** Of the API, that its calls have where they name none; read by `keptApiVersion`. */
  apiVersion: text(),
  /** The last one it asked in that was not the newest, and when, to the hour. */
  olderVersion: selectOnly(nullable(text())),
  olderVersionAt: selectOnly(nullable(moment)),
  createdAt: moment,
  revokedAt: selectOnly(nullable(moment)),
});

export const API_KEY_SECRET = defineTable('api_key_secret', {
  key: text(),
  sealedSecret: bytes,
  basicHash: bytes,
  createdAt: moment,
  /** Undefined: the newest one of its key, until it is rotated. */
  validUntil: selectOnly(optional(moment)),
});

type App = { readonly db: Db; readonly clock: Clock };
type SecretApp = App & { readonly keyring: Keyring; readonly random: Random };
type KeyOwner = { readonly merchantId: string; readonly key: string };
type SealedSecret = Pick<Row<typeof API_KEY_SECRET>, 'sealedSecret' | 'basicHash'>;

/** The `X-Basic` value of service.md: lower-case hex SHA-256 over `<API_KEY>:<API_SECRET>`. */
export function basicValue(key: string, secret: string): string {
  return createHash('sha256').update(`${key}:${secret}`).digest('hex');
}

/** The value is a credential like the secret itself: only its keyed hash is stored. */
export function basicHash(keyring: Keyring, value: string): Uint8Array {
  return keyring.mac('basic', Buffer.from(value));
}

/** To be shown once: the secret cannot be read again, only rotated. */
export type NewApiKey = { readonly key: string; readonly secret: string };

/**
 * It takes `X-Basic` where its account prefers that; `allowBasic` switches it for this key alone.
 * @throws Refusal `missing` for an unknown merchant.
 */
export async function createApiKey(
  app: SecretApp,
  request: {
    readonly merchantId: string;
    readonly environment: Environment;
    readonly label?: string | undefined;
    /** Undefined: everything. */
    readonly scopes?: readonly Scope[] | undefined;
    /** The newest unless given. */
    readonly apiVersion?: string | undefined;
  },
): Promise<NewApiKey> {
  const { merchantId, environment } = request;
  const [dataKey, preferred] = await Promise.all([
    getMerchantDataKey(app, merchantId),
    readPreferredAuthentication(app.db, request),
  ]);
  const key = newId(app.random);
  const { secret, sealed } = newSealedSecret(app, dataKey, { merchantId, key });
  const createdAt = app.clock.now();
  const row = {
    key,
    merchantId,
    environment,
    label: request.label ?? null,
    basicAllowed: preferred === 'BASIC',
    scopes: request.scopes ?? null,
    apiVersion: request.apiVersion ?? LATEST_VERSION,
    createdAt,
  };
  await app.db.single((tx) =>
    tx.query(sql`
      with made as (${API_KEY.insert([row])})
      ${API_KEY_SECRET.insert([{ key, ...sealed, createdAt }])}`),
  );
  return { key, secret };
}

const WITH_DATA_KEY = MERCHANT.only('sealedDataKey');
type Owned = { readonly merchantId: string } & Row<typeof WITH_DATA_KEY>;

/**
 * A new secret for the key. The one it had stays valid beside it for the overlap; what was left of
 * an earlier rotation ends now, so at most two are ever valid. To be shown once.
 * @throws Refusal `missing` for an unknown or revoked key.
 */
export async function rotateApiKey(
  app: SecretApp,
  { key, overlapHours }: { readonly key: string; readonly overlapHours: number },
): Promise<NewApiKey> {
  assertOverlap(overlapHours);
  return app.db.transact(async (tx) => {
    const [owned] = await tx.query<Owned>(sql`
      select k.merchant_id as "merchantId", ${WITH_DATA_KEY.columnsOf('m')}
      from api_key k ${joinMerchant(sql`k.merchant_id`)}
      where k.key = ${key} and k.revoked_at is null for no key update of k`);
    if (owned === undefined) throw unknownApiKey(key);
    const { merchantId, sealedDataKey } = owned;
    const now = app.clock.now();
    const currentUntil = now.add({ hours: overlapHours });
    const dataKey = app.keyring.openDataKey(merchantId, sealedDataKey);
    const { secret, sealed } = newSealedSecret(app, dataKey, { merchantId, key });
    tx.send(sql`
      update api_key_secret
      set valid_until = case when valid_until is null then ${currentUntil}::timestamptz
                             else ${now}::timestamptz end
      where key = ${key} and (valid_until is null or valid_until > ${now}::timestamptz)`);
    tx.send(API_KEY_SECRET.insert([{ key, ...sealed, createdAt: now }]));
    return { key, secret };
  });
}

/** Ends the key for good, at once. Revoking a revoked key changes nothing. */
export async function revokeApiKey(app: App, key: string): Promise<void> {
  await changeApiKey(app, key, sql`revoked_at = coalesce(revoked_at, ${app.clock.now()})`);
}

/** Switches `X-Basic` for the key. */
export async function allowBasic(
  app: { readonly db: Db },
  key: string,
  basicAllowed: boolean,
): Promise<void> {
  await changeApiKey(app, key, sql`basic_allowed = ${basicAllowed}`);
}

/** What calls of the key have from now on where they name no version. */
export async function pinApiVersion(
  app: { readonly db: Db },
  key: string,
  apiVersion: string,
): Promise<void> {
  await changeApiKey(app, key, sql`api_version = ${apiVersion}`);
}

/** Of a key that the statement around has; that of the first where there is none. */
export function versionOfKey(key: Statement): Statement {
  return sql`coalesce((select k.api_version from api_key k where k.key = ${key}), ${FIRST_VERSION})`;
}

/** Once an hour of a key at the most: each write makes every process read its keys again. */
export function noteOlderVersions(
  tx: Tx,
  asked: readonly {
    readonly apiKey: string;
    readonly version: string;
    readonly at: Temporal.Instant;
  }[],
): void {
  if (asked.length === 0) return;
  const column = <Value>(pick: (one: (typeof asked)[number]) => Value) => asked.map(pick);
  tx.send(sql`
    update api_key k set older_version = asked.version, older_version_at = asked.at
    from unnest(${column(({ apiKey }) => apiKey)}::text[],
      ${column(({ version }) => version)}::text[], ${column(({ at }) => at)}::timestamptz[])
      as asked (key, version, at)
    where k.key = asked.key and (k.older_version is distinct from asked.version
      or k.older_version_at < asked.at - interval '1 hour')`);
}

/** Of every key of this kind of money that there is, and of those that are made later. */
export async function preferAuthentication(
  app: { readonly db: Db },
  owner: Owner,
  method: AuthenticationMethod,
): Promise<void> {
  await changeEnvironment(app, owner, sql`preferred_authentication = ${method}`);
  await app.db.single((tx) =>
    tx.query(sql`
      update api_key set basic_allowed = ${method === 'BASIC'}
      where merchant_id = ${owner.merchantId} and environment = ${owner.environment}
        and revoked_at is null`),
  );
}

async function changeApiKey(
  { db }: { readonly db: Db },
  key: string,
  change: Statement,
): Promise<void> {
  const rows = await db.single((tx) =>
    tx.query(sql`update api_key set ${change} where key = ${key} returning key`),
  );
  if (rows.length === 0) throw unknownApiKey(key);
}

const LISTED = API_KEY.only(
  'key',
  'environment',
  'label',
  'basicAllowed',
  'scopes',
  'apiVersion',
  'olderVersion',
  'olderVersionAt',
  'createdAt',
  'revokedAt',
);

/** Whether a key, which the statement around has, has one of these scopes, or has all (no list). */
export function keyMayOneOf(key: Statement, scopes: readonly string[]): Statement {
  return sql`coalesce(
    (select k.scopes && ${scopes}::text[] from api_key k where k.key = ${key}), true)`;
}

/** Whether a key still works and has the scope, for what goes on after the call that asked. */
export async function mayKey(reader: Reader, key: string, scope: Scope): Promise<boolean> {
  const rows = await reader.query(sql`
    select 1 from api_key where key = ${key} and revoked_at is null
      and (scopes is null or ${scope} = any(scopes))`);
  return rows.length === 1;
}

/** How many keys work, by merchant; those without any are left out. */
export async function countApiKeys(
  reader: Reader,
  merchantIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.query<{ readonly merchantId: string; readonly keys: number }>(sql`
    select merchant_id as "merchantId", count(*)::integer as keys from api_key
    where merchant_id = any(${merchantIds}::text[]) and revoked_at is null
    group by merchant_id`);
  return new Map(rows.map(({ merchantId, keys }) => [merchantId, keys]));
}

/** Whose these are, revoked ones too; those that are no keys are left out. */
export async function findKeyOwners(
  reader: Reader,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Owner>> {
  if (keys.length === 0) return new Map();
  const rows = await reader.query<Owner & { readonly key: string }>(sql`
    select key, merchant_id as "merchantId", environment from api_key
    where key = any(${keys}::text[])`);
  return new Map(rows.map(({ key, ...owner }) => [key, owner]));
}

/** Every key of the merchant, revoked ones too, without secrets. */
export function listApiKeys(reader: Reader, merchantId: string): Promise<Row<typeof LISTED>[]> {
  return LISTED.select(
    reader,
    sql`where merchant_id = ${merchantId} order by environment, created_at, key`,
  );
}

/**
 * The newest valid secret of the key, as text, for `X-Webhook-Auth`; of a revoked key its last one:
 * what was created with it is still announced and signed.
 * @throws Refusal `missing` for an unknown key.
 */
export async function apiSecretForWebhook(
  app: { readonly db: Reader; readonly keyring: Keyring },
  key: string,
  now: Temporal.Instant,
): Promise<string> {
  const [row] = await app.db.query<Owned & SealedSecret>(sql`
    select s.sealed_secret as "sealedSecret", s.basic_hash as "basicHash",
      k.merchant_id as "merchantId", ${WITH_DATA_KEY.columnsOf('m')}
    from api_key_secret s join api_key k on k.key = s.key ${joinMerchant(sql`k.merchant_id`)}
    where s.key = ${key} and (s.valid_until is null or s.valid_until > ${now}::timestamptz)
    order by s.id desc limit 1`);
  if (row === undefined) throw unknownApiKey(key);
  const dataKey = app.keyring.openDataKey(row.merchantId, row.sealedDataKey);
  return openSecret(app.keyring, dataKey, { merchantId: row.merchantId, key }, row);
}

/** @throws UnsealFailure */
export function openSecret(
  keyring: Keyring,
  dataKey: DataKey,
  owner: KeyOwner,
  { sealedSecret, basicHash }: SealedSecret,
): string {
  return unsealText(keyring, dataKey, labelOf(owner, basicHash), sealedSecret);
}

function newSealedSecret(
  { keyring, random }: Pick<SecretApp, 'keyring' | 'random'>,
  dataKey: DataKey,
  owner: KeyOwner,
): { readonly secret: string; readonly sealed: SealedSecret } {
  const secret = newApiSecret(random);
  const hash = basicHash(keyring, basicValue(owner.key, secret));
  const sealedSecret = sealText(keyring, dataKey, labelOf(owner, hash), secret);
  return { secret, sealed: { sealedSecret, basicHash: hash } };
}

/** The hash differs from secret to secret of the same key: two of them cannot be swapped either. */
function labelOf({ merchantId, key }: KeyOwner, hash: Uint8Array): readonly string[] {
  return [merchantId, 'api-secret', key, hash.toHex()];
}

function unknownApiKey(key: string): Refusal {
  return new Refusal('missing', 'api_key_unknown', `There is no API key ${key}.`);
}
