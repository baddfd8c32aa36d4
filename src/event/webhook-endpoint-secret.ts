import { assert } from '#base/assert.ts';
import type { Reader } from '#db/db.ts';
import type { Keyring } from '#merchant/keyring.ts';
import { getMerchantDataKey, unsealText } from '#merchant/merchant-secret.ts';
import type { WebhookSecrets } from './sign-webhook.ts';
import { findSealedEndpointSecret } from './webhook-endpoint-store.ts';

/** A secret that was moved to another row does not open. */
export function endpointSecretLabel(merchantId: string, endpointId: string): readonly string[] {
  return [merchantId, 'webhook-endpoint', endpointId];
}

/** What is sent to an account-wide endpoint is signed with its own secret. Two queries. */
export async function webhookEndpointSecrets(
  app: { readonly db: Reader; readonly keyring: Keyring },
  endpointId: string,
): Promise<WebhookSecrets> {
  const found = await findSealedEndpointSecret(app.db, endpointId);
  assert(found !== undefined, `there is no webhook endpoint ${endpointId}`);
  const { merchantId, sealed } = found;
  const dataKey = await getMerchantDataKey(app, merchantId);
  const label = endpointSecretLabel(merchantId, endpointId);
  return { current: unsealText(app.keyring, dataKey, label, sealed) };
}
