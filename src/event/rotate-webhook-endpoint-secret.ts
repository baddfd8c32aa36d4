import type { Keyring } from '#account/keyring.ts';
import {
  assertOverlap,
  getMerchantDataKey,
  newWebhookSecret,
  sealText,
} from '#account/merchant-secret.ts';
import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { Db } from '#db/db.ts';
import type { EventOwner } from './event.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';
import { endpointSecretLabel } from './webhook-endpoint-secret.ts';
import { lockWebhookEndpoint, replaceEndpointSecret } from './webhook-endpoint-store.ts';

/**
 * A new secret for an account-wide endpoint, told here and never again; both sign until the overlap
 * (0 to 24 hours) is over. A second rotation within it ends the oldest secret.
 * @throws Refusal missing `webhook_endpoint_missing`; conflict `endpoint_disabled`.
 */
export async function rotateWebhookEndpointSecret(
  app: {
    readonly db: Db;
    readonly clock: Clock;
    readonly random: Random;
    readonly keyring: Keyring;
  },
  { merchantId, environment }: EventOwner,
  { id, overlapHours }: { readonly id: string; readonly overlapHours: number },
): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string }> {
  assertOverlap(overlapHours);
  const secret = newWebhookSecret(app.random);
  const dataKey = await getMerchantDataKey(app, merchantId);
  const sealed = sealText(app.keyring, dataKey, endpointSecretLabel(merchantId, id), secret);
  const endpoint = await app.db.transact(async (tx) => {
    const found = await lockWebhookEndpoint(tx, { merchantId, environment }, id);
    if (found === undefined) {
      throw new Refusal('missing', 'webhook_endpoint_missing', 'id: no such webhook endpoint');
    }
    if (found.disabledAt !== undefined) {
      throw new Refusal('conflict', 'endpoint_disabled', 'The endpoint is disabled.');
    }
    const previousUntil = app.clock.now().add({ hours: overlapHours });
    replaceEndpointSecret(tx, id, { sealed, previousUntil });
    return found;
  });
  return { endpoint, secret };
}
