import assert from 'node:assert/strict';
import { test } from 'node:test';
import { p2pkh, p2sh, p2tr, p2wpkh } from '@scure/btc-signer/payment.js';
import { Transaction } from '@scure/btc-signer/transaction.js';
import { pubECDSA, pubSchnorr, TEST_NETWORK } from '@scure/btc-signer/utils.js';
import * as fc from 'fast-check';
import {
  type InputKind,
  inputWeight,
  MOST_WEIGHT,
  NO_INPUTS,
  transactionWeight,
  virtualSize,
  withInput,
  withoutInput,
} from './transaction-size.ts';

const PRIVATE_KEY = new Uint8Array(32).fill(7);
const KEY = pubECDSA(PRIVATE_KEY);
const FUNDED = 1_000_000n;
const KINDS: readonly InputKind[] = ['p2wpkh', 'p2sh-p2wpkh', 'p2pkh', 'p2tr'];
const LONGEST_SIGNATURE = 72;

const OUTPUTS = {
  p2wpkh: p2wpkh(KEY).script,
  p2pkh: p2pkh(KEY).script,
  p2sh: p2sh(p2wpkh(KEY)).script,
  p2tr: p2tr(pubSchnorr(PRIVATE_KEY)).script,
} as const;

/** Signed by the library; gives its weight as if every signature were as long as it can be. */
function longestWeight(kinds: readonly InputKind[], scripts: readonly Uint8Array[]): number {
  const transaction = new Transaction();
  for (const [index, kind] of kinds.entries()) transaction.addInput(inputOf(kind, index));
  for (const script of scripts) transaction.addOutput({ script, amount: 1000n });
  transaction.sign(PRIVATE_KEY, undefined, new Uint8Array(32));
  transaction.finalize();
  const shorter = kinds.map((kind, index) => {
    const { finalScriptWitness, finalScriptSig } = transaction.getInput(index);
    if (kind === 'p2pkh') return 4 * (LONGEST_SIGNATURE - (finalScriptSig?.[0] ?? 0));
    // Without the type, which DEFAULT leaves out.
    if (kind === 'p2tr') return 1;
    return LONGEST_SIGNATURE - (finalScriptWitness?.[0]?.length ?? 0);
  });
  return shorter.reduce((sum, bytes) => sum + bytes, transaction.weight);
}

function inputOf(kind: InputKind, index: number) {
  if (kind === 'p2pkh') {
    const funding = new Transaction({ allowUnknownInputs: true });
    funding.addInput({ txid: new Uint8Array(32).fill(9), index });
    funding.addOutput({ script: OUTPUTS.p2pkh, amount: FUNDED });
    return { txid: funding.id, index: 0, nonWitnessUtxo: funding.toBytes() };
  }
  const spent = { txid: new Uint8Array(32).fill(8), index };
  const nested = p2sh(p2wpkh(KEY, TEST_NETWORK), TEST_NETWORK);
  const script = kind === 'p2sh-p2wpkh' ? nested.script : OUTPUTS[kind];
  const witnessUtxo = { script, amount: FUNDED };
  if (kind === 'p2sh-p2wpkh') return { ...spent, witnessUtxo, redeemScript: nested.redeemScript };
  return kind === 'p2tr'
    ? { ...spent, witnessUtxo, tapInternalKey: pubSchnorr(PRIVATE_KEY) }
    : { ...spent, witnessUtxo };
}

function weight(kinds: readonly InputKind[], scripts: readonly Uint8Array[]): number {
  const tally = kinds.reduce(withInput, NO_INPUTS);
  return transactionWeight(
    tally,
    scripts.map(({ length }) => length),
  );
}

test('the weight is that of a signed transaction, whatever it spends and pays', () => {
  const scripts = fc.array(fc.constantFrom(...Object.values(OUTPUTS)), {
    minLength: 1,
    maxLength: 4,
  });
  const kinds = fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(kinds, scripts, (inputs, outputs) => {
      assert.equal(weight(inputs, outputs), longestWeight(inputs, outputs));
    }),
    { numRuns: 40 },
  );
});

test('from 253 inputs and outputs on their counts take three bytes', () => {
  const outputs = Array.from({ length: 253 }, () => OUTPUTS.p2wpkh);
  assert.equal(weight(['p2wpkh'], outputs), longestWeight(['p2wpkh'], outputs));
  const one = weight(['p2wpkh'], [OUTPUTS.p2tr]);
  const many = Array.from({ length: 253 }, () => 'p2wpkh' as const);
  assert.equal(weight(many, [OUTPUTS.p2tr]) - one, 252 * (4 * 41 + 108) + 4 * 2);
});

test('the sizes that everybody knows', () => {
  const typical = [OUTPUTS.p2wpkh, OUTPUTS.p2wpkh];
  assert.equal(virtualSize(weight(['p2wpkh'], typical)), 141);
  assert.equal(virtualSize(weight(['p2pkh'], [OUTPUTS.p2pkh, OUTPUTS.p2pkh])), 226);
  assert.equal(virtualSize(MOST_WEIGHT), 100_000);
});

test('an input beside others adds its own weight', () => {
  for (const kind of KINDS) {
    const added = weight(['p2tr', kind], [OUTPUTS.p2tr]) - weight(['p2tr'], [OUTPUTS.p2tr]);
    assert.equal(inputWeight(kind), added, kind);
  }
});

test('what is taken out of a tally again leaves no trace', () => {
  const tally = withInput(withInput(NO_INPUTS, 'p2tr'), 'p2pkh');
  assert.deepEqual(withoutInput(withoutInput(tally, 'p2tr'), 'p2pkh'), NO_INPUTS);
});
