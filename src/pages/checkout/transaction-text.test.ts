import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readTransactionText, TRANSACTION_TEXT_MAX } from './decide-found-payment.ts';

const hash = '6f1c0a2ad49ad2a1c2f0f4e9b5b13dc4f9ab0d35b1fa3a0cb3a1f2f0b0e0b1c2';
const other = hash.replaceAll('6', '7');

const TABLE: readonly (
  | readonly [text: string, network: string | undefined, hasPrefix: boolean]
  | readonly [string]
)[] = [
  [hash, undefined, false],
  [hash.toUpperCase(), undefined, false],
  [`  ${hash}\n`, undefined, false],
  [`0x${hash}`, undefined, true],
  [`0X${hash.toUpperCase()}`, undefined, true],
  [`https://mempool.space/tx/${hash}`, 'BITCOIN', false],
  [`https://mempool.space/tx/${hash}#vout=0`, 'BITCOIN', false],
  [`https://etherscan.io/tx/0x${hash}?a=b`, 'ETHEREUM', true],
  [`https://livenet.xrpl.org/transactions/${hash.toUpperCase()}/raw`, 'XRP_LEDGER', false],
  [`https://explorer.example/tx/${hash}`, undefined, false],
  [`https://explorer.example/tx/${hash}?id=${hash}`, undefined, false],
  [`My transaction: ${hash}, thank you`, undefined, false],
  [''],
  ['hello'],
  [hash.slice(1)],
  [`${hash}0`],
  [`a${hash}`],
  [`${hash} ${other}`],
  [`https://mempool.space/address/tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx`],
  [`${' '.repeat(TRANSACTION_TEXT_MAX)}${hash}`],
];

for (const [text, network, hasPrefix] of TABLE) {
  test(`read: ${JSON.stringify(text.slice(0, 60))}`, () => {
    const read = readTransactionText(text);
    if (hasPrefix === undefined) return assert.equal(read, undefined);
    assert.deepEqual(read, {
      transactions: [hash, `0x${hash}`, hash.toUpperCase()],
      hasPrefix,
      network,
    });
  });
}

test('whatever is pasted is read or not, and nothing but hashes is looked up', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 600 }), fc.webUrl()), (text) => {
      for (const transaction of readTransactionText(text)?.transactions ?? []) {
        assert.match(transaction, /^(?:0x)?[0-9a-fA-F]{64}$/);
      }
    }),
  );
});
