// Writes invoices of the Lightning Network (BOLT 11), signed by the node key of the sandbox. Only
// what our invoices hold: hash, secret, description, expiry, features. Reading them is the wallet's
// part.

import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32 } from '@scure/base';
import { assert } from '#base/assert.ts';

export type Invoice = {
  /** bc, tb, tbs, bcrt: the chain under it. */
  readonly prefix: string;
  /** Satoshis. */
  readonly units: bigint;
  readonly createdAt: Temporal.Instant;
  readonly expirySeconds: number;
  readonly paymentHash: Uint8Array;
  readonly paymentSecret: Uint8Array;
  readonly description: string;
  /** Stands in place of the description; 64 hexadecimal digits. */
  readonly descriptionHash?: string | undefined;
};

const TAG = {
  hash: 1,
  secret: 16,
  description: 13,
  descriptionHash: 23,
  expiry: 6,
  features: 5,
} as const;
const DESCRIPTION_BYTES_MAX = 639;
/** var_onion_optin (8) and payment_secret (14), both compulsory. */
const FEATURES = (1n << 8n) | (1n << 14n);

/** The same invoice for the same input: the signature is deterministic (RFC 6979). */
export function encodeInvoice(invoice: Invoice, nodeKey: Uint8Array): string {
  assert(invoice.units > 0n, 'an invoice asks for something');
  assert(invoice.paymentHash.length === 32, 'a payment hash has 32 bytes');
  assert(invoice.paymentSecret.length === 32, 'a payment secret has 32 bytes');
  const words = [
    ...toWords(BigInt(Math.floor(invoice.createdAt.epochMilliseconds / 1000)), 7),
    ...field(TAG.hash, bech32.toWords(invoice.paymentHash)),
    ...field(TAG.secret, bech32.toWords(invoice.paymentSecret)),
    ...describe(invoice),
    ...field(TAG.expiry, toWords(BigInt(invoice.expirySeconds))),
    ...field(TAG.features, toWords(FEATURES)),
  ];
  const prefix = `ln${invoice.prefix}${amountText(invoice.units)}`;
  return bech32.encode(prefix, [...words, ...signatureWords(prefix, words, nodeKey)], false);
}

/** One of the two (BOLT 11): the description, or the hash of a longer one. */
function describe({ description, descriptionHash }: Invoice): number[] {
  if (descriptionHash !== undefined) {
    assert(descriptionHash.length === 64, 'the hash of a description has 32 bytes');
    return field(TAG.descriptionHash, bech32.toWords(Uint8Array.fromHex(descriptionHash)));
  }
  const text = new TextEncoder().encode(description);
  assert(text.length <= DESCRIPTION_BYTES_MAX, 'the description of an invoice is short');
  return field(TAG.description, bech32.toWords(text));
}

/** Whole coins with the largest multiplier that leaves no fraction: the shortest text. */
function amountText(satoshis: bigint): string {
  const multipliers = [
    ['', 100_000_000n],
    ['m', 100_000n],
    ['u', 100n],
  ] as const;
  for (const [letter, unit] of multipliers) {
    if (satoshis % unit === 0n) return `${satoshis / unit}${letter}`;
  }
  return `${satoshis * 10n}n`;
}

function field(tag: number, words: readonly number[]): number[] {
  return [tag, ...toWords(BigInt(words.length), 2), ...words];
}

/** Big-endian groups of 5 bits, as many as told or as few as hold the number. */
function toWords(number: bigint, length = 1): number[] {
  const words: number[] = [];
  for (let rest = number; rest > 0n || words.length < length; rest >>= 5n) {
    words.unshift(Number(rest & 31n));
  }
  return words;
}

/** Over the prefix as text and the data filled up to whole bytes; 64 bytes and the recovery id. */
function signatureWords(prefix: string, words: readonly number[], nodeKey: Uint8Array): number[] {
  const data = new Uint8Array(Math.ceil((words.length * 5) / 8));
  words.forEach((word, index) => {
    for (let bit = 0; bit < 5; bit += 1) {
      const position = index * 5 + bit;
      const isSet = (word >> (4 - bit)) & 1;
      data[position >> 3] = (data[position >> 3] ?? 0) | (isSet << (7 - (position & 7)));
    }
  });
  const message = sha256(Uint8Array.of(...new TextEncoder().encode(prefix), ...data));
  const signed = secp256k1.sign(message, nodeKey, { prehash: false, format: 'recovered' });
  const [recovery = 0, ...signature] = signed;
  return bech32.toWords(Uint8Array.of(...signature, recovery));
}
