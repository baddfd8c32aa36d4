// What comes back from a signer, who may be mistaken or hostile. Of it nothing is used but
// signatures: the transaction, what it spends and for how much are taken from the PSBT that was
// handed out.
//
// Guarantees: what is given back is the transaction that was handed out, byte for byte but for
// its witnesses; each of its inputs shows a signature of the key it belongs to, over the whole
// transaction (SIGHASH_ALL; DEFAULT for taproot), in the form that nodes relay (strict DER, low
// S). Everything else is refused, with a sentence for each fault.
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64 } from '@scure/base';
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { RawOldTx, RawTx } from '@scure/btc-signer/script.js';
import { assert } from '#base/assert.ts';
import { addressOfScript } from './output-script.ts';
import { doubleSha256, toShown } from './read-transaction.ts';
import {
  SIGHASH_ALL,
  SIGHASH_DEFAULT,
  type SignatureHashes,
  signatureHashes,
  type UnsignedTransaction,
} from './signature-hash.ts';
import { virtualSize } from './transaction-size.ts';
import type { UtxoChain } from './utxo-chain.ts';

export type SignedPsbt = {
  readonly raw: Uint8Array;
  /** Its id. */
  readonly transaction: string;
  readonly feeUnits: bigint;
  readonly virtualSize: number;
};

/** One sentence for each fault. `differs`: it is another transaction than the one handed out. */
type RefusedPsbt = { readonly refused: readonly string[]; readonly differs?: true };

type Psbt = ReturnType<typeof RawPSBTV0.decode>;
type PsbtInput = Psbt['inputs'][number];
type Witness = readonly Uint8Array[];

/** What a signer may add to what was handed out: a signature, a comment of its own. */
const MORE_BYTES = 100_000;
const MAGIC = Buffer.from('psbt\xff', 'latin1');
/** Sentences about one PSBT; whoever changed everything need not hear it of every output. */
const MOST_SENTENCES = 10;

/**
 * `returned`: a PSBT, or the finished transaction as nodes take it; binary, or text in base64 or
 * hexadecimal, as bytes or as text. `handedOut`: as buildPsbt made it.
 */
export function readSignedPsbt(
  returned: Uint8Array | string,
  handedOut: Uint8Array,
  chain: UtxoChain,
): SignedPsbt | RefusedPsbt {
  const bytes = bytesOf(returned, 2 * handedOut.length + MORE_BYTES);
  if ('refused' in bytes) return bytes;
  const ours = RawPSBTV0.decode(handedOut);
  const theirs = isMagic(bytes) ? readPsbt(bytes) : readFinished(bytes);
  if ('refused' in theirs) return theirs;
  const order = unsignedOf(ours);
  const changes = differences(order, theirs.unsigned, chain);
  if (changes.length > 0) return { refused: changes.slice(0, MOST_SENTENCES), differs: true };
  const spent = ours.inputs.map(spentBy);
  const hashes = signatureHashes(order, spent);
  const shown = spent.map(({ script }, input) => {
    const signed = theirs.inputs[input] ?? {};
    return script[0] === 0
      ? keyHashWitness(signed, script, hashes, input)
      : taprootWitness(signed, script, hashes, input);
  });
  const faults = shown.flatMap((witness, input) =>
    'fault' in witness ? [`input ${input + 1}: ${witness.fault}`] : [],
  );
  if (faults.length > 0) return { refused: faults.slice(0, MOST_SENTENCES) };
  const witnesses = shown.map((witness) => ('fault' in witness ? [] : [...witness.items]));
  const paid = order.outputs.reduce((sum, { amount }) => sum + amount, 0n);
  const feeUnits = spent.reduce((sum, { units }) => sum + units, 0n) - paid;
  assert(feeUnits >= 0n, 'more was handed out to be paid than is spent');
  return finished(order, witnesses, feeUnits);
}

type Returned = {
  readonly unsigned: UnsignedTransaction;
  readonly inputs: readonly PsbtInput[];
};

function readPsbt(bytes: Uint8Array): Returned | RefusedPsbt {
  try {
    const psbt = RawPSBTV0.decode(bytes);
    return { unsigned: unsignedOf(psbt), inputs: psbt.inputs };
  } catch {
    return { refused: ['it is damaged, or no PSBT of version 0 (BIP-174)'] };
  }
}

