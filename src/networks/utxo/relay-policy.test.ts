import assert from 'node:assert/strict';
import { test } from 'node:test';
import { p2pkh, p2sh, p2tr, p2wpkh, p2wsh } from '@scure/btc-signer/payment.js';
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js';
import { dustLimit, feeFor, relayPolicy } from './relay-policy.ts';

const PRIVATE_KEY = new Uint8Array(32).fill(7);
const KEY = pubECDSA(PRIVATE_KEY);

/** As the comments of GetDustThreshold and the wallets of both say. */
test('the dust limits of Bitcoin Core, and ten times as much on Litecoin', () => {
  const limits = [
    [p2wpkh(KEY).script, 294n],
    [p2wsh(p2pkh(KEY)).script, 330n],
    [p2tr(pubSchnorr(PRIVATE_KEY)).script, 330n],
    [p2pkh(KEY).script, 546n],
    [p2sh(p2wpkh(KEY)).script, 540n],
  ] as const;
  for (const [script, units] of limits) {
    assert.equal(dustLimit(script, relayPolicy('BTC:NATIVE')), units);
    assert.equal(dustLimit(script, relayPolicy('LTC:NATIVE')), units * 10n);
  }
});

test('a fee is never below its rate', () => {
  assert.equal(feeFor(141, 1000n), 141n);
  assert.equal(feeFor(141, 1001n), 142n);
  assert.equal(feeFor(1, 1n), 1n);
  assert.equal(feeFor(141, 0n), 0n);
});

test('a chain whose rules are not known is a bug', () => {
  assert.throws(() => relayPolicy('DOGE:NATIVE'), /nothing is known/);
});
