import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { Transaction } from '@scure/btc-signer/transaction.js';
import { handOut, psbtSigner, smallOrder } from '#test/support/psbt-signer.ts';
import { readSignedPsbt, type SignedPsbt } from './read-signed-psbt.ts';
import { BITCOIN_TEST, LITECOIN_TEST, type UtxoChain } from './utxo-chain.ts';

const PAYEE = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
const OTHER = 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7';
const signer = psbtSigner(BITCOIN_TEST, 'wpkh', new Uint8Array(32).fill(1));
const taprootSigner = psbtSigner(BITCOIN_TEST, 'tr', new Uint8Array(32).fill(2));
const order = smallOrder(signer, BITCOIN_TEST, PAYEE);
const handedOut = handOut(signer, BITCOIN_TEST, order);
const signed = signer.sign(handedOut);

const read = (returned: Uint8Array | string, given = handedOut) =>
  readSignedPsbt(returned, given, BITCOIN_TEST);

function accepted(returned: Uint8Array | string, given?: Uint8Array): SignedPsbt {
  const result = read(returned, given);
  assert(
    !('refused' in result),
    JSON.stringify(result, (_, value) => String(value)),
  );
  return result;
}

function refused(returned: Uint8Array | string, given?: Uint8Array): readonly string[] {
  const result = read(returned, given);
  assert('refused' in result, 'it was accepted');
  return result.refused;
}

/** The PSBT as a signer changed it. */
function altered(psbt: Uint8Array, change: (transaction: Transaction) => void): Uint8Array {
  const transaction = Transaction.fromPSBT(psbt, { allowUnknownOutputs: true });
  change(transaction);
  return transaction.toPSBT();
}

