import type { Keyring } from '#account/keyring.ts';
import { getMerchantDataKey, newWebhookSecret, sealText } from '#account/merchant-secret.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { Db } from '#db/db.ts';
import type { EventOwner, EventType } from './event.ts';
import { type WebhookEndpoint, webhookEndpointsMost } from './webhook-endpoint.ts';
import { endpointSecretLabel } from './webhook-endpoint-secret.ts';
import { insertWebhookEndpoint } from './webhook-endpoint-store.ts';

export type CreateWebhookEndpointApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyring: Keyring;
};

/**
 * Registers a receiver with a secret of its own, which is told here and never again.
 * @throws Refusal conflict `webhook_endpoints_too_many`.
 */
export async function createWebhookEndpoint(
  app: CreateWebhookEndpointApp,
  { merchantId, environment, apiKey }: EventOwner & { readonly apiKey: string },
  request: { readonly url: string; readonly eventTypes: readonly EventType[] | undefined },
): Promise<{ readonly endpoint: WebhookEndpoint; readonly secret: string }> {
  const dataKey = await getMerchantDataKey(app, merchantId);
  const id = newId(app.random);
  const secret = newWebhookSecret(app.random);
  const sealed = sealText(app.keyring, dataKey, endpointSecretLabel(merchantId, id), secret);
  const endpoint: WebhookEndpoint = {
    id,
    merchantId,
    environment,
    // The lane of its deliveries is cut from this text: one spelling of one origin.
    url: URL.parse(request.url)?.href ?? request.url,
    eventTypes: request.eventTypes,
    apiKey,
    createdAt: app.clock.now(),
    disabledAt: undefined,
  };
  const isMade = await app.db.transact((tx) => insertWebhookEndpoint(tx, endpoint, sealed));
  if (!isMade) {
    const message = `an account has at most ${webhookEndpointsMost} webhook endpoints`;
    throw new Refusal('conflict', 'webhook_endpoints_too_many', message);
  }
  return { endpoint, secret };
}
