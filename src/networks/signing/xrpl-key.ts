// A key of the XRP Ledger: a family seed (s..., sEd...) or a private key. The transaction is
// decoded, and must be, byte for byte, the Payment that the order makes: no partial payment, the
// tag of the order, a last ledger. Only the public key and the signature are added.

import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { base58xrp } from '@scure/base';
import { assert } from '#base/assert.ts';
import { NodeLie } from '#networks/answer-fields.ts';
import { dropsIn, readBlob } from '#networks/xrpl/read-blob.ts';
import { readSignedXrplPayment } from '#networks/xrpl/signed-transaction.ts';
import {
  FEE,
  orderedFields,
  writeBlob,
  type XrplOrder,
} from '#networks/xrpl/unsigned-transaction.ts';
import { classicAccountId, classicAddress, sha512Half } from '#networks/xrpl/xrpl-address.ts';
import type { SignerKey } from '#signer/open-key.ts';
import {
  differs,
  type OpenKey,
  type ReviewedOrder,
  receiverText,
  requireFact,
  requireOnePayment,
  unreadable,
} from '#signer/open-key.ts';
import type { SignOrder } from '#signer/sign-order.ts';

type XrplPair = {
  /** 33 bytes: of secp256k1, or 0xED and the key of Ed25519. */
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
};

const SIGNING_KEY = '7/3';
const SIGNATURE = '7/4';
const LAST_LEDGER_SEQUENCE = '2/27';
const SIGNED_PREFIX = Buffer.from('STX\0');
const SEED_BYTES = 16;
const SECP256K1_SEED = Buffer.of(0x21);
const ED25519_SEED = Buffer.of(0x01, 0xe1, 0x4b);
const ED25519_MARK = 0xed;

export function openXrplKey(key: SignerKey): OpenKey {
  const { name, environment, network, chain } = key;
  const pair = pairOf(key.secret);
  assert(pair !== undefined, 'a key that is kept is a key');
  const own = classicAddress(ripemd160(createHash('sha256').update(pair.publicKey).digest()));
  const source = key.account ?? own;
  return {
    shown: { name, environment, network, chain, address: source },
    isFor: ({ facts }) => requireFact(facts.source, 'source') === source,
    owns: ({ account }) => account.account === source,
    spell: (address) => (classicAccountId(address) === undefined ? undefined : address),
    review: (order) => review(order, source, own, pair),
  };
}

function review(order: SignOrder, source: string, own: string, pair: XrplPair): ReviewedOrder {
  if (order.kind !== 'PAY') throw differs('on the XRP Ledger a transaction ends by itself');
  const { bytes, feeUnits, lastLedger } = decode(order.unsigned);
  const { ticket, sequence } = order.facts;
  const ordered: XrplOrder = {
    payment: requireOnePayment(order),
    source,
    turn: ticket === undefined ? { sequence: requireFact(sequence, 'sequence') } : { ticket },
    feeUnits,
    lastLedger,
  };
  if (feeUnits > order.feeUnits) {
    throw differs(`its fee is ${feeUnits} drops; ordered are at most ${order.feeUnits}`);
  }
  const fields = orderedFields(ordered);
  // Made again from the order it is what came: nothing was overlooked.
  if (!writeBlob(fields).equals(bytes)) {
    throw differs(
      'it is not the Payment that the order makes: account, turn, receiver, tag, amount',
    );
  }
  const { account = '', destinationTag } = order.payments[0]?.account ?? {};
  return {
    feeUnits,
    receivers: [receiverText(account, destinationTag)],
    // A ticket has a number of its own among the sequence numbers of the account.
    turns: [`${order.environment} ${source} ${ticket ?? sequence}`],
    coins: new Map(),
    isTurnForOneOrder: false,
    sign() {
      const signing = new Map([...fields, [SIGNING_KEY, Buffer.from(pair.publicKey)] as const]);
      const message = Buffer.concat([SIGNED_PREFIX, writeBlob(signing)]);
      const signature = [SIGNATURE, Buffer.from(pair.sign(message))] as const;
      const text = writeBlob(new Map([...signing, signature])).toString('hex');
      const read = readSignedXrplPayment(text, ordered, [own]);
      return { signedTransaction: read.signedTransaction, transaction: read.transaction };
    },
  };
}

