import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AssertionFailure, assert as ensure, unreachable } from './assert.ts';
import { acceptedText, Outage, Refusal } from './refusal.ts';

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

const letters = Array.from({ length: 17 }, (_, index) => `A${String.fromCharCode(65 + index)}X`);

test('a short list is named as a whole', () => {
  assert.equal(acceptedText('C', ['A', 'B'], 'GET /b'), 'accepted are: A, B');
});

test('of a long list what is nearest is named, whatever the case, and where the rest is', () => {
  const accepted = [...letters, 'EUR:FIAT', 'USDC:GA5Z'];
  const near = (given: string) => acceptedText(given, accepted, 'GET /assets');
  assert.match(near('eur'), /^nearest are: EUR:FIAT, .*; all are in GET \/assets$/);
  assert.match(near('usdc:ga5y'), /^nearest are: USDC:GA5Z, /);
  assert.match(near('ABZ'), /^nearest are: ABX, /);
  assert.equal(near('x'.repeat(100_000)).split(', ').length, 4);
});
