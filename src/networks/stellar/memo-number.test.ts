import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-base';
import * as fc from 'fast-check';
import { memoAt, memoNumberOf } from './memo-number.ts';

const account = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 1)).publicKey();
const text = (value: string) => ({ kind: 'text' as const, bytes: Buffer.from(value) });
const indexes = fc.bigInt({ min: 0n, max: 2n ** 42n });

test('a memo is decimal digits within 63 bits, never the same for two customers', () => {
  fc.assert(
    fc.property(indexes, indexes, (one, two) => {
      const memo = memoAt(account, one);
      assert.match(memo, /^[1-9]\d{6,18}$/);
      assert(BigInt(memo) < 2n ** 63n);
      assert.equal(memoAt(account, one), memo);
      if (one !== two) assert.notEqual(memoAt(account, two), memo);
    }),
  );
});

test('a text memo, an id memo and a muxed account name the same customer', () => {
  fc.assert(
    fc.property(indexes, (index) => {
      const memo = memoAt(account, index);
      const id = BigInt(memo);
      assert.equal(memoNumberOf(text(memo), undefined), memo);
      assert.equal(memoNumberOf({ kind: 'id', id }, undefined), memo);
      assert.equal(memoNumberOf({ kind: 'none' }, id), memo);
      assert.equal(memoNumberOf(text(memo), id), memo);
      assert.equal(memoNumberOf({ kind: 'id', id }, id), memo);
    }),
  );
});

test('a mistyped digit is hardly ever the memo of another customer', () => {
  const given = new Set(Array.from({ length: 1000 }, (_, index) => memoAt(account, BigInt(index))));
  let others = 0;
  for (const memo of given) {
    for (let at = 0; at < memo.length; at += 1) {
      const digits = [...memo];
      digits[at] = String((Number(digits[at]) + 1) % 10);
      if (given.has(digits.join(''))) others += 1;
    }
  }
  assert(others <= 1, `${others} of 7,000 slips of the pen are another customer`);
});

test('no other text is a number', () => {
  const number = /^[1-9]\d*$/;
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 28 }), (value) => {
      const isNumber = number.test(value) && BigInt(value) < 2n ** 63n;
      assert.equal(memoNumberOf(text(value), undefined), isNumber ? value : undefined);
    }),
  );
  const refused = ['', '0', '01', ' 1', '1 ', '+1', '-1', '1.0', '1e3', '0x1', '١', '1\0', '1\n'];
  for (const value of refused) assert.equal(memoNumberOf(text(value), undefined), undefined, value);
  assert.equal(memoNumberOf(text((2n ** 63n).toString()), undefined), undefined);
  assert.equal(memoNumberOf(text((2n ** 63n - 1n).toString()), undefined), '9223372036854775807');
});

test('hash memos, empty memos and two numbers that differ name nobody', () => {
  assert.equal(memoNumberOf({ kind: 'other' }, undefined), undefined);
  assert.equal(memoNumberOf({ kind: 'none' }, undefined), undefined);
  assert.equal(memoNumberOf({ kind: 'other' }, 7n), undefined);
  assert.equal(memoNumberOf(text('7'), 8n), undefined);
  assert.equal(memoNumberOf({ kind: 'id', id: 2n ** 64n - 1n }, undefined), undefined);
  assert.equal(memoNumberOf({ kind: 'none' }, 2n ** 64n - 1n), undefined);
});
