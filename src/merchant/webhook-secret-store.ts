import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';

type Owner = { readonly merchantId: string; readonly environment: Environment };

export type SealedWebhookSecrets = {
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

export async function findWebhookSecrets(
  reader: Reader,
  owner: Owner,
): Promise<SealedWebhookSecrets | undefined> {
  const [row] = await reader.query<SealedWebhookSecrets>(secretsOf(owner));
  return row;
}

export async function lockWebhookSecret(
  tx: Tx,
  owner: Owner,
): Promise<SealedWebhookSecrets | undefined> {
  const [row] = await tx.query<SealedWebhookSecrets>(
    sql`${secretsOf(owner)} for no key update of e`,
  );
  return row;
}

export function replaceWebhookSecret(
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
