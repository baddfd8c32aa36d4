// From the raw bytes of a transaction (BIP-144) to arrivals. Guarantees: the id is the hash of
// what was read, so that amounts and scripts are those the id commits to; units are exact, above
// zero and at most what can exist; each arrival is one output whose script is the address it
// names; anything malformed fails as a whole (a NodeLie), so that half a block is never recorded.
//
// Left out on purpose, never credited:
// - everything inside Litecoin's MWEB, which is not in these bytes;
// - scripts that we do not hand out (witness-address.ts), bare multisig and OP_RETURN among them.
// What comes out of MWEB (an output of the HogEx) and the reward of a miner count when they are
// mature.

import { hash } from 'node:crypto';
import type { Arrival, DeparturePart } from '#deposit/network.ts';
import { NodeLie } from '#networks/answer-fields.ts';
import type { UtxoChain } from './utxo-chain.ts';
import type { ReadAddress } from './witness-address.ts';

export type ParsedTransaction = {
  readonly transaction: string;
  /** The id in the order in which it is hashed. */
  readonly digest: Buffer;
  readonly isCoinbase: boolean;
  /**
   * The transaction that a Litecoin miner adds as the last of a block to move coins in and out of
   * MWEB (LIP-2): flag 8, in a block only.
   */
  readonly isHogEx: boolean;
  /** `txid:vout` of every input. */
  readonly spends: readonly string[];
  readonly arrivals: readonly Arrival[];
  /** What it pays to scripts that we do not hand out, by `script:` and the script. */
  readonly others: readonly DeparturePart[];
};

export type RawCursor = { readonly bytes: Buffer; at: number };

export type RawChain = Pick<UtxoChain, 'assetId' | 'mostUnits'> & {
  readonly readAddress: ReadAddress;
};

/** COINBASE_MATURITY is 100 blocks on top. */
const COINBASE_CONFIRMATIONS = 101;
/** PEGOUT_MATURITY of Litecoin Core is 6 blocks on top; its wallet counts them like this. */
const PEG_OUT_CONFIRMATIONS = 7;
const WITNESS_FLAG = 1;
const MWEB_FLAG = 8;
const OUTPOINT_LENGTH = 36;
const NO_INDEX = 0xffffffff;

/** A whole unconfirmed transaction. Behind its outputs may stand MWEB data, which is skipped. */
export function readUnconfirmed(bytes: Buffer, chain: RawChain): ParsedTransaction {
  return guarded(() => readTransaction({ bytes, at: 0 }, chain, 'mempool'));
}

/** The next transaction of a block. */
export function readMined(cursor: RawCursor, chain: RawChain): ParsedTransaction {
  return guarded(() => readTransaction(cursor, chain, 'block'));
}

function readTransaction(
  cursor: RawCursor,
  chain: RawChain,
  place: 'block' | 'mempool',
): ParsedTransaction {
  const { bytes, at: start } = cursor;
  const isMarked = bytes.readUInt8(start + 4) === 0;
  const flag = isMarked ? bytes.readUInt8(start + 5) : 0;
  if ((flag & ~(WITNESS_FLAG | MWEB_FLAG)) !== 0) throw new NodeLie(`a flag ${flag} is unknown`);
  const inner = start + (isMarked ? 6 : 4);
  cursor.at = inner;
  const inputs = readInputs(cursor);
  const outputs = readOutputs(cursor);
  const innerEnd = cursor.at;
  const hasMweb = (flag & MWEB_FLAG) !== 0;
  if (place === 'mempool') cursor.at = bytes.length - 4;
  else {
    if ((flag & WITNESS_FLAG) !== 0) skipWitness(cursor, inputs.length);
    // An empty pointer: the MWEB data of a block stands behind its transactions.
    if (hasMweb && readByte(cursor) !== 0) throw new NodeLie('a mined transaction has MWEB data');
  }
  const lockTime = cursor.at;
  cursor.at += 4;
  if (lockTime < innerEnd || cursor.at > bytes.length) throw new RangeError();
  if (!isMarked && lockTime !== innerEnd) throw new RangeError();
  const digest = doubleSha256(
    isMarked
      ? Buffer.concat([
          bytes.subarray(start, start + 4),
          bytes.subarray(inner, innerEnd),
          bytes.subarray(lockTime, cursor.at),
        ])
      : bytes.subarray(start, cursor.at),
  );
  const transaction = toShown(digest);
  const isCoinbase = inputs.some(({ isNone }) => isNone);
  const isHogEx = hasMweb && place === 'block';
  const spends = isCoinbase ? [] : inputs.map(({ outpoint }) => outpoint);
  const least = isHogEx ? PEG_OUT_CONFIRMATIONS : isCoinbase ? COINBASE_CONFIRMATIONS : undefined;
  const paid = paidBy(outputs, chain, { transaction, spends, least });
  return {
    transaction,
    digest,
    isCoinbase,
    isHogEx,
    spends,
    ...paid,
  };
}

