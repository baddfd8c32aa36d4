import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Transaction } from '@scure/btc-signer/transaction.js';
import * as fc from 'fast-check';
import { SIGHASH_ALL, SIGHASH_DEFAULT, signatureHashes } from './signature-hash.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const units = fc.bigInt(0n, 21_000_000n * 10n ** 8n);
const uint32 = fc.nat(0xffffffff);
const programs = bytes(20).map((hash) => Uint8Array.of(0, 20, ...hash));
const scripts = fc.oneof(
  programs,
  bytes(32).map((key) => Uint8Array.of(0, 32, ...key)),
);

test('what is signed is what the library says, for every input of any transaction', () => {
  const inputs = fc.array(
    fc.record({ txid: bytes(32), index: uint32, sequence: uint32, spent: units, script: programs }),
    { minLength: 1, maxLength: 4 },
  );
  const outputs = fc.array(fc.record({ amount: units, script: scripts }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(inputs, outputs, uint32, (spending, paying, lockTime) => {
      const library = new Transaction({ version: 2, lockTime });
      for (const { txid, index, sequence } of spending) library.addInput({ txid, index, sequence });
      for (const output of paying) library.addOutput(output);
      const spent = spending.map(({ spent: each, script }) => ({ units: each, script }));
      const order = { version: 2, lockTime, inputs: spending, outputs: paying };
      const hashes = signatureHashes(order, spent);
      const [allScripts, allUnits] = [
        spent.map(({ script }) => script),
        spent.map((each) => each.units),
      ];
      for (const [at, { script, units: amount }] of spent.entries()) {
        const code = Uint8Array.of(0x76, 0xa9, ...script.subarray(1), 0x88, 0xac);
        assert.deepEqual(
          Uint8Array.from(hashes.keyHash(at)),
          library.preimageWitnessV0(at, code, SIGHASH_ALL, amount),
        );
        for (const type of [SIGHASH_DEFAULT, SIGHASH_ALL]) {
          assert.deepEqual(
            Uint8Array.from(hashes.taproot(at, type)),
            library.preimageWitnessV1(at, allScripts, type, allUnits),
          );
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('there is no hash of an input that is not there', () => {
  const hashes = signatureHashes({ version: 2, lockTime: 0, inputs: [], outputs: [] }, []);
  assert.throws(() => hashes.keyHash(0), RangeError);
});
