import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWebhookLog, type ReceivedWebhook } from './webhook-log.ts';

function webhook(checkoutId: string, isVerified: boolean): ReceivedWebhook {
  const receivedAt = Temporal.Instant.from('2026-11-22T00:00:00Z');
  const told = { eventType: undefined, sequence: 1, state: undefined };
  return { receivedAt, headers: [], body: '', isVerified, checkoutId, ...told };
}

test('what others send, true or made up, pushes no order of a visitor out', () => {
  const log = createWebhookLog();
  log.add('me', webhook('mine', true));
  for (let at = 0; at < 2_000; at += 1) log.add('me', webhook(`forged${at}`, false));
  for (let at = 0; at < 100; at += 1) log.add('me', webhook('busy', true));
  assert.equal(log.list('me', 'mine').length, 1);
  assert.equal(log.list('another', 'mine').length, 0);
  assert.equal(log.list('me', 'busy').length, 20);
  for (let at = 0; at < 2_000; at += 1) log.add('me', webhook(`other${at}`, true));
  assert.equal(log.list('me', 'mine').length, 0);
  assert.equal(log.list('me', 'other1999').length, 1);
});