/** What a wallet hands out when it finalises by itself, and throws the rest away. */
function readFinished(bytes: Uint8Array): Returned | RefusedPsbt {
  try {
    const { witnesses = [], version, inputs, outputs, lockTime } = RawTx.decode(bytes);
    const signed = inputs.map((_, at) => ({ finalScriptWitness: witnesses[at] }));
    return { unsigned: { version, inputs, outputs, lockTime }, inputs: signed } as Returned;
  } catch {
    return { refused: [NEITHER] };
  }
}

const NEITHER =
  'it is neither a PSBT nor a signed transaction: binary, in base64 or in hexadecimal';

type Shown = { readonly items: Witness } | { readonly fault: string };

function finished(
  order: UnsignedTransaction,
  witnesses: Uint8Array[][],
  feeUnits: bigint,
): SignedPsbt {
  const plain = plainBytes(order);
  const raw = RawTx.encode({ ...wireOf(order), segwitFlag: true, witnesses });
  const weight = 3 * plain.length + raw.length;
  const transaction = toShown(doubleSha256(plain));
  return { raw, transaction, feeUnits, virtualSize: virtualSize(weight) };
}

/**
 * A binary PSBT has its magic, a transaction its marker; the rest is text, in which white space
 * means nothing.
 */
function bytesOf(returned: Uint8Array | string, most: number): Uint8Array | RefusedPsbt {
  const isBinary = typeof returned !== 'string' && (isMagic(returned) || isMarked(returned));
  // Hexadecimal takes twice the bytes; some lines and spaces are let through.
  if (returned.length > (isBinary ? most : 3 * most)) return { refused: [tooLarge(most)] };
  if (isBinary) return returned;
  const text = typeof returned === 'string' ? returned : Buffer.from(returned).toString('latin1');
  const clean = text.replaceAll(/\s/g, '');
  const bytes = /^(?:[0-9a-f]{2})+$/i.test(clean)
    ? Buffer.from(clean, 'hex')
    : bytesOfBase64(clean);
  if (bytes === undefined) return { refused: [NEITHER] };
  if (bytes.length > most) return { refused: [tooLarge(most)] };
  return bytes;
}

function tooLarge(most: number): string {
  return `it is larger than what was handed out can become (${most} bytes)`;
}

function bytesOfBase64(text: string): Uint8Array | undefined {
  try {
    return base64.decode(text);
  } catch {
    return undefined;
  }
}

/** Version, then the marker and flag of a witness (BIP-144): no text has a zero there. */
function isMarked(bytes: Uint8Array): boolean {
  return bytes[4] === 0 && bytes[5] === 1;
}

function isMagic(bytes: Uint8Array): boolean {
  return MAGIC.equals(bytes.subarray(0, MAGIC.length));
}

function unsignedOf({ global: { unsignedTx } }: Psbt): UnsignedTransaction {
  assert(unsignedTx !== undefined, 'version 0 has an unsigned transaction');
  return unsignedTx;
}

function spentBy({ witnessUtxo }: PsbtInput) {
  assert(witnessUtxo !== undefined, 'what was handed out says what it spends');
  return { units: witnessUtxo.amount, script: witnessUtxo.script };
}

/** What is not as it was ordered; nothing when both are the same to the byte. */
function differences(
  ours: UnsignedTransaction,
  theirs: UnsignedTransaction,
  chain: UtxoChain,
): string[] {
  if (plainBytes(ours).equals(plainBytes(theirs))) return [];
  const found: string[] = [];
  const compare = (what: string, mine: unknown, other: unknown) => {
    if (mine !== other) found.push(`${what} is ${other} instead of ${mine}`);
  };
  compare('the version of the transaction', ours.version, theirs.version);
  compare('the lock time', ours.lockTime, theirs.lockTime);
  compare('the number of inputs', ours.inputs.length, theirs.inputs.length);
  compare('the number of outputs', ours.outputs.length, theirs.outputs.length);
  const shownAddress = (script: Uint8Array) =>
    addressOfScript(script, chain) ?? `the script ${Buffer.from(script).toString('hex')}`;
  for (const [at, input] of ours.inputs.entries()) {
    const other = theirs.inputs[at];
    if (other === undefined) break;
    compare(`what input ${at + 1} spends`, outpointOf(input), outpointOf(other));
    compare(`the sequence of input ${at + 1}`, input.sequence, other.sequence);
  }
  for (const [at, output] of ours.outputs.entries()) {
    const other = theirs.outputs[at];
    if (other === undefined) break;
    compare(`the amount of output ${at + 1}`, output.amount, other.amount);
    compare(
      `the receiver of output ${at + 1}`,
      shownAddress(output.script),
      shownAddress(other.script),
    );
  }
  return found.length > 0
    ? found
    : ['the unsigned transaction is not spelled as it was handed out'];
}