type OutputsOf = Pick<ParsedTransaction, 'transaction' | 'spends'> & {
  /** Depth below which nobody can spend them. */
  readonly least: number | undefined;
};
type RawOutput = { readonly units: bigint; readonly script: Buffer };

function paidBy(
  outputs: readonly RawOutput[],
  { assetId, mostUnits, readAddress }: RawChain,
  { transaction, spends, least }: OutputsOf,
): Pick<ParsedTransaction, 'arrivals' | 'others'> {
  const arrivals: Arrival[] = [];
  const others: DeparturePart[] = [];
  for (const [vout, { units, script }] of outputs.entries()) {
    // Above 2^63 it is a number below zero to the node (CVE-2010-5139).
    if (units > mostUnits) throw new NodeLie(`${transaction}:${vout} has no possible amount`);
    const destination = readAddress(script);
    if (units === 0n) continue;
    const creditKey = `${transaction}:${vout}`;
    if (destination === undefined) {
      others.push({ creditKey, destination: scriptDestination(script), assetId, units });
      continue;
    }
    // Every address we hand out is an instruction in the database, so an unmatched one is not ours.
    const arrival = { creditKey, transaction, destination, assetId, units, spends, ours: false };
    arrivals.push(least === undefined ? arrival : { ...arrival, leastConfirmations: least });
  }
  return { arrivals, others };
}

/** Canonical form of a receiver whose script is none of those that we hand out. */
export function scriptDestination(script: Uint8Array): string {
  return `script:${Buffer.from(script).toString('hex')}`;
}

type RawInput = { readonly outpoint: string; readonly isNone: boolean };

function readInputs(cursor: RawCursor): RawInput[] {
  const { bytes } = cursor;
  const inputs: RawInput[] = [];
  for (let left = readCount(cursor); left > 0; left -= 1) {
    const index = bytes.readUInt32LE(cursor.at + 32);
    const spent = toShown(bytes.subarray(cursor.at, cursor.at + 32));
    cursor.at += OUTPOINT_LENGTH;
    const length = readCount(cursor);
    cursor.at += length + 4;
    inputs.push({ outpoint: `${spent}:${index}`, isNone: index === NO_INDEX });
  }
  return inputs;
}

function readOutputs(cursor: RawCursor): RawOutput[] {
  const { bytes } = cursor;
  const outputs: RawOutput[] = [];
  for (let left = readCount(cursor); left > 0; left -= 1) {
    const units = bytes.readBigUInt64LE(cursor.at);
    cursor.at += 8;
    const length = readCount(cursor);
    outputs.push({ units, script: bytes.subarray(cursor.at, cursor.at + length) });
    cursor.at += length;
  }
  return outputs;
}

function skipWitness(cursor: RawCursor, inputs: number): void {
  for (let input = 0; input < inputs; input += 1) {
    for (let left = readCount(cursor); left > 0; left -= 1) {
      const length = readCount(cursor);
      cursor.at += length;
    }
  }
}

function readByte(cursor: RawCursor): number {
  cursor.at += 1;
  return cursor.bytes.readUInt8(cursor.at - 1);
}

/** CompactSize. Nothing in a block has 2^32 of anything. */
export function readCount(cursor: RawCursor): number {
  const first = readByte(cursor);
  if (first < 0xfd) return first;
  if (first === 0xff) throw new RangeError();
  const width = first === 0xfd ? 2 : 4;
  cursor.at += width;
  return cursor.bytes.readUIntLE(cursor.at - width, width);
}

/** A length that leads out of the bytes is the node's fault, not ours. */
export function guarded<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new NodeLie('a transaction or a block is cut off');
    throw error;
  }
}

export function doubleSha256(bytes: Uint8Array): Buffer {
  return hash('sha256', hash('sha256', bytes, 'buffer'), 'buffer');
}

/** Hashes are shown in the reverse order of their bytes. */
export function toShown(internal: Uint8Array): string {
  return Buffer.from(internal).reverse().toString('hex');
}
