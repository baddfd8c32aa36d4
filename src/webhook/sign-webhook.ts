// Proof to the receiver that a webhook is ours. Two forms side by side (api-contract.md 7):
//   X-Webhook-Auth                     what existing plugins verify: SHA-256 over secret and body
//   webhook-id, -timestamp, -signature Standard Webhooks, HMAC-SHA256, with the time of the attempt
// Guarantees: nothing is ever signed with an empty or short secret; that would be a forgery kit.
import { createHash, createHmac } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { WebhookSecrets } from '#merchant/merchant-secret.ts';

type WebhookToSign = {
  /** Id of the event: the same at each attempt. */
  readonly id: string;
  readonly body: string;
  /** Time of this attempt; receivers refuse what is more than five minutes old. */
  readonly at: Temporal.Instant;
  /** Both while they are rotated: receivers may still know only the previous one. */
  readonly secrets: WebhookSecrets;
  /** Text of the API secret; without one there is no X-Webhook-Auth. */
  readonly apiSecret?: string | undefined;
};

const PREFIX = 'whsec_';
/** Standard Webhooks: secrets are 24 to 64 bytes. */
const SECRET_BYTES_LEAST = 24;

/** @throws AssertionFailure when a secret is empty, too short or not `whsec_` base64. */
export function signWebhook(webhook: WebhookToSign): Record<string, string> {
  const { id, body, at, secrets, apiSecret } = webhook;
  const timestamp = String(Math.floor(at.epochMilliseconds / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  const keys = [secrets.current, secrets.previous].filter((secret) => secret !== undefined);
  const headers: Record<string, string> = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((secret) => `v1,${standardSignature(secret, signed)}`).join(' '),
  };
  if (apiSecret !== undefined) headers['X-Webhook-Auth'] = webhookAuth(apiSecret, body);
  return headers;
}

/** Lower-case hex SHA-256 over the API secret, directly followed by the raw body. */
export function webhookAuth(apiSecret: string, body: string): string {
  assert(apiSecret.trim() !== '', 'a webhook is never signed with an empty API secret');
  return createHash('sha256').update(apiSecret).update(body).digest('hex');
}

function standardSignature(secret: string, signed: string): string {
  assert(secret.startsWith(PREFIX), 'a webhook secret begins with whsec_');
  const key = decodeKey(secret.slice(PREFIX.length));
  assert(
    key.length >= SECRET_BYTES_LEAST,
    'a webhook is never signed with an empty or short secret',
  );
  return createHmac('sha256', key).update(signed).digest('base64');
}

function decodeKey(text: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    // The error of the decoder could carry part of the secret.
    assert(false, 'a webhook secret is base64 after whsec_');
    return new Uint8Array(0);
  }
}
