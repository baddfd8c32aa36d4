import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { systemClock } from '#base/clock.ts';
import { newApiSecret, newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { signWebhook } from './sign-webhook.ts';

const random = seededRandom(1);
const body = '{"eventType":"CHECKOUT_COMPLETED","data":{"checkout":{"id":"a","note":"Zürich ☂"}}}';

function newSecret(from: Random = random): string {
  return `whsec_${from.bytes(32).toBase64()}`;
}

test('the headers satisfy the reference verifier of Standard Webhooks', () => {
  fc.assert(
    fc.property(fc.integer(), fc.json(), (seed, text) => {
      const secret = newSecret(seededRandom(seed));
      const id = newId(seededRandom(seed));
      const headers = signWebhook({ id, body: text, at: now(), secrets: { current: secret } });
      new Webhook(secret).verify(text, headers);
    }),
  );
});

test('while a secret rotates both the old and the new one verify, and a third does not', () => {
  const secrets = { current: newSecret(), previous: newSecret() };
  const headers = signWebhook({ id: 'abcdefghijkl', body, at: now(), secrets });
  assert.equal(headers['webhook-signature']?.split(' ').length, 2);
  new Webhook(secrets.current).verify(body, headers);
  new Webhook(secrets.previous).verify(body, headers);
  assert.throws(() => new Webhook(newSecret()).verify(body, headers));
});

test('a changed body, id or time no longer verifies', () => {
  const current = newSecret();
  const headers = signWebhook({ id: 'abcdefghijkl', body, at: now(), secrets: { current } });
  const verifier = new Webhook(current);
  assert.throws(() => verifier.verify(`${body} `, headers));
  assert.throws(() => verifier.verify(body, { ...headers, 'webhook-id': 'abcdefghijkm' }));
  const later = String(Number(headers['webhook-timestamp']) + 1);
  assert.throws(() => verifier.verify(body, { ...headers, 'webhook-timestamp': later }));
});

test('X-Webhook-Auth is lower-case hex SHA-256 over the API secret directly followed by the body', () => {
  const apiSecret = newApiSecret(random);
  const secrets = { current: newSecret() };
  const headers = signWebhook({ id: 'abcdefghijkl', body, at: now(), secrets, apiSecret });
  const expected = createHash('sha256')
    .update(Buffer.from(apiSecret + body, 'utf8'))
    .digest('hex');
  assert.equal(headers['X-Webhook-Auth'], expected);
  const without = signWebhook({ id: 'abcdefghijkl', body, at: now(), secrets });
  assert.equal('X-Webhook-Auth' in without, false);
});

test('an empty, short or malformed secret is never signed with', () => {
  const sign = (current: string, apiSecret?: string) =>
    signWebhook({ id: 'abcdefghijkl', body, at: now(), secrets: { current }, apiSecret });
  const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
  const short = /^a webhook is never signed with an empty or short secret$/;
  const bare = /^a webhook secret begins with whsec_$/;
  for (const [secret, message] of [
    ['', bare],
    ['whsec_', short],
    ['whsec_AAAA', short],
    [of(23), short],
    ['AAAA', bare],
    ['whsec_%%%%', /^a webhook secret is base64 after whsec_$/],
    [newSecret().slice(6), bare],
  ] as const) {
    assert.throws(() => sign(secret), { name: 'AssertionFailure', message }, secret);
  }
  assert.match(sign(of(24))['webhook-signature'] ?? '', /^v1,/);
  for (const empty of ['', ' ']) {
    assert.throws(() => sign(newSecret(), empty), {
      name: 'AssertionFailure',
      message: 'a webhook is never signed with an empty API secret',
    });
  }
  const secrets = { current: newSecret(), previous: '' };
  assert.throws(() => signWebhook({ id: 'abcdefghijkl', body, at: now(), secrets }));
});

function now(): Temporal.Instant {
  return systemClock.now();
}