function decode(text: string) {
  const isHex = /^(?:[0-9A-F]{2})+$/.test(text);
  if (!isHex) throw unreadable('it must be an unsigned transaction in hexadecimal (1200...)');
  const bytes = Buffer.from(text, 'hex');
  try {
    const fields = readBlob(bytes);
    const feeUnits = dropsIn(fields.get(FEE));
    const last = fields.get(LAST_LEDGER_SEQUENCE);
    if (feeUnits === undefined) throw unreadable('it offers no fee in XRP');
    if (last === undefined) throw differs('it has no last ledger (LastLedgerSequence)');
    return { bytes, feeUnits, lastLedger: BigInt(last.readUInt32BE()) };
  } catch (error) {
    if (!(error instanceof NodeLie)) throw error;
    throw unreadable(`it is no whole transaction: ${error.message}`, error);
  }
}

/** Undefined when the text is no family seed and no private key in hexadecimal. */
export function pairOf(secret: string): XrplPair | undefined {
  const hex = /^(ED|00)?([0-9A-F]{64})$/.exec(secret);
  if (hex !== null) {
    const bytes = Buffer.from(hex[2] ?? '', 'hex');
    return hex[1] === 'ED' ? ed25519Pair(bytes) : secp256k1Pair(bytes);
  }
  const payload = checkedSeed(secret);
  if (payload === undefined) return undefined;
  const seed = payload.subarray(-SEED_BYTES);
  const prefix = payload.subarray(0, -SEED_BYTES);
  if (prefix.equals(ED25519_SEED)) return ed25519Pair(halfOf(seed));
  return prefix.equals(SECP256K1_SEED) ? secp256k1Pair(familyKey(seed)) : undefined;
}

export function familySeedOf(seed: Uint8Array): string {
  const payload = Buffer.concat([SECP256K1_SEED, seed]);
  return base58xrp.encode(Buffer.concat([payload, checksumOf(payload)]));
}

function checkedSeed(text: string): Buffer | undefined {
  if (!/^s[1-9A-HJ-NP-Za-km-z]{20,40}$/.test(text)) return undefined;
  let bytes: Buffer;
  try {
    bytes = Buffer.from(base58xrp.decode(text));
  } catch {
    return undefined;
  }
  const payload = bytes.subarray(0, -4);
  const isWhole = payload.length > SEED_BYTES && bytes.subarray(-4).equals(checksumOf(payload));
  return isWhole ? payload : undefined;
}

function checksumOf(payload: Uint8Array): Buffer {
  const once = createHash('sha256').update(payload).digest();
  return createHash('sha256').update(once).digest().subarray(0, 4);
}

function ed25519Pair(privateKey: Uint8Array): XrplPair {
  const publicKey = Uint8Array.of(ED25519_MARK, ...ed25519.getPublicKey(privateKey));
  return { publicKey, sign: (message) => ed25519.sign(message, privateKey) };
}

function secp256k1Pair(privateKey: Uint8Array): XrplPair {
  const options = { prehash: false, lowS: true, format: 'der' } as const;
  return {
    publicKey: secp256k1.getPublicKey(privateKey),
    sign: (message) => secp256k1.sign(halfOf(message), privateKey, options),
  };
}

/**
 * The master key of a family seed (xrpl.org, Cryptographic Keys): the root key of the seed, and
 * that of its first account, added.
 */
function familyKey(seed: Uint8Array): Uint8Array {
  const { Fn } = secp256k1.Point;
  const root = numberFrom(seed);
  const rootPublic = secp256k1.getPublicKey(Fn.toBytes(root));
  const account = numberFrom(Buffer.concat([rootPublic, Buffer.alloc(4)]));
  return Fn.toBytes(Fn.add(root, account));
}

/** The first hash over these bytes and a counter that is a number of the curve. */
function numberFrom(bytes: Uint8Array): bigint {
  const { Fn } = secp256k1.Point;
  for (let counter = 0; ; counter += 1) {
    const suffix = Buffer.alloc(4);
    suffix.writeUInt32BE(counter);
    const number = BigInt(`0x${halfOf(Buffer.concat([bytes, suffix])).toString('hex')}`);
    if (number > 0n && number < Fn.ORDER) return number;
  }
}

function halfOf(bytes: Uint8Array): Buffer {
  return Buffer.from(sha512Half(bytes), 'hex');
}
