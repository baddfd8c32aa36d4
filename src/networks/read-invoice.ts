// Reads invoices of the Lightning Network (BOLT 11) as far as it takes to know that one is whole:
// prefix, checksum, payment hash and the signature of the node that is paid.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32 } from '@scure/base';

export type ReadInvoice = {
  /** Lower case. */
  readonly invoice: string;
  /** bc, tb, tbs, bcrt: the chain under it. */
  readonly prefix: string;
  readonly expiresAt: Temporal.Instant;
};

const TAG = { hash: 1, expiry: 6, node: 19 } as const;
const timestampWords = 7;
const signatureWords = 104;
const hashWords = 52;
const nodeWords = 53;
/** When the invoice does not say (BOLT 11). */
const usualExpirySeconds = 3600;
/** An expiry above it is for ever, and this far Temporal can count. */
const expirySecondsMax = 100n * 365n * 86_400n;

/** Undefined when the text is no invoice or not a whole one. */
export function readInvoice(text: string): ReadInvoice | undefined {
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) return undefined;
  const decoded = decodeBech32(lower);
  const [, prefix] = /^ln(bcrt|bc|tbs|tb)(?:[1-9]\d*[munp]?)?$/.exec(decoded?.prefix ?? '') ?? [];
  if (decoded === undefined || prefix === undefined) return undefined;
  const { words } = decoded;
  if (words.length < timestampWords + signatureWords) return undefined;
  const signed = words.slice(0, -signatureWords);
  const tags = readTags(signed.slice(timestampWords));
  if (tags === undefined || tags.get(TAG.hash)?.length !== hashWords) return undefined;
  const signature = words.slice(-signatureWords);
  if (!isSigned(decoded.prefix, signed, signature, tags.get(TAG.node))) return undefined;
  const seconds = toNumber(signed.slice(0, timestampWords));
  const expiryWords = tags.get(TAG.expiry);
  const expiry = expiryWords === undefined ? BigInt(usualExpirySeconds) : toNumber(expiryWords);
  const lasting = expiry > expirySecondsMax ? expirySecondsMax : expiry;
  const expiresAt = Temporal.Instant.fromEpochMilliseconds(Number((seconds + lasting) * 1000n));
  return { invoice: lower, prefix, expiresAt };
}

function decodeBech32(text: string): { prefix: string; words: number[] } | undefined {
  // An invoice is longer than the addresses the code was made for.
  const decoded = bech32.decodeUnsafe(text, false) ?? undefined;
  return decoded === undefined ? undefined : { prefix: decoded.prefix, words: decoded.words };
}

/** The first field of each kind; undefined when a length does not fit. */
function readTags(words: readonly number[]): Map<number, readonly number[]> | undefined {
  const tags = new Map<number, readonly number[]>();
  let at = 0;
  while (at < words.length) {
    const [tag, high, low] = words.slice(at, at + 3);
    if (tag === undefined || high === undefined || low === undefined) return undefined;
    const end = at + 3 + high * 32 + low;
    if (end > words.length) return undefined;
    if (!tags.has(tag)) tags.set(tag, words.slice(at + 3, end));
    at = end;
  }
  return tags;
}

/** Over the prefix as text and the data filled up to whole bytes. */
function isSigned(
  prefix: string,
  signed: readonly number[],
  signature: readonly number[],
  node: readonly number[] | undefined,
): boolean {
  const bytes = bech32.fromWordsUnsafe([...signature]);
  const recovery = bytes?.[64];
  if (!bytes || recovery === undefined || recovery > 3) return false;
  const message = sha256(Uint8Array.of(...new TextEncoder().encode(prefix), ...fillBytes(signed)));
  const compact = bytes.subarray(0, 64);
  try {
    if (node !== undefined) {
      if (node.length !== nodeWords) return false;
      const key = fillBytes(node).subarray(0, 33);
      return secp256k1.verify(compact, message, key, { prehash: false });
    }
    const recoverable = secp256k1.Signature.fromBytes(compact).addRecoveryBit(recovery);
    recoverable.recoverPublicKey(message).assertValidity();
    return true;
  } catch {
    return false;
  }
}

function fillBytes(words: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((words.length * 5) / 8));
  words.forEach((word, index) => {
    for (let bit = 0; bit < 5; bit += 1) {
      const position = index * 5 + bit;
      const isSet = (word >> (4 - bit)) & 1;
      bytes[position >> 3] = (bytes[position >> 3] ?? 0) | (isSet << (7 - (position & 7)));
    }
  });
  return bytes;
}

/** Big-endian groups of 5 bits. */
function toNumber(words: readonly number[]): bigint {
  return words.reduce((number, word) => (number << 5n) | BigInt(word), 0n);
}
