import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventBody } from '#event/enqueue-event.ts';
import { EVENT_TYPES } from '#event/event.ts';
import { findEventFault } from '#test/support/check-event.ts';
import { findEventSchema } from './event-schemas.ts';

test('every type of event has a schema, and no other has', () => {
  assert.deepEqual(
    EVENT_TYPES.filter((type) => findEventSchema(type) === undefined),
    [],
  );
  assert.equal(findEventSchema('CHECKOUT_FORGOTTEN'), undefined);
});

const refund = { id: 'a1b2c3d4e5f6', checkoutId: 'f6e5d4c3b2a1', context: 'COMPLETED_CHECKOUT' };

function bodyOf(data: object, more: object = {}): string {
  const createdAt = Temporal.Instant.from('2026-03-01T00:00:00Z');
  const event = { id: 'abcdefghij12', type: 'REFUND_COMPLETED', createdAt, sequence: 1 } as const;
  const body = eventBody({ ...event, data: JSON.stringify(data) });
  return JSON.stringify({ ...JSON.parse(body), ...more });
}

test('an event as documented has no fault', () => {
  assert.equal(findEventFault(bodyOf({ refund })), undefined);
});

test('an event that is not as documented is found out', () => {
  const { context, ...incomplete } = refund;
  assert.equal(context, 'COMPLETED_CHECKOUT');
  const wrong: string[] = [
    bodyOf({ refund: incomplete }),
    bodyOf({ refund: { ...refund, secret: 1 } }),
    bodyOf({ refund, checkout: {} }),
    bodyOf({ refund: { ...refund, context: 'OTHER' } }),
    bodyOf({ refund }, { eventType: 'REFUND_STARTED' }),
    bodyOf({ refund }, { eventType: 'CHECKOUT_COMPLETED' }),
    bodyOf({ refund }, { sequence: 0 }),
    bodyOf({ refund }, { created: 'today' }),
    bodyOf({ refund }, { more: true }),
  ];
  for (const body of wrong) assert.notEqual(findEventFault(body), undefined, body);
});
