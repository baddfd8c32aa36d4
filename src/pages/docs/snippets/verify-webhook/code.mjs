import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

// secret: whsec_… of the receiver. body: the raw text as received, before any parsing.
export function verifyWebhook(secret, headers, body, nowSeconds = Date.now() / 1000) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (Math.abs(nowSeconds - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return headers['webhook-signature'].split(' ').some((part) => {
    const given = Buffer.from(part.replace(/^v1,/, ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

// What older plugins verify. apiSecret: of the key that created the checkout. It does not say when
// it was sent: prefer the one above.
export function verifyWebhookAuth(apiSecret, headers, body) {
  const expected = createHash('sha256').update(apiSecret).update(body).digest();
  const given = Buffer.from(headers['x-webhook-auth'] ?? '', 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