const CASES: readonly [what: string, chain: UtxoChain, script: 'wpkh' | 'tr', payee: string][] = [
  ['Bitcoin', BITCOIN_TEST, 'wpkh', PAYEE],
  ['Bitcoin, taproot', BITCOIN_TEST, 'tr', PAYEE],
  ['Litecoin', LITECOIN_TEST, 'wpkh', 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0'],
];

for (const [what, chain, script, payee] of CASES) {
  test(`what was signed as ordered becomes the transaction that the library makes: ${what}`, () => {
    const each = psbtSigner(chain, script, new Uint8Array(32).fill(5));
    const given = handOut(each, chain, smallOrder(each, chain, payee));
    const returned = each.sign(given);
    const library = Transaction.fromPSBT(returned);
    library.finalize();
    const expected = {
      raw: library.extract(),
      transaction: library.id,
      feeUnits: 1000n,
      virtualSize: library.vsize,
    };
    assert.deepEqual(readSignedPsbt(returned, given, chain), expected);
    // Finalised by the signer, which throws everything else away.
    assert.deepEqual(readSignedPsbt(library.toPSBT(), given, chain), expected);
  });
}

test('binary, base64 and hexadecimal, as text or as bytes, in one line or many', () => {
  const buffer = Buffer.from(signed);
  const base64 = buffer.toString('base64');
  const texts = [base64, buffer.toString('hex'), buffer.toString('hex').toUpperCase()];
  const spelled = [
    ...texts,
    base64.replaceAll(/.{64}/g, '$&\r\n'),
    `\n ${base64} \n`,
    ...texts.map((text) => Buffer.from(text)),
    buffer,
  ];
  for (const each of spelled) assert.deepEqual(accepted(each), accepted(signed));
});

for (const [what, chain, script, payee] of CASES) {
  test(`the finished transaction says the same, and is held to the same: ${what}`, () => {
    const each = psbtSigner(chain, script, new Uint8Array(32).fill(6));
    const given = handOut(each, chain, smallOrder(each, chain, payee));
    const finished = finishedOf(each.sign(given));
    const wanted = readSignedPsbt(each.sign(given), given, chain);
    const hex = Buffer.from(finished).toString('hex');
    for (const spelled of [finished, hex, `${hex}\n`, Buffer.from(hex)]) {
      assert.deepEqual(readSignedPsbt(spelled, given, chain), wanted);
    }
    const refusedOf = (returned: Uint8Array) => {
      const read = readSignedPsbt(returned, given, chain);
      return 'refused' in read ? read.refused.join() : '';
    };
    const more = smallOrder(each, chain, payee, { change: undefined });
    assert.match(refusedOf(finishedOf(each.sign(handOut(each, chain, more)))), /number of outputs/);
    const broken = Buffer.from(finished);
    const at = broken.length - 40;
    broken.writeUInt8(broken.readUInt8(at) ^ 1, at);
    assert.notEqual(refusedOf(broken), '');
    assert.notEqual(refusedOf(finished.subarray(0, finished.length - 1)), '');
  });
}

function finishedOf(psbt: Uint8Array): Uint8Array {
  const transaction = Transaction.fromPSBT(psbt);
  transaction.finalize();
  return transaction.extract();
}

test('what is no PSBT is said to be none', () => {
  const none = /neither a PSBT nor a signed transaction/;
  const base64 = Buffer.from(signed).toString('base64');
  for (const text of ['', 'psbt', 'hello', '70736274', `${base64}!`, base64.slice(1), '{}']) {
    assert.match(refused(text)[0] ?? '', none, text);
  }
  assert.match(refused(signed.subarray(0, 90))[0] ?? '', /damaged/);
  assert.match(refused(Buffer.concat([signed, Buffer.of(1)]))[0] ?? '', /damaged/);
  const second = Transaction.fromPSBT(signed).toPSBT(2);
  assert.match(refused(second)[0] ?? '', /version 0/);
});

test('what is much larger than what was handed out is not even read', () => {
  const large = new Uint8Array(handedOut.length * 2 + 100_001);
  large.set(signed);
  assert.match(refused(large)[0] ?? '', /larger than what was handed out/);
  assert.match(refused('a'.repeat(2_000_000))[0] ?? '', /larger than/);
  assert.match(refused(Buffer.from(large).toString('hex'))[0] ?? '', /larger than/);
});

test('every change of what was ordered is named', () => {
  const [payment] = order.payments;
  assert(payment !== undefined && order.change !== undefined);
  const elsewhere = smallOrder(signer, BITCOIN_TEST, OTHER);
  const [first, second] = order.inputs;
  assert(first !== undefined && second !== undefined);
  const sentences: readonly [Partial<typeof order>, RegExp][] = [
    [
      { payments: elsewhere.payments },
      /^the receiver of output 1 is tb1qrp33.* instead of tb1qw508/,
    ],
    [
      { payments: [{ ...payment, units: 119_999n }] },
      /^the amount of output 1 is 119999 instead of 120000$/,
    ],
    [{ change: { ...order.change, index: 4n } }, /^the receiver of output 2 is tb1/],
    [{ change: undefined }, /^the number of outputs is 1 instead of 2$/],
    [{ lockTime: 501 }, /^the lock time is 501 instead of 500$/],
    [{ inputs: [first] }, /^the number of inputs is 1 instead of 2$/],
    [{ inputs: [second, first] }, /^what input 1 spends is [0-9a-f]{64}:0 instead of/],
  ];
  for (const [change, pattern] of sentences) {
    const other = handOut(signer, BITCOIN_TEST, { ...order, ...change });
    assert.match(refused(signer.sign(other))[0] ?? '', pattern);
  }
});

test('sequence and version belong to the order', () => {
  const sequence = altered(handedOut, (psbt) => psbt.updateInput(1, { sequence: 0xffffffff }));
  assert.deepEqual(refused(signer.sign(sequence)), [
    'the sequence of input 2 is 4294967295 instead of 4294967293',
  ]);
  const version = Buffer.from(signed);
  const at = version.indexOf(Buffer.of(2, 0, 0, 0, 2));
  version[at] = 1;
  assert.deepEqual(refused(version), ['the version of the transaction is 1 instead of 2']);
});

test('a script that no address stands for is shown as it is', () => {
  const data = altered(handedOut, (psbt) => {
    psbt.updateOutput(0, { script: Uint8Array.of(0x6a, 1, 2), amount: 120_000n });
  });
  assert.match(
    refused(data)[0] ?? '',
    /^the receiver of output 1 is the script 6a0102 instead of tb1/,
  );
});

test('a signature that is missing, of another key or of another transaction', () => {
  assert.deepEqual(refused(handedOut), [
    'input 1: its signature is missing',
    'input 2: its signature is missing',
  ]);
  const half = altered(signed, (psbt) => psbt.updateInput(1, { partialSig: undefined }, true));
  assert.deepEqual(refused(half), ['input 2: its signature is missing']);
  const stranger = psbtSigner(BITCOIN_TEST, 'wpkh', new Uint8Array(32).fill(9));
  const theirs = Transaction.fromPSBT(
    stranger.sign(handOut(stranger, BITCOIN_TEST, smallOrder(stranger, BITCOIN_TEST, PAYEE))),
  );
  const swapped = altered(handedOut, (psbt) => {
    for (const at of [0, 1]) psbt.updateInput(at, { partialSig: theirs.getInput(at).partialSig });
  });
  assert.equal(refused(swapped)[0], 'input 1: its signature is by another key');
  const dearer = signer.sign(handOut(signer, BITCOIN_TEST, { ...order, lockTime: 0 }));
  const old = Transaction.fromPSBT(dearer).getInput(0).partialSig;
  const mixed = altered(signed, (psbt) => {
    psbt.updateInput(0, { partialSig: undefined }, true);
    psbt.updateInput(0, { partialSig: old }, true);
  });
  assert.deepEqual(refused(mixed), ['input 1: its signature is wrong, or not of this transaction']);
});

test('a signature that does not cover everything is refused', () => {
  for (const [type, name] of [
    [0x81, '129'],
    [2, '2'],
    [3, '3'],
    [0, '0'],
  ] as const) {
    const returned = altered(signed, (psbt) => {
      const [pair] = psbt.getInput(0).partialSig ?? [];
      assert(pair !== undefined);
      const signature = Uint8Array.from(pair[1]);
      signature[signature.length - 1] = type;
      psbt.updateInput(0, { partialSig: undefined }, true);
      psbt.updateInput(0, { partialSig: [[pair[0], signature]] }, true);
    });
    assert.deepEqual(refused(returned), [
      `input 1: its signature is of type ${name}, which does not cover all (ALL)`,
    ]);
  }
});

test('a signature in a form that nodes do not relay is refused', () => {
  const forms = (der: Uint8Array): Uint8Array[] => {
    const { r, s } = secp256k1.Signature.fromBytes(der, 'der');
    const high = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s);
    const padded = Buffer.concat([der, Buffer.of(0)]);
    const long = Buffer.concat([Buffer.of(0x30, 0x81), der.subarray(1)]);
    return [high.toBytes('der'), padded, long, new Uint8Array()];
  };
  const [pair] = Transaction.fromPSBT(signed).getInput(0).partialSig ?? [];
  assert(pair !== undefined);
  for (const der of forms(pair[1].subarray(0, -1))) {
    const returned = altered(signed, (psbt) => {
      psbt.updateInput(0, { partialSig: undefined }, true);
      psbt.updateInput(0, { partialSig: [[pair[0], Buffer.concat([der, Buffer.of(1)])]] }, true);
    });
    assert.deepEqual(refused(returned), [
      'input 1: its signature is wrong, or not of this transaction',
    ]);
  }
});