/** Without witnesses, as an id commits to it. */
function plainBytes(order: UnsignedTransaction): Buffer {
  return Buffer.from(RawOldTx.encode(wireOf(order)));
}

type Wire = Parameters<typeof RawOldTx.encode>[0];

function wireOf(order: UnsignedTransaction): Wire {
  const inputs = order.inputs.map((input) => ({ ...input, finalScriptSig: new Uint8Array() }));
  // The library's types know no shared memory, which nobody has here.
  return { ...order, inputs } as Wire;
}

function outpointOf({ txid, index }: UnsignedTransaction['inputs'][number]): string {
  return `${Buffer.from(txid).toString('hex')}:${index}`;
}

const MISSING: Shown = { fault: 'its signature is missing' };

/** BIP-141: a signature and the key that the program is the hash of. */
function keyHashWitness(
  { partialSig, finalScriptWitness }: PsbtInput,
  script: Uint8Array,
  hashes: SignatureHashes,
  input: number,
): Shown {
  const pairs = (partialSig ?? []).map(([key, signature]) => [signature, key] as const);
  const [finalSignature, finalKey, ...more] = finalScriptWitness ?? [];
  const isPair = finalSignature !== undefined && finalKey !== undefined && more.length === 0;
  const given = isPair ? [...pairs, [finalSignature, finalKey] as const] : pairs;
  const program = Buffer.from(script.subarray(2));
  const ofOurs = given.filter(([, key]) => program.equals(ripemd160(sha256(key))));
  if (ofOurs.length === 0) {
    return given.length === 0 ? MISSING : { fault: 'its signature is by another key' };
  }
  const hash = hashes.keyHash(input);
  const checked = ofOurs.map(([signature, key]) => {
    const type = signature.at(-1);
    if (type !== SIGHASH_ALL) return wrongType(type);
    const isRight = isStandardSignature(signature.subarray(0, -1), hash, key);
    return isRight ? { items: [signature, key] } : WRONG_SIGNATURE;
  });
  return checked.find((one) => 'items' in one) ?? checked[0] ?? MISSING;
}

/** BIP-341, key path: one signature by the output key; its type is left out when it is DEFAULT. */
function taprootWitness(
  { tapKeySig, finalScriptWitness }: PsbtInput,
  script: Uint8Array,
  hashes: SignatureHashes,
  input: number,
): Shown {
  const [finalSignature, ...more] = finalScriptWitness ?? [];
  if (more.length > 0) return { fault: 'it is not spent by its key' };
  const given = [tapKeySig, finalSignature].filter((signature) => signature !== undefined);
  const outputKey = script.subarray(2);
  const checked = given.map((signature): Shown => {
    const type = signature.length === 64 ? SIGHASH_DEFAULT : signature[64];
    if (signature.length === 65 && type !== SIGHASH_ALL) return wrongType(type);
    const hash = hashes.taproot(input, type ?? SIGHASH_DEFAULT);
    const isRight = schnorr.verify(signature.subarray(0, 64), hash, outputKey);
    return isRight && signature.length <= 65 ? { items: [signature] } : WRONG_SIGNATURE;
  });
  return checked.find((one) => 'items' in one) ?? checked[0] ?? MISSING;
}

const WRONG_SIGNATURE: Shown = { fault: 'its signature is wrong, or not of this transaction' };

function wrongType(type: number | undefined): Shown {
  return { fault: `its signature is of type ${type ?? 'none'}, which does not cover all (ALL)` };
}

/** Strict DER and low S (BIP-66, BIP-146), as nodes relay it. */
function isStandardSignature(der: Uint8Array, hash: Uint8Array, key: Uint8Array): boolean {
  try {
    const signature = secp256k1.Signature.fromBytes(der, 'der');
    if (signature.hasHighS() || !Buffer.from(signature.toBytes('der')).equals(der)) return false;
    return secp256k1.verify(der, hash, key, { prehash: false, format: 'der', lowS: true });
  } catch {
    return false;
  }
}
