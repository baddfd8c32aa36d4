// Reads the signed transaction of the XRP Ledger that came back for an order. Guarantees: what is
// given back is signed by a key of the account of the order, does what the order says and nothing
// else, and costs no more; the text, of whoever it is, ends as a Refusal or as that. Pure.

import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { NodeLie } from '#networks/answer-fields.ts';
import {
  difference,
  notSigned,
  requireAsOrdered,
  type SignedPayment,
} from '#networks/outgoing-payment.ts';
import { type BlobFields, dropsIn, FLAGS, readBlob } from './read-blob.ts';
import { FEE, orderedFields, writeBlob, type XrplOrder } from './unsigned-transaction.ts';
import { classicAddress, sha512Half } from './xrpl-address.ts';

/** With the fee that was signed, in drops, which may be lower than that of the order. */
type SignedXrplPayment = SignedPayment & { readonly feeUnits: bigint };

/** A signed payment has about 400 characters. */
const TEXT_MOST = 4096;
const SIGNING_KEY = '7/3';
const SIGNATURE = '7/4';
const SIGNERS = '15/3';
/** tfFullyCanonicalSig, which some wallets set and which changes nothing any more. */
const FULLY_CANONICAL = 0x8000_0000;
/** Hash prefixes: `STX` before what is signed, `TXN` before what is named. */
const SIGNED_PREFIX = Buffer.from('STX\0');
const TRANSACTION_PREFIX = Buffer.from('TXN\0');
const ED25519_MARK = 0xed;
const KEY_BYTES = 33;

/** Names of what may stand in a payment (xrpl.org, Payment and common fields). */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  '1/2': 'TransactionType',
  '2/1': 'NetworkID',
  '2/2': 'Flags',
  '2/3': 'SourceTag',
  '2/4': 'Sequence',
  '2/14': 'DestinationTag',
  '2/27': 'LastLedgerSequence',
  '2/41': 'TicketSequence',
  '5/9': 'AccountTxnID',
  '5/17': 'InvoiceID',
  '6/1': 'Amount',
  '6/9': 'SendMax',
  '6/10': 'DeliverMin',
  '8/1': 'Account',
  '8/3': 'Destination',
  '15/9': 'Memos',
  '18/1': 'Paths',
};

/**
 * `signers`: addresses whose key may sign for the account: its own, and that of its regular key.
 * @throws Refusal invalid `signed_transaction_invalid` when it is none; conflict
 * `signed_transaction_differs` with a sentence for each difference from the order.
 */
export function readSignedXrplPayment(
  text: string,
  order: XrplOrder,
  signers: readonly string[],
): SignedXrplPayment {
  const bytes = readHex(text);
  const fields = readFields(bytes);
  if (fields.has(SIGNERS)) {
    throw notSigned('it is signed by several (Signers); one key of the account has to sign it');
  }
  const feeUnits = readFee(fields.get(FEE));
  const wanted = new Map(orderedFields({ ...order, feeUnits }));
  const flags = fields.get(FLAGS);
  if (isHarmless(flags)) wanted.delete(FLAGS);
  if (isHarmless(flags) && flags !== undefined) wanted.set(FLAGS, flags);
  requireAsOrdered([
    ...(feeUnits > order.feeUnits
      ? [`Fee is ${feeUnits} drops; ordered are at most ${order.feeUnits}`]
      : []),
    ...fieldDifferences(fields, wanted),
  ]);
  requireSignature(fields, signers);
  return {
    signedTransaction: bytes.toString('hex').toUpperCase(),
    transaction: sha512Half(Buffer.concat([TRANSACTION_PREFIX, bytes])),
    feeUnits,
  };
}

function readHex(text: string): Buffer {
  const trimmed = text.length <= TEXT_MOST ? text.trim() : '';
  if (/^(?:[0-9a-f]{2})+$/i.test(trimmed)) return Buffer.from(trimmed, 'hex');
  throw notSigned(
    `it must be a signed transaction in hexadecimal (1200...), of at most ${TEXT_MOST} characters`,
  );
}

function readFields(bytes: Buffer): BlobFields {
  let fields: BlobFields;
  try {
    fields = readBlob(bytes);
  } catch (error) {
    if (!(error instanceof NodeLie)) throw error;
    throw notSigned(`it is no whole transaction: ${error.message}`, { cause: error });
  }
  // In another order it would have another hash than the one that is computed here.
  if (writeBlob(fields).equals(bytes)) return fields;
  throw notSigned('it is no transaction in the one spelling that is hashed');
}

function readFee(bytes: Buffer | undefined): bigint {
  try {
    const drops = dropsIn(bytes);
    if (drops !== undefined && drops > 0n) return drops;
  } catch (error) {
    throw notSigned('its fee is more XRP than there ever were', { cause: error });
  }
  throw notSigned('it offers no fee in XRP, and no ledger takes it');
}

function isHarmless(flags: Buffer | undefined): boolean {
  return flags === undefined || [0, FULLY_CANONICAL].includes(flags.readUInt32BE(0));
}

function fieldDifferences(found: BlobFields, wanted: BlobFields): string[] {
  const names = new Set([...wanted.keys(), ...found.keys()]);
  names.delete(SIGNING_KEY);
  names.delete(SIGNATURE);
  return [...names].flatMap((name) => {
    const [one, other] = [found.get(name), wanted.get(name)];
    if (one !== undefined && other?.equals(one)) return [];
    return difference(
      FIELD_NAMES[name] ?? `field ${name}`,
      valueText(name, one),
      valueText(name, other),
    );
  });
}

function valueText(name: string, value: Buffer | undefined): string {
  if (value === undefined) return 'none';
  const [type] = name.split('/');
  if (type === '1' || type === '2') return `${BigInt(`0x${value.toString('hex')}`)}`;
  if (type === '8' && value.length === 20) return classicAddress(value);
  const isDrops = type === '6' && value.length === 8;
  if (isDrops && ((value[0] ?? 0) & 0x40) !== 0) {
    return `${value.readBigUInt64BE(0) & 0x3fff_ffff_ffff_ffffn} drops`;
  }
  return value.toString('hex').toUpperCase();
}

function requireSignature(fields: BlobFields, signers: readonly string[]): void {
  const [key, signature] = [fields.get(SIGNING_KEY), fields.get(SIGNATURE)];
  if (key === undefined || signature === undefined || signature.length === 0) {
    throw notSigned('it is not signed yet');
  }
  if (key.length !== KEY_BYTES) throw notSigned('it names no key that has signed it');
  const signer = classicAddress(ripemd160(createHash('sha256').update(key).digest()));
  if (!signers.includes(signer)) {
    throw notSigned(`it is signed by the key of ${signer}, which is none of the account`);
  }
  const unsigned = new Map(fields);
  unsigned.delete(SIGNATURE);
  const message = Buffer.concat([SIGNED_PREFIX, writeBlob(unsigned)]);
  if (!isSignedBy(key, message, signature)) throw notSigned('its signature is none of that key');
}

/** Signatures have one form only (RequireFullyCanonicalSig). */
function isSignedBy(key: Buffer, message: Buffer, signature: Buffer): boolean {
  try {
    if (key[0] === ED25519_MARK) {
      return ed25519.verify(signature, message, key.subarray(1), { zip215: false });
    }
    const digest = Buffer.from(sha512Half(message), 'hex');
    return secp256k1.verify(signature, digest, key, { prehash: false, format: 'der', lowS: true });
  } catch {
    // No point of the curve, or no signature in its one form.
    return false;
  }
}
