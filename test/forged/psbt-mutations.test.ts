// A signer whose PSBT is damaged by chance, or put together from several: whatever comes back, it
// is refused, or it is to the byte the transaction that was ordered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Random, randomInteger } from '#base/random.ts';
import { readSignedPsbt } from '#networks/utxo/read-signed-psbt.ts';
import { BITCOIN_TEST } from '#networks/utxo/utxo-chain.ts';
import { handOut, psbtSigner, smallOrder } from '#test/support/psbt-signer.ts';
import { byLength } from '#test/support/run-length.ts';
import { pick, seededRandom } from '#test/support/seeded-random.ts';
import { mutateText } from './mutate-answer.ts';

const SEEDS = byLength({ short: 300, long: 1200 });
const PAYEE = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
const THIEF = 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7';

/** One to three faults in the bytes; parts of another PSBT may take their place. */
function damaged(random: Random, bytes: Uint8Array, other: Uint8Array): Uint8Array {
  let result = Buffer.from(bytes);
  for (let faults = 1 + randomInteger(random, 3); faults > 0; faults -= 1) {
    const at = randomInteger(random, result.length);
    const length = randomInteger(random, 80);
    const before = result.subarray(0, at);
    const after = result.subarray(at);
    switch (pick(random, ['bit', 'byte', 'cut', 'omit', 'double', 'foreign', 'insert'] as const)) {
      case 'bit':
        result[at] = (result[at] ?? 0) ^ (1 << randomInteger(random, 8));
        break;
      case 'byte':
        result[at] = pick(random, [0, 1, 0x30, 0x50, 0x7f, 0x80, 0xfc, 0xfd, 0xfe, 0xff]);
        break;
      case 'cut':
        result = Buffer.from(before);
        break;
      case 'omit':
        result = Buffer.concat([before, after.subarray(length)]);
        break;
      case 'double':
        result = Buffer.concat([before, after.subarray(0, length), after]);
        break;
      case 'foreign':
        result = Buffer.concat([before, other.subarray(at, at + length), after.subarray(length)]);
        break;
      case 'insert':
        result = Buffer.concat([before, Buffer.alloc(1 + randomInteger(random, 4)), after]);
        break;
    }
    if (result.length === 0) break;
  }
  return result;
}

for (const script of ['wpkh', 'tr'] as const) {
  test(`a damaged PSBT is refused, or is what was ordered: ${script}`, () => {
    const signer = psbtSigner(BITCOIN_TEST, script, new Uint8Array(32).fill(1));
    const handedOut = handOut(signer, BITCOIN_TEST, smallOrder(signer, BITCOIN_TEST, PAYEE));
    const signed = signer.sign(handedOut);
    // The same keys sign for the same coins that somebody else is paid.
    const stolen = signer.sign(
      handOut(signer, BITCOIN_TEST, smallOrder(signer, BITCOIN_TEST, THIEF)),
    );
    const read = (returned: Uint8Array | string) =>
      readSignedPsbt(returned, handedOut, BITCOIN_TEST);
    const expected = read(signed);
    assert('raw' in expected, 'the undamaged one is accepted');
    assert('refused' in read(stolen));
    let accepted = 0;
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const random = seededRandom(seed);
      const from = pick(random, [signed, signed, signed, stolen]);
      const bytes = damaged(random, from, from === signed ? stolen : signed);
      const base64 = Buffer.from(bytes).toString('base64');
      const returned = pick(random, [bytes, base64, mutateText(random, base64).text]);
      const result = read(returned);
      if ('refused' in result) {
        assert(result.refused.length > 0 && result.refused.length <= 10, `seed ${seed}`);
        continue;
      }
      accepted += 1;
      assert.deepEqual(result, expected, `seed ${seed}: another transaction`);
    }
    // Faults outside of the order and its signatures do no harm.
    assert(accepted > 10 && accepted < SEEDS / 2, `${accepted} of ${SEEDS} were accepted`);
  });
}
