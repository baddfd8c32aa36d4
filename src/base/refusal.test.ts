import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AssertionFailure, assert as ensure, unreachable } from './assert.ts';
import { Outage, Refusal } from './refusal.ts';
import { codePointLength, hasLoneSurrogate, hasNul } from './text.ts';

test('a refusal carries its kind, its code, its details and its cause', () => {
  const cause = new Error('why');
  const refusal = new Refusal('too-many', 'rate_limited', ['slow down', 'please'], {
    retryAfterSeconds: 3,
    cause,
  });
  const { kind, code, details, retryAfterSeconds } = refusal;
  assert.deepEqual(
    { kind, code, details, retryAfterSeconds },
    {
      kind: 'too-many',
      code: 'rate_limited',
      details: ['slow down', 'please'],
      retryAfterSeconds: 3,
    },
  );
  assert.equal(refusal.cause, cause);
  assert.deepEqual(new Refusal('missing', 'no_checkout', 'no such checkout').details, [
    'no such checkout',
  ]);
});

test('a refusal with an unstable code or without details is our bug', () => {
  for (const code of ['', 'Not snake', 'a-b', 'line\n']) {
    assert.throws(() => new Refusal('invalid', code, 'x'), AssertionFailure);
  }
  assert.throws(() => new Refusal('invalid', 'empty', []), AssertionFailure);
});

test('an outage names what is down and why', () => {
  const outage = new Outage('bitcoin', { cause: new Error('refused'), retryAfterSeconds: 9 });
  assert.equal(outage.message, 'bitcoin: refused');
  assert.equal(outage.what, 'bitcoin');
  assert.equal(outage.retryAfterSeconds, 9);
  assert.equal(new Outage('bitcoin').message, 'bitcoin is unavailable');
});

test('an assertion passes what is true and throws for the rest', () => {
  ensure(1 < 2, 'order');
  assert.throws(() => ensure(0, 'nothing'), { name: 'AssertionFailure', message: 'nothing' });
  assert.throws(() => unreachable('x' as never), AssertionFailure);
});

test('text is counted in code points', () => {
  assert.equal(codePointLength('a😀é'), 3);
  assert.equal(codePointLength(''), 0);
  assert.equal(hasLoneSurrogate('a\ud83d'), true);
  assert.equal(hasLoneSurrogate('😀'), false);
  assert.equal(hasNul('a\u0000'), true);
  assert.equal(hasNul('a'), false);
});
