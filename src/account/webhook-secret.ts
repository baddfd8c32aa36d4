import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import type { DataKey, Keyring } from './keyring.ts';
import { sealText, unsealText } from './merchant-secret.ts';
import { assertOverlap } from './rotation-overlap.ts';

export type WebhookSecrets = {
  readonly current: string;
  /** The one before, while a rotation is under way. */
  readonly previous: string | undefined;
};

const secretBytes = 32;

/** Standard Webhooks form: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(random: Random): string {
  return `whsec_${random.bytes(secretBytes).toBase64()}`;
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
  const row = await findWebhookSecrets(app.db, owner);
  if (row === undefined) throw unknownMerchant(owner);
  return openSecrets(app.keyring, owner, row, now);
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
    const row = await lockWebhookSecret(tx, owner);
    if (row === undefined) throw unknownMerchant(owner);
    const dataKey = app.keyring.openDataKey(owner.merchantId, row.sealedDataKey);
    replaceWebhookSecret(tx, owner, {
      sealed: sealWebhookSecret(app.keyring, dataKey, owner, secret),
      previousUntil: app.clock.now().add({ hours: overlapHours }),
    });
  });
  return secret;
}

function openSecrets(
  keyring: Keyring,
  owner: Owner,
  row: SealedWebhookSecrets,
  now: Temporal.Instant,
): WebhookSecrets {
  const dataKey = keyring.openDataKey(owner.merchantId, row.sealedDataKey);
  const open = (sealed: Uint8Array) => unsealText(keyring, dataKey, labelOf(owner), sealed);
  const { current, previous, previousUntil } = row;
  const isRotating = previousUntil !== null && Temporal.Instant.compare(now, previousUntil) < 0;
  return {
    current: open(current),
    previous: previous !== null && isRotating ? open(previous) : undefined,
  };
}

function labelOf({ merchantId, environment }: Owner): readonly string[] {
  return [merchantId, 'webhook-secret', environment];
}

function unknownMerchant({ merchantId }: Owner): Refusal {
  return new Refusal('missing', 'merchant_unknown', `There is no merchant ${merchantId}.`);
}

type SealedWebhookSecrets = {
  readonly sealedDataKey: Uint8Array;
  readonly current: Uint8Array;
  readonly previous: Uint8Array | null;
  readonly previousUntil: Temporal.Instant | null;
};

function secretsOf({ merchantId, environment }: Owner) {
  return sql`
    select m.sealed_data_key as "sealedDataKey", e.sealed_webhook_secret as current,
      e.sealed_previous_webhook_secret as previous,
      e.previous_webhook_secret_until as "previousUntil"
    from merchant_environment e join merchant m on m.id = e.merchant_id
    where e.merchant_id = ${merchantId} and e.environment = ${environment}`;
}

async function findWebhookSecrets(
  reader: Reader,
  owner: Owner,
): Promise<SealedWebhookSecrets | undefined> {
  const [row] = await reader.query<SealedWebhookSecrets>(secretsOf(owner));
  return row;
}

async function lockWebhookSecret(tx: Tx, owner: Owner): Promise<SealedWebhookSecrets | undefined> {
  const [row] = await tx.query<SealedWebhookSecrets>(
    sql`${secretsOf(owner)} for no key update of e`,
  );
  return row;
}

function replaceWebhookSecret(
  tx: Tx,
  owner: Owner,
  next: { readonly sealed: Uint8Array; readonly previousUntil: Temporal.Instant },
): void {
  tx.send(sql`
    update merchant_environment set sealed_webhook_secret = ${next.sealed},
      sealed_previous_webhook_secret = sealed_webhook_secret,
      previous_webhook_secret_until = ${next.previousUntil}
    where merchant_id = ${owner.merchantId} and environment = ${owner.environment}`);
}
