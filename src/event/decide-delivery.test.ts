import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withJitter } from '#base/random.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import type { WebhookAnswer } from '#webhook/send-webhook.ts';
import {
  DELIVERY_SCHEDULE_MS,
  DELIVERY_SCHEDULE_MS_MOST,
  type DeliveryDecision,
  decideDelivery,
} from './decide-delivery.ts';

const now = Temporal.Instant.from('2026-05-06T07:08:09Z');
const random = seededRandom(7);

test('every 2xx is success, at any attempt', () => {
  for (let status = 200; status <= 299; status += 1) {
    assert.deepEqual(decideDelivery(answered(status), 14, now, random), { kind: 'delivered' });
  }
});

test('410 disables, at any attempt, and the reason names the answer', () => {
  const disabled = { kind: 'disabled', reason: 'the receiver answered 410 Gone' };
  assert.deepEqual(decideDelivery(answered(410), 1, now, random), disabled);
  assert.deepEqual(decideDelivery(answered(410), 14, now, random), disabled);
});

test('an answer just beside 2xx is no success', () => {
  for (const status of [101, 199, 300]) {
    assert.equal(decideDelivery(answered(status), 1, now, random).kind, 'retry', `${status}`);
  }
});

test('what is parked says how often it was tried and what came last', () => {
  assert.deepEqual(decideDelivery(answered(503), 14, now, random), {
    kind: 'parked',
    reason: '14 attempts failed, the last with: status 503',
  });
  assert.deepEqual(decideDelivery(silent, 14, now, random), {
    kind: 'parked',
    reason: '14 attempts failed, the last with: ECONNREFUSED',
  });
});

test('a decision before the first attempt is a bug of ours', () => {
  assert.throws(() => decideDelivery(silent, 0, now, random), /a decision follows an attempt/);
});

test('redirects, other refusals, server errors and silence are all tried again', () => {
  const answers = [301, 302, 303, 307, 308, 304, 400, 401, 403, 404, 405, 422, 429, 500, 502, 503];
  for (const answer of [...answers.map((status) => answered(status)), silent]) {
    for (let count = 1; count <= 13; count += 1) {
      assert.equal(decideDelivery(answer, count, now, random).kind, 'retry');
    }
    assert.equal(decideDelivery(answer, 14, now, random).kind, 'parked');
  }
});

test('the pauses are those of the schedule within a fifth', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 13 }), (seed, count) => {
      const pauseMs = pauseOf(decideDelivery(silent, count, now, seededRandom(seed)));
      const expectedMs = DELIVERY_SCHEDULE_MS[count] ?? 0;
      assert.ok(pauseMs >= expectedMs * 0.8 && pauseMs <= expectedMs * 1.2, `${pauseMs}`);
    }),
  );
});

test('the schedule has fourteen attempts over about 76 hours', () => {
  const seconds = [0, 5, 30, 120, 300, 900, 1800, 3600, 7200, 14400, 28800, 43200, 86400, 86400];
  assert.deepEqual(
    DELIVERY_SCHEDULE_MS.map((ms) => ms / 1000),
    seconds,
  );
  assert.equal(DELIVERY_SCHEDULE_MS_MOST, 273_155_000 * 1.2);
});

const retryAfters: readonly [text: string | undefined, heldSeconds: number | undefined][] = [
  ['120', 120],
  ['3600', 3600],
  ['3601', 3600],
  ['999999999', 3600],
  ['Wed, 06 May 2026 07:10:09 GMT', 120],
  ['Wed, 06 May 2026 19:10:09 GMT', 3600],
  [' 120 ', 120],
  ['1', 1],
  ['Wed, 06 May 2026 07:08:10 GMT', 1],
  ['Wed, 06 May 2026 07:08:09 GMT', undefined],
  ['Wed, 06 May 2026 07:00:00 GMT', undefined],
  ['at Wed, 06 May 2026 07:10:09 GMT', undefined],
  ['Wed, 06 May 2026 07:10:09 GMT or so', undefined],
  ['Wed, 06 Foo 2026 07:10:09 GMT', undefined],
  ['0', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['Wed, 99 May 2026 07:10:09 GMT', undefined],
  ['', undefined],
  [undefined, undefined],
];

test('Retry-After of 429 and 503 is honoured up to an hour, and never shortens the schedule', () => {
  for (const [text, heldSeconds] of retryAfters) {
    for (const status of [429, 503]) {
      const decision = decideDelivery(answered(status, text), 1, now, random);
      assert.ok(decision.kind === 'retry');
      const held = heldSeconds === undefined ? undefined : now.add({ seconds: heldSeconds });
      assert.equal(decision.holdUntil?.toString(), held?.toString(), `${status} ${text}`);
      // The first pause of the schedule is 4 to 6 s.
      if (heldSeconds === undefined || heldSeconds < 4) {
        assert.ok(pauseOf(decision) >= 4000 && pauseOf(decision) <= 6000);
      } else assert.equal(pauseOf(decision), heldSeconds * 1000);
    }
  }
  const late = decideDelivery(answered(429, '1'), 8, now, random);
  assert.ok(pauseOf(late) >= 2 * 3_600_000 * 0.8);
});

test('Retry-After of other answers is ignored', () => {
  const decision = decideDelivery(answered(500, '3000'), 1, now, random);
  assert.ok(decision.kind === 'retry' && decision.holdUntil === undefined);
  assert.ok(pauseOf(decision) <= 6000);
});

test('the pauses of many deliveries reach both ends of their fifth', () => {
  const pauses = Array.from({ length: 200 }, (_, seed) => withJitter(10, seededRandom(seed)));
  assert.deepEqual([...new Set(pauses)].toSorted(), [10, 11, 12, 8, 9]);
});

function pauseOf(decision: DeliveryDecision): number {
  assert.ok(decision.kind === 'retry');
  return now.until(decision.at).total('milliseconds');
}

function answered(status: number, retryAfter?: string): WebhookAnswer {
  return { kind: 'answered', status, retryAfter, excerpt: '' };
}

const silent: WebhookAnswer = { kind: 'failed', error: 'ECONNREFUSED' };
