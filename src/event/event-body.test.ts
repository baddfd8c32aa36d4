import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventBody } from './event-body.ts';

const parts = {
  id: 'abcdefghijkl',
  type: 'CHECKOUT_COMPLETED',
  created: Temporal.Instant.from('2026-01-02T03:04:05.678Z'),
  sequence: 3,
} as const;

test('the body has the shape of the specification and the additive fields at the top level', () => {
  const body = eventBody({ ...parts, data: '{"checkout":{"id":"mnopqrstuvwx"}}' });
  assert.deepEqual(JSON.parse(body), {
    eventType: 'CHECKOUT_COMPLETED',
    data: { checkout: { id: 'mnopqrstuvwx' } },
    id: 'abcdefghijkl',
    created: '2026-01-02T03:04:05.678+00:00',
    sequence: 3,
    apiVersion: '1',
  });
});

test('numbers inside data keep their text', () => {
  const data = '{"checkout":{"payload":{"charge":{"price":1.10,"big":12345678901234567890.10}}}}';
  assert.ok(eventBody({ ...parts, data }).includes(data));
});

test('data that is no object is a bug', () => {
  assert.throws(() => eventBody({ ...parts, data: '[]' }), { name: 'AssertionFailure' });
});
