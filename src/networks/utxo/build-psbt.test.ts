import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Transaction } from '@scure/btc-signer/transaction.js';
import { psbtSigner, smallOrder } from '#test/support/psbt-signer.ts';
import { buildPsbt } from './build-psbt.ts';
import { outputScript } from './output-script.ts';
import { ownScripts } from './own-scripts.ts';
import { BITCOIN_TEST, LITECOIN_TEST } from './utxo-chain.ts';

const PAYEE = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
const HARDENED = 0x80000000;

test('the PSBT says what is spent, what is paid, and where the keys are', () => {
  const signer = psbtSigner(BITCOIN_TEST, 'wpkh', new Uint8Array(32).fill(1));
  const order = smallOrder(signer, BITCOIN_TEST, PAYEE);
  const psbt = Transaction.fromPSBT(buildPsbt(order, signer.source, BITCOIN_TEST));
  assert.equal(psbt.version, 2);
  assert.equal(psbt.lockTime, 500);
  const scriptAt = ownScripts(signer.source, BITCOIN_TEST);
  const path = [84 + HARDENED, 1 + HARDENED, HARDENED];
  for (const [at, coin] of order.inputs.entries()) {
    const input = psbt.getInput(at);
    const { script, publicKey } = scriptAt('receiving', BigInt(at));
    assert.equal(Buffer.from(input.txid ?? []).toString('hex'), coin.transaction);
    assert.deepEqual(input.witnessUtxo, { script, amount: 100_000n });
    assert.equal(input.nonWitnessUtxo?.outputs[0]?.amount, 100_000n);
    // Can be replaced (BIP-125).
    assert.equal(input.sequence, 0xfffffffd);
    const der = { fingerprint: signer.root.fingerprint, path: [...path, 0, at] };
    assert.deepEqual(input.bip32Derivation, [[publicKey, der]]);
  }
  const change = scriptAt('change', 3n);
  assert.equal(psbt.getOutput(0).amount, 120_000n);
  assert.deepEqual(psbt.getOutput(0).script, outputScript(PAYEE, BITCOIN_TEST));
  assert.equal(psbt.getOutput(0).bip32Derivation, undefined);
  const der = { fingerprint: signer.root.fingerprint, path: [...path, 1, 3] };
  assert.deepEqual(psbt.getOutput(1).script, change.script);
  assert.deepEqual(psbt.getOutput(1).bip32Derivation, [[change.publicKey, der]]);
  assert.equal(psbt.fee, 1000n);
});

test('taproot has its own fields (BIP-371)', () => {
  const signer = psbtSigner(BITCOIN_TEST, 'tr', new Uint8Array(32).fill(2));
  const order = smallOrder(signer, BITCOIN_TEST, PAYEE, { change: undefined });
  const psbt = Transaction.fromPSBT(buildPsbt(order, signer.source, BITCOIN_TEST));
  const { publicKey } = ownScripts(signer.source, BITCOIN_TEST)('receiving', 1n);
  const { tapInternalKey, tapBip32Derivation, bip32Derivation } = psbt.getInput(1);
  assert.deepEqual(tapInternalKey, publicKey.subarray(1));
  assert.deepEqual(tapBip32Derivation?.[0]?.[1], {
    hashes: [],
    der: {
      fingerprint: signer.root.fingerprint,
      path: [86 + HARDENED, 1 + HARDENED, HARDENED, 0, 1],
    },
  });
  assert.equal(bip32Derivation, undefined);
  assert.equal(psbt.outputsLength, 1);
});

test('a coin that is not what its own transaction says is a bug, and nothing is handed out', () => {
  const signer = psbtSigner(BITCOIN_TEST, 'wpkh', new Uint8Array(32).fill(1));
  const order = smallOrder(signer, BITCOIN_TEST, PAYEE);
  const [coin, other] = order.inputs;
  assert(coin !== undefined && other !== undefined);
  const wrong = [
    [{ ...coin, units: 100_001n }, /is not what it was taken for/],
    [{ ...coin, vout: 1 }, /is not what it was taken for/],
    [{ ...coin, index: 9n }, /is not what it was taken for/],
    [{ ...coin, branch: 'change' as const }, /is not what it was taken for/],
    [{ ...coin, transaction: '00'.repeat(32) }, /is another transaction/],
    [{ ...coin, previousTransaction: other.previousTransaction }, /is another transaction/],
  ] as const;
  for (const [each, pattern] of wrong) {
    const inputs = [each, other];
    assert.throws(() => buildPsbt({ ...order, inputs }, signer.source, BITCOIN_TEST), pattern);
  }
});

test('a transaction with data of MWEB, which signers cannot read, is left out', () => {
  const signer = psbtSigner(LITECOIN_TEST, 'wpkh', new Uint8Array(32).fill(1));
  const payee = 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0';
  const order = smallOrder(signer, LITECOIN_TEST, payee);
  const inputs = order.inputs.map((coin) => ({
    ...coin,
    previousTransaction: Uint8Array.of(2, 0, 0, 0, 0, 8, 1, 2, 3),
  }));
  const handedOut = buildPsbt({ ...order, inputs }, signer.source, LITECOIN_TEST);
  const input = Transaction.fromPSBT(handedOut).getInput(0);
  assert.equal(input.nonWitnessUtxo, undefined);
  assert.equal(input.witnessUtxo?.amount, 100_000n);
});
