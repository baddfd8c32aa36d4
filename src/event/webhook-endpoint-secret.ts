import type { Keyring } from '#account/keyring.ts';
import { getMerchantDataKey, unsealText } from '#account/merchant-secret.ts';
import { assert } from '#base/assert.ts';
import type { Reader } from '#db/db.ts';
import type { WebhookSecrets } from './sign-webhook.ts';
import { findSealedEndpointSecrets } from './webhook-endpoint-store.ts';

/** A secret that was moved to another row does not open. */
export function endpointSecretLabel(merchantId: string, endpointId: string): readonly string[] {
  return [merchantId, 'webhook-endpoint', endpointId];
}

/**
 * What is sent to an account-wide endpoint is signed with its own secret, and with the one before
 * while a rotation is under way. Two queries.
 */
export async function webhookEndpointSecrets(
  app: { readonly db: Reader; readonly keyring: Keyring },
  endpointId: string,
  now: Temporal.Instant,
): Promise<WebhookSecrets> {
  const found = await findSealedEndpointSecrets(app.db, endpointId);
  assert(found !== undefined, `there is no webhook endpoint ${endpointId}`);
  const { merchantId, current, previous, previousUntil } = found;
  const dataKey = await getMerchantDataKey(app, merchantId);
  const label = endpointSecretLabel(merchantId, endpointId);
  const open = (sealed: Uint8Array) => unsealText(app.keyring, dataKey, label, sealed);
  const isOver =
    previous === null ||
    previousUntil === null ||
    Temporal.Instant.compare(previousUntil, now) <= 0;
  return isOver ? { current: open(current) } : { current: open(current), previous: open(previous) };
}
