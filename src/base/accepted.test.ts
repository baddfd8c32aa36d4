import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedText } from './accepted.ts';

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
