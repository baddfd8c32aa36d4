import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromRlp, toRlp } from 'viem/utils';
import { decodeRlp, encodeRlp, type RlpItem, rlpInteger } from './rlp.ts';

const { item: items } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 5 },
    fc.uint8Array({ maxLength: 70 }),
    fc.array(tie('item'), { maxLength: 5 }),
  ),
}));

type HexItem = `0x${string}` | readonly HexItem[];

function hexOf(item: RlpItem): HexItem {
  return item instanceof Uint8Array ? `0x${Buffer.from(item).toString('hex')}` : item.map(hexOf);
}

test('items are written as viem writes them, and read back', () => {
  fc.assert(
    fc.property(items, (item) => {
      const bytes = encodeRlp(item);
      assert.equal(`0x${bytes.toString('hex')}`, toRlp(hexOf(item)));
      assert.deepEqual(hexOf(decodeRlp(bytes) ?? []), hexOf(item));
    }),
  );
});

test('whatever is read is written again as the same bytes, and viem reads the same', () => {
  fc.assert(
    fc.property(items, fc.nat(), fc.nat(255), (item, place, byte) => {
      const bytes = encodeRlp(item);
      bytes[place % bytes.length] = byte;
      const read = decodeRlp(bytes);
      if (read === undefined) return;
      assert.deepEqual(encodeRlp(read), bytes);
      assert.deepEqual(hexOf(read), fromRlp(bytes, 'hex'));
    }),
    { numRuns: 1000 },
  );
});

for (const [what, hex] of [
  ['nothing', ''],
  ['a byte in a longer form', '8105'],
  ['a length in a longer form', `b805${'aa'.repeat(5)}`],
  ['a length with a leading zero', `b90038${'aa'.repeat(56)}`],
  ['a string that is cut off', '83aabb'],
  ['a length that is cut off', 'b9'],
  ['a length beyond all memory', 'bfffffffffffffffff'],
  ['a list that is cut off', 'c2aa'],
  ['a list whose last item goes beyond it', 'c183aabbcc'],
  ['something behind it', '8000'],
  ['many lists in each other', `${'c1'.repeat(20)}c0`],
] as const) {
  test(`${what} is refused`, () => {
    assert.equal(decodeRlp(Buffer.from(hex, 'hex')), undefined);
  });
}

test('a number has no leading zeros', () => {
  assert.deepEqual(
    [0n, 1n, 127n, 256n, 2n ** 64n].map((value) => rlpInteger(value).toString('hex')),
    ['', '01', '7f', '0100', '010000000000000000'],
  );
});
