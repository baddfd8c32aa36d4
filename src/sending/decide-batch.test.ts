import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideBatch, type WaitingTransfer } from './decide-batch.ts';

const one = (id: string, more: Partial<WaitingTransfer> = {}): WaitingTransfer => {
  return { id, assetId: 'LTC:NATIVE', isFresh: true, ...more };
};
const [a, b, c, d] = [one('a'), one('b'), one('c'), one('d')] as const;
const asked = { isFresh: false };
const other = { assetId: 'BTC:NATIVE' };

type Case = readonly [
  what: string,
  first: WaitingTransfer,
  waiting: readonly WaitingTransfer[],
  most: number,
  together: string,
];
const TABLE: readonly Case[] = [
  ['nothing else waits', a, [a], 50, 'a'],
  ['all that waits', a, [a, b, c], 50, 'abc'],
  ['the first stands first', b, [a, b, c], 50, 'bac'],
  ['as many as one transaction carries', a, [a, b, c, d], 3, 'abc'],
  ['a chain with one payment a transaction', a, [a, b], 1, 'a'],
  ['who was asked for before goes alone', one('a', asked), [one('a', asked), b], 50, 'a'],
  ['and is taken along by nobody', a, [a, one('b', asked), c], 50, 'ac'],
  ['another asset goes by itself', a, [a, one('b', other), c], 50, 'ac'],
];

for (const [what, first, waiting, most, together] of TABLE) {
  test(what, () => assert.equal(decideBatch(first, waiting, most).join(''), together));
}
