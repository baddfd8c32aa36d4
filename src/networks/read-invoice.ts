// Reads invoices of the Lightning Network (BOLT 11) as far as it takes to know that one is whole,
// and what it asks for: prefix, amount, payment hash and the signature of the node that is paid.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32 } from '@scure/base';

export type ReadInvoice = {
  /** Lower case. */
  readonly invoice: string;
  /** bc, tb, tbs, bcrt: the chain under it. */
  readonly prefix: string;
  readonly expiresAt: Temporal.Instant;
  /** 64 hexadecimal digits. */
  readonly paymentHash: string;
  /** Undefined when the payer chooses. */
  readonly millisatoshis: bigint | undefined;
  /** Public key of the node that is paid, in hexadecimal. */
  readonly payee: string;
  /** True when an address on the chain is offered as well. */
  readonly hasFallback: boolean;
  /** SHA-256 of a description that is told elsewhere (tag h), in hexadecimal. */
  readonly descriptionHash: string | undefined;
};

const TAG = { hash: 1, expiry: 6, fallback: 9, node: 19, descriptionHash: 23 } as const;
const TIMESTAMP_WORDS = 7;
const SIGNATURE_WORDS = 104;
const HASH_WORDS = 52;
const NODE_WORDS = 53;
/** When the invoice does not say (BOLT 11). */
const USUAL_EXPIRY_SECONDS = 3600;
/** An expiry above it is for ever, and this far Temporal can count. */
const EXPIRY_SECONDS_MOST = 100n * 365n * 86_400n;

/** Undefined when the text is no invoice or not a whole one. */
export function readInvoice(text: string): ReadInvoice | undefined {
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) return undefined;
  const decoded = decodeBech32(lower);
  const parts = /^ln(bcrt|bc|tbs|tb)(?:([1-9]\d*)([munp]?))?$/.exec(decoded?.prefix ?? '') ?? [];
  const [, prefix, digits, multiplier = ''] = parts;
  if (decoded === undefined || prefix === undefined) return undefined;
  if (digits !== undefined && !isWholeMillisatoshis(digits, multiplier)) return undefined;
  const { words } = decoded;
  if (words.length < TIMESTAMP_WORDS + SIGNATURE_WORDS) return undefined;
  const signed = words.slice(0, -SIGNATURE_WORDS);
  const tags = readTags(signed.slice(TIMESTAMP_WORDS));
  const hash = tags?.get(TAG.hash);
  if (tags === undefined || hash?.length !== HASH_WORDS) return undefined;
  const signature = words.slice(-SIGNATURE_WORDS);
  const payee = readPayee(decoded.prefix, signed, signature, tags.get(TAG.node));
  if (payee === undefined) return undefined;
  const seconds = toNumber(signed.slice(0, TIMESTAMP_WORDS));
  const expiryWords = tags.get(TAG.expiry);
  const descriptionHash = tags.get(TAG.descriptionHash);
  const expiry = expiryWords === undefined ? BigInt(USUAL_EXPIRY_SECONDS) : toNumber(expiryWords);
  const lasting = expiry > EXPIRY_SECONDS_MOST ? EXPIRY_SECONDS_MOST : expiry;
  const expiresAt = Temporal.Instant.fromEpochMilliseconds(Number((seconds + lasting) * 1000n));
  return {
    invoice: lower,
    prefix,
    expiresAt,
    paymentHash: readHash(hash),
    millisatoshis: digits === undefined ? undefined : toMillisatoshis(digits, multiplier),
    payee,
    hasFallback: tags.has(TAG.fallback),
    descriptionHash: descriptionHash?.length === HASH_WORDS ? readHash(descriptionHash) : undefined,
  };
}

/** 256 bits and 4 to fill up. */
function readHash(words: readonly number[]): string {
  return fillBytes(words).subarray(0, 32).toHex();
}

const PICO_OF: Readonly<Record<string, bigint>> = {
  '': 10n ** 12n,
  m: 10n ** 9n,
  u: 10n ** 6n,
  n: 10n ** 3n,
  p: 1n,
};

/** A bitcoin is 10^11 millisatoshis; tenths of one must be refused (BOLT 11, amount). */
function isWholeMillisatoshis(digits: string, multiplier: string): boolean {
  return multiplier !== 'p' || digits.endsWith('0');
}

function toMillisatoshis(digits: string, multiplier: string): bigint {
  return (BigInt(digits) * (PICO_OF[multiplier] ?? 0n)) / 10n;
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

/**
 * The signature is over the prefix as text and the data filled up to whole bytes. Undefined when it
 * is not one of the node named, or of no node.
 */
function readPayee(
  prefix: string,
  signed: readonly number[],
  signature: readonly number[],
  node: readonly number[] | undefined,
): string | undefined {
  const bytes = bech32.fromWordsUnsafe([...signature]);
  const recovery = bytes?.[64];
  if (!bytes || recovery === undefined || recovery > 3) return undefined;
  const message = sha256(Uint8Array.of(...new TextEncoder().encode(prefix), ...fillBytes(signed)));
  const compact = bytes.subarray(0, 64);
  try {
    if (node !== undefined) {
      if (node.length !== NODE_WORDS) return undefined;
      const key = fillBytes(node).subarray(0, 33);
      return secp256k1.verify(compact, message, key, { prehash: false }) ? key.toHex() : undefined;
    }
    const recoverable = secp256k1.Signature.fromBytes(compact).addRecoveryBit(recovery);
    return recoverable.recoverPublicKey(message).toHex(true);
  } catch {
    return undefined;
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

type ReadLnurl = {
  /** Lower case. */
  readonly lnurl: string;
  /** The web address in it. */
  readonly url: string;
};

/**
 * LUD-01: a web address in bech32, with or without `lightning:` before it. Undefined when it is
 * none, by its checksum, or leads to anything but a web address over https.
 */
export function readLnurl(text: string): ReadLnurl | undefined {
  const plain = text.replace(/^lightning:/i, '');
  const lnurl = plain.toLowerCase();
  if (plain !== lnurl && plain !== plain.toUpperCase()) return undefined;
  const decoded = bech32.decodeUnsafe(lnurl, false);
  if (decoded?.prefix !== 'lnurl') return undefined;
  const bytes = bech32.fromWordsUnsafe(decoded.words);
  if (!bytes) return undefined;
  const url = URL.parse(new TextDecoder().decode(bytes));
  return url?.protocol === 'https:' ? { lnurl, url: url.href } : undefined;
}
