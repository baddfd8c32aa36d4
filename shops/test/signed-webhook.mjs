// A webhook as the service sends it, by whoever has the secret.
import { createHmac, randomUUID } from 'node:crypto';

export function completedEvent(checkout) {
  return {
    id: randomUUID().replaceAll('-', '').slice(0, 12),
    eventType: 'CHECKOUT_COMPLETED',
    sequence: 99,
    apiVersion: '1',
    created: new Date().toISOString(),
    data: { checkout },
  };
}

/** `timestamp`: Unix seconds; `sentBody`: sent instead of what was signed. */
export function sendWebhook(url, event, secret, { timestamp, sentBody } = {}) {
  const at = timestamp ?? Math.floor(Date.now() / 1000);
  const body = JSON.stringify(event);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${event.id}.${at}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${signature}`,
  };
  return fetch(url, { method: 'POST', headers, body: sentBody ?? body });
}
