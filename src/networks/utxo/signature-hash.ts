// What the signature of an input signs, for inputs that show a public key hash (BIP-143) and for
// taproot's key path (BIP-341), all inputs and all outputs (SIGHASH_ALL, and DEFAULT of taproot).
// What is common to all inputs is hashed once: a transaction of a thousand inputs takes
// milliseconds.
import { hash } from 'node:crypto';
import { schnorr } from '@noble/curves/secp256k1.js';

export const SIGHASH_DEFAULT = 0;
export const SIGHASH_ALL = 1;

type SpentOutput = { readonly units: bigint; readonly script: Uint8Array };

export type UnsignedTransaction = {
  readonly version: number;
  readonly lockTime: number;
  readonly inputs: readonly {
    /** In the order in which it is shown. */
    readonly txid: Uint8Array;
    readonly index: number;
    readonly sequence: number;
  }[];
  readonly outputs: readonly { readonly amount: bigint; readonly script: Uint8Array }[];
};

export type SignatureHashes = {
  /** Of an input that spends OP_0 and 20 bytes; type ALL. */
  readonly keyHash: (input: number) => Uint8Array;
  readonly taproot: (input: number, type: number) => Uint8Array;
};

/** `spent`: what each input spends, in their order. */
export function signatureHashes(
  { version, lockTime, inputs, outputs }: UnsignedTransaction,
  spent: readonly SpentOutput[],
): SignatureHashes {
  const outpoints = inputs.map(({ txid, index }) =>
    Buffer.concat([Buffer.from(txid).reverse(), uint32(index)]),
  );
  const sequences = inputs.map(({ sequence }) => uint32(sequence));
  const outpointsHash = sha256(Buffer.concat(outpoints));
  const sequencesHash = sha256(Buffer.concat(sequences));
  const outputsHash = sha256(
    Buffer.concat(outputs.flatMap(({ amount, script }) => [uint64(amount), pushed(script)])),
  );
  const amountsHash = sha256(Buffer.concat(spent.map(({ units }) => uint64(units))));
  const scriptsHash = sha256(Buffer.concat(spent.map(({ script }) => pushed(script))));
  return {
    keyHash(input) {
      const { units, script } = at(spent, input);
      const parts = [
        uint32(version),
        sha256(outpointsHash),
        sha256(sequencesHash),
        at(outpoints, input),
        pushed(keyHashScript(script)),
        uint64(units),
        at(sequences, input),
        sha256(outputsHash),
        uint32(lockTime),
        uint32(SIGHASH_ALL),
      ];
      return sha256(sha256(Buffer.concat(parts)));
    },
    taproot(input, type) {
      const spendType = 0;
      const parts = [
        Buffer.of(0, type),
        uint32(version),
        uint32(lockTime),
        ...[outpointsHash, amountsHash, scriptsHash, sequencesHash, outputsHash],
        Buffer.of(spendType),
        uint32(input),
      ];
      return schnorr.utils.taggedHash('TapSighash', ...parts);
    },
  };
}

/** The script that BIP-143 has instead of the witness program: pay to public key hash. */
function keyHashScript(program: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.of(0x76, 0xa9), program.subarray(1), Buffer.of(0x88, 0xac)]);
}

function at<Value>(list: readonly Value[], index: number): Value {
  const value = list[index];
  if (value === undefined) throw new RangeError(`there is no input ${index}`);
  return value;
}

/** No script of an address is longer than 252 bytes, so its length is one byte. */
function pushed(script: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(script.length), script]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

function sha256(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer');
}
