import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { memoFault } from '#people/account-fields.ts';
import type { ReadMemo } from './memo-number.ts';
import { orderedDestination, receiverDestination } from './receiver-destination.ts';

const account = `G${'A'.repeat(55)}`;
const signed = (memo: ReadMemo, muxedId?: bigint) =>
  receiverDestination({ account, muxedId }, memo);
const ordered = (memo: string, memoType: string) => orderedDestination({ account, memo, memoType });

test('what was ordered is known again in what was signed, and nothing else is', () => {
  const text = fc.string({ unit: 'binary', maxLength: 28 });
  fc.assert(
    fc.property(text, text, (memo, other) => {
      fc.pre(memoFault(memo, 'text') === undefined && memo.isWellFormed());
      const bytes = Buffer.from(memo);
      assert.equal(ordered(memo, 'text'), signed({ kind: 'text', bytes }));
      const isSame = Buffer.from(other).equals(bytes);
      const shown = signed({ kind: 'text', bytes: Buffer.from(other) });
      assert.equal(ordered(memo, 'text') === shown, isSame);
      assert.ok(!shown.includes('\0'), 'can be stored');
    }),
  );
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (id) => {
      assert.equal(ordered(`${id}`, 'id'), signed({ kind: 'id', id }));
      assert.equal(ordered(`${id}`, 'id'), signed({ kind: 'none' }, id), 'muxed (CAP-27)');
      assert.notEqual(ordered(`${id}`, 'text'), signed({ kind: 'id', id }));
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const hex = Buffer.from(bytes).toString('hex').toUpperCase();
      assert.equal(ordered(hex, 'hash'), signed({ kind: 'hash', bytes }));
      assert.equal(ordered(hex, 'return'), signed({ kind: 'return', bytes }));
      assert.notEqual(ordered(hex, 'hash'), ordered(hex, 'return'));
    }),
  );
});

test('no memo is the account alone, a memo of a newer kind is nobody’s, no account is none', () => {
  assert.equal(orderedDestination({ account }), account);
  assert.equal(signed({ kind: 'none' }), account);
  assert.equal(signed({ kind: 'other' }), `${account}:unknown-memo`);
  assert.equal(orderedDestination({ address: account }), undefined);
});
