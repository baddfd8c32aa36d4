import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeAdvice } from './utxo-chain.ts';

test('an old node is to be updated, a recent or unknown one not', () => {
  assert.match(nodeAdvice('BTC:NATIVE', 249900).join(), /Bitcoin Core 25/);
  assert.match(nodeAdvice('LTC:NATIVE', 180100).join(), /Litecoin Core 0\.21\.2/);
  assert.deepEqual(nodeAdvice('BTC:NATIVE', 250000), []);
  assert.deepEqual(nodeAdvice('LTC:NATIVE', 210201), []);
  assert.deepEqual(nodeAdvice('BTC:NATIVE', undefined), []);
});