test('taproot: ALL counts as DEFAULT does, other types and other ways to spend do not', () => {
  const given = handOut(
    taprootSigner,
    BITCOIN_TEST,
    smallOrder(taprootSigner, BITCOIN_TEST, PAYEE),
  );
  const all = Transaction.fromPSBT(given);
  for (const at of [0, 1]) all.updateInput(at, { sighashType: 1 });
  all.sign(taprootSigner.root as never, [0, 1]);
  assert.equal(all.getInput(0).tapKeySig?.length, 65);
  accepted(all.toPSBT(), given);
  const returned = taprootSigner.sign(given);
  const shapes: readonly [(key: Uint8Array) => Uint8Array, RegExp][] = [
    [(key) => Buffer.concat([key, Buffer.of(0)]), /of type 0/],
    [(key) => Buffer.concat([key, Buffer.of(0x83)]), /of type 131/],
    [(key) => Buffer.concat([key, Buffer.of(1)]), /is wrong/],
    [(key) => key.map((byte, at) => (at === 40 ? byte ^ 1 : byte)), /is wrong/],
  ];
  for (const [shape, pattern] of shapes) {
    const changed = altered(returned, (psbt) => {
      const signature = shape(psbt.getInput(1).tapKeySig ?? new Uint8Array());
      psbt.updateInput(1, { tapKeySig: signature }, true);
    });
    const [sentence = ''] = refused(changed, given);
    assert.match(sentence, pattern);
    assert.match(sentence, /^input 2: /);
  }
  const annexed = altered(returned, (psbt) => {
    const signature = psbt.getInput(0).tapKeySig ?? new Uint8Array();
    const finalScriptWitness = [signature, Uint8Array.of(0x50)];
    psbt.updateInput(0, { finalScriptWitness, tapKeySig: undefined }, true);
  });
  assert.deepEqual(refused(annexed, given), ['input 1: it is not spent by its key']);
});

test('what a signer claims about amounts changes nothing: ours are signed, and counted', () => {
  const lie = altered(signed, (psbt) => {
    const { witnessUtxo } = psbt.getInput(0);
    assert(witnessUtxo !== undefined);
    const script = witnessUtxo.script;
    psbt.updateInput(0, { nonWitnessUtxo: undefined }, true);
    psbt.updateInput(0, { witnessUtxo: { script, amount: 900_000n } }, true);
  });
  assert.deepEqual(accepted(lie), accepted(signed));
});

test('of two answers for an input the right one counts', () => {
  const both = altered(signed, (psbt) => {
    const finalScriptWitness = [new Uint8Array(71), new Uint8Array(33)];
    psbt.updateInput(0, { finalScriptWitness }, true);
  });
  assert.deepEqual(accepted(both), accepted(signed));
});
