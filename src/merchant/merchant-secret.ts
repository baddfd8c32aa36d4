// Secrets of a merchant at rest, and the one that signs its account-wide webhooks. They are sealed
// under the merchant's data key, which is wrapped by the key file. Other folders seal what they
// keep for a merchant with these functions too.
import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, type Statement, sql } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import type { Row } from '#db/table.ts';
import type { DataKey, Keyring, SealLabel } from '#installation/keyring.ts';
import { MERCHANT, MERCHANT_ENVIRONMENT, unknownMerchant } from './merchant.ts';

export type WebhookSecrets = {
  readonly current: string;
  /** The one before, while a rotation is under way. */
  readonly previous?: string | undefined;
};

const SECRET_BYTES = 32;
const OVERLAP_HOURS_MAX = 24;
const WITH_DATA_KEY = MERCHANT.only('sealedDataKey');
const WITH_SECRETS = MERCHANT_ENVIRONMENT.only(
  'sealedWebhookSecret',
  'sealedPreviousWebhookSecret',
  'previousWebhookSecretUntil',
);

export function sealText(
  keyring: Keyring,
  dataKey: DataKey,
  label: SealLabel,
  text: string,
): Uint8Array {
  return keyring.seal(dataKey, label, Buffer.from(text));
}

/** @throws UnsealFailure */
export function unsealText(
  keyring: Keyring,
  dataKey: DataKey,
  label: SealLabel,
  sealed: Uint8Array,
): string {
  return Buffer.from(keyring.unseal(dataKey, label, sealed)).toString();
}

/** One query. @throws Refusal `missing` when there is no such merchant. */
export async function getMerchantDataKey(
  app: { readonly db: Reader; readonly keyring: Keyring },
  merchantId: string,
): Promise<DataKey> {
  const found = await WITH_DATA_KEY.find(app.db, sql`where id = ${merchantId}`);
  if (found === undefined) throw unknownMerchant(merchantId);
  return app.keyring.openDataKey(merchantId, found.sealedDataKey);
}

/**
 * @throws Refusal unless the overlap is a whole number of hours from 0 to 24 (api-contract.md 3).
 */
export function assertOverlap(overlapHours: number): void {
  if (Number.isInteger(overlapHours) && overlapHours >= 0 && overlapHours <= OVERLAP_HOURS_MAX)
    return;
  const fault = `The overlap of a rotation is 0 to ${OVERLAP_HOURS_MAX} whole hours.`;
  throw new Refusal('invalid', 'rotation_overlap', fault);
}

/** Standard Webhooks form: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(random: Random): string {
  return `whsec_${random.bytes(SECRET_BYTES).toBase64()}`;
}

export function sealWebhookSecret(
  keyring: Keyring,
  dataKey: DataKey,
  owner: Owner,
  secret: string,
): Uint8Array {
  return sealText(keyring, dataKey, labelOf(owner), secret);
}

/** Both secrets to sign with, in one query. @throws Refusal `missing` for an unknown merchant. */
export async function webhookSecrets(
  app: { readonly db: Reader; readonly keyring: Keyring },
  merchantId: string,
  environment: Environment,
  now: Temporal.Instant,
): Promise<WebhookSecrets> {
  const owner = { merchantId, environment };
  const row = await readSecrets(app.db, owner);
  const dataKey = app.keyring.openDataKey(merchantId, row.sealedDataKey);
  const open = (sealed: Uint8Array) => unsealText(app.keyring, dataKey, labelOf(owner), sealed);
  const { sealedPreviousWebhookSecret: previous, previousWebhookSecretUntil: until } = row;
  const isRotating = until !== undefined && Temporal.Instant.compare(now, until) < 0;
  return {
    current: open(row.sealedWebhookSecret),
    previous: previous !== undefined && isRotating ? open(previous) : undefined,
  };
}

/** A new secret; both sign until the overlap (0 to 24 hours) is over. Returns the new one. */
export async function rotateWebhookSecret(
  app: {
    readonly db: Db;
    readonly keyring: Keyring;
    readonly clock: Clock;
    readonly random: Random;
  },
  { overlapHours, ...owner }: Owner & { readonly overlapHours: number },
): Promise<string> {
  assertOverlap(overlapHours);
  const secret = newWebhookSecret(app.random);
  await app.db.transact(async (tx) => {
    const { sealedDataKey } = await readSecrets(tx, owner, sql`for no key update of e`);
    const dataKey = app.keyring.openDataKey(owner.merchantId, sealedDataKey);
    tx.send(sql`
      update merchant_environment set
        sealed_webhook_secret = ${sealWebhookSecret(app.keyring, dataKey, owner, secret)},
        sealed_previous_webhook_secret = sealed_webhook_secret,
        previous_webhook_secret_until = ${app.clock.now().add({ hours: overlapHours })}
      where ${ownedBy(owner)}`);
  });
  return secret;
}

/** @throws Refusal `missing` for an unknown merchant. */
async function readSecrets(
  reader: Reader,
  owner: Owner,
  locking: Statement = sql``,
): Promise<Row<typeof WITH_SECRETS> & Row<typeof WITH_DATA_KEY>> {
  const [row] = await reader.query<object>(sql`
    select ${WITH_DATA_KEY.columnsOf('m')}, ${WITH_SECRETS.columnsOf('e')}
    from merchant_environment e join merchant m on m.id = e.merchant_id
    where ${ownedBy(owner)} ${locking}`);
  if (row === undefined) throw unknownMerchant(owner.merchantId);
  return WITH_SECRETS.parse(WITH_DATA_KEY.parse(row));
}

function labelOf({ merchantId, environment }: Owner): readonly string[] {
  return [merchantId, 'webhook-secret', environment];
}
